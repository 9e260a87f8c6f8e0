"""A digest over each row of `writes`, by which a flipped bit anywhere in the row is found.

SQLite's own check covers how pages hang together, not the values in them.

Invariant: a committed row bears the digest of its columns. A trigger removes the seal of every row that changes, and
`seal_changed` puts a new one on before the commit. A row that was damaged before it changed must not get a fitting
seal: `preserve_damage` goes around each statement that changes a row whose content was not checked.
"""

import hashlib
import json
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

import apsw

from app.store.sqlite.plain_rows import SQLiteValue, whole_rows

_AT_ONCE = 500  # rows in one transaction; a migration may leave many rows without a seal
_BROKEN = "broken"  # in place of a seal, which fits no row


def seal_of(columns: Mapping[str, SQLiteValue]) -> str:
    """The seal for a row. NULL columns do not count, so a migration may add columns without a default."""
    parts: list[bytes] = []
    for name in sorted(columns):
        value = columns[name]
        if value is None or name == "seal":
            continue
        data = value if isinstance(value, bytes) else str(value).encode()
        # Name, type and length go in too: otherwise a letter that wanders from one column into the next would leave the
        # digest.
        parts.append(f"{name} {type(value).__name__} {len(data)}\n".encode())
        parts.append(data)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def seal_changed(c: apsw.Connection) -> None:
    """Seal the rows without a seal, before the commit of the transaction that changed them."""
    for columns in whole_rows(c, "writes", "WHERE seal IS NULL ORDER BY id LIMIT ?", (_AT_ONCE,)):
        c.execute("UPDATE writes SET seal = ? WHERE id = ?", (seal_of(columns), columns["id"]))


def damaged_writes(c: apsw.Connection, write_ids: Collection[int]) -> frozenset[int]:
    """The ids of those of these writes whose rows are damaged.

    A row can have a fitting seal and still not be what was queued: after a repair, what is left of a damaged write is
    sealed. So the payload's own digest is compared too.
    """
    if not write_ids:
        return frozenset()
    wanted = "WHERE id IN (SELECT value FROM json_each(?))"
    found = whole_rows(c, "writes", wanted, (json.dumps(list(write_ids)),))
    return frozenset(int(str(each["id"])) for each in found if not (is_sound(each) and _payload_fits(each)))


@contextmanager
def preserve_damage(c: apsw.Connection, write_id: int) -> Generator[None]:
    """Keep a damaged row known as damaged while the statements inside change it."""
    found = whole_rows(c, "writes", "WHERE id = ?", (write_id,))
    sound = all(map(is_sound, found))
    yield
    if not sound:
        # The trigger has taken the old seal off, and `seal_changed` would put a fitting one on the damaged row.
        c.execute("UPDATE writes SET seal = ? WHERE id = ?", (_BROKEN, write_id))


def is_sound(columns: Mapping[str, SQLiteValue]) -> bool:
    """Whether a row is what was written. Of a row without a seal only the payload can be checked."""
    if columns.get("seal") is not None:
        return columns["seal"] == seal_of(columns)
    return _payload_fits(columns)


def _payload_fits(columns: Mapping[str, SQLiteValue]) -> bool:
    payload = columns["payload"]
    return isinstance(payload, bytes) and hashlib.sha256(payload).hexdigest() == columns["sha256"]
