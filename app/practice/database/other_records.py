"""Bodies sent to operations whose shapes the contract does not show, stored unchanged and found by a key."""

import json
from typing import Any

import apsw


def keep_record(connection: apsw.Connection, client: int, operation: str, key: str, at: int, body: object) -> int:
    """Keeps a body; returns the number it was given."""
    connection.execute(
        "INSERT INTO records (client, operation, key, at, body) VALUES (?, ?, ?, ?, ?)",
        (client, operation, key, at, json.dumps(body, ensure_ascii=False)),
    )
    return connection.last_insert_rowid()


def count_kept(connection: apsw.Connection, operation: str, key: str) -> int:
    """How many bodies are kept under a key."""
    found: int = connection.execute(
        "SELECT count(*) FROM records WHERE operation = ? AND key = ?", (operation, key)
    ).get
    return found


def kept_records(connection: apsw.Connection, client: int, operation: str) -> list[dict[str, Any]]:
    """The bodies that a client sent to an operation, oldest first."""
    rows = connection.execute(
        "SELECT id, at, body FROM records WHERE client = ? AND operation = ? ORDER BY id", (client, operation)
    )
    return [{"id": number, "at": at, "body": json.loads(body)} for number, at, body in rows]
