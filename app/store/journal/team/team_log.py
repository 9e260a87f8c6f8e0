"""The entries that this desk adds to its team's log, in the journal until the team's database has them.

Invariants:
- An entry is stored in the transaction of the fact that it tells (`note_changes` runs before each commit): no fact is
  without its entry, and no entry without its fact.
- The entries of a desk are numbered without a gap, and an entry never changes once it has a number.
- `pushed` is the last number that the team's database is known to have.
- A clock in an entry is larger than every clock that this desk has given or seen (a hybrid logical clock). A clock that
  is far ahead is not followed.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
import time
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import apsw

from app.store.journal.records import MAY_HAVE_ARRIVED
from app.store.journal.setting_store import read_setting, write_setting
from app.store.journal.team import write_facts
from app.store.journal.team.team_places import place_of
from app.store.sqlite.plain_rows import row, rows, value
from app.store.sqlite.text_values import read_moment

_AT_ONCE = 500  # entries in one transaction: a desk that joins has years of writes to tell of
_KEPT = 5_000  # entries that are kept after they were pushed, for a database that was restored from a backup
_COUNTER_BITS = 16  # of a clock: the rest are milliseconds since 1970
FAR_AHEAD_MS = 10 * 60 * 1000  # another desk's clock that is further ahead is wrong, and does not carry this one along
_LARGEST_PAYLOAD = 1_000_000  # bytes
_OLDER = "team.older"  # the setting: the newest write that was there when this log began
# An attempt that may have arrived counts before one that did nothing.
_LATEST = f"""
    SELECT coalesce(ended_at, started_at, queued_at), known
    FROM writes LEFT JOIN attempts ON write_id = writes.id LEFT JOIN team_known ON attempt = attempts.id
    WHERE writes.id = ? ORDER BY {MAY_HAVE_ARRIVED} DESC, attempts.id DESC LIMIT 1
"""


class Entry(NamedTuple):
    """An entry as it is pushed; `body` is JSON."""

    seq: int
    clock: int
    kind: str
    version: int
    subject: str
    body: str


class Log(NamedTuple):
    """The log of this desk: its id, the numbers of its last entry and of the last one pushed."""

    desk: str
    seq: int
    pushed: int


class OwnSent(NamedTuple):
    """A submission of this desk: `unclaimed` whether it was sent without a claim, `known` as in `note_known`."""

    desk: str
    write: int
    unclaimed: bool
    known: Mapping[str, int]


class OwnLatest(NamedTuple):
    """A write of this desk: the moment, in UTC, when it was sent last, or queued if it never was; `known` as in
    `note_known`. `desk` is empty without a team."""

    desk: str
    write: int
    at: datetime
    known: Mapping[str, int]


def begin(c: apsw.Connection) -> Log:
    """Turn the team on: a new log, which tells of all writes that there are. Does nothing if it is on."""
    if (there := current(c)) is not None:
        return there
    return begin_anew(c)


def begin_anew(c: apsw.Connection) -> Log:
    """Begin another log in place of the one that there is, because the team's database has another one under its id:
    this journal, or that database, is an older copy. The other desks see the same facts twice and take them once."""
    clock = value(c, "SELECT clock FROM team_state") or 0
    c.execute("DELETE FROM team_entries")
    c.execute(
        "INSERT OR REPLACE INTO team_state (one, desk, seq, pushed, clock, noted) VALUES (1, ?, 0, 0, ?, 0)",
        (str(uuid.uuid4()), clock),
    )
    write_setting(c, _OLDER, value(c, "SELECT coalesce(max(id), 0) FROM writes"))
    _note_reviews(c)
    _note_shared(c)
    log = current(c)
    assert log is not None
    return log


def leave(c: apsw.Connection) -> None:
    """Turn the team off. All that this desk knows of itself stays; the entries are the team's."""
    c.execute("DELETE FROM team_entries")
    c.execute("DELETE FROM team_state")


def current(c: apsw.Connection) -> Log | None:
    """The log of this desk; None while the team is off."""
    found = row(c, "SELECT desk, seq, pushed FROM team_state")
    return None if found is None else Log(*found)


def append(
    c: apsw.Connection, kind: str, version: int, subject: str, body: object, write_id: int | None = None
) -> None:
    """Add an entry to the log, in the transaction of the fact that it tells. Does nothing while the team is off."""
    found = row(c, "SELECT seq, clock FROM team_state")
    if found is None:
        return
    # Larger than the last one even where this computer's clock was set back.
    seq, clock = found[0] + 1, max(found[1] + 1, _now())
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    c.execute(
        "INSERT INTO team_entries (seq, clock, kind, version, subject, body, write_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (seq, clock, kind, version, subject, text, write_id),
    )
    c.execute("UPDATE team_state SET seq = ?, clock = ?", (seq, clock))


def note_changes(c: apsw.Connection) -> None:
    """Before a commit: add an entry for each write that the transaction has changed."""
    noted = value(c, "SELECT noted FROM team_state")
    if noted is None:
        return
    last = value(c, "SELECT change FROM tally")
    if noted >= last:
        return
    found = write_facts.changed_since(c, noted, _AT_ONCE)
    for each in found:
        append(c, write_facts.KIND, write_facts.VERSION, each.subject, each.body, each.write_id)
    # Where there are more, the next commit goes on; `note_more` makes one.
    c.execute("UPDATE team_state SET noted = ?", (found[-1].change if len(found) == _AT_ONCE else last,))


def note_more(c: apsw.Connection) -> bool:
    """Whether there are writes that the log does not tell of yet; the commit of this call adds some."""
    noted = value(c, "SELECT noted FROM team_state")
    return noted is not None and noted < value(c, "SELECT change FROM tally")


def unpushed(c: apsw.Connection, after: int, limit: int, *, payloads: bool) -> list[Entry]:
    """Entries after this number, in their order. `payloads`: an entry of a write gets the order that is sent."""
    found = rows(
        c,
        """
        SELECT seq, clock, told.kind, version, subject, body, payload FROM team_entries told
        LEFT JOIN writes ON writes.id = write_id WHERE seq > ? ORDER BY seq LIMIT ?
        """,
        (after, limit),
    )
    return [
        Entry(seq, clock, kind, version, subject, _with_payload(body, payload) if payloads and payload else body)
        for seq, clock, kind, version, subject, body, payload in found
    ]


def _with_payload(body: str, payload: bytes) -> str:
    told = json.loads(body)
    if told.get("kind") != "submit" or len(payload) > _LARGEST_PAYLOAD:
        return body
    try:
        return json.dumps({**told, "payload": bytes(payload).decode()}, ensure_ascii=False)
    except UnicodeDecodeError:
        return body  # damaged bytes are nobody's order


def first_clock(c: apsw.Connection, write_id: int) -> int | None:
    """The clock of the entry about the making of a write: larger than that of all that was known of others then.

    None where the team was off, and where the entry is not kept any more. No other entry about the write does in its
    place: the clock of a later one is also larger than that of what was heard of since.
    """
    older = read_setting(c, _OLDER)
    # The log tells of older writes too, but only once it began.
    if not isinstance(older, int) or write_id <= older:
        return None
    found = row(c, "SELECT clock, body FROM team_entries WHERE write_id = ? ORDER BY seq LIMIT 1", (write_id,))
    told = {} if found is None else json.loads(found[1])
    return None if found is None or told["changed_at"] != told["queued_at"] else int(found[0])


def is_believed(clock: int) -> bool:
    """Whether a clock orders facts: one that is far ahead is wrong, and `observe` has never followed it."""
    return clock <= _now() + (FAR_AHEAD_MS << _COUNTER_BITS)


def latest_believed(clocks: Iterable[int]) -> int:
    """The largest of these clocks that is believed; 0 if none is."""
    latest = _now() + (FAR_AHEAD_MS << _COUNTER_BITS)
    return max((each for each in clocks if each <= latest), default=0)


def clock_of(c: apsw.Connection, seq: int) -> int | None:
    """The clock of the entry with this number; None if it is not kept any more, or never was."""
    found: int | None = value(c, "SELECT clock FROM team_entries WHERE seq = ?", (seq,))
    return found


def first_kept(c: apsw.Connection) -> int:
    """The number of the oldest entry that is kept; the number after the last one if none is."""
    found = value(c, "SELECT min(seq) FROM team_entries")
    return int(found if found is not None else (value(c, "SELECT seq FROM team_state") or 0) + 1)


def record_pushed(c: apsw.Connection, desk: str, seq: int) -> None:
    """Store that the team's database has the entries of this log up to a number."""
    c.execute("UPDATE team_state SET pushed = ? WHERE desk = ?", (seq, desk))
    if c.changes():
        c.execute("DELETE FROM team_entries WHERE seq <= ?", (seq - _KEPT,))


def observe(c: apsw.Connection, clock: int) -> int:
    """Another desk's entry bears this clock: entries from now on get larger ones. Returns the largest clock that this
    desk has given or seen."""
    if is_believed(clock):
        # Where it is no news nothing is written, and the commit has not to wait for the disk.
        c.execute("UPDATE team_state SET clock = ?1 WHERE clock < ?1", (clock,))
    return int(value(c, "SELECT clock FROM team_state") or 0)


def mark_unclaimed(c: apsw.Connection, attempt: int) -> None:
    """Store that an attempt began without a claim, because the team's database could not be reached."""
    c.execute("INSERT INTO team_unclaimed (attempt) VALUES (?)", (attempt,))


def note_known(c: apsw.Connection, attempt: int, known: Mapping[str, int]) -> None:
    """Store what was known of other desks when an attempt began: by desk the number of its latest write that it sent
    with this reference."""
    if known:
        c.execute("INSERT INTO team_known VALUES (?, ?)", (attempt, json.dumps(known)))


def last_sent(c: apsw.Connection, profile: str, reference: str) -> OwnSent | None:
    """The latest submission of a reference from this desk that may have arrived; None without one, and without a
    team."""
    log = current(c)
    found = row(
        c,
        f"""
        SELECT writes.id, EXISTS (SELECT 1 FROM team_unclaimed WHERE attempt = attempts.id), known
        FROM writes JOIN attempts ON write_id = writes.id LEFT JOIN team_known ON team_known.attempt = attempts.id
        WHERE profile = ? AND reference = ? AND kind = 'submit' AND {MAY_HAVE_ARRIVED}
        ORDER BY attempts.id DESC LIMIT 1
        """,
        (profile, reference),
    )
    if log is None or found is None:
        return None
    write, unclaimed, known = found
    return OwnSent(log.desk, write, bool(unclaimed), {} if known is None else json.loads(known))


def own_latest(c: apsw.Connection, write_ids: Iterable[int]) -> dict[int, OwnLatest]:
    """By the id of a write of this desk: when it was sent last, and which entries of other desks were known then.

    A note about a write, or its confirmation, is no news of this desk's. Unknown ids are left out.
    """
    log = current(c)
    desk = "" if log is None else log.desk
    found = {write: row(c, _LATEST, (write,)) for write in write_ids}
    return {
        write: OwnLatest(desk, write, read_moment(each[0]), json.loads(each[1] or "{}"))
        for write, each in found.items()
        if each is not None
    }


def _now() -> int:
    return int(time.time() * 1000) << _COUNTER_BITS


def moment_of(clock: int) -> float:
    """The time of a clock, in seconds since 1970 by the clock of its desk."""
    return (clock >> _COUNTER_BITS) / 1000


# Reviews

REVIEW, REVIEW_VERSION = "review", 1


def note_review(c: apsw.Connection, profile: str, audit: int, photo: str, body: str, changed_at: str) -> None:
    """Add an entry that tells of a review, in the transaction that stores it. Does nothing while the team is off."""
    log, place = current(c), _place(c, profile)
    if log is None or place is None:
        return
    told = {"place": place, "audit": audit, "photo": photo, "review": json.loads(body), "changed_at": changed_at}
    # With the desk: when a month is dropped, each person's review stays, not only the latest one.
    append(c, REVIEW, REVIEW_VERSION, f"{place} {audit} {photo} {log.desk}", told)


def _place(c: apsw.Connection, profile: str) -> str | None:
    """The team's name for a connection; None for practice, which is nobody else's business."""
    found = row(c, "SELECT base_url, client_id FROM profiles WHERE id = ? AND kind <> 'practice'", (profile,))
    return None if found is None else place_of(*found)


def _note_reviews(c: apsw.Connection) -> None:
    for values in rows(c, "SELECT profile, audit, photo, body, changed_at FROM reviews ORDER BY id"):
        note_review(c, *values)


# What is shared on purpose: views and templates

SHARED, SHARED_VERSION = "shared", 1
_SHARED_KEY = "team.shared"  # the setting: by connection, by sort (`what`) and by name, what is shared


def share(c: apsw.Connection, profile: str, what: str, name: str, content: dict[str, Any] | None) -> None:
    """Share a thing with the team in place of what was shared under this name; None stops sharing it."""
    kept = _shared(c)
    names = kept.setdefault(profile, {}).setdefault(what, {})
    if content is None:
        names.pop(name, None)
    else:
        names[name] = content
    write_setting(c, _SHARED_KEY, kept)
    _note_one(c, profile, what, name, content)


def shared_names(c: apsw.Connection, profile: str, what: str) -> frozenset[str]:
    """The names of the views or templates that this desk shares."""
    return frozenset(_shared(c).get(profile, {}).get(what, {}))


def _shared(c: apsw.Connection) -> dict[str, dict[str, dict[str, Any]]]:
    kept = read_setting(c, _SHARED_KEY)
    return kept if isinstance(kept, dict) else {}


def _note_one(c: apsw.Connection, profile: str, what: str, name: str, content: dict[str, Any] | None) -> None:
    log, place = current(c), _place(c, profile)
    if log is not None and place is not None:
        told = {"place": place, "what": what, "name": name, "content": content}
        append(c, SHARED, SHARED_VERSION, f"{place} {what} {log.desk} {name}", told)


def _note_shared(c: apsw.Connection) -> None:
    for profile, sorts in _shared(c).items():
        for what, names in sorts.items():
            for name, content in names.items():
                _note_one(c, profile, what, name, content)
