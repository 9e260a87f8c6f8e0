"""Turns the moments of a journal from before there were zones, which are local time, into UTC. Done once.

Invariant: a row whose seal says that it is not what was written stays as it is, so that it is still known for that.
"""

import apsw

from app.store.journal.schema.seal import column_names, is_sound, seal_of
from app.store.sqlite.plain_rows import SQLiteValue, rows
from app.store.sqlite.text_values import read_moment, to_moment

_MOMENTS = ("queued_at", "changed_at", "not_before")  # of a write
_AT_ONCE = 500


def moments_to_utc(c: apsw.Connection) -> None:
    """Change every moment, and with it the seals, within the migration. Raises `apsw.CorruptError` for damage."""
    c.create_scalar_function("in_utc", _of_statement, 1)
    try:
        c.execute(
            """
            UPDATE drafts SET created_at = in_utc(created_at), changed_at = in_utc(changed_at),
                              closed_at = in_utc(closed_at)
            """
        )
        c.execute("UPDATE attempts SET started_at = in_utc(started_at), ended_at = in_utc(ended_at)")
        _writes(c)
    except UnicodeDecodeError as error:
        raise apsw.CorruptError("a text in it is none") from error


def _of_statement(*moment: SQLiteValue) -> SQLiteValue:
    return _in_utc(moment[0])


def _writes(c: apsw.Connection) -> None:
    names, last = column_names(c, "writes"), 0
    while batch := rows(c, "SELECT * FROM writes WHERE id > ? ORDER BY id LIMIT ?", (last, _AT_ONCE)):
        for values in batch:
            columns: dict[str, SQLiteValue] = dict(zip(names, values, strict=True))
            last = values[0]
            if is_sound(columns):
                columns |= {name: _in_utc(columns[name]) for name in _MOMENTS}
                seal = None if columns["seal"] is None else seal_of(columns)
                kept = [columns[name] for name in _MOMENTS]
                c.execute(
                    "UPDATE writes SET queued_at = ?, changed_at = ?, not_before = ?, seal = ? WHERE id = ?",
                    (*kept, seal, last),
                )


def _in_utc(moment: SQLiteValue) -> SQLiteValue:
    """What is no moment stays what it is: the check of the journal finds it."""
    try:
        return None if moment is None else to_moment(read_moment(str(moment)))
    except ValueError:
        return moment
