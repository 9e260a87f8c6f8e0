"""Entries of the team's log, checked and made into rows of `team_file`.

Invariants: whoever may append may append anything, so an entry that is not exactly what its kind should be becomes no
row. What a newer Waybill adds to a body is left out. Each kind has a version, and a reader for each version that this
Waybill knows: a version that was written once is read for ever.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from app.store.journal.records import WriteKind, WriteState
from app.store.sqlite.plain_rows import SQLiteValue
from app.store.sqlite.text_values import read_moment, storable, to_moment
from app.store.team.team_entry import Entry

T = TypeVar("T")
Row = tuple[SQLiteValue, ...]
_Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]  # what SQLite can hold
# As `to_moment` writes them, on a day that every month has: such texts are only tested, not written anew. The spaces
# between them keep one text from passing for two.
_ONE = r"[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z"
_TWO_MOMENTS, _THREE_MOMENTS = (re.compile(" ".join([_ONE] * count), re.ASCII).fullmatch for count in (2, 3))


class _Object(Struct):
    """Any JSON object; what it holds is only read through."""


_ORDER = msgspec.json.Decoder(_Object)


class _Write(Struct):
    place: str
    write: _Whole
    kind: WriteKind
    reference: str
    state: WriteState
    queued_at: str
    changed_at: str
    sha256: str
    held: bool = False
    verdict: str | None = None
    tried_at: str | None = None
    unclaimed: bool = False
    payload: str | None = None
    known: dict[str, _Whole] | None = None


class _Review(Struct):
    place: str
    audit: _Whole
    photo: str
    review: Raw


class _Shared(Struct):
    place: str
    what: str
    name: str
    content: Raw  # null: it is shared no longer


class _Settlement(Struct):
    place: str
    kind: WriteKind
    reference: str
    queued_at: str
    sha256: str
    tried_at: str
    arrived: bool


@dataclass(frozen=True, slots=True)
class Reader(Generic[T]):
    """How entries of one kind and version become rows: `statement` stores a row that `row` made of an entry and of the
    id of its desk in the team's file."""

    statement: str
    decoder: msgspec.json.Decoder[T]
    row: Callable[[Entry, T, int], Row]


@dataclass(frozen=True, slots=True)
class Told:
    """The read entries: rows by the statement that stores them, their kinds, and the entries that could not be read."""

    rows: dict[str, list[Row]]
    kinds: set[str]
    unread: list[Entry]


def read(desk: int, entries: Sequence[Entry]) -> Told:
    """Read entries of one desk in their order, which is the order of the rows of each statement."""
    told = Told({}, set(), [])
    for each in entries:
        reader = READERS.get((each.kind, each.version))
        try:
            row = None if reader is None else reader.row(each, reader.decoder.decode(each.body), desk)
        except (ValueError, RecursionError, OverflowError):
            row = None
        if reader is None or row is None:
            told.unread.append(each)
        else:
            told.rows.setdefault(reader.statement, []).append(row)
            told.kinds.add(each.kind)
    return told


@lru_cache(maxsize=256)  # each of the thousands of entries in a pull names one of very few places
def place_number(place: str) -> int:
    """The place as `team_file` stores it.

    The place stands in each row and in most indexes. As text it made a ninth of what is written for a page of the log.
    Two places share a number with a chance of one in 2 ** 64.
    """
    return int.from_bytes(hashlib.sha256(place.encode()).digest()[:8], "big", signed=True)


def _write_row(entry: Entry, body: _Write, desk: int) -> Row:
    if body.payload is not None:
        # Decoded to see that it is an object; the text itself is stored.
        _ORDER.decode(body.payload)
    queued_at, changed_at, tried_at, clock = body.queued_at, body.changed_at, body.tried_at, entry.clock
    if tried_at is None:
        told_clock = None
        if not _TWO_MOMENTS(f"{queued_at} {changed_at}"):
            queued_at, changed_at = _moment(queued_at), _moment(changed_at)
    else:
        told_clock = clock
        if not _THREE_MOMENTS(f"{queued_at} {changed_at} {tried_at}"):
            queued_at, changed_at, tried_at = _moment(queued_at), _moment(changed_at), _moment(tried_at)
    return (
        place_number(body.place), body.reference, body.kind, queued_at, changed_at, body.sha256,
        desk, body.write, body.state, body.held, tried_at, body.unclaimed, body.verdict,
        body.payload, clock, entry.at, told_clock,
        None if body.known is None else msgspec.json.encode(body.known).decode(),
    )  # fmt: skip


def _review_row(entry: Entry, body: _Review, desk: int) -> Row:
    _ORDER.decode(body.review)
    text = storable(bytes(body.review).decode())
    return place_number(body.place), body.audit, body.photo, desk, text, entry.clock, entry.at


def _shared_row(entry: Entry, body: _Shared, desk: int) -> Row:
    content = None
    if bytes(body.content) != b"null":
        _ORDER.decode(body.content)
        content = storable(bytes(body.content).decode())
    return place_number(body.place), body.what, body.name, desk, content, entry.clock


def _settlement_row(entry: Entry, body: _Settlement, desk: int) -> Row:
    return (
        place_number(body.place), body.kind, body.reference, _moment(body.queued_at), body.sha256,
        _moment(body.tried_at), body.arrived, desk, entry.clock,
    )  # fmt: skip


def _moment(text: str) -> str:
    return to_moment(read_moment(text))


# Two logs of one desk, after its journal was restored, may tell of one write: the entry with the later clock counts.
_WRITE_STATEMENT = """
    INSERT INTO writes (place, reference, kind, queued_at, changed_at, sha256, desk, number, state, held, tried_at,
                        unclaimed, verdict, payload, clock, at, told_clock, known)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (place, reference, kind, queued_at, sha256) DO UPDATE SET
        desk = excluded.desk, number = excluded.number, state = excluded.state, held = excluded.held,
        changed_at = excluded.changed_at, tried_at = excluded.tried_at, unclaimed = excluded.unclaimed,
        verdict = excluded.verdict, payload = coalesce(excluded.payload, payload), clock = excluded.clock,
        at = excluded.at, known = excluded.known,
        told_clock = iif(excluded.tried_at IS tried_at, told_clock, excluded.told_clock)
    WHERE excluded.clock > writes.clock
"""
_REVIEW_STATEMENT = """
    INSERT INTO reviews (place, audit, photo, desk, body, clock, at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (place, audit, photo, desk) DO UPDATE SET body = excluded.body, clock = excluded.clock,
        at = excluded.at
    WHERE excluded.clock > reviews.clock
"""

_SETTLEMENT_STATEMENT = """
    INSERT INTO settlements (place, kind, reference, queued_at, sha256, tried_at, arrived, desk, clock)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (place, reference, kind, queued_at, sha256, tried_at, desk) DO UPDATE SET arrived = excluded.arrived,
        clock = excluded.clock
    WHERE excluded.clock > settlements.clock
"""

_SHARED_STATEMENT = """
    INSERT INTO shared (place, what, name, desk, content, clock) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (place, what, name, desk) DO UPDATE SET content = excluded.content, clock = excluded.clock
    WHERE excluded.clock > shared.clock
"""

READERS: dict[tuple[str, int], Reader[Any]] = {
    ("write", 1): Reader(_WRITE_STATEMENT, msgspec.json.Decoder(_Write), _write_row),
    ("settlement", 1): Reader(_SETTLEMENT_STATEMENT, msgspec.json.Decoder(_Settlement), _settlement_row),
    ("shared", 1): Reader(_SHARED_STATEMENT, msgspec.json.Decoder(_Shared), _shared_row),
    ("review", 1): Reader(_REVIEW_STATEMENT, msgspec.json.Decoder(_Review), _review_row),
}
