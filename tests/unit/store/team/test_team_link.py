"""The link to a team's database: what one desk did is known to the other, in order and whole, whatever breaks."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID, uuid4

import apsw
import msgspec
import psycopg
import pytest

from app.store.journal import review_store, write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team import team_log
from app.store.journal.team.team_places import place_of
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import rows, value
from app.store.store_errors import NotSaved
from app.store.team import entry_readers, team_calls, team_file, team_link
from app.store.team.entry_readers import Reader, Told
from app.store.team.team_entry import Entry, Outgoing
from app.store.team.team_errors import TeamTrouble
from app.store.team.team_file import TEAM_FILE
from app.store.team.team_link import TeamLink, TeamLogin
from app.store.team.team_place import connection_words
from tests.support.long_log import write_long_log
from tests.support.postgres import TeamDatabase
from tests.support.taken_entries import take_from

pytestmark = pytest.mark.slow  # each starts or asks a PostgreSQL of its own
NOW = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)
PLACE = place_of("https://acme.test/api", "client-1")
ORDER = b'{"orderReferenceNumber":"R 1"}'
PATIENCE = 30.0
LONG = 3_000  # entries
STANDING = "SELECT reference, state, sha256, payload FROM writes ORDER BY reference"


@dataclass
class Mate:
    """A desk of the team, without a window: its journal, its file of the others, and its link."""

    name: str
    folder: Path
    team: TeamDatabase
    journal: Journal
    others: Database
    link: TeamLink | None = None
    news: list[frozenset[str]] = field(default_factory=list)
    told: threading.Condition = field(default_factory=threading.Condition)

    def connect(self, password: str = "") -> TeamLink:
        role = next(each for each in self.team.people if each.startswith(self.name))
        login = TeamLogin(
            self.team.place, role, password or self.team.people[role], self.name.capitalize(), self.folder / "roots"
        )
        self.link = TeamLink(login, self.journal, self.others, self._on_news)
        self.link.start()
        return self.link

    def disconnect(self) -> None:
        link, self.link = self.link, None
        if link is not None:
            link.stop()
            assert link.join(PATIENCE)

    def _on_news(self, kinds: frozenset[str]) -> None:
        with self.told:
            self.news.append(kinds)
            self.told.notify_all()

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for news until something is so."""
        end = time.monotonic() + PATIENCE
        with self.told:
            while not true():
                assert self.told.wait(max(end - time.monotonic(), 0.01)) or time.monotonic() < end, self.link

    def queue(self, reference: str) -> int:
        made = self.journal.write_now(write_store.queue_write, "acme", "submit", reference, ORDER, NOW)
        if self.link is not None:
            self.link.wake()
        return made

    def knows(self, reference: str) -> list[team_file.OthersWrite]:
        return self.others.read_now(team_file.writes_of_reference, PLACE, reference)

    def pushed_all(self) -> bool:
        log = self.journal.read_now(team_log.current)
        return log is not None and log.seq == log.pushed


@contextmanager
def mate(team: TeamDatabase, folder: Path, name: str) -> Iterator[Mate]:
    folder.mkdir(exist_ok=True)
    journal, others = Journal(folder / "journal.sqlite3"), Database(folder / "team.sqlite3", TEAM_FILE)
    journal.write_now(save_profile, Profile("acme", name, "production", "https://acme.test/api", "", "", "client-1"))
    made = Mate(name, folder, team, journal, others)
    try:
        yield made
    finally:
        made.disconnect()
        others.close_now()
        journal.close_now()


@pytest.fixture
def two(team_database: TeamDatabase, tmp_path: Path) -> Iterator[tuple[Mate, Mate]]:
    with ExitStack() as made:
        yield tuple(made.enter_context(mate(team_database, tmp_path / name, name)) for name in ("anna", "ben"))  # type: ignore[misc]


def test_what_one_desk_does_the_other_knows_within_a_second(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    anna.connect()
    ben.connect()
    ben.until(lambda: ben.link is not None and ben.link.state.connected and len(ben.link.state.desks) == 2)
    write = anna.queue("R 1")
    began = time.monotonic()
    ben.until(lambda: bool(ben.knows("R 1")))
    assert time.monotonic() - began < 2.0
    (known,) = ben.knows("R 1")
    assert (known.person, known.number, known.state, known.payload) == ("Anna", write, "queued", ORDER)
    attempt = anna.journal.write_now(write_store.begin_attempt, write, NOW, "new")
    anna.journal.write_now(write_store.end_attempt, attempt, "accepted", NOW)
    anna.journal.write_now(review_store.put_review, "acme", 7, "", '{"reviewed": true}', NOW)
    assert anna.link is not None
    anna.link.wake()
    ben.until(lambda: ben.others.read_now(team_file.marked_audits, PLACE).reviewed == {7: "Anna"})
    (known,) = ben.knows("R 1")
    assert (known.state, known.tried, known.unclaimed, known.verdict) == ("accepted", True, False, "new")
    assert ben.others.read_now(team_file.last_accepted, PLACE, ["R 1", "R 2"]) == {"R 1": known}
    assert anna.knows("R 1") == []  # one's own stays in the journal


def test_a_desk_that_comes_after_months_were_dropped_knows_the_same(
    team_database: TeamDatabase, tmp_path: Path
) -> None:
    anna = write_long_log(team_database, PLACE, LONG, months=20)
    with ExitStack() as made:
        early, late = (made.enter_context(mate(team_database, tmp_path / name, "ben")) for name in ("early", "late"))
        early.connect()
        early.until(lambda: early.others.read_now(team_file.seen).get(str(anna)) == LONG)
        assert early.others.read_now(team_file.count_entries) == (LONG // 3, 0)
        early.disconnect()
        with team_database.server.as_administrator(team_database.names.database) as c:
            c.execute("UPDATE waybill.settings SET keep_months = 5")
            while team_calls.retire(c):
                pass
            left = c.execute("SELECT count(*) FROM waybill.entries").fetchone()
        assert left is not None
        assert 0 < left[0] < LONG / 2
        late.connect()
        late.until(lambda: late.others.read_now(team_file.seen).get(str(anna)) == LONG)
        assert late.others.read_now(rows, STANDING) == early.others.read_now(rows, STANDING)


def test_the_clock_is_asked_for_again_once_it_was_set(two: tuple[Mate, Mate], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = two
    link = anna.connect()
    anna.until(lambda: link.state.connected)
    assert link.clock is not None
    assert abs(link.clock.ahead_ms) < 60_000
    real = time.time
    set_forward = SimpleNamespace(time=lambda: real() + 7_200, monotonic=time.monotonic)
    for module in (team_link, team_calls):
        monkeypatch.setattr(module, "time", set_forward)
    end = time.monotonic() + PATIENCE
    while abs(link.clock.ahead_ms - 7_200_000) > 60_000:
        assert time.monotonic() < end, link.clock
        link.wake()
        time.sleep(0.02)


def test_without_the_database_everything_waits_and_catches_up(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    ben.connect()
    ben.until(lambda: ben.link is not None and ben.link.state.connected)
    anna.team.server.stop()
    ben.until(lambda: ben.link is not None and ben.link.state.trouble is not None)
    anna.connect()
    anna.until(lambda: anna.link is not None and anna.link.state.trouble is not None)
    for number in range(30):
        anna.queue(f"R {number}")
        ben.queue(f"S {number}")
    assert anna.link is not None
    assert ben.link is not None
    with pytest.raises(TeamTrouble):
        anna.link.call(team_calls.claim, PLACE, "R 1", 60.0).result(PATIENCE)
    anna.team.server.start()
    for each in (anna, ben):
        each.link.wake()  # type: ignore[union-attr]  # it need not wait for its clock
    ben.until(lambda: len(ben.others.read_now(team_file.writes_page, PLACE, (), 99)) == 30)
    anna.until(lambda: len(anna.others.read_now(team_file.writes_page, PLACE, (), 99)) == 30)


def test_a_broken_connection_is_made_again(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    anna.connect()
    ben.connect()
    for number in range(5):
        with anna.team.server.as_administrator() as c:
            c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Waybill'")
        anna.queue(f"R {number}")
        for each in (anna, ben):
            each.link.wake()  # type: ignore[union-attr]
    ben.until(lambda: len(ben.others.read_now(team_file.writes_page, PLACE, (), 99)) == 5)
    with anna.team.server.as_administrator(anna.team.names.database) as c:
        counted = c.execute("SELECT count(*), count(DISTINCT (desk, seq)) FROM waybill.entries").fetchone()
    assert counted == (5, 5)


def test_a_desk_that_joins_late_gets_everything(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    anna.connect()

    def queue_many(c: apsw.Connection) -> None:
        for number in range(1_300):  # more than two pushes
            write_store.queue_write(c, "acme", "submit", f"R {number}", ORDER, NOW)

    anna.journal.write_now(queue_many)
    anna.queue("R 1300")
    anna.until(anna.pushed_all)
    ben.connect()
    ben.until(lambda: ben.others.read_now(team_file.count_entries) == (1_301, 0))
    ben.until(lambda: ben.link is not None and ben.link.state.behind == 0)


def test_claims_are_called_through_the_link(two: tuple[Mate, Mate]) -> None:
    ben = two[1]
    links = [each.connect() for each in two]
    for each, link in zip(two, links, strict=True):
        each.until(lambda link=link: link.state.connected)  # type: ignore[misc]
    assert links[0].call(team_calls.claim, PLACE, "R 1", 60.0).result(PATIENCE).got
    refused = links[1].call(team_calls.claim, PLACE, "R 1", 60.0).result(PATIENCE)
    assert (refused.got, refused.person) == (False, "Anna")
    ben.news.clear()
    links[0].call(team_calls.give_back, PLACE, "R 1").result(PATIENCE)
    ben.until(lambda: any("claims" in each for each in ben.news))
    assert links[1].call(team_calls.claim, PLACE, "R 1", 60.0).result(PATIENCE).got


def test_a_claim_is_given_back_after_the_connection_was_away(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    links = [each.connect() for each in two]
    for each, link in zip(two, links, strict=True):
        each.until(lambda link=link: link.state.connected)  # type: ignore[misc]
    assert links[0].claim(PLACE, "R 1", 240.0).result(PATIENCE).got
    anna.team.server.stop()
    anna.until(lambda: not links[0].state.connected)
    ben.until(lambda: not links[1].state.connected)
    anna.queue("R 1")
    links[0].give_back(PLACE, "R 1")
    anna.team.server.start()
    links[0].wake()
    anna.until(anna.pushed_all)
    links[1].wake()
    ben.until(lambda: links[1].state.connected)
    end = time.monotonic() + PATIENCE
    while not links[1].claim(PLACE, "R 1", 240.0).result(PATIENCE).got:
        assert time.monotonic() < end
    assert len(ben.knows("R 1")) == 1, "with the claim comes what its last holder did"
    links[0].give_back(PLACE, "R 1")  # not Anna's any more: Ben keeps it
    assert not links[0].claim(PLACE, "R 1", 240.0).result(PATIENCE).got


def test_a_claim_is_not_given_back_before_what_became_of_it_is_known(two: tuple[Mate, Mate]) -> None:
    """The window closes while the link is at one of its questions."""
    anna, ben = two
    link, other = (each.connect() for each in two)
    for each in two:
        each.until(lambda each=each: each.link.state.connected)  # type: ignore[misc]
    assert link.claim(PLACE, "R 1", 240.0).result(PATIENCE).got

    def send_and_close(_: psycopg.Connection, __: UUID) -> None:
        anna.queue("R 1")
        link.give_back(PLACE, "R 1")
        link.stop()

    link.call(send_and_close).result(PATIENCE)
    anna.disconnect()
    assert not anna.pushed_all()
    assert not other.claim(PLACE, "R 1", 240.0).result(PATIENCE).got
    assert ben.knows("R 1") == []


def test_who_works_on_what_is_seen(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    links = [each.connect() for each in two]
    anna.until(lambda: links[0].state.connected)
    ben.until(lambda: links[1].state.connected)
    links[0].call(team_calls.be_present, PLACE, "R 1", "changing", 60.0).result(PATIENCE)
    ben.until(lambda: [(each.subject, each.doing) for each in links[1].state.presence] == [("R 1", "changing")])
    links[0].call(team_calls.be_present, PLACE, "R 1", "changing", 0.0).result(PATIENCE)
    ben.until(lambda: links[1].state.presence == ())


def test_a_wrong_password_is_said_and_not_tried_again_and_again(two: tuple[Mate, Mate]) -> None:
    anna, _ = two
    link = anna.connect(password="wrong")
    anna.until(lambda: link.state.trouble is not None)
    assert link.state.trouble is not None
    assert (link.state.trouble.leg, link.state.trouble.lasting) == ("password", True)
    assert anna.queue("R 1")
    assert anna.journal.read_now(team_log.current) is None  # nothing was joined: nothing is kept for it


def test_an_older_copy_of_the_journal_begins_another_log(two: tuple[Mate, Mate], tmp_path: Path) -> None:
    anna, ben = two
    anna.connect()
    anna.queue("R 1")
    anna.until(anna.pushed_all)
    anna.disconnect()
    first = anna.journal.read_now(team_log.current)
    kept = anna.journal.read_now(lambda c: c.execute("SELECT * FROM team_state").fetchall())
    anna.connect()
    anna.queue("R 2")
    anna.until(anna.pushed_all)
    anna.disconnect()

    def set_back(c: object) -> None:  # as a journal is that was restored from a backup of before
        c.execute("DELETE FROM team_entries WHERE seq > 1")  # type: ignore[attr-defined]
        c.execute("DELETE FROM team_state")  # type: ignore[attr-defined]
        c.execute("INSERT INTO team_state VALUES (?, ?, ?, ?, ?, ?)", kept[0])  # type: ignore[attr-defined]

    anna.journal.write_now(set_back)
    anna.queue("R 3")
    anna.connect()
    ben.connect()
    ben.until(lambda: len(ben.others.read_now(team_file.writes_page, PLACE, (), 99)) == 3)
    again = anna.journal.read_now(team_log.current)
    assert first is not None
    assert again is not None
    assert again.desk != first.desk
    assert [len(ben.knows(f"R {number}")) for number in (1, 2, 3)] == [1, 1, 1]  # nothing seems to be sent twice


def test_a_database_that_was_set_back_gets_the_rest_again(two: tuple[Mate, Mate]) -> None:
    anna, ben = two
    anna.connect()
    for number in range(3):
        anna.queue(f"R {number}")
    anna.until(anna.pushed_all)
    anna.disconnect()
    with anna.team.server.as_administrator(anna.team.names.database) as c:  # as a backup of before is
        c.execute("DELETE FROM waybill.entries WHERE seq > 1")
        c.execute("UPDATE waybill.desks SET last_seq = 1, last_clock = (SELECT clock FROM waybill.entries)")
    anna.connect()
    ben.connect()
    ben.until(lambda: len(ben.others.read_now(team_file.writes_page, PLACE, (), 99)) == 3)


def test_unknown_kinds_are_kept_and_read_by_who_knows_them(
    two: tuple[Mate, Mate], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = two
    link = anna.connect()
    anna.until(lambda: link.state.connected)
    anna.journal.write_now(team_log.append, "dream", 3, "x", {"of": "sheep"})
    anna.queue("R 1")
    ben.connect()
    ben.until(lambda: bool(ben.knows("R 1")))
    assert ben.others.read_now(team_file.count_entries) == (1, 1)
    ben.disconnect()
    dreams = Reader(
        "INSERT INTO unknown (desk, seq, at, clock, kind, version, subject, body) VALUES (0, 1, 0.0, 0, ?, 0, '', '')",
        msgspec.json.Decoder(dict[str, str]), lambda _entry, body, _desk: (body["of"],),
    )  # fmt: skip
    monkeypatch.setitem(entry_readers.READERS, ("dream", 3), dreams)
    monkeypatch.setattr(team_file, "READER", team_file.READER + 1)
    ben.connect()
    ben.until(lambda: ben.link is not None and ben.link.state.connected)
    found = "SELECT kind FROM unknown"
    ben.until(lambda: ben.others.read_now(rows, found) == [("sheep",)])


def test_a_clock_that_the_journal_could_not_store_is_stored_at_the_next_connection(
    two: tuple[Mate, Mate], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = two
    asked: list[int] = []
    real = team_log.observe

    def full_at_first(c: apsw.Connection, clock: int) -> int:
        asked.append(clock)
        if clock > 0 and asked.count(clock) == 1:
            raise NotSaved("The disk is full.")
        return real(c, clock)

    monkeypatch.setattr(team_log, "observe", full_at_first)
    anna.connect()
    anna.queue("R 1")
    ben.connect()
    # The journal is asked after the page is stored, on a thread of its own.
    ben.until(lambda: bool(ben.knows("R 1")) and max(asked) > 0)
    lost = max(asked)
    assert ben.journal.read_now(value, "SELECT clock FROM team_state") < lost
    assert ben.link is not None
    ben.link.wake()  # as the clock does: nobody has to do anything until Ben's desk hears of the full disk
    ben.until(lambda: asked.count(lost) == 2 and ben.link is not None and ben.link.state.connected)
    assert ben.journal.read_now(value, "SELECT clock FROM team_state") >= lost


def write_body(**changes: object) -> str:
    """The body of an entry about a write."""
    moment = "2026-11-21T14:02:10.000Z"
    body = {"place": PLACE, "write": 1, "kind": "submit", "reference": "R", "state": "queued", "sha256": ""}
    return json.dumps({**body, "queued_at": moment, "changed_at": moment, **changes})


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        "null",
        '"text"',
        "{}",
        write_body(place=1),
        write_body(write="x"),
        write_body(write=2**70),
        write_body(state="eaten"),
        write_body(kind="eat"),
        write_body(queued_at="soon"),
        write_body(queued_at="2026-11-21T14:02:10.000Z 2026-11-21T14:02:10.000Z"),
        write_body(queued_at="2026-11-21T14:02:10.000Z 2026-11-21T14:02:10.000Z", changed_at=""),
        write_body(tried_at=""),
        write_body(tried_at="None"),
        write_body(tried_at="2026-02-30T14:02:10.000Z"),
        write_body(payload="no order"),
        write_body(payload="[1]"),
        "[" * 100_000 + "]" * 100_000,
    ],
)
def test_nonsense_of_a_known_kind_is_kept_and_nothing_is_made_of_it(tmp_path: Path, body: str) -> None:
    others = Database(tmp_path / "team.sqlite3", TEAM_FILE)
    desk = uuid4()
    others.write_now(team_file.learn_people, [(str(desk), "Anna")])
    entries = [Entry(seq, NOW.timestamp(), seq, kind, 1, "", body) for seq, kind in ((1, "write"), (2, "review"))]
    assert take_from(others, desk, *entries) == set()
    assert take_from(others, desk, *entries) == set()  # taken once
    assert others.read_now(team_file.count_entries) == (0, 2)
    assert others.read_now(team_file.seen) == {str(desk): 2}
    others.close_now()


@contextmanager
def log_of(team: TeamDatabase, count: int, body: str) -> Iterator[tuple[psycopg.Connection, UUID]]:
    """The connection of somebody whose desk has added so many entries."""
    role = next(iter(team.people))
    words = connection_words(team.place, role, team.people[role], Path("unused"))
    with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]
        desk = uuid4()
        team_calls.join(c, desk, "Anna", team_calls.ClockDifference(0, 1))
        for first in range(1, count + 1, 1_000):
            page = [Outgoing(seq, seq, "write", 1, "", body) for seq in range(first, min(first + 1_000, count + 1))]
            assert team_calls.append(c, desk, page) == page[-1].seq
        yield c, desk


@pytest.mark.parametrize(
    ("count", "body", "pages"),
    [
        (5_000, write_body(), [250, 2_000, 2_000, 750]),
        # Orders of 100,000 letters each: a page has no more of them than some 8,000,000 letters.
        (400, write_body(payload=json.dumps({"a": "x" * 100_000})), [250, 79, 71]),
    ],
)
def test_a_log_is_joined_in_bounded_memory(
    two: tuple[Mate, Mate], count: int, body: str, pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ben = two
    asked: list[int] = []
    stored = 0
    ahead: list[int] = []  # entries that were read and not stored yet
    real, real_take = team_calls.entries_after, team_file.take

    def counted(c: psycopg.Connection, desk: UUID, seq: int, limit: int) -> list[Entry]:
        found = real(c, desk, seq, limit)
        asked.append(len(found))
        ahead.append(sum(asked) - stored)
        return found

    def take(c: apsw.Connection, desk: int, entries: list[Entry], told: Told) -> set[str]:
        nonlocal stored
        kinds = real_take(c, desk, entries, told)
        stored += len(entries)
        return kinds

    with log_of(ben.team, count, body) as (_, desk):
        monkeypatch.setattr(team_calls, "entries_after", counted)
        monkeypatch.setattr(team_file, "take", take)
        ben.connect()
        ben.until(lambda: ben.others.read_now(team_file.seen).get(str(desk)) == count)
    assert asked == pages
    assert max(ahead) <= max(sum(pair) for pair in itertools.pairwise([0, *pages]))


def test_a_page_is_read_by_the_index_on_a_server_that_has_counted_nothing(two: tuple[Mate, Mate]) -> None:
    with log_of(two[1].team, 3_000, write_body()) as (c, desk):
        team_calls.read_by_index(c)
        told = c.execute(
            "EXPLAIN SELECT body::text FROM waybill.log WHERE desk = %s AND seq > 9 ORDER BY seq LIMIT 9", (desk,)
        )
        steps = "\n".join(line for (line,) in told)
        assert "Merge Append" in steps
        assert "->  Sort" not in steps
