"""How the calls of one connection travel, as settings. It imports little, so that Settings can check input.

Invariant: the password of the proxy shows in no representation.
"""

import base64
import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from app.api.errors import BadAddress
from app.api.network import network_words as words
from app.contract.codes import Format

SYSTEM, DIRECT = "system", "direct"
_SOCKS = re.compile(r"socks\w*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Transport:
    """`proxy` is SYSTEM (as this computer is set), DIRECT (none), or the address of one for all calls.

    The login is for a proxy with an address here; one of the system brings its own. `authorities` is the path of a file
    with certificates that are trusted besides the operating system's, empty for none. `replies` is the format that the
    services are asked to answer in; either is read.
    """

    proxy: str = SYSTEM
    proxy_user: str = ""
    proxy_password: str = field(default="", repr=False)
    authorities: str = ""
    replies: Format = "json"

    @property
    def own_proxy(self) -> str:
        """The address of the proxy that all calls go through, empty if none is named here."""
        return "" if self.proxy in (SYSTEM, DIRECT) else with_scheme(self.proxy)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The texts that must be shown to nobody: the password, and the login as its header writes it."""
        if not self.proxy_password:
            return ()
        login = f"{self.proxy_user}:{self.proxy_password}".encode()
        return self.proxy_password, base64.b64encode(login).decode()

    def check(self) -> None:
        """Raise BadAddress if the address or the login of the proxy cannot be used."""
        if self.own_proxy:
            check_proxy(self.own_proxy)
            check_proxy_user(self.proxy_user)


def with_scheme(address: str) -> str:
    """The address of a proxy, which people write without its scheme."""
    text = address.strip()
    bare = text.rstrip("/") if not text.endswith("://") else text
    return bare if "://" in bare or not bare else f"http://{bare}"


def check_proxy(address: str) -> None:
    """Raise BadAddress when this is no address of a proxy for HTTP."""
    text = with_scheme(address)
    if _SOCKS.match(text):
        raise BadAddress(words.PROXY_NOT_SOCKS, "proxy")
    try:
        parts = urlsplit(text)
        port_is_number = parts.port is None or parts.port > 0
    except ValueError:
        parts, port_is_number = SplitResult("", "", "", "", ""), False
    if "@" in parts.netloc:
        raise BadAddress(words.PROXY_HOLDS_LOGIN, "proxy")
    unfit = any(each <= " " or each == "\x7f" for each in text)
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or not port_is_number or unfit:
        raise BadAddress(words.PROXY_EXAMPLE, "proxy")
    if parts.path or parts.query or parts.fragment:
        raise BadAddress(words.PROXY_HOLDS_PATH, "proxy")


def check_proxy_user(user: str) -> None:
    """Raise BadAddress when this is no user name for a proxy: it stands before a colon in the header."""
    if ":" in user:
        raise BadAddress(words.USER_WITHOUT_COLON, "proxy_user")
