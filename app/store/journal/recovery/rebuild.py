"""Fills an empty journal from the rows that were salvaged from a damaged one and from its readable copy.

Invariants: of each write the latest version counts that is provably what was written. If no version of a write is
provably that, the best one is stored as uncertain and in doubt. Every write and every request that was on its way is in
doubt afterwards.
"""

# ruff: noqa: S608 (statements are put together from the tables' own names and columns; every value is bound)

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import apsw

from app.store.journal.recovery.copy_lines import COPIED, REQUESTS, REVIEW, TEMPLATES, WRITES, CopiedTable, CopyContent
from app.store.journal.recovery.salvage import Row, Salvaged
from app.store.journal.recovery.unfinished_writes import put_in_doubt
from app.store.journal.request_store import end_unfinished, names_in_doubt
from app.store.journal.schema.seal import is_sound
from app.store.sqlite.plain_rows import Columns, SQLiteValue, column_names, row
from app.store.sqlite.text_values import read_moment, to_moment
from app.translation import translate

BROUGHT_BACK = translate(
    "Recovered from a damaged journal. It may have been sent already, so it is not sent automatically. Look it up "
    "first."
)
UNCERTAIN = translate("Recovered from a damaged journal, and parts of it could not be checked. Look it up first.")
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
    "began_at",
}
_FILE_SETTINGS = "journal."  # how the keys of settings begin that are about one file, and not about the next


@dataclass(slots=True)
class Rebuilt:
    """The numbers of rows brought back, the references of the writes in doubt and of the uncertain ones, and the names
    of the requests in doubt."""

    writes: int = 0
    drafts: int = 0
    requests: int = 0
    in_doubt: list[str] = field(default_factory=list)
    uncertain: list[str] = field(default_factory=list)
    requests_in_doubt: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Version:
    """A row of a copied table that was found in some place, and whether it is provably what was written."""

    columns: Columns
    sound: bool
    change: int


def rebuild(c: apsw.Connection, salvaged: Salvaged, copy: CopyContent, now: datetime) -> Rebuilt:
    """Fill the empty journal, within the open transaction."""
    best = {table: _best_versions(_versions(c, table, salvaged, copy)) for table in COPIED}
    _continue_numbers(c, best, copy)
    done = Rebuilt()
    for number, version in sorted(best[WRITES].items()):
        _insert_write(c, number, version, now, done)
    _insert_attempts(c, salvaged, copy, now)
    done.in_doubt = put_in_doubt(c, now, BROUGHT_BACK)
    # Drafts after the writes: a draft that became a write is closed, even if only an older page of it was found.
    done.drafts = _insert_drafts(c, salvaged, now)
    _insert_profiles(c, salvaged, copy, now)
    _insert_settings(c, salvaged, copy, now)
    _insert_reviews(c, salvaged, copy, now)
    done.requests = _insert_requests(c, best[REQUESTS], now)
    done.requests_in_doubt = names_in_doubt(c)
    return done


def _versions(c: apsw.Connection, table: CopiedTable, salvaged: Salvaged, copy: CopyContent) -> Iterator[_Version]:
    """Every version of every row, out of the copy, the file and its log."""
    names = column_names(c, table.name)
    # The copy first, so that it counts where the file has the same change: its lines are checked as a whole, and a
    # request has no seal.
    for copied in copy.rows_of(table).values():
        known = {name: copied[name] for name in names if name in copied}  # the copy of a newer program may have more
        yield _Version(known, is_sound(known), _change(known))
    for rowid, values in _all_rows(salvaged, table.name):
        columns: Columns = dict(zip(names, values, strict=False))
        columns["id"] = rowid
        yield _Version(columns, is_sound(columns), _change(columns))


def _all_rows(salvaged: Salvaged, table: str) -> list[tuple[int, Row]]:
    return [*salvaged.latest.get(table, ()), *salvaged.earlier.get(table, ())]


def _change(columns: Columns) -> int:
    change = columns.get("change")
    return change if isinstance(change, int) else 0


def _best_versions(versions: Iterable[_Version]) -> dict[int, _Version]:
    """The version of each row to store, by the id that the row gets.

    Two files that were changed apart from each other can have two different rows under one id. Both are stored, and
    the one that changed last gets that id.
    """
    # A sound version counts more than a later one: what cannot be proven may be damaged in just the column that
    # matters.
    ordered = sorted(versions, key=lambda each: (each.sound, each.change), reverse=True)
    best: dict[int, _Version] = {}
    others: dict[tuple[int, str], _Version] = {}
    for version in ordered:
        number = int(str(version.columns["id"]))
        first = best.setdefault(number, version)
        if version.sound and version.columns["sha256"] != first.columns["sha256"]:
            others.setdefault((number, str(version.columns["sha256"])), version)
    for number, version in enumerate(others.values(), max(best, default=0) + 1):
        best[number] = version
    return best


def _continue_numbers(c: apsw.Connection, best: dict[CopiedTable, dict[int, _Version]], copy: CopyContent) -> None:
    """Let ids and changes go on behind the largest that was ever used, so that the copy can be continued."""
    change = max([copy.place.change, *(each.change for versions in best.values() for each in versions.values())])
    c.execute("UPDATE tally SET change = ?, journal = coalesce(nullif(?, ''), journal)", (change, copy.place.journal))
    for table, versions in best.items():
        newest = max([copy.place.newest_of(table), *versions])
        # The inserts below would set it to the largest id that was brought back; ids of lost rows must not be given
        # again, because the copy and the provider may still know them.
        c.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
        c.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table.name, newest))


def _insert_write(c: apsw.Connection, number: int, version: _Version, now: datetime, done: Rebuilt) -> None:
    columns = _unnumbered(version, number)
    if not version.sound:
        # A damaged payload is stored with the digest of the true one, so it never fits and is never sent.
        columns |= {"state": "in_doubt", "note": UNCERTAIN, "changed_at": to_moment(now)}
        done.uncertain.append(str(columns["reference"]))
    done.writes += _insert(c, "writes", columns, now)


def _insert_attempts(c: apsw.Connection, salvaged: Salvaged, copy: CopyContent, now: datetime) -> None:
    """Insert the attempts of the writes that were brought back. Ended versions first, of those the copy's: its lines
    are checked.

    An open one is most often an older page: of an attempt that has ended, or that is counted in one row with another.
    Where its write is being sent, and no attempt after it has ended, it is the one that was under way.
    """
    names = column_names(c, "attempts")
    empty: Columns = dict.fromkeys(names)
    found = [
        empty | {name: each for name, each in columns.items() if name in names}
        for attempts in copy.attempts.values()
        for columns in attempts.values()
    ]
    found += [
        dict(zip(names, values, strict=False)) | {"id": rowid} for rowid, values in _all_rows(salvaged, "attempts")
    ]
    last: dict[object, int] = {}
    for columns in sorted(found, key=lambda each: (each["ended_at"] is None, -_number(each["id"]))):
        of, number = columns["write_id"], _number(columns["id"])
        state = row(c, "SELECT state FROM writes WHERE id = ?", (of,))
        is_old = columns["ended_at"] is None and of in last and (state != ("sending",) or number < last[of])
        if state is not None and not is_old:
            _insert(c, "attempts", columns, now)
            last[of] = max(number, last.get(of, 0))


def _number(value: SQLiteValue) -> int:
    return value if isinstance(value, int) else 0


def _insert_drafts(c: apsw.Connection, salvaged: Salvaged, now: datetime) -> int:
    """Insert the last version of each draft, and close the drafts of writes; returns the number of drafts."""
    inserted = 0
    for columns in _last_versions(salvaged, "drafts", column_names(c, "drafts"), now):
        if row(c, "SELECT 1 FROM writes WHERE id = ?", (columns["submission_id"],)) is None:
            columns["submission_id"] = None
        inserted += _insert(c, "drafts", columns, now)
    c.execute(
        """
        UPDATE drafts SET closed_at = w.queued_at, submission_id = w.id
        FROM (SELECT draft_id, max(id) AS id, queued_at FROM writes
              WHERE state NOT IN ('rejected', 'withdrawn') GROUP BY draft_id) AS w
        WHERE w.draft_id = drafts.id AND submission_id IS NULL
        """
    )
    return inserted


def _insert_profiles(c: apsw.Connection, salvaged: Salvaged, copy: CopyContent, now: datetime) -> None:
    names = column_names(c, "profiles")
    for _, values in salvaged.latest.get("profiles", []):
        _insert(c, "profiles", dict(zip(names, values, strict=False)), now)
    for columns in copy.profiles.values():
        _insert(c, "profiles", {name: columns.get(name) for name in names}, now)


def _insert_settings(c: apsw.Connection, salvaged: Salvaged, copy: CopyContent, now: datetime) -> None:
    known = [(str(key), setting) for _, (key, setting) in salvaged.latest.get("settings", [])]
    keys = {key for key, _ in known}
    changes = _last_changes(salvaged, TEMPLATES)
    for columns in copy.templates.values():
        key = str(columns["key"])
        if not _outdated(columns, changes.get(key), on_page=key in keys):
            _insert(c, "settings", {"key": key, "value": columns["value"]}, now)
    for key, setting in known:  # a key that is there already is not inserted again
        if not key.startswith(_FILE_SETTINGS):
            _insert(c, "settings", {"key": key, "value": setting}, now)


def _insert_reviews(c: apsw.Connection, salvaged: Salvaged, copy: CopyContent, now: datetime) -> None:
    names = column_names(c, "reviews")
    numbers = {row[1:4]: str(number) for number, row in salvaged.latest.get("reviews", [])}
    changes = _last_changes(salvaged, REVIEW)
    for columns in copy.reviews.values():
        number = numbers.get((columns["profile"], columns["audit"], columns["photo"]))
        if not _outdated(columns, changes.get(number or ""), on_page=number is not None):
            _insert(c, "reviews", {name: columns[name] for name in names if name in columns}, now)
    for columns in _last_versions(salvaged, "reviews", names, now):
        _insert(c, "reviews", columns, now)


def _last_changes(salvaged: Salvaged, kind: str) -> dict[str, int]:
    """The numbers of the last changes of reviews or templates that the file knows, by what `copied_changes` calls row.

    A later number is of a later change, so it counts wherever it was found.
    """
    found: dict[str, int] = {}
    for _, (of_kind, key, change) in _all_rows(salvaged, "copied_changes"):
        if of_kind == kind and isinstance(change, int):
            found[str(key)] = max(change, found.get(str(key), change))
    return found


def _outdated(copied: Columns, change: int | None, *, on_page: bool) -> bool:
    """Whether the file has a later version of a copied row than the copy, which follows the file after a moment.

    Where both have the same, the copy counts: its lines are checked as a whole. `change` is the number that the file
    knows; without one, the row on the file's present page may be the later one.
    """
    return on_page and (change is None or change > _change(copied))


def _insert_requests(c: apsw.Connection, requests: dict[int, _Version], now: datetime) -> int:
    """Insert the requests, and put those in doubt that were being sent; returns how many there are.

    Damaged bytes show by their digest.
    """
    inserted = sum(_insert(c, "requests", _unnumbered(each, number), now) for number, each in sorted(requests.items()))
    end_unfinished(c, now)
    return inserted


def _unnumbered(version: _Version, number: int) -> Columns:
    """The columns to insert under this id; the triggers number and seal the row anew."""
    return {name: value for name, value in version.columns.items() if name not in ("change", "seal")} | {"id": number}


def _last_versions(salvaged: Salvaged, table: str, names: list[str], now: datetime) -> Iterator[Columns]:
    """All versions of a table's rows, the last version of each row before its others.

    The order of pages tells which version is the last, because the clock may have been set back: first the file's
    present pages, then the pages in its log from the end. Two versions on present pages are sorted by their moment.
    """
    last, earlier = (
        [dict(zip(names, values, strict=False)) for _, values in found.get(table, ())]
        for found in (salvaged.latest, salvaged.earlier)
    )
    yield from sorted(last, key=lambda each: str(_valid_moment(each["changed_at"], now)), reverse=True)
    yield from reversed(earlier)


def _valid_moment(moment: SQLiteValue, now: datetime) -> SQLiteValue:
    """The moment in UTC; `now` in place of a text that is no moment."""
    try:
        return None if moment is None else to_moment(read_moment(str(moment)))
    except ValueError:
        return to_moment(now)


def _insert(c: apsw.Connection, table: str, columns: Columns, now: datetime) -> bool:
    """Insert a row, unless that breaks a constraint of its table; returns whether the row was inserted."""
    for name in _MOMENTS & columns.keys():
        columns[name] = _valid_moment(columns[name], now)
    names = [name for name, value in columns.items() if value is not None]
    marks = ", ".join("?" * len(names))
    try:
        c.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", [columns[name] for name in names])
    except apsw.ConstraintError:
        return False  # most often the key of a version that was inserted before
    return True
