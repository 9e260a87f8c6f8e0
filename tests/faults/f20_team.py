"""F20: several desks of a team send the same orders at random, while the database dies and connections are cut.

`size` histories on a real PostgreSQL, each with two to five desks whose clocks differ by hours, and references that
several of them send. In the end the database is there, and every desk goes on until its outbox and its log are
done; what waits for a person is released.
Then: each reference is one order at the provider, every write ended, and every desk knows every write of the others as
it stands there.
"""

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.team.teamwork import Teamwork, team_of
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal import held_writes, write_store
from app.store.journal.profile_store import save_profile
from app.store.journal.records import WriteState
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.team import team_file
from app.store.team.team_file import TEAM_FILE
from app.store.team.team_link import TeamLink, TeamLogin
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.support import postgres
from tests.support.desks import profile_of, provider_of, submission
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Fault
from tests.support.postgres import TeamDatabase, TeamServer

_PEOPLE = ("anna", "ben", "cleo", "dora", "emil")
_REFERENCES = 3
_STEPS = 10
_ROUNDS = 60
_SUBMIT = "/Order/submit"
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Waybill'"


@dataclass
class _Mate:
    """A desk without a window."""

    desk: Desk
    team: Teamwork

    async def queue(self, reference: str, name: str) -> None:
        await outbox.queue_submission(self.desk, submission(reference, name), None)

    async def release_held(self) -> None:
        """A person at this desk has compared the versions, and sends this desk's own all the same."""
        queued: tuple[WriteState, ...] = ("queued",)
        rows = await self.desk.journal.read(write_store.writes_page, self.desk.profile.id, queued, 999, held=True)
        for each in rows:
            await self.desk.journal.write(held_writes.release, each.id, self.desk.now())

    async def standing(self) -> list[tuple[str, str, str]]:
        """Every write of this desk: reference, digest and state."""
        rows = await self.desk.journal.read(write_store.writes_page, self.desk.profile.id, (), 999)
        return sorted((each.reference, str(each.id), each.state) for each in rows)

    async def known(self, desk: str) -> list[tuple[str, str, str]]:
        """Every write of another desk, as this one knows it."""
        rows = await self.team.others.read(team_file.writes_page, self.team.place, (), 9_999)
        return sorted((each.reference, str(each.number), each.state) for each in rows if each.desk == desk)

    async def log(self) -> team_log.Log | None:
        """Its log; None before it came to the database for the first time."""
        return await self.desk.journal.read(team_log.current)


@asynccontextmanager
async def _mate(
    team: TeamDatabase, server: FaultServer, folder: Path, role: str, ahead: timedelta
) -> AsyncIterator[_Mate]:
    journal, cache = Journal(folder / f"{role}.journal"), Database(folder / f"{role}.cache", CACHE)
    others = Database(folder / f"{role}.team", TEAM_FILE)
    profile = profile_of(server)
    await journal.write(save_profile, profile)
    await cache.opened()
    reader = Database(folder / f"{role}.cache", CACHE)
    login = TeamLogin(team.place, role, team.people[role], role.capitalize(), folder / "roots")
    link = TeamLink(login, journal, others, lambda _: None)
    part = team_of(profile, link, others, waits=False)
    assert part is not None
    async with provider_of(server) as provider:
        link.start()
        yield _Mate(Desk(profile, journal, cache, reader, lambda: datetime.now() + ahead, provider, team=part), part)
        link.stop()
        await asyncio.to_thread(link.join, 60)
    for each in (reader, cache, others, journal):
        await each.close()


async def _history(server: TeamServer, chance: random.Random, report: Report) -> None:
    count = chance.randint(2, len(_PEOPLE))
    with (
        start_fault_server() as provider,
        postgres.team_of(server, *_PEOPLE[:count]) as team,
        tempfile.TemporaryDirectory(prefix="waybill-f20-") as folder,
    ):
        provider.plan_by(lambda seen: Fault(delay=0.01) if _is_submit(seen) else None)
        async with AsyncExitStack() as opened:
            mates = [
                await opened.enter_async_context(
                    _mate(team, provider, Path(folder), role, timedelta(hours=chance.randint(-5, 5)))
                )
                for role in team.people
            ]
            down = False
            for step in range(_STEPS):
                down = await _step(server, chance, mates, step, down=down)
            if down:
                server.start()
            await _finish(mates, report)
        for number in range(_REFERENCES):
            made = len(provider.book.all(f"R-{number}"))
            report.check(made <= 1, f"R-{number} became {made} orders")


def _is_submit(seen: Seen) -> bool:
    return seen.path.endswith(_SUBMIT)


async def _step(server: TeamServer, chance: random.Random, mates: list[_Mate], step: int, *, down: bool) -> bool:
    """One thing that happens; returns whether the database is down after it."""
    what = chance.choice(("send", "send", "send", "send", "cut", "kill"))
    if what == "kill":
        (server.start if down else server.stop)()
        for each in mates:
            each.team.link.wake()
        return not down
    if what == "cut" and not down:
        with server.as_administrator() as c:
            c.execute(_CUT)
        return down
    busy = chance.sample(mates, chance.randint(1, len(mates)))
    for place, each in enumerate(busy):
        await each.queue(f"R-{chance.randrange(_REFERENCES)}", f"Name {step} {place}")
    await asyncio.gather(*(outbox.drain(each.desk) for each in busy))
    return down


async def _finish(mates: list[_Mate], report: Report) -> None:
    """Let every desk go on until nothing is left to do, and compare what each knows."""
    for _ in range(_ROUNDS):
        for each in mates:
            each.team.link.wake()
            await each.release_held()
            await outbox.drain(each.desk)
        if await _all_equal(mates):
            break
        await asyncio.sleep(0.2)
    for each in mates:
        for reference, _, state in await each.standing():
            report.check(state in ("accepted", "confirmed"), f"a write of {reference} is {state}")
    report.check(await _all_equal(mates), "the logs are not equal in the end")


async def _all_equal(mates: list[_Mate]) -> bool:
    for each in mates:
        log, own = await each.log(), await each.standing()
        if log is None or log.pushed != log.seq or any(state == "queued" for *_, state in own):
            return False
        for other in mates:
            if other is not each and await other.known(log.desk) != own:
                return False
    return True


def _run(size: int, seed: int) -> Report:
    report = Report()
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch, postgres.run_server() as server:
        patch.setenv("PGHOSTADDR", "127.0.0.1")
        for _ in range(size):
            asyncio.run(_history(server, chance, report))
            report.tried += 1
    return report


FAULT = Measure("F20", "a team's histories: no second order, nothing lost, all logs equal", _run, 1, 10_000)
