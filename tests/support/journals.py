"""Journals with rows of every kind, ways to damage them, and a later version of the journal for tests of migrations."""

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw

from app.store.journal import draft_store, request_store, review_store, write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.records import Outcome, WriteState
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.request_store import REQUEST_STATES, RequestRow, RequestState
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from app.store.sqlite.opening import Schema
from app.store.sqlite.plain_rows import rows

NOW = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)
ACME = Profile("acme", "Acme ÄÖ", "test", "http://a/", "http://b/", "http://c/", "client")
ALL_STATES: tuple[WriteState, ...] = ("queued", "sending", "accepted", "confirmed", "rejected", "in_doubt", "withdrawn")

# Migrations for tests alone, of each kind that a journal can need: a new column, a change of every row of a table, and
# a table made anew under its old name.
_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "ALTER TABLE writes ADD COLUMN carrier TEXT",
        "CREATE INDEX writes_by_carrier ON writes (profile, carrier) WHERE carrier IS NOT NULL",
    ),
    (
        "UPDATE attempts SET sentence = 'Attempt ' || id",
        "DROP INDEX attempts_turned_back",
        "CREATE INDEX attempts_turned_back ON attempts (write_id, started_at) WHERE outcome = 'not_taken'",
        "UPDATE drafts SET body = json_set(body, '$.rewritten', 1)",
    ),
    (
        """
        CREATE TABLE settings_with_dates (
            key        TEXT PRIMARY KEY,
            value      TEXT NOT NULL CHECK (json_valid(value)),
            changed_at TEXT
        ) STRICT
        """,
        "INSERT INTO settings_with_dates (key, value) SELECT key, value FROM settings",
        "DROP TABLE settings",
        "ALTER TABLE settings_with_dates RENAME TO settings",
    ),
)
LATER_JOURNAL: Schema = replace(JOURNAL, migrations=(*JOURNAL.migrations, *_MIGRATIONS))


def payload_of(reference: str) -> bytes:
    """The bytes that `fill` queues for a reference; some of them are longer than a page."""
    return f'{{"orderReferenceNumber":"{reference}","notes":"{"é" * (int(reference[2:]) * 700)}"}}'.encode()


def fill(database: Database, now: datetime = NOW) -> dict[str, int]:
    """Store a connection, and an order with its draft and a request in each state; returns the writes by state."""
    database.write_now(save_profile, ACME)
    made: dict[str, int] = {}
    for number, state in enumerate(ALL_STATES):
        reference = f"R-{number}"
        database.write_now(draft_store.save_draft, "acme", f"draft-{number}", f'{{"typed": {number}}}', now)
        made[state] = database.write_now(
            write_store.queue_write, "acme", "submit", reference, payload_of(reference), now, draft_id=f"draft-{number}"
        )
        bring_to(database, made[state], state, now)
    database.write_now(draft_store.save_draft, "acme", "open", '{"typed": "half"}', now)
    database.write_now(review_store.put_review, "acme", 4_001, "", '{"reviewed": true}', now)
    database.write_now(
        review_store.put_review, "acme", 4_001, "audit-4001-2.jpg", '{"note": "torn", "noted": true}', now
    )
    for request_state in REQUEST_STATES:
        ask(database, request_state, now)
    return made


def ask(database: Database, state: RequestState, now: datetime, name: str = "") -> int:
    """Store a request in a state, by the allowed steps; its title is `name`, or the state."""
    title = name or state
    payload = f'{{"truck":"{title} Ä"}}'.encode()
    number = database.write_now(request_store.begin_request, ACME, "truck_submit", "", title, payload, now)
    if state == "sending":
        return number
    ended = "in_doubt" if state == "not_arrived" else state
    reply = b"\xff{}" if state == "accepted" else None
    database.write_now(
        request_store.end_request, number, ended, "It ended.", now + timedelta(seconds=1), http_status=200, reply=reply
    )
    if state == "not_arrived":
        database.write_now(request_store.decide_request, number, state, "A person said so.", now + timedelta(seconds=2))
    return number


def kept_rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """What the readable copy has besides writes and requests: ended attempts, reviews, templates."""
    return {
        "attempts": database.read_now(
            rows,
            "SELECT id, write_id, started_at, ended_at, outcome, http_status, reply, reply_type, sentence, repeats "
            "FROM attempts WHERE ended_at IS NOT NULL AND outcome <> 'died' ORDER BY id",
        ),
        "reviews": database.read_now(
            rows, "SELECT profile, audit, photo, body, changed_at FROM reviews ORDER BY profile, audit, photo"
        ),
        "templates": database.read_now(
            rows, "SELECT key, value FROM settings WHERE key GLOB 'templates.*' ORDER BY key"
        ),
    }


def requests_of(database: Database) -> dict[str, RequestRow]:
    """The requests by title."""
    found = database.read_now(request_store.requests_page, "acme", ("truck_submit",), 1_000)
    return {row.title: row for row in found}


def bring_to(database: Database, write: int, state: WriteState, now: datetime) -> None:
    """Bring a queued write to a state by allowed steps."""
    if state == "queued":
        return
    if state == "withdrawn":
        database.write_now(write_store.settle, write, "withdrawn", "Withdrawn.", now)
        return
    attempt = database.write_now(write_store.begin_attempt, write, now)
    if state == "sending":
        return
    ends: dict[str, Outcome] = {"rejected": "rejected", "in_doubt": "unknown"}
    outcome = ends.get(state, "accepted")
    database.write_now(write_store.end_attempt, attempt, outcome, now + timedelta(seconds=1), sentence="It ended.")
    if state == "confirmed":
        database.write_now(write_store.settle, write, "confirmed", "Read back.", now + timedelta(seconds=2))


def states(database: Database) -> dict[str, str]:
    """The state of each write by reference."""
    return {row.reference: row.state for row in database.read_now(write_store.writes_page, "acme", (), 1_000)}


@contextmanager
def opened_journal(path: Path, schema: Schema = JOURNAL) -> Iterator[Journal]:
    """The journal at `path`, opened as the program opens it, after its full check."""
    database = Journal(path, schema=schema)
    try:
        database.write_now(lambda _: None)
        yield database
    finally:
        database.close_now()


def make(folder: Path) -> Path:
    """Make a filled journal and close it; returns its path."""
    folder.mkdir(exist_ok=True)
    with opened_journal(folder / "journal.sqlite3") as database:
        fill(database)
    return folder / "journal.sqlite3"


def make_killed(folder: Path) -> Path:
    """Make a filled journal as a killed program leaves it, all in the write-ahead log; returns its path."""
    running = folder / "running"
    running.mkdir(parents=True)
    with opened_journal(running / "journal.sqlite3") as database:
        fill(database)
        database.copy.settle()
        for path in running.iterdir():
            shutil.copy(path, folder)
    return folder / "journal.sqlite3"


@contextlib.contextmanager
def raw(path: Path) -> Iterator[apsw.Connection]:
    """A plain connection to the file, as another tool would open it."""
    connection = apsw.Connection(str(path))
    try:
        yield connection
    finally:
        connection.close()


def flip(path: Path, what: bytes) -> None:
    """Flip a bit in the last occurrence of these bytes in the file."""
    data = bytearray(path.read_bytes())
    at = data.rindex(what)
    data[at + len(what) // 2] ^= 0x01
    path.write_bytes(data)
