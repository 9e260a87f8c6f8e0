"""Fills an empty journal from what was read of a damaged one and of its readable copy.

For each write the latest version that is provably what was written counts; where there is none, what is left of it is
kept as uncertain. Writes that were on their way are in doubt afterwards.
"""

# ruff: noqa: S608 (statements are put together from the tables' own names and columns; every value is bound)

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import apsw

from app.store.journal.recovery.copy_lines import CopyContent
from app.store.journal.recovery.salvage import Row, Salvaged
from app.store.journal.recovery.unfinished_writes import put_in_doubt
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.plain_rows import Columns, SQLiteValue, column_names, row
from app.store.sqlite.text_values import read_moment, to_moment

BROUGHT_BACK = (
    "The journal was damaged and this was brought back. Waybill does not know whether it was sent, so it is not sent "
    "by itself: look it up first."
)
UNCERTAIN = "This was brought back from a damaged journal, and parts of it could not be checked. Look it up first."
_MOMENTS = {
    "queued_at",
    "changed_at",
    "not_before",
    "started_at",
    "ended_at",
    "created_at",
    "closed_at",
    "missed_at",
    "missed_again_at",
}
_OWN_SETTINGS = "journal."  # those about a file, which do not outlive it


@dataclass(slots=True)
class Rebuilt:
    """How much was brought back; references of what is in doubt and of what could not be checked."""

    writes: int = 0
    drafts: int = 0
    in_doubt: list[str] = field(default_factory=list)
    uncertain: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Version:
    """A write as it was found somewhere, and whether it is provably what was written."""

    columns: Columns
    sound: bool
    change: int


def rebuild(c: apsw.Connection, read: Salvaged, copy: CopyContent, now: datetime) -> Rebuilt:
    """Fill the empty journal, within the transaction that is open."""
    versions = _best(_versions(column_names(c, "writes"), read, copy))
    _count_on(c, versions, copy)
    done = Rebuilt()
    for number in sorted(versions):
        _bring_back(c, number, versions[number], now, done)
    _attempts(c, read, now)
    done.in_doubt = put_in_doubt(c, now, BROUGHT_BACK)
    done.drafts = _drafts(c, read, now)
    _connections(c, read, copy, now)
    _settings(c, read, now)
    _reviews(c, read, now)
    return done


def _versions(names: list[str], read: Salvaged, copy: CopyContent) -> Iterable[_Version]:
    for rowid, values in _all(read, "writes"):
        columns: Columns = dict(zip(names, values, strict=False))
        columns["id"] = rowid
        yield _Version(columns, is_sound(columns), _change(columns))
    for told in copy.writes.values():
        known = {name: told[name] for name in names if name in told}  # a newer program may have told of more
        yield _Version(known, is_sound(known), _change(known))


def _all(read: Salvaged, table: str) -> list[tuple[int, Row]]:
    return [*read.latest.get(table, ()), *read.earlier.get(table, ())]


def _change(columns: Columns) -> int:
    change = columns.get("change")
    return change if isinstance(change, int) else 0


def _best(versions: Iterable[_Version]) -> dict[int, _Version]:
    """The versions to keep, by the number that each gets. Two different orders under one number (two files that went
    apart) are both kept, the later under the number that both had."""
    ordered = sorted(versions, key=lambda each: (each.sound, each.change), reverse=True)
    kept: dict[int, _Version] = {}
    apart: dict[tuple[int, str], _Version] = {}
    for each in ordered:
        number = int(str(each.columns["id"]))
        first = kept.setdefault(number, each)
        if each.sound and each.columns["sha256"] != first.columns["sha256"]:
            apart.setdefault((number, str(each.columns["sha256"])), each)
    for number, each in enumerate(apart.values(), max(kept, default=0) + 1):
        kept[number] = each
    return kept


def _count_on(c: apsw.Connection, versions: dict[int, _Version], copy: CopyContent) -> None:
    """Numbers given out before are not given again, and the copy is gone on with."""
    change = max([copy.place.change, *(each.change for each in versions.values())])
    c.execute("UPDATE tally SET change = ?, journal = coalesce(nullif(?, ''), journal)", (change, copy.place.journal))
    newest = max([copy.place.newest, *versions])
    c.execute("DELETE FROM sqlite_sequence WHERE name = 'writes'")
    c.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('writes', ?)", (newest,))


def _bring_back(c: apsw.Connection, number: int, version: _Version, now: datetime, done: Rebuilt) -> None:
    columns = {name: value for name, value in version.columns.items() if name not in ("change", "seal")} | {
        "id": number
    }
    if not version.sound:
        # Bytes that are not those that were queued stay with the digest that says so: they are never sent.
        columns |= {"state": "in_doubt", "note": UNCERTAIN, "changed_at": to_moment(now)}
        done.uncertain.append(str(columns["reference"]))
    done.writes += _insert(c, "writes", columns, now)


def _attempts(c: apsw.Connection, read: Salvaged, now: datetime) -> None:
    """Those of writes that are there; an attempt that was found ended counts before one that was not."""
    names = column_names(c, "attempts")
    found = [dict(zip(names, values, strict=False)) | {"id": rowid} for rowid, values in _all(read, "attempts")]
    ended: set[object] = set()
    for columns in sorted(found, key=lambda each: each["ended_at"] is None):
        first_open = columns["ended_at"] is not None or columns["write_id"] not in ended
        if first_open and row(c, "SELECT 1 FROM writes WHERE id = ?", (columns["write_id"],)) is not None:
            _insert(c, "attempts", columns, now)
            ended.add(columns["write_id"])


def _drafts(c: apsw.Connection, read: Salvaged, now: datetime) -> int:
    """Each as it was last. One that has become a write is not open, whatever its own page says."""
    known = 0
    for columns in _last_words(read, "drafts", column_names(c, "drafts"), now):
        if row(c, "SELECT 1 FROM writes WHERE id = ?", (columns["submission_id"],)) is None:
            columns["submission_id"] = None
        known += _insert(c, "drafts", columns, now)
    c.execute(
        """
        UPDATE drafts SET closed_at = w.queued_at, submission_id = w.id
        FROM (SELECT draft_id, max(id) AS id, queued_at FROM writes
              WHERE state NOT IN ('rejected', 'withdrawn') GROUP BY draft_id) AS w
        WHERE w.draft_id = drafts.id AND submission_id IS NULL
        """
    )
    return known


def _connections(c: apsw.Connection, read: Salvaged, copy: CopyContent, now: datetime) -> None:
    names = column_names(c, "profiles")
    for _, values in read.latest.get("profiles", []):
        _insert(c, "profiles", dict(zip(names, values, strict=False)), now)
    for columns in copy.profiles.values():
        _insert(c, "profiles", {name: columns.get(name) for name in names}, now)


def _settings(c: apsw.Connection, read: Salvaged, now: datetime) -> None:
    for _, (key, setting) in read.latest.get("settings", []):
        if not str(key).startswith(_OWN_SETTINGS):
            _insert(c, "settings", {"key": key, "value": setting}, now)


def _reviews(c: apsw.Connection, read: Salvaged, now: datetime) -> None:
    """What was said of audits, each as it was last."""
    for columns in _last_words(read, "reviews", column_names(c, "reviews"), now):
        _insert(c, "reviews", columns, now)


def _last_words(read: Salvaged, table: str, names: list[str], now: datetime) -> Iterator[Columns]:
    """The rows of a table, of each its last version before any other, whatever the clock said: the file's last word,
    then its log's from the end. Where the file holds two, the one that bears the later moment."""
    last, earlier = (
        [dict(zip(names, values, strict=False)) for _, values in part.get(table, ())]
        for part in (read.latest, read.earlier)
    )
    yield from sorted(last, key=lambda each: str(_mended(each["changed_at"], now)), reverse=True)
    yield from reversed(earlier)


def _mended(moment: SQLiteValue, now: datetime) -> SQLiteValue:
    """The moment, in UTC as it is kept by now; this one in the place of something that is none."""
    try:
        return None if moment is None else to_moment(read_moment(str(moment)))
    except ValueError:
        return to_moment(now)


def _insert(c: apsw.Connection, table: str, columns: Columns, now: datetime) -> bool:
    """Insert a row unless it breaks a rule of its table; whether it is in."""
    for name in _MOMENTS & columns.keys():
        columns[name] = _mended(columns[name], now)
    names = [name for name, value in columns.items() if value is not None]
    marks = ", ".join("?" * len(names))
    try:
        c.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", [columns[name] for name in names])
    except apsw.ConstraintError:
        return False
    return True
