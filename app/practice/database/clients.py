"""The three clients of a data directory. Their secrets are drawn at random when the directory is made."""

import secrets
from dataclasses import dataclass, field

import apsw

from app.contract.codes import ALL_SCOPES, SCOPE_INFO_ORDERS

MAIN, OTHER, LIMITED = "main", "other", "limited"
SCOPES: dict[str, tuple[str, ...]] = {MAIN: ALL_SCOPES, OTHER: ALL_SCOPES, LIMITED: (SCOPE_INFO_ORDERS,)}


@dataclass(frozen=True, slots=True)
class Client:
    """A caller of the service: `id` is its key in the tables, `kind` one of main, other, limited."""

    id: int
    kind: str
    client_id: str
    secret: str = field(repr=False)

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that this client may be granted."""
        return SCOPES[self.kind]


def keep_clients(connection: apsw.Connection) -> dict[str, Client]:
    """The clients by kind, made where they are missing."""
    for number, kind in enumerate(SCOPES, 1):
        connection.execute(
            "INSERT INTO clients VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (number, kind, f"practice-{kind}", secrets.token_urlsafe(24)),
        )
    rows = connection.execute("SELECT id, kind, client_id, secret FROM clients")
    return {kind: Client(number, kind, client_id, secret) for number, kind, client_id, secret in rows}
