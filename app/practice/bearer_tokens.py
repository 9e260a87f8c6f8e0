"""Bearer tokens: the token endpoint issues them, every call looks them up. They are in memory only."""

import secrets
import time
from dataclasses import dataclass, field

from app.practice.database.clients import Client


@dataclass(frozen=True, slots=True)
class Grant:
    """The client and scopes of a token, valid until `expires` on the monotonic clock."""

    client: Client
    scopes: frozenset[str]
    expires: float


@dataclass(slots=True)
class Tokens:
    """The valid tokens. `life`: seconds for which a new token is valid."""

    life: float
    grants: dict[str, Grant] = field(default_factory=dict)

    def issue(self, client: Client, scopes: frozenset[str]) -> str:
        """Issue a new token, and forget the expired ones."""
        now = time.monotonic()
        # Here, and nowhere else: nothing else makes the table grow.
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
        """End a token before it expires."""
        self.grants.pop(token, None)
