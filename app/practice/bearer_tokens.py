"""Bearer tokens: handed out by the token endpoint, looked up at every call. A restart forgets them all."""

import secrets
import time
from dataclasses import dataclass, field

from app.practice.database.clients import Client


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows, until `expires` on the monotonic clock."""

    client: Client
    scopes: frozenset[str]
    expires: float


@dataclass(slots=True)
class Tokens:
    """The tokens that are out. `life` in seconds."""

    life: float
    grants: dict[str, Grant] = field(default_factory=dict)

    def issue(self, client: Client, scopes: frozenset[str]) -> str:
        """A new token."""
        now = time.monotonic()
        self.grants = {token: grant for token, grant in self.grants.items() if grant.expires > now}
        token = secrets.token_urlsafe(32)
        self.grants[token] = Grant(client, scopes, now + self.life)
        return token

    def find(self, authorization: str | None) -> tuple[str, Grant] | None:
        """The token in an Authorization header and its grant; None for a missing, malformed, unknown or expired one."""
        scheme, _, token = (authorization or "").partition(" ")
        grant = self.grants.get(token.strip()) if scheme.lower() == "bearer" else None
        if grant is None or grant.expires <= time.monotonic():
            return None
        return token.strip(), grant

    def revoke(self, token: str) -> None:
        """Ends a token before its time."""
        self.grants.pop(token, None)
