"""A write with a damaged row, as a disk leaves it, or a repair that found no sound version."""

import apsw

LEFT = b'{"orderReferenceNumber":"R-1","poNumber":"PO-'  # what is left of a payload


def spoil(c: apsw.Connection, write: int, column: str = "payload", value: bytes | str = LEFT) -> None:
    """Change a column as a damaged disk would: without the triggers, so number and seal stay."""
    triggers = c.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        c.execute(f"DROP TRIGGER {name}")
    c.execute(f"UPDATE writes SET {column} = ? WHERE id = ?", (value, write))  # noqa: S608
    for _, statement in triggers:
        c.execute(str(statement))
