"""Desks of one team in one process, each with a clock of its own: for histories of a team (F20).

What a desk does runs through `Mate.does`, so that everything that asks the time there is told the desk's.
"""

import asyncio
import threading
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox, settling
from app.desk.sending.verdict import verdict
from app.desk.team import others_orders
from app.desk.team.teamwork import Teamwork, team_of
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal import held_writes, own_evidence, write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.records import MAY_HAVE_ARRIVED, WriteRow, WriteState
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import rows
from app.store.store_errors import WrongState
from app.store.team import team_calls, team_file, team_link
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE, OthersWrite
from app.store.team.team_link import TeamLink, TeamLogin
from app.store.team.team_place import TeamPlace
from tests.support.desks import provider_of, submission
from tests.support.fault_server import FaultServer

T = TypeVar("T")
_MANY = 999_999
_NONE = timedelta()
_DOUBTED = f"""
    SELECT 1 FROM attempts JOIN writes ON writes.id = write_id
    WHERE profile = ? AND reference = ? AND {MAY_HAVE_ARRIVED} AND outcome IS NOT 'accepted'
"""  # noqa: S608 (the condition is the program's own)
_IN_DOUBT: tuple[WriteState, ...] = ("in_doubt",)
OPEN: tuple[WriteState, ...] = ("queued", "sending", "in_doubt")


class DeskClocks:
    """Stands in for the module `time` where the team's clocks are read: each desk's threads and tasks see its own.

    Time that was let pass went by for every desk and for the server. It is in none of these clocks, because no two of
    them differ by it.
    """

    def __init__(self) -> None:
        self._of_thread: dict[int, Callable[[], timedelta]] = {}
        self._of_task: ContextVar[timedelta] = ContextVar("ahead", default=_NONE)
        self._passes: list[float] = [float("-inf")]  # the moments at which time was let pass,
        self._passed: list[timedelta] = [_NONE]  # and how much of it altogether since then
        self.monotonic = time.monotonic

    def time(self) -> float:
        """Seconds since 1970 by the clock of the desk that asks."""
        of_thread = self._of_thread.get(threading.get_ident())
        ahead = self._of_task.get() if of_thread is None else of_thread()
        return time.time() + ahead.total_seconds()

    def belongs(self, ahead: Callable[[], timedelta]) -> None:
        """This thread works for the desk whose clock is so far ahead."""
        self._of_thread[threading.get_ident()] = ahead

    def show(self, ahead: timedelta) -> None:
        """This task, and what it starts, works for such a desk."""
        self._of_task.set(ahead)

    def let_pass(self, span: timedelta) -> None:
        """So much time passes, everywhere."""
        # In this order: whoever looks meanwhile finds a moment without its span, and takes the one before.
        self._passed.append(self._passed[-1] + span)
        self._passes.append(time.time())

    @property
    def passed(self) -> timedelta:
        """How much time was let pass."""
        return self._passed[-1]

    def entries_after(self, *args: Any) -> list[Entry]:
        """As `team_calls.entries_after`, with the moments at which a server would have taken the entries for which
        time passes as well."""
        found = _entries_after(*args)
        if len(self._passes) == 1:
            return found
        return [each._replace(at=each.at + self._passed_by(each.at)) for each in found]

    def _passed_by(self, moment: float) -> float:
        return self._passed[bisect_right(self._passes, moment) - 1].total_seconds()


_entries_after = team_calls.entries_after


@contextmanager
def clocks_of_desks() -> Any:
    """In this block each desk has a clock of its own."""
    clocks = DeskClocks()
    with pytest.MonkeyPatch.context() as patch:
        for module in (team_log, team_calls, team_link):
            patch.setattr(module, "time", clocks)
        patch.setattr(team_calls, "entries_after", clocks.entries_after)
        yield clocks


class _Link(TeamLink):
    """Its thread sees the desk's clock. `next_try` is when it tries to connect again, by the monotonic clock."""

    belongs: Callable[[], None]
    next_try = 0.0

    def _run(self) -> None:
        self.belongs()
        super()._run()

    def _wait(self, c: Any, seconds: float) -> set[str]:
        self.next_try = time.monotonic() + seconds
        return super()._wait(c, seconds)


class Stand(NamedTuple):
    """What the journal of a desk says of some references: the desk's log, None before it came to the database for the
    first time; the states of all its writes that are not over; by reference its writes, as number and state; and the
    references of which an attempt was ever in doubt."""

    log: team_log.Log | None
    open: frozenset[str]
    writes: dict[str, list[tuple[int, str]]]
    doubted: frozenset[str]


def _stand(c: apsw.Connection, profile: str, references: Sequence[str]) -> Stand:
    going = write_store.writes_page(c, profile, OPEN, _MANY)
    found = {each: write_store.writes_of(c, profile, each) for each in references}
    writes = {one: sorted((each.id, str(each.state)) for each in there) for one, there in found.items()}
    doubted = {one for one in references if rows(c, _DOUBTED, (profile, one))}
    return Stand(team_log.current(c), frozenset(each.state for each in going), writes, frozenset(doubted))


def _told(c: apsw.Connection, place: str, references: Sequence[str]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    told: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for reference in references:
        for each in team_file.writes_of_reference(c, place, reference):
            told.setdefault((each.desk, reference), []).append((each.number, each.state))
    return {key: sorted(found) for key, found in told.items()}


@dataclass
class Mate:
    """A desk without a window. `ahead` is how far its clock is wrong."""

    desk: Desk
    team: Teamwork
    clocks: DeskClocks
    news: asyncio.Event  # set at whatever the link has to tell
    ahead: timedelta = _NONE
    queued: list[int] = field(default_factory=list)  # every write that a person here has queued

    async def does(self, what: Awaitable[T]) -> T:
        """Await something that this desk does, by its own clock."""

        async def under_its_clock() -> T:
            self.clocks.show(self.ahead)
            return await what

        return await asyncio.create_task(under_its_clock())

    async def queue(self, reference: str, name: str) -> None:
        """A person enters an order."""
        order = submission(reference, name)
        self.queued.append(await self.does(outbox.queue_submission(self.desk, order, None)))

    async def drain(self) -> None:
        """Send what may be sent."""
        await self.does(outbox.drain(self.desk))

    async def settle(self) -> None:
        """Look for evidence about what is in doubt, as the clock does."""
        await self.does(settling.settle(self.desk))

    async def release_held(self) -> None:
        """A person at this desk has compared the versions, and sends this desk's own all the same."""
        for each in await self.writes(("queued",), held=True):
            await self.desk.journal.write(held_writes.release, each.id, self.desk.now())

    async def decide_for(self, other: "Mate", arrived: Callable[[bytes], bool]) -> None:
        """A person here decides about what is in doubt at another desk, and knows what the provider has."""
        log = await other.desk.journal.read(team_log.current)
        assert log is not None
        for each in await self.team.writes(_IN_DOUBT, _MANY):
            if each.desk == log.desk:
                payload = await other.desk.journal.read(write_store.payload, each.number)
                try:
                    await self.does(others_orders.settle_for(self.desk, each, arrived=arrived(payload)))
                except WrongState:
                    continue  # it was settled meanwhile

    async def writes(self, states: tuple[WriteState, ...] = (), held: bool | None = None) -> list[WriteRow]:
        """Writes of this desk."""
        return await self.desk.journal.read(write_store.writes_page, self.desk.profile.id, states, _MANY, held=held)

    async def stand(self, references: Sequence[str]) -> Stand:
        """How this desk stands, and its writes of these references."""
        return await self.desk.journal.read(_stand, self.desk.profile.id, references)

    async def why_open(self, number: int) -> str:
        """What a write of this desk that is not over waits for, as far as anybody can tell: for a finding."""
        desk = self.desk
        story = await desk.journal.read(write_store.write_story, number)
        row, attempts = story.row, [f"{each.outcome} ({each.sentence})" for each in story.attempts]
        siblings = await desk.journal.read(write_store.writes_of, desk.profile.id, row.reference)
        theirs = await self.team.writes_of(row.reference)
        link, state = cast(_Link, self.team.link), self.team.state
        found = await self.does(verdict(desk, row.reference))
        since = [f"{each.person} {each.number} {each.state} since {self.since(each):.0f} s" for each in theirs]
        connected = "connected" if state.connected else f"next try in {link.next_try - time.monotonic():.1f} s"
        return "; ".join(
            (
                f"note {row.note!r}, held {row.held!r}, verdict {row.verdict}, agreed {row.agreed}",
                f"attempts {attempts}, last of the reference "
                f"{await desk.journal.read(own_evidence.last_attempt_at, desk.profile.id, row.reference)}",
                f"writes here {[(each.id, str(each.state)) for each in siblings]}, of others {since}",
                f"deferred {sorted(desk.deferred)}, breaker {desk.breaker.failed}, "
                f"backing off {desk.timing.backoff_seconds:.0f} s, blocked {desk.blocked!r}",
                f"link {connected}, trouble {state.trouble}",
                f"clock {link.clock}, ahead {self.ahead}, passed {self.clocks.passed}",
                f"the provider says {found.kind}: {found.sentence}",
            )
        )

    def since(self, sent: OthersWrite) -> float:
        """For how many seconds, at least, this desk counts another's write as sent."""
        return self.team.since(sent, self.desk.now()).total_seconds()

    async def told(self, references: Sequence[str]) -> dict[tuple[str, str], list[tuple[int, str]]]:
        """The writes of the other desks as this one knows them: number and state, by desk and reference."""
        return await self.team.others.read(_told, self.team.place, references)


@asynccontextmanager
async def team_mate(
    place: TeamPlace, role: str, password: str, profile: Profile, server: FaultServer, folder: Path, clocks: DeskClocks
) -> AsyncIterator[Mate]:
    """A desk that connects at once, until the end of the block."""
    journal, cache = Journal(folder / f"{role}.journal"), Database(folder / f"{role}.cache", CACHE)
    others = Database(folder / f"{role}.team", TEAM_FILE)
    await journal.write(save_profile, profile)
    await cache.opened()
    reader = Database(folder / f"{role}.cache", CACHE)
    login = TeamLogin(place, role, password, role.capitalize(), folder / "roots")
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def on_news(_kinds: frozenset[str]) -> None:
        loop.call_soon_threadsafe(news.set)

    link = _Link(login, journal, others, on_news)
    part = team_of(profile, link, others, waits=False)
    assert part is not None
    async with provider_of(server) as provider:
        made = Mate(Desk(profile, journal, cache, reader, datetime.now, provider, team=part), part, clocks, news)
        made.desk.now = lambda: datetime.now() + made.ahead + clocks.passed
        made.desk.timing.ticks = lambda: time.monotonic() + clocks.passed.total_seconds()
        link.belongs = lambda: clocks.belongs(lambda: made.ahead)
        await journal.write(lambda _: clocks.belongs(lambda: made.ahead))
        link.start()
        try:
            yield made
        finally:
            link.stop()
            await asyncio.to_thread(link.join, 60)
            for each in (reader, cache, others, journal):
                await each.close()
