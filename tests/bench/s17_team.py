"""S17: entries of another desk, pulled, kept and shown; and how long it takes until another desk sees a write.

The yardstick of the first is a `COPY` of the same rows into a bare table of the same server, that of the second the two
seconds that people at one desk bear. Ours begins when the server has the entries, at a desk that is connected: it hears
of them, asks for them page by page, reads each, stores it in a file, and reads what the outbox shows of them. The
`COPY` begins connected too, and goes the same way: over TCP, with TLS as the server demands it of every desk.
`S17-JOIN` is the same with a desk that opens its files and connects first.
"""

import hashlib
import itertools
import json
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from app.store.journal import write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team.team_places import place_of
from app.store.sqlite.database import Database
from app.store.sqlite.text_values import to_moment
from app.store.team import team_calls, team_file
from app.store.team.team_entry import Outgoing
from app.store.team.team_file import TEAM_FILE
from app.store.team.team_link import TeamLink, TeamLogin
from app.store.team.team_place import connection_words
from tests.bench.harness import Measure, Result, alternate
from tests.support.long_log import write_long_log
from tests.support.postgres import TeamDatabase, run_server, team_of

ENTRIES = 10_000
_BATCH = 1_000
_SEEN_S = 2.0
_PATIENCE_S = 600.0
_MILLION, _MONTHS, _KEPT_MONTHS = 1_000_000, 24, 12
_SHOWN = 2_000  # lines of the outbox
_BEGAN = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)
_PLACE = place_of("https://acme.test/api", "client-1")
_ORDER = {
    "orderReferenceNumber": "R",
    "consignee": {"consigneeName": "J. Rivera", "city": "Memphis"},
    "more": "x" * 300,
}


def _body(number: int) -> str:
    queued, changed, tried = (
        to_moment(_BEGAN + timedelta(seconds=number, milliseconds=each * number % 1_000)) for each in (3, 5, 7)
    )
    return json.dumps(
        {
            "place": _PLACE, "write": number, "kind": "submit", "reference": f"R-{number}", "state": "accepted",
            "queued_at": queued, "changed_at": changed, "tried_at": tried,
            "sha256": hashlib.sha256(str(number).encode()).hexdigest(),
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


@contextmanager
def _filled(team: TeamDatabase) -> Iterator[psycopg.Connection]:
    """The log of Anna, who has sent so many orders, before its commit."""
    role = next(iter(team.people))
    words = connection_words(team.place, role, team.people[role], Path("unused"))
    with psycopg.connect(**words) as c:  # type: ignore[arg-type]  # mypy cannot see through the dict
        desk = uuid4()
        team_calls.join(c, desk, "Anna", team_calls.ClockDifference(0, 1))
        for first in range(1, ENTRIES + 1, _BATCH):
            page = range(first, first + _BATCH)
            team_calls.append(c, desk, [Outgoing(seq, seq, "write", 1, f"R-{seq}", _body(seq)) for seq in page])
        yield c


def _is_shown(mate: _Mate) -> bool:
    """Whether all is known, and what the outbox shows of it was read."""
    known = mate.others.read_now(team_file.count_entries)[0] == ENTRIES
    return known and len(mate.others.read_now(team_file.writes_page, _PLACE, (), _SHOWN)) == _SHOWN


def _run_pull(rounds: int) -> Result:
    with _team() as team:

        def ours() -> float:
            team.empty()
            with _mate(team, "ben") as ben:
                ben.link.start()
                ben.until(lambda: len(ben.link.state.desks) == 1)
                with _filled(team) as c:
                    began = time.perf_counter()
                    c.commit()
                    ben.until(lambda: _is_shown(ben))
                    return time.perf_counter() - began

        return alternate(ours, _copy(team), rounds, f"{ENTRIES:,} entries; the server forgets in a power cut")


def _run_join(rounds: int) -> Result:
    with _team() as team:
        with _filled(team) as c:
            c.commit()

        def ours() -> float:
            with _mate(team, "ben") as ben:
                began = time.perf_counter()
                ben.link.start()
                ben.until(lambda: _is_shown(ben))
                return time.perf_counter() - began

        return alternate(ours, _copy(team), rounds, f"{ENTRIES:,} entries, new files and a new connection")


def _run_million(_rounds: int) -> Result:
    """Once: it takes minutes. The yardstick is a hundred times the `COPY` of ten thousand."""
    with _team() as team, _mate(team, "ben") as ben:
        write_long_log(team, _PLACE, _MILLION, months=_MONTHS)
        copy = _copy(team)
        yard = statistics.median(copy() for _ in range(5)) * _MILLION / ENTRIES
        before = _memory_mib()
        began = time.perf_counter()
        ben.link.start()
        ben.until(lambda: ben.others.read_now(team_file.seen) != {} and _has_all(ben, _MILLION))
        took = time.perf_counter() - began
        grown = _memory_mib() - before
        with team.server.as_administrator(team.names.database) as c:
            c.execute("UPDATE waybill.settings SET keep_months = %s", (_KEPT_MONTHS,))
            began = time.perf_counter()
            while team_calls.retire(c):
                pass
            retired = time.perf_counter() - began
            kept = c.execute("SELECT count(*) FROM waybill.kept").fetchone()
            left = c.execute("SELECT count(*) FROM waybill.entries").fetchone()
        assert kept is not None
        assert left is not None
        with _mate(team, "ben") as late:
            began = time.perf_counter()
            late.link.start()
            late.until(lambda: _has_all(late, _MILLION))
            later = time.perf_counter() - began
            known, first = (each.others.read_now(team_file.count_entries)[0] for each in (late, ben))
        note = (
            f"{_MILLION:,} entries of {_MONTHS} months; memory grew by {grown:.0f} MiB; retention of {_KEPT_MONTHS} "
            f"months took {retired:.1f} s and left {kept[0] + left[0]:,} entries; a desk that came after it had "
            f"{known:,} of {first:,} orders after {later:.1f} s"
        )
        return Result(took, yard, note)


def _has_all(mate: _Mate, count: int) -> bool:
    return max(mate.others.read_now(team_file.seen).values(), default=0) == count and not mate.link.state.behind


def _memory_mib() -> float:
    """The most memory that this process has ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _copy(team: TeamDatabase) -> Callable[[], float]:
    rows = [(seq, seq, "write", 1, f"R-{seq}", _body(seq)) for seq in range(ENTRIES)]

    def copy() -> float:
        # Not at the server's socket, where there is no TLS: the bytes of both sides are to cost the same on their way.
        with psycopg.connect(team.server.administrator(team.names.database), autocommit=True) as c:
            c.execute("CREATE TABLE bare (seq bigint, clock bigint, kind text, version int, subject text, body text)")
            began = time.perf_counter()
            with c.cursor() as cursor, cursor.copy("COPY bare FROM STDIN") as into:
                for each in rows:
                    into.write_row(each)
            took = time.perf_counter() - began
            c.execute("DROP TABLE bare")
        return took

    return copy


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


_YARD = "COPY into a bare table"
PULLED = Measure("S17", "entries of another desk, pulled, kept and shown", _YARD, "s", 2.0, _run_pull)
JOINED = Measure("S17-JOIN", "the same by a desk that comes for the first time", _YARD, "s", 4.0, _run_join)
MILLION = Measure("S17-MILLION", "a log of a million entries joined", "COPY, a hundred times", "s", 4.0, _run_million)
SEEN = Measure("S17-SEEN", "a write of one desk, seen by another", "2 s", "s", 1.0, _run_seen)
