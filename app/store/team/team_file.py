"""The entries of a team's other desks, in a file of its own: a copy of the team's log that may be deleted.

Invariants:
- An entry is taken once, in the order of its desk's numbers; `seen` is the number of the last one taken.
- A write is known by what never changes of it (place, reference, kind, the moment when it was queued, its bytes), so a
  desk that had to begin another log does not seem to have sent twice. The entry with the largest clock counts.
- Entries of a kind or version that this Waybill does not know are kept as they came, and read by one that does.
- Other desks' clocks are not believed: `at`, when the server took the entry, is certainly not before the fact.
"""

# ruff: noqa: S608 (statements are put together from this module's own words; every value is bound)

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import apsw

from app.store.journal.records import WriteKind, WriteState
from app.store.sqlite.opening import Schema
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import from_moment, read_moment, storable
from app.store.team import entry_readers
from app.store.team.entry_readers import Row, Told, place_number
from app.store.team.team_entry import Entry

READER = 3  # raised with every kind or version that `entry_readers` learns: then unknown entries are read again
_PAGE = 1_000
_AT_ONCE = 250  # rows of one statement: apsw keeps none compiled that has more than 16,384 letters
_VALUES = re.compile(r"\((?:\?, )*\?\)")
# A query that has these very words as a condition reads the index of such writes: they are few among very many. The
# words are tested for each row that is stored: most are accepted, and a list would be gone through for each.
_OVER_STATES = ("accepted", "confirmed", "withdrawn")
_NOT_OVER = " AND ".join(f"state <> '{each}'" for each in _OVER_STATES)

TEAM_FILE = Schema(
    name="team's file",
    application_id=0x5762546A,  # "WbTj"
    migrations=(
        (
            """
            CREATE TABLE desks (
                id     INTEGER PRIMARY KEY,                    -- by which the other tables name it
                desk   TEXT NOT NULL UNIQUE,
                person TEXT NOT NULL,
                seen   INTEGER NOT NULL DEFAULT 0              -- the last entry of its log that was taken
            ) STRICT
            """,
            "CREATE TABLE reader (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL) STRICT",
            f"INSERT INTO reader VALUES (1, {READER})",
            """
            CREATE TABLE writes (
                id         INTEGER PRIMARY KEY,
                place      INTEGER NOT NULL,                   -- `place_number`, as in the other tables
                reference  TEXT NOT NULL,
                kind       TEXT NOT NULL,
                queued_at  TEXT NOT NULL,                      -- by the desk's own clock, as `changed_at`
                sha256     TEXT NOT NULL,
                desk       INTEGER NOT NULL,
                number     INTEGER NOT NULL,                   -- its id at that desk
                state      TEXT NOT NULL,
                held       INTEGER NOT NULL,
                changed_at TEXT NOT NULL,
                tried_at   TEXT,                               -- the last attempt that may have arrived; NULL: none
                unclaimed  INTEGER NOT NULL,                   -- whether such an attempt began without a claim
                verdict    TEXT,
                payload    TEXT,                               -- the order, where the team shares orders
                clock      INTEGER NOT NULL,
                told_clock INTEGER,                            -- of the entry that told of the last attempt
                at         REAL NOT NULL,                      -- by the server's clock, as in `Entry`
                known      TEXT,                               -- what its desk knew of the others' writes when it
                                                               -- sent this one: by desk a number, as JSON
                UNIQUE (place, reference, kind, queued_at, sha256)
            ) STRICT
            """,
            "CREATE INDEX writes_by_clock ON writes (place, clock)",
            f"CREATE INDEX writes_not_over ON writes (place, clock) WHERE {_NOT_OVER}",
            # What others decided about writes in doubt of any desk: an attempt arrived, or it did not.
            """
            CREATE TABLE settlements (
                place     INTEGER NOT NULL,
                reference TEXT NOT NULL,
                kind      TEXT NOT NULL,
                queued_at TEXT NOT NULL,
                sha256    TEXT NOT NULL,
                tried_at  TEXT NOT NULL,
                desk      INTEGER NOT NULL,                    -- whose person decided
                arrived   INTEGER NOT NULL,
                clock     INTEGER NOT NULL,
                PRIMARY KEY (place, reference, kind, queued_at, sha256, tried_at, desk)
            ) STRICT, WITHOUT ROWID
            """,
            # Views and templates that others share; `content` is NULL where they do not any more.
            """
            CREATE TABLE shared (
                place   INTEGER NOT NULL,
                what    TEXT NOT NULL,
                name    TEXT NOT NULL,
                desk    INTEGER NOT NULL,
                content TEXT,
                clock   INTEGER NOT NULL,
                PRIMARY KEY (place, what, name, desk)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE reviews (
                place INTEGER NOT NULL,
                audit INTEGER NOT NULL,
                photo TEXT NOT NULL,
                desk  INTEGER NOT NULL,
                body  TEXT NOT NULL,
                clock INTEGER NOT NULL,
                at    REAL NOT NULL,
                PRIMARY KEY (place, audit, photo, desk)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE unknown (
                desk    INTEGER NOT NULL,
                seq     INTEGER NOT NULL,
                at      REAL NOT NULL,                         -- as in `Entry`
                clock   INTEGER NOT NULL,
                kind    TEXT NOT NULL,
                version INTEGER NOT NULL,
                subject TEXT NOT NULL,
                body    TEXT NOT NULL,
                PRIMARY KEY (desk, seq)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    disposable=True,
    synchronous="NORMAL",
    # What is forgotten is wiped. A joining desk's thousands of entries are copied from the log into the file in large
    # parts: the copying takes a third of the time otherwise. A statement that stores many rows keeps the pages as they
    # were until it ends, to undo itself: a few megabytes at most, in memory and not in a temporary file.
    pragmas=("secure_delete = 1", "wal_autocheckpoint = 8000", "journal_size_limit = 8388608", "temp_store = MEMORY"),
)


class OthersWrite(NamedTuple):
    """A write of another desk. `queued_at` and `changed_at` are UTC by that desk's clock, `at` by the server's.

    `payload` is None where the team does not share orders, and in lists."""

    person: str
    desk: str
    number: int
    place: str
    reference: str
    kind: WriteKind
    state: WriteState
    held: bool
    queued_at: datetime
    changed_at: datetime
    tried_at: datetime | None
    unclaimed: bool
    verdict: str | None
    sha256: str
    payload: bytes | None
    at: datetime
    told_clock: int | None = None  # of the entry that told of the last attempt
    known: Mapping[str, int] = MappingProxyType({})  # by desk: the number of its latest write known there then

    @property
    def tried(self) -> bool:
        """Whether an attempt may have arrived."""
        return self.tried_at is not None


class Settlement(NamedTuple):
    """The decision of a person of the team about an attempt in doubt, of any desk."""

    person: str
    kind: WriteKind
    reference: str
    queued_at: datetime
    sha256: str
    tried_at: datetime
    arrived: bool


class OthersReview(NamedTuple):
    """Another person's review of an audit (`photo` is empty) or of a photo; `body` is JSON as in the journal."""

    person: str
    audit: int
    photo: str
    body: str
    at: datetime


class OthersMarks(NamedTuple):
    """The audits that other people reviewed (and who was the last to do so), flagged or noted; photos count too."""

    reviewed: dict[int, str]
    flagged: frozenset[int]
    noted: frozenset[int]


class SharedThing(NamedTuple):
    """A view or a template that somebody shares; `content` is a JSON object."""

    person: str
    name: str
    content: str


class Orders(NamedTuple):
    """Orders as they were sent, and the number of the last one that was read."""

    payloads: list[bytes]
    upto: int


_WRITE = """
    SELECT person, desks.desk, number, reference, kind, state, held, queued_at, changed_at, tried_at, unclaimed,
           verdict, sha256, payload, at, told_clock, known
    FROM writes JOIN desks ON desks.id = writes.desk
"""

# The order of the writes of few references. Without statistics SQLite reads all writes of the place by an index that
# has them in the wanted order, and looks for the references among them. The plus keeps it from that index.
_FEW_BY_CLOCK = "ORDER BY +clock"

_LISTED = _WRITE.replace("payload", "NULL")  # orders of thousands of rows are not read for a list


# Taking entries


def seen(c: apsw.Connection) -> dict[str, int]:
    """The number of the last entry taken of each desk."""
    return dict(rows(c, "SELECT desk, seen FROM desks"))


def learn_people(c: apsw.Connection, people: Collection[tuple[str, str]]) -> dict[str, int]:
    """Store who works at each desk: pairs of desk and person. Returns the id of each desk in this file."""
    for desk, person in people:
        c.execute(
            "INSERT INTO desks (desk, person) VALUES (?1, ?2) ON CONFLICT (desk) DO UPDATE SET person = ?2",
            (desk, storable(person)),
        )
    return dict(rows(c, "SELECT desk, id FROM desks"))


def take(c: apsw.Connection, desk: int, entries: Sequence[Entry], told: Told | None = None) -> set[str]:
    """Take entries of one desk, in their order; returns the kinds that were read. What was taken before is left out.

    `desk` is the id that `learn_people` returned. `told` is what `entry_readers.read` made of these entries, where the
    caller's thread had the time for it.
    """
    # A claim that is taken between two pages pulls too, so a page may hold entries that were taken meanwhile.
    last = value(c, "SELECT seen FROM desks WHERE id = ?", (desk,))
    if told is None or entries[0].seq <= last:
        told = entry_readers.read(desk, [each for each in entries if each.seq > last])
    _store(c, told)
    c.executemany(
        "INSERT OR REPLACE INTO unknown VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [_unknown_row(desk, each) for each in told.unread],
    )
    c.execute("UPDATE desks SET seen = max(seen, ?) WHERE id = ?", (entries[-1].seq, desk))
    return told.kinds


def _store(c: apsw.Connection, told: Told) -> None:
    for statement, values in told.rows.items():
        whole = len(values) - len(values) % _AT_ONCE
        for first in range(0, whole, _AT_ONCE):
            bindings = tuple(chain.from_iterable(values[first : first + _AT_ONCE]))
            c.execute(_for_many(statement), bindings)
        c.executemany(statement, values[whole:])


@cache
def _for_many(statement: str) -> str:
    """The statement for `_AT_ONCE` rows.

    SQLite runs without the interpreter's lock, and asks for it again after each statement. While another thread
    computes, it gets that only after up to 5 ms, so a statement for each row would wait more than work.
    """
    one = _VALUES.search(statement)
    assert one is not None
    return statement.replace(one[0], ",".join([one[0].replace(" ", "")] * _AT_ONCE), 1)


def _unknown_row(desk: int, entry: Entry) -> Row:
    return (
        desk, entry.seq, entry.at, entry.clock, storable(entry.kind), entry.version, storable(entry.subject),
        storable(entry.body),
    )  # fmt: skip


def reread_unknown(c: apsw.Connection) -> int:
    """Read what an older Waybill had to keep unread, a page at a time; returns how many entries were read."""
    if value(c, "SELECT version FROM reader") == READER:
        return 0
    # In the same transaction as what is read below: a crash leaves both undone.
    c.execute("UPDATE reader SET version = ?", (READER,))
    read, last = 0, (0, 0)
    while found := rows(
        c,
        """
        SELECT desk, seq, at, clock, kind, version, subject, body FROM unknown WHERE (desk, seq) > (?, ?)
        ORDER BY desk, seq LIMIT ?
        """,
        (*last, _PAGE),
    ):
        last = found[-1][0], found[-1][1]
        for desk, of_desk in groupby(found, key=itemgetter(0)):
            entries = [Entry._make(values[1:]) for values in of_desk]
            told = entry_readers.read(desk, entries)
            _store(c, told)
            unread = {each.seq for each in told.unread}
            gone = [(desk, each.seq) for each in entries if each.seq not in unread]
            c.executemany("DELETE FROM unknown WHERE desk = ? AND seq = ?", gone)
            read += len(gone)
    return read


# What the others did


def writes_of_reference(c: apsw.Connection, place: str, reference: str) -> list[OthersWrite]:
    """The writes of other desks for a reference, the latest first."""
    found = rows(
        c, f"{_WRITE} WHERE place = ? AND reference = ? {_FEW_BY_CLOCK} DESC", (place_number(place), reference)
    )
    return [_write(place, values) for values in found]


def last_accepted(c: apsw.Connection, place: str, references: Collection[str]) -> dict[str, OthersWrite]:
    """The latest submission of another desk that the provider accepted, for each reference."""
    found = rows(
        c,
        f"""
        {_WRITE} WHERE place = ?1 AND reference IN (SELECT value FROM json_each(?2)) AND kind = 'submit'
          AND state IN ('accepted', 'confirmed') {_FEW_BY_CLOCK}
        """,
        (place_number(place), json.dumps(list(references))),
    )
    return {each.reference: each for each in (_write(place, values) for values in found)}


def last_standing(c: apsw.Connection, place: str, references: Collection[str]) -> dict[str, OthersWrite]:
    """The latest write of another desk that was neither refused nor withdrawn, for each reference."""
    found = rows(
        c,
        f"""
        {_WRITE} WHERE place = ?1 AND reference IN (SELECT value FROM json_each(?2))
          AND state NOT IN ('rejected', 'withdrawn') {_FEW_BY_CLOCK}
        """,
        (place_number(place), json.dumps(list(references))),
    )
    return {each.reference: each for each in (_write(place, values) for values in found)}


def writes_page(
    c: apsw.Connection,
    place: str,
    states: Collection[WriteState],
    limit: int,
    *,
    person: str = "",
    held: bool | None = None,
) -> list[OthersWrite]:
    """Writes of other desks in any of `states` (all when empty), the latest first; `person` leaves only theirs.

    `held` says which of the queued writes: those held for a person, those not held, or both (None).
    """
    few = f"AND {_NOT_OVER}" if states and not set(states) & set(_OVER_STATES) else ""
    found = rows(
        c,
        f"""
        {_LISTED} WHERE place = ?1 AND (?2 = '[]' OR state IN (SELECT value FROM json_each(?2))) {few}
          AND (?3 = '' OR person = ?3) AND (?4 IS NULL OR state <> 'queued' OR held = ?4)
        ORDER BY clock DESC LIMIT ?5
        """,
        (place_number(place), json.dumps(list(states)), person, held, limit),
    )
    return [_write(place, values) for values in found]


def settlements_of(c: apsw.Connection, place: str, references: Collection[str]) -> list[Settlement]:
    """The decisions of others about attempts with these references, the earliest first."""
    found = rows(
        c,
        """
        SELECT person, kind, reference, queued_at, sha256, tried_at, arrived FROM settlements
        JOIN desks ON desks.id = settlements.desk
        WHERE place = ? AND reference IN (SELECT value FROM json_each(?)) ORDER BY clock
        """,
        (place_number(place), json.dumps(list(references))),
    )
    return [
        Settlement(person, kind, reference, read_moment(queued_at), sha256, read_moment(tried_at), bool(arrived))
        for person, kind, reference, queued_at, sha256, tried_at, arrived in found
    ]


def reviews_of(c: apsw.Connection, place: str, audit: int) -> list[OthersReview]:
    """The reviews of an audit and of its photos by other people, the latest first."""
    found = rows(
        c,
        """
        SELECT person, audit, photo, body, at FROM reviews JOIN desks ON desks.id = reviews.desk
        WHERE place = ? AND audit = ? AND body <> '{}' ORDER BY clock DESC
        """,
        (place_number(place), audit),
    )
    return [OthersReview(person, number, photo, body, _came(at)) for person, number, photo, body, at in found]


def noted_reviews(c: apsw.Connection, place: str) -> list[tuple[int, str, str, str]]:
    """Every note of other people: audit, photo (empty for the audit itself), person and text."""
    return rows(
        c,
        """
        SELECT audit, photo, person, json_extract(body, '$.note') FROM reviews JOIN desks ON desks.id = reviews.desk
        WHERE place = ? AND json_extract(body, '$.noted') AND json_type(body, '$.note') = 'text'
        ORDER BY audit, reviews.clock
        """,
        (place_number(place),),
    )


def marked_audits(c: apsw.Connection, place: str) -> OthersMarks:
    """The audits that other people reviewed, flagged or noted."""
    reviewed = rows(
        c,
        """
        SELECT audit, person FROM reviews JOIN desks ON desks.id = reviews.desk
        WHERE place = ? AND photo = '' AND json_extract(body, '$.reviewed') ORDER BY clock
        """,
        (place_number(place),),
    )
    flagged, noted = (
        frozenset(
            audit
            for (audit,) in rows(
                c,
                "SELECT DISTINCT audit FROM reviews WHERE place = ? AND json_extract(body, ?)",
                (place_number(place), path),
            )
        )
        for path in ("$.flagged", "$.noted")
    )
    return OthersMarks(dict(reviewed), flagged, noted)


def shared_things(c: apsw.Connection, place: str, what: str) -> list[SharedThing]:
    """The views or templates that others share, by name and person. Of two desks of one person the later one counts."""
    found = rows(
        c,
        """
        SELECT person, name, content FROM shared JOIN desks ON desks.id = shared.desk
        WHERE place = ? AND what = ? ORDER BY clock
        """,
        (place_number(place), what),
    )
    latest = {(person, name): content for person, name, content in found}
    kept = [SharedThing(person, name, content) for (person, name), content in latest.items() if content is not None]
    return sorted(kept, key=lambda each: (each.name.casefold(), each.person.casefold()))


def sharing_desks(c: apsw.Connection, place: str, what: str) -> list[str]:
    """The desks that share a thing of this sort without a name."""
    found = rows(
        c,
        """
        SELECT desks.desk FROM shared JOIN desks ON desks.id = shared.desk
        WHERE place = ? AND what = ? AND name = '' AND content IS NOT NULL ORDER BY desks.desk
        """,
        (place_number(place), what),
    )
    return [desk for (desk,) in found]


def orders_after(c: apsw.Connection, place: str, desk: str, number: int, limit: int) -> Orders:
    """The orders of a desk's submissions after the one with this number, as far as the team copies orders.

    A file that ends before that number is not the one that was read: it is read from its beginning.
    """
    last = int(value(c, "SELECT max(id) FROM writes") or 0)
    # The plus keeps SQLite from reading all writes of the place by an index, for each page anew.
    found = rows(
        c,
        """
        SELECT id, payload, state IN ('rejected', 'withdrawn') FROM writes
        WHERE id > ? AND desk = (SELECT id FROM desks WHERE desk = ?) AND +place = ? AND kind = 'submit'
        ORDER BY id LIMIT ?
        """,
        (number if number <= last else 0, desk, place_number(place), limit),
    )
    upto = int(found[-1][0]) if len(found) == limit else last
    return Orders([payload.encode() for _, payload, wrong in found if payload is not None and not wrong], upto)


def people(c: apsw.Connection) -> list[str]:
    """Everybody whose entries were taken."""
    return [person for (person,) in rows(c, "SELECT DISTINCT person FROM desks ORDER BY person COLLATE NOCASE")]


def count_entries(c: apsw.Connection) -> tuple[int, int]:
    """How many writes of others are known, and how many entries are of unknown kinds."""
    counted = row(c, "SELECT (SELECT count(*) FROM writes), (SELECT count(*) FROM unknown)")
    assert counted is not None
    return counted[0], counted[1]


def forget(c: apsw.Connection) -> None:
    """Forget everything of the team."""
    for table in ("writes", "settlements", "shared", "reviews", "unknown", "desks"):
        c.execute(f"DELETE FROM {table}")


def _write(place: str, values: tuple[Any, ...]) -> OthersWrite:
    (
        person, desk, number, reference, kind, state, held, queued_at, changed_at, tried_at, unclaimed,
        verdict, sha256, payload, at, told_clock, known,
    ) = values  # fmt: skip
    return OthersWrite(
        person, desk, number, place, reference, cast(WriteKind, kind), cast(WriteState, state), bool(held),
        read_moment(queued_at), read_moment(changed_at), from_moment(tried_at), bool(unclaimed),
        verdict, sha256, None if payload is None else payload.encode(), _came(at), told_clock,
        json.loads(known) if known else {},
    )  # fmt: skip


def _came(at: float) -> datetime:
    """The moment of `Entry.at`, in UTC."""
    return datetime.fromtimestamp(at, UTC)
