"""Helps with the three addresses of a connection: where each takes a prefix, and what one of them says of the others.

The two services share a host and differ by their prefix (services.md); where tokens are asked for is said nowhere but
in its own address. So one address of a service fills in the other, and none is guessed from its host alone.
"""

import re
from urllib.parse import SplitResult, urlsplit

from app.api.addresses import CONNECT_PATH, MANAGEMENT_PREFIX
from app.desk.connections import connections_words as words

INFORMATION_PREFIX = "/OrderInformationApi"
_ADDRESS = re.compile(r"https?://[^\s\"'<>,;|]+", re.IGNORECASE)
_TRAILING = ".,:)]}"


def addresses_in(text: str, pasted_into: str) -> dict[str, str]:
    """The addresses that a pasted text says, by their field in `Profile`; empty where it says none.

    What stands behind an address is left out (the path of an operation, of the description, of the token endpoint). The
    address of one service gives that of the other. One that has none of the known parts is that of the field it was
    pasted into.
    """
    found: dict[str, str] = {}
    for typed in _ADDRESS.findall(text):
        address = typed.rstrip(_TRAILING)
        name, bare = _told_apart(address)
        if name:
            found.setdefault(name, bare)
        else:
            found.setdefault(pasted_into, bare)
    base, info = found.get("base_url", ""), found.get("info_base_url", "")
    if base and not info:
        found["info_base_url"] = base + INFORMATION_PREFIX
    elif info and not base and info.lower().endswith(INFORMATION_PREFIX.lower()):
        found["base_url"] = info[: -len(INFORMATION_PREFIX)]
    return found


def _told_apart(address: str) -> tuple[str, str]:
    """The field that an address belongs to (empty where nothing tells), and the part of it that is asked for."""
    bare = re.split(r"[?#]", address, maxsplit=1)[0].rstrip("/")
    for name, part, kept in (
        ("auth_url", CONNECT_PATH, 0),
        ("info_base_url", INFORMATION_PREFIX, len(INFORMATION_PREFIX)),
        ("base_url", MANAGEMENT_PREFIX, 0),
    ):
        at = bare.lower().find(part.lower())
        # At the very beginning it would be a path without a host.
        if at > 0:
            return name, bare[: at + kept]
    return "", bare


def doubt(name: str, address: str) -> str:
    """The sentence about an address that could be right and looks odd; else empty. `name` is its field in `Profile`."""
    path = _path_of(address)
    if path is None:
        return ""
    if name != "auth_url" and CONNECT_PATH in path:
        return words.IS_TOKEN_ADDRESS
    management, information = MANAGEMENT_PREFIX.lower() in path, INFORMATION_PREFIX.lower() in path
    if name == "base_url" and information:
        return words.IS_INFORMATION_ADDRESS
    if name == "info_base_url" and management:
        return words.IS_MANAGEMENT_ADDRESS
    if name == "info_base_url" and not path:
        return words.prefix_missing(INFORMATION_PREFIX)
    if name == "auth_url" and (management or information):
        return words.IS_SERVICE_ADDRESS
    return ""


def _path_of(address: str) -> str | None:
    """The path of an address in small letters, without a final slash; None for what is no address."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    return parts.path.lower().rstrip("/") if parts.hostname else None
