"""How every desk of a team names the same provider and client, whatever each calls its connection."""

import hashlib


def bare_address(address: str) -> str:
    """An address without spaces, a final slash, or capitals in scheme and host."""
    scheme, _, rest = address.strip().rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


def place_of(base_url: str, client_id: str) -> str:
    """The name of a provider and client in the team's log. It tells neither address nor client to who reads the log."""
    return hashlib.sha256(f"{bare_address(base_url)}\n{client_id.strip()}".encode()).hexdigest()[:32]
