"""F20: several desks of a team send the same orders at random, while the database dies and connections are cut.

Each history has two to five desks whose clocks differ by hours, and references that several of them send. The database
dies, the line of a desk is pulled out, the database's answer to what a desk told it is lost (so the desk tells it
again), and the provider's answer is lost, after it acted or before. In the end everything is there again, and every
desk goes on until its outbox and its log are done; what waits for a person is decided by one.

Then: each reference is one order at the provider; every write of a person is there and ended, as the provider has it;
no desk keeps a claim on what it knows all about; every desk knows every write of the others as it stands there; and of
two desks that sent different versions without knowing of each other's, both are shown that.

Most histories are made cheap, not weak: the desks, their files and links, and PostgreSQL are real. Several histories
share a team, whose log goes on from one to the next; the provider is asked without a socket, and the database through
one of this computer, without encryption and passwords; where the database dies, its connections are ended and the lines
to it pulled, and one time in `_KILLED` its first process is killed. The first history of each season has nothing of
that: a database, a team and files of its own, the provider on a socket, TLS and passwords on the way to the database,
and a database that is stopped. In all of them the time that a write has to wait passes by the clocks, as
`team_desks.DeskClocks` says.
"""

import asyncio
import itertools
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from app.desk.sending.evidence import GRACE
from app.desk.team.others_orders import order_story
from app.store.journal import write_store
from app.store.journal.team import team_log
from app.store.team.team_place import TeamPlace
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.team_desks import OPEN, DeskClocks, Mate, Stand, clocks_of_desks, team_mate
from tests.support import postgres
from tests.support.desks import profile_of
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Fault, act_then_drop, drop_before
from tests.support.loose_line import Line, lines
from tests.support.postgres import TeamDatabase, TeamServer
from tests.support.provider_inside import provider_inside

_PEOPLE = ("anna", "ben", "cleo", "dora", "emil")
_REFERENCES = 3
_STEPS = 10
_ROUNDS, _PATIENT = 60, 20
_LONG_S = 60.0
_SEASON = 25  # histories of one team, the first of them in the costly form
_KILLED = 25
_SUBMIT = "/Order/submit"
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Waybill'"
# At the server too: a desk whose attempt is in doubt keeps its claim until it ends by itself.
_TIME_PASSES = "UPDATE waybill.claims SET until = until - %(span)s"
_CLAIMS = """
    SELECT reference, desk, person, extract(epoch FROM until - clock_timestamp())::double precision
    FROM waybill.claims JOIN waybill.desks USING (desk)
    WHERE reference = ANY (%s) AND until > clock_timestamp()
"""
_WAKES_S = 0.2
_SHM = Path("/dev/shm")
_MEMORY = _SHM if _SHM.is_dir() else None  # for files that need not outlive the run


@dataclass
class _World:
    """The team and what can happen to it. `lines` is empty where the desks connect directly."""

    chance: random.Random
    server: TeamServer
    database: str
    provider: FaultServer
    mates: list[Mate]
    lines: list[Line]
    clocks: DeskClocks
    report: Report
    happened: Counter[str]
    down: bool = False
    killed: bool = False
    lost: list[Fault] = field(default_factory=list)  # what the next submissions meet

    def fate(self, seen: Seen) -> Fault | None:
        """What a request meets; the pause lets desks overtake each other."""
        if not seen.path.endswith(_SUBMIT):
            return None
        return self.lost.pop() if self.lost else Fault(delay=0.002 if self.lines else 0.01)

    def kill_or_start(self) -> None:
        """The database dies, or is there again."""
        self.down = not self.down
        if not self.down:
            self._start()
        elif not self.lines:
            self.server.stop()
        elif self.chance.randrange(_KILLED) == 0:
            self.happened["killed"] += 1
            self.killed = True
            self.server.kill()
        else:
            self.cut()
            for each in self.lines:
                each.pull()
        self.wake()

    def _start(self) -> None:
        if self.killed or not self.lines:
            self.server.start()
        self.killed = False
        for each in self.lines:
            each.plug()

    def cut(self) -> None:
        """Every connection to the database ends, whatever it was doing."""
        with self.server.as_administrator() as c:
            c.execute(_CUT)

    def wake(self) -> None:
        """Every desk tries to connect now."""
        for each in self.mates:
            each.team.link.wake()

    def mend(self) -> None:
        """Everything is there again."""
        if self.down:
            self.kill_or_start()
        self.lost.clear()
        for each in self.lines:
            each.losing = False
            each.plug()
        self.wake()

    async def connected(self, mates: list[Mate]) -> None:
        """Wait, not for long, until these desks are connected."""
        until = time.monotonic() + 5
        for each in mates:
            while not each.team.state.connected and time.monotonic() < until:
                await _news(each)


async def _news(mate: Mate) -> None:
    mate.news.clear()
    try:
        async with asyncio.timeout(_WAKES_S):
            await mate.news.wait()
    except TimeoutError:
        return


# A history


async def _history(world: _World, name: str) -> None:
    chance = world.chance
    count = chance.randint(2, len(world.mates))
    mates = chance.sample(world.mates, count)  # the others only listen
    references = [f"R-{name}-{number}" for number in range(_REFERENCES)]
    for each in world.mates:
        each.ahead, each.queued = timedelta(hours=chance.randint(-5, 5)), []
    if chance.random() < 0.7:
        await world.connected(mates)
    for step in range(_STEPS):
        await _step(world, mates, references, step)
    world.mend()
    await _finish(world, mates, references)
    await _check(world, mates, references)


async def _step(world: _World, mates: list[Mate], references: list[str], step: int) -> None:
    chance = world.chance
    what = chance.choice(("send", "send", "send", "send", "cut", "kill", "cable", "answer", "provider"))
    world.happened[what] += 1
    line = world.lines[world.mates.index(chance.choice(mates))] if world.lines else None
    match what:
        case "send":
            busy = chance.sample(mates, chance.randint(1, len(mates)))
            for place, each in enumerate(busy):
                await each.queue(chance.choice(references), f"Name {step} {place}")
            await asyncio.gather(*(each.drain() for each in busy))
        case "kill":
            world.kill_or_start()
        case "cut" if not world.down:
            world.cut()
        case "cable" if line is not None and not world.down:
            line.plug() if line.pulled else line.pull()
            world.wake()
        case "answer" if line is not None:
            line.lose_answer()
        case "provider":
            world.lost.append(chance.choice((act_then_drop(), drop_before())))


async def _finish(world: _World, mates: list[Mate], references: list[str]) -> None:
    """Let every desk go on until nothing is left to do."""
    # Rounds are short where nothing answers: by rounds alone a write would seem stuck that a busy computer is late for.
    until, number = time.monotonic() + _LONG_S, 0
    while number < _ROUNDS or time.monotonic() < until:
        if await _round(world, mates, references, number):
            return
        number += 1


async def _round(world: _World, mates: list[Mate], references: list[str], number: int) -> bool:
    """Every desk goes on; whether nothing is left to do."""
    world.wake()
    for each in mates:
        await each.release_held()
        await each.drain()
    stands = [await each.stand(references) for each in mates]
    over = all(each.log is not None and each.log.pushed == each.log.seq and not each.open for each in stands)
    if over and not await _unknown(world, stands, references) and not _kept_claims(world, stands, references):
        return True
    # A queued write may wait until the provider has processed what another desk sent, or until a claim ends that was
    # lost on its way back.
    waits = frozenset[str]().union(*(each.open for each in stands))
    if "in_doubt" in waits or (waits and number >= _PATIENT):
        await _settle(world, mates, number)
    await _news(world.chance.choice(mates))
    return False


async def _settle(world: _World, mates: list[Mate], number: int) -> None:
    """Time passes, and every desk looks for evidence; what no evidence settles is decided by a person of any desk."""
    with world.server.as_administrator(world.database) as c:
        c.execute(_TIME_PASSES, {"span": GRACE})
    world.clocks.let_pass(GRACE)
    for each in mates:
        await each.settle()
    if number >= 3:
        for each in mates:
            if await each.writes(("in_doubt",)):
                person = world.chance.choice(mates)
                await person.decide_for(each, lambda payload: _holds(world.provider, payload))


def _holds(provider: FaultServer, payload: bytes) -> bool:
    return any(payload in each.versions for each in provider.book.all())


async def _unknown(world: _World, stands: list[Stand], references: list[str]) -> set[str]:
    """The references of which somebody does not know what each of these desks did, as it stands there."""
    unknown: set[str] = set()
    for each in world.mates:
        told, own = await each.told(references), (await each.stand(())).log
        for stand in stands:
            assert stand.log is not None
            if own is None or stand.log.desk != own.desk:
                unknown |= {one for one in references if told.get((stand.log.desk, one), []) != stand.writes[one]}
    return unknown


def _kept_claims(world: _World, stands: list[Stand], references: list[str]) -> set[str]:
    """The references that a desk keeps a claim on although it knows what became of all that it sent of them."""
    doubted = {stand.log.desk: stand.doubted for stand in stands if stand.log is not None}
    with world.server.as_administrator(world.database) as c:
        claims = c.execute(_CLAIMS, (references,)).fetchall()
    return {reference for reference, desk, _, _ in claims if reference not in doubted.get(str(desk), frozenset())}


# What must be so in the end


async def _check(world: _World, mates: list[Mate], references: list[str]) -> None:
    stands = [await each.stand(references) for each in mates]
    unknown, kept = await _unknown(world, stands, references), _kept_claims(world, stands, references)
    for reference in references:
        world.report.check(reference not in kept, f"a claim on {reference} is not given back", "a claim is kept")
        orders = world.provider.book.all(reference)
        world.report.check(len(orders) <= 1, f"{reference} became {len(orders)} orders", "a second order")
        for each, stand in zip(mates, stands, strict=True):
            for number, state in stand.writes[reference]:
                await _check_write(world, each, reference, number, state)
        world.report.check(
            reference not in unknown, f"not everybody knows all about {reference}", "not everybody knows all"
        )
        await _check_conflict(world, mates, reference)
    for each, stand in zip(mates, stands, strict=True):
        there_still = {number for writes in stand.writes.values() for number, _ in writes}
        world.report.check(
            there_still >= set(each.queued), f"a write of one of {', '.join(references)} is gone", "a write is gone"
        )


async def _check_write(world: _World, mate: Mate, reference: str, number: int, state: str) -> None:
    payload = await mate.desk.journal.read(write_store.payload, number)
    there = _holds(world.provider, payload)
    if there if state in ("accepted", "confirmed") else state == "withdrawn" and not there:
        return
    kind = f"is {state}, and {'' if there else 'not '}there"
    why = ""
    if state in OPEN:
        why = f": {await mate.why_open(number)}; {_claim_on(world, reference)}"
    world.report.check(holds=False, otherwise=f"a write of {reference} {kind}{why}", kind=f"a write {kind}")


def _claim_on(world: _World, reference: str) -> str:
    with world.server.as_administrator(world.database) as c:
        found = c.execute(_CLAIMS, ([reference],)).fetchone()
    return "no claim" if found is None else f"{found[2]} has the claim for {found[3]:.0f} s"


async def _check_conflict(world: _World, mates: list[Mate], reference: str) -> None:
    """Of two desks that sent, one of them without a claim and neither knowing of the other, each is shown that. What a
    desk knew is asked of its own journal, and not of the log."""
    found = [await each.desk.journal.read(team_log.last_sent, each.desk.profile.id, reference) for each in mates]
    sent = [(mate, own) for mate, own in zip(mates, found, strict=True) if own is not None]
    for (one, first), (other, second) in itertools.combinations(sent, 2):
        knew = first.known.get(second.desk, 0) >= second.write or second.known.get(first.desk, 0) >= first.write
        if knew or not (first.unclaimed or second.unclaimed):
            continue
        world.happened["conflict"] += 1
        for each in (one, other):
            story = await each.does(order_story(each.desk, reference))
            world.report.check(
                story.conflict is not None,
                f"a conflict about {reference} is not shown to every desk",
                "a conflict is not shown",
            )


# Seasons


@asynccontextmanager
async def _world(
    chance: random.Random, shared: TeamDatabase, report: Report, happened: Counter[str], *, real: bool
) -> AsyncIterator[_World]:
    """`shared` is the team of the cheap form: its database is emptied, which takes less time than to make one."""
    people, server = _PEOPLE[: chance.randint(2, len(_PEOPLE))], shared.server
    async with AsyncExitStack() as opened:
        provider = opened.enter_context(start_fault_server() if real else provider_inside())
        made = tempfile.TemporaryDirectory(prefix="waybill-f20-", dir=None if real else _MEMORY)
        folder = Path(opened.enter_context(made))
        clocks = opened.enter_context(clocks_of_desks())
        if real:
            opened.enter_context(pytest.MonkeyPatch.context()).setenv("PGHOSTADDR", "127.0.0.1")
            team = opened.enter_context(postgres.team_of(server, *people))
            leading, places = [], [team.place] * len(people)
        else:
            team = shared
            team.empty()
            leading = opened.enter_context(lines(server.socket, [folder / f"line-{each}" for each in people]))
            places = [TeamPlace(str(each.folder), server.port, team.names.database) for each in leading]
        mates = []
        for place, (role, password) in zip(places, team.people.items(), strict=False):  # of those who are shared, some
            mate = team_mate(place, role, password, profile_of(provider), provider, folder, clocks)
            mates.append(await opened.enter_async_context(mate))
        world = _World(chance, server, team.names.database, provider, mates, leading, clocks, report, happened)
        provider.plan_by(world.fate)
        try:
            yield world
        finally:
            world.mend()


async def _season(
    chance: random.Random, shared: TeamDatabase, report: Report, happened: Counter[str], name: str, *, count: int
) -> None:
    """So many histories, the first of them in the costly form."""
    for real, numbers in ((True, range(1)), (False, range(1, count))):
        if not numbers:
            continue
        async with _world(chance, shared, report, happened, real=real) as world:
            for number in numbers:
                await _history(world, f"{name}.{number}")
                report.tried += 1


def _run(size: int, seed: int) -> Report:
    report, happened = Report(), Counter[str]()
    with postgres.run_server() as server, postgres.team_of(server, *_PEOPLE) as shared:
        for number, first in enumerate(range(0, size, _SEASON)):
            chance = random.Random(f"{seed}/{number}")
            count = min(_SEASON, size - first)
            asyncio.run(_season(chance, shared, report, happened, str(number), count=count))
    report.note = ", ".join(f"{name} {count:,}" for name, count in sorted(happened.items()))
    return report


FAULT = Measure("F20", "a team's histories: no second order, nothing lost, all logs equal", _run, 6, 10_000)
