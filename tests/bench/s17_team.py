"""S17: the log of another desk, pulled and kept; and how long it takes until another desk sees a write.

The yardstick of the first is a `COPY` of the same rows into a bare table of the same server, that of the second the two
seconds that people at one desk bear. Ours asks for the entries page by page, reads each, and stores it in a file.
"""

import itertools
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from app.store.journal import write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team.team_places import place_of
from app.store.sqlite.database import Database
from app.store.team import team_calls, team_file
from app.store.team.team_entry import Outgoing
from app.store.team.team_file import TEAM_FILE
from app.store.team.team_link import TeamLink, TeamLogin
from app.store.team.team_place import connection_words
from tests.bench.harness import Measure, Result, alternate
from tests.support.postgres import TeamDatabase, run_server, team_of

ENTRIES = 10_000
_BATCH = 1_000
_SEEN_S = 2.0
_PATIENCE_S = 120.0
_PLACE = place_of("https://acme.test/api", "client-1")
_ORDER = {
    "orderReferenceNumber": "R",
    "consignee": {"consigneeName": "J. Rivera", "city": "Memphis"},
    "more": "x" * 300,
}


def _body(number: int) -> str:
    moment = "2026-11-21T14:02:10.000Z"
    return json.dumps(
        {
            "place": _PLACE, "write": number, "kind": "submit", "reference": f"R-{number}", "state": "accepted",
            "queued_at": moment, "changed_at": moment, "tried_at": moment, "sha256": "0" * 64,
            "payload": json.dumps(_ORDER),
        }
    )  # fmt: skip


class _Mate:
    """A desk without a window."""

    def __init__(self, team: TeamDatabase, folder: Path, person: str) -> None:
        role = next(each for each in team.people if each.startswith(person))
        self.journal, self.others = Journal(folder / "journal.sqlite3"), Database(folder / "team.sqlite3", TEAM_FILE)
        profile = Profile("acme", "Acme", "production", "https://acme.test/api", "", "", "client-1")
        self.journal.write_now(save_profile, profile)
        login = TeamLogin(team.place, role, team.people[role], person.capitalize(), folder / "roots")
        self._told = threading.Condition()
        self.link = TeamLink(login, self.journal, self.others, self._on_news)

    def _on_news(self, _kinds: frozenset[str]) -> None:
        with self._told:
            self._told.notify_all()

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + _PATIENCE_S
        with self._told:
            while not true():
                if time.monotonic() > end:
                    raise TimeoutError("the team said nothing")
                self._told.wait(0.5)

    def close(self) -> None:
        self.link.stop()
        self.link.join(_PATIENCE_S)
        self.others.close_now()
        self.journal.close_now()


@contextmanager
def _mate(team: TeamDatabase, person: str) -> Iterator[_Mate]:
    with tempfile.TemporaryDirectory(prefix="waybill-s17-") as folder:
        made = _Mate(team, Path(folder), person)
        try:
            yield made
        finally:
            made.close()


@contextmanager
def _team() -> Iterator[TeamDatabase]:
    with pytest.MonkeyPatch.context() as patch, run_server() as server:
        patch.setenv("PGHOSTADDR", "127.0.0.1")
        with team_of(server, "anna", "ben") as team:
            yield team


def _fill(team: TeamDatabase) -> None:
    """The log of Anna, who has sent so many orders."""
    role = next(iter(team.people))
    words = connection_words(team.place, role, team.people[role], Path("unused"))
    with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]  # mypy cannot see through the dict
        desk = uuid4()
        team_calls.join(c, desk, "Anna", team_calls.ClockDifference(0, 1))
        for first in range(1, ENTRIES + 1, _BATCH):
            page = range(first, first + _BATCH)
            team_calls.append(c, desk, [Outgoing(seq, seq, "write", 1, f"R-{seq}", _body(seq)) for seq in page])


def _run_pull(rounds: int) -> Result:
    with _team() as team:
        _fill(team)

        def ours() -> float:
            with _mate(team, "ben") as ben:
                began = time.perf_counter()
                ben.link.start()
                ben.until(lambda: ben.others.read_now(team_file.count_entries)[0] == ENTRIES)
                return time.perf_counter() - began

        def copy() -> float:
            rows = [(seq, seq, "write", 1, f"R-{seq}", _body(seq)) for seq in range(ENTRIES)]
            with team.server.as_administrator(team.names.database) as c:
                c.execute(
                    "CREATE TABLE bare (seq bigint, clock bigint, kind text, version int, subject text, body text)"
                )
                began = time.perf_counter()
                with c.cursor() as cursor, cursor.copy("COPY bare FROM STDIN") as into:
                    for each in rows:
                        into.write_row(each)
                took = time.perf_counter() - began
                c.execute("DROP TABLE bare")
            return took

        return alternate(ours, copy, rounds, f"{ENTRIES:,} entries of a desk; the server forgets in a power cut")


def _run_seen(rounds: int) -> Result:
    numbers = itertools.count()
    with _team() as team, _mate(team, "anna") as anna, _mate(team, "ben") as ben:
        for each in (anna, ben):
            each.link.start()
            each.until(lambda each=each: each.link.state.connected)  # type: ignore[misc]

        def ours() -> float:
            reference = f"S-{next(numbers)}"
            began = time.perf_counter()
            anna.journal.write_now(write_store.queue_write, "acme", "submit", reference, b'{"a": 1}', datetime.now(UTC))
            anna.link.wake()
            ben.until(lambda: bool(ben.others.read_now(team_file.writes_of_reference, _PLACE, reference)))
            return time.perf_counter() - began

        return alternate(ours, lambda: _SEEN_S, rounds, "from the journal of one desk to the file of another")


PULLED = Measure("S17", "the log of another desk, pulled and kept", "COPY into a bare table", "s", 2.0, _run_pull)
SEEN = Measure("S17-SEEN", "a write of one desk, seen by another", "2 s", "s", 1.0, _run_seen)
