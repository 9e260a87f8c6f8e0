"""A digest over each write's whole row, so that a flipped bit anywhere in it is known for what it is.

SQLite's own check looks at how pages hang together, not at what stands in them. The triggers of the journal number
every change of a row and take its seal off; whatever was left without one is sealed before the commit.
"""

import hashlib
import json
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

import apsw

from app.store.sqlite.plain_rows import SQLiteValue, row, rows

_AT_ONCE = 500  # rows; those that a migration has changed are sealed by and by
_BROKEN = "broken"  # in the place of a seal, which fits no row
_OUTSIDE = ("seal",)


def seal_of(columns: Mapping[str, SQLiteValue]) -> str:
    """The seal that a row must bear. Columns without a value do not count, so a table may gain some."""
    parts: list[bytes] = []
    for name in sorted(columns):
        value = columns[name]
        if value is None or name in _OUTSIDE:
            continue
        data = value if isinstance(value, bytes) else str(value).encode()
        parts.append(f"{name} {type(value).__name__} {len(data)}\n".encode())
        parts.append(data)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def column_names(c: apsw.Connection, table: str) -> list[str]:
    """The table's columns, in the order in which they are stored."""
    return [name for (name,) in rows(c, "SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))]


def seal_changed(c: apsw.Connection) -> None:
    """Seal the rows that changed in this transaction."""
    found = rows(c, "SELECT id FROM writes WHERE seal IS NULL ORDER BY id LIMIT ?", (_AT_ONCE,))
    if not found:
        return
    names = column_names(c, "writes")
    for (write_id,) in found:
        values = row(c, "SELECT * FROM writes WHERE id = ?", (write_id,))
        assert values is not None
        c.execute("UPDATE writes SET seal = ? WHERE id = ?", (seal_of(dict(zip(names, values, strict=True))), write_id))


def unsound(c: apsw.Connection, write_ids: Collection[int]) -> frozenset[int]:
    """Those of these writes that are not what was queued.

    Also under a seal that fits: what is left of a write in a damaged journal was sealed anew, as what is left of it.
    """
    if not write_ids:
        return frozenset()
    names = column_names(c, "writes")
    found = rows(c, "SELECT * FROM writes WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(write_ids)),))
    read = (dict(zip(names, values, strict=True)) for values in found)
    return frozenset(each["id"] for each in read if not (is_sound(each) and _has_its_bytes(each)))


@contextmanager
def damage_kept(c: apsw.Connection, write_id: int) -> Generator[None]:
    """What is changed of a row inside leaves it known as damaged, if it is: else it would be sealed as it is now."""
    found = row(c, "SELECT * FROM writes WHERE id = ?", (write_id,))
    sound = found is None or is_sound(dict(zip(column_names(c, "writes"), found, strict=True)))
    yield
    if not sound:
        c.execute("UPDATE writes SET seal = ? WHERE id = ?", (_BROKEN, write_id))


def is_sound(columns: Mapping[str, SQLiteValue]) -> bool:
    """Whether a row is what was written. Of a row without a seal only the bytes can be checked."""
    if columns.get("seal") is not None:
        return columns["seal"] == seal_of(columns)
    return _has_its_bytes(columns)


def _has_its_bytes(columns: Mapping[str, SQLiteValue]) -> bool:
    payload = columns["payload"]
    return isinstance(payload, bytes) and hashlib.sha256(payload).hexdigest() == columns["sha256"]
