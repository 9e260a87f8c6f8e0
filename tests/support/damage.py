"""A write that is not what was queued: as a disk leaves it, or recovery where no copy of it is left."""

import apsw

LEFT = b'{"orderReferenceNumber":"R-1","poNumber":"PO-'  # of the bytes


def spoil(c: apsw.Connection, write: int, column: str = "payload", value: bytes | str = LEFT) -> None:
    """Change a column behind the journal's back: its triggers see nothing of it."""
    triggers = c.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        c.execute(f"DROP TRIGGER {name}")
    c.execute(f"UPDATE writes SET {column} = ? WHERE id = ?", (value, write))  # noqa: S608
    for _, statement in triggers:
        c.execute(str(statement))
