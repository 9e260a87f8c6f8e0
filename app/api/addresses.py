"""The addresses of a provider and the credentials for it. Standard library only, so that Settings can check input."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from app.api import api_words
from app.api.errors import BadAddress

MANAGEMENT_PREFIX = "/OrderManagementApi"
CONNECT_PATH = "/connect/token"
NAMES = ("base_url", "info_base_url", "auth_url")
_SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Credentials:
    """The organisation's key and its secret; the secret shows in no representation."""

    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The three configured addresses, as services.md names them.

    `base_url` stands before /OrderManagementApi, `info_base_url` includes /OrderInformationApi, `auth_url` stands
    before /connect/token. A slash at the end, or the part that comes after written out, does no harm.
    """

    base_url: str
    info_base_url: str
    auth_url: str

    def check(self) -> None:
        """Raise BadAddress for the first of the three that is no http(s) address."""
        for name in NAMES:
            check_address(getattr(self, name), name)

    def wrong(self) -> dict[str, str]:
        """The sentence about each of the three that is no http(s) address, by its name."""
        found = {}
        for name in NAMES:
            try:
                check_address(getattr(self, name), name)
            except BadAddress as error:
                found[name] = error.sentence
        return found

    @property
    def management_root(self) -> str:
        """The address that stands before the paths of the management service."""
        return _without(self.base_url, MANAGEMENT_PREFIX) + MANAGEMENT_PREFIX

    @property
    def information_root(self) -> str:
        """The address that stands before the paths of the information service."""
        return _without(self.info_base_url, "")

    @property
    def token_url(self) -> str:
        """Where tokens are asked for."""
        return _without(self.auth_url, CONNECT_PATH) + CONNECT_PATH


def _without(address: str, tail: str) -> str:
    trimmed = address.strip().rstrip("/")
    if tail and trimmed.lower().endswith(tail.lower()):
        trimmed = trimmed[: -len(tail)].rstrip("/")
    return trimmed


def check_address(address: str, name: str) -> None:
    """Raise BadAddress when this, typed under the `name` of `Addresses`, is no http(s) address."""
    try:
        parts = urlsplit(address.strip())
        port_is_number = parts.port is None or parts.port > 0
    except ValueError:
        parts, port_is_number = SplitResult("", "", "", "", ""), False
    if parts.scheme not in _SCHEMES or not parts.hostname or not port_is_number:
        raise BadAddress(api_words.not_an_address(address.strip()), name)
    if parts.query or parts.fragment or "@" in parts.netloc or any(each <= " " for each in address.strip()):
        raise BadAddress(api_words.NO_BLANKS, name)


def is_loopback(host: str) -> bool:
    """Whether a host name or literal address means this computer itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
