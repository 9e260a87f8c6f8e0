"""Retention: deletes writes, requests and drafts that ended long ago from the journal; `Journal.cut_copy` deletes them
from its readable copy.

Invariant: a write or request that is queued, sending or in doubt, and an open draft, are never deleted, at any age.
SQLite overwrites deleted rows (`secure_delete`), and `Database.empty_log` removes them from the write-ahead log.
"""

# ruff: noqa: S608 (the states are this package's own words)

from dataclasses import dataclass
from datetime import datetime

import apsw

from app.store.journal import import_store
from app.store.journal.records import UNSETTLED
from app.store.journal.recovery.copy_lines import COPIED, Remaining
from app.store.sqlite.plain_rows import rows, value
from app.store.sqlite.text_values import to_moment


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The numbers of deleted rows, and of the `lines` deleted from the readable copy."""

    writes: int
    drafts: int
    lines: int = 0


_OLD = f"changed_at < ? AND state NOT IN ({', '.join(repr(state) for state in UNSETTLED)})"


def forget_before(c: apsw.Connection, moment: datetime) -> Forgotten:
    """Delete the writes that ended before `moment`, with their attempts and drafts, and the drafts, requests and
    imports that ended before it."""
    before = (to_moment(moment),)
    import_store.forget_before(c, moment)
    # Children first: drafts and attempts refer to writes, and foreign keys are on.
    drafts = _delete(c, f"drafts WHERE submission_id IN (SELECT id FROM writes WHERE {_OLD})", before)
    drafts += _delete(c, "drafts WHERE closed_at < ? AND submission_id IS NULL", before)
    _delete(c, "requests WHERE ended_at < ? AND state NOT IN ('sending', 'in_doubt')", before)
    _delete(c, f"attempts WHERE write_id IN (SELECT id FROM writes WHERE {_OLD})", before)
    return Forgotten(_delete(c, f"writes WHERE {_OLD}", before), drafts)


def count_forgettable(c: apsw.Connection, moment: datetime) -> int:
    """The number of writes that `forget_before` would delete."""
    return int(value(c, f"SELECT count(*) FROM writes WHERE {_OLD}", (to_moment(moment),)))


def remaining_rows(c: apsw.Connection) -> Remaining:
    """The ids of all rows in the tables that the readable copy holds."""
    return {table.name: _remaining(c, table.name) for table in COPIED}


def _remaining(c: apsw.Connection, table: str) -> tuple[frozenset[int], int]:
    found = frozenset(number for (number,) in rows(c, f"SELECT id FROM {table}"))
    return found, int(value(c, "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)) or 0)


def _delete(c: apsw.Connection, what: str, bindings: tuple[str, ...]) -> int:
    c.execute(f"DELETE FROM {what}", bindings)
    return c.changes()
