"""Several desks of a team that send: never two with one reference at a time, and what one sent the others know.

Real journals, a real PostgreSQL, and one provider for all.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import pytest_asyncio

from app.contract.submission import wire_bytes
from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, PhotoReview
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sending.send_write import Outcome
from app.desk.sending.settling import settle_by_team
from app.desk.sending.verdict import verdict
from app.desk.team import teamwork
from app.desk.team.others_orders import order_story, settle_for
from app.desk.team.teamwork import Teamwork, team_of
from app.desk.team_side import CHANGING, REVIEWING
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal import held_writes
from app.store.journal.profile_store import save_profile
from app.store.journal.records import WriteState
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.review_store import Marked
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState
from app.store.team.setup_database import save_settings
from app.store.team.team_file import TEAM_FILE
from app.store.team.team_link import TeamLink, TeamLogin
from app.ui.orders.detail.team_sections import team_sections
from tests.support.desks import let_time_pass, profile_of, provider_of, submission
from tests.support.fault_server import COMPLETE, Fault, FaultServer
from tests.support.faults import act_then_drop, json_answer
from tests.support.postgres import TeamDatabase

SUBMIT = "/Order/submit"
pytestmark = pytest.mark.asyncio


@dataclass
class Mate:
    """A person's desk, with its part in the team."""

    desk: Desk
    team: Teamwork
    news: asyncio.Condition

    async def queue(self, reference: str, name: str = "J. Rivera") -> int:
        return await outbox.queue_submission(self.desk, submission(reference, name), None)

    async def send(self, reference: str, name: str = "J. Rivera") -> Outcome:
        """Send, as soon as the desk that sent before has given its claim back."""
        return await self.patiently(await self.try_to_send(reference, name))

    async def try_to_send(self, reference: str, name: str = "J. Rivera") -> Outcome:
        write = await self.queue(reference, name)
        found = [each for each in await outbox.drain(self.desk) if each.write_id == write]
        return found[0]

    async def patiently(self, outcome: Outcome) -> Outcome:
        async with asyncio.timeout(30):
            while outcome.sentence.endswith("is sending this order."):
                # Other writes of this desk may wait too, and are tried with it.
                outcomes = await outbox.drain(self.desk)
                outcome = next((each for each in outcomes if each.write_id == outcome.write_id), outcome)
        return outcome

    async def drain(self) -> dict[int, Outcome]:
        """The last outcome of each write that waits, once the desks that sent before have given their claims back."""
        last: dict[int, Outcome] = {}
        async with asyncio.timeout(30):
            while not last or any(each.sentence.endswith("is sending this order.") for each in last.values()):
                last |= {each.write_id: each for each in await outbox.drain(self.desk)}
        return last

    async def state(self, write: int) -> WriteState:
        return (await outbox.story(self.desk, write)).row.state

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(30), self.news:
            await self.news.wait_for(lambda: bool(true()))

    async def knows(self, reference: str) -> None:
        """Wait until this desk knows that another one sent the reference, and how that ended."""
        async with asyncio.timeout(30), self.news:
            # The attempt and its end are two entries of the log: either may come alone.
            while (found := await self.team.sent_by_others(reference)) is None or found.state == "sending":
                await self.news.wait()


@asynccontextmanager
async def mate(team: TeamDatabase, server: FaultServer, folder: Path, name: str, *, waits: bool) -> AsyncIterator[Mate]:
    folder.mkdir()  # noqa: ASYNC240  # a folder of the test
    journal, cache = Journal(folder / "journal.sqlite3"), Database(folder / "cache.sqlite3", CACHE)
    others = Database(folder / "team.sqlite3", TEAM_FILE)
    profile = profile_of(server)
    await journal.write(save_profile, profile)
    await cache.opened()
    reader = Database(folder / "cache.sqlite3", CACHE)
    role = next(each for each in team.people if each.startswith(name))
    news, loop = asyncio.Condition(), asyncio.get_running_loop()
    told: set[asyncio.Task[None]] = set()

    async def tell() -> None:
        async with news:
            news.notify_all()

    def on_news(_kinds: frozenset[str]) -> None:
        loop.call_soon_threadsafe(lambda: told.add(loop.create_task(tell())))

    login = TeamLogin(team.place, role, team.people[role], name.capitalize(), folder / "roots")
    link = TeamLink(login, journal, others, on_news)
    part = team_of(profile, link, others, waits=waits)
    assert part is not None
    async with provider_of(server) as provider:
        link.start()
        yield Mate(Desk(profile, journal, cache, reader, datetime.now, provider, team=part), part, news)
        link.stop()
        assert await asyncio.to_thread(link.join, 30)
    for each in (reader, cache, others, journal):
        await each.close()
    await asyncio.gather(*told)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an answer takes its time, and a desk would go on without the claim."""
    monkeypatch.setattr(teamwork, "_PATIENCE_S", 30.0)


@pytest_asyncio.fixture
async def mates(team_database: TeamDatabase, fault_server: FaultServer, tmp_path: Path) -> AsyncIterator[list[Mate]]:
    async with AsyncExitStack() as opened:
        made = [
            await opened.enter_async_context(mate(team_database, fault_server, tmp_path / name, name, waits=waits))
            for name, waits in (("anna", False), ("ben", False), ("cleo", True))
        ]
        for each in made:
            await each.until(lambda each=each: each.team.state.connected)  # type: ignore[misc]
        yield made


async def test_a_second_desk_waits_while_the_first_sends_and_says_for_whom(
    mates: list[Mate], fault_server: FaultServer
) -> None:
    anna, ben, _ = mates
    gate = fault_server.gate()
    fault_server.plan(Fault(before=gate), SUBMIT)
    first = asyncio.create_task(anna.send("R-1"))
    await fault_server.until(1, SUBMIT)
    held = await ben.try_to_send("R-1", "Other Name")
    assert (held.state, held.retry_later, held.sentence) == ("queued", True, "Waits. Anna is sending this order.")
    assert (await outbox.story(ben.desk, held.write_id)).row.note == "Waits. Anna is sending this order."
    assert len(fault_server.seen(SUBMIT)) == 1
    assert (await ben.send("R-2")).state == "accepted"  # another order goes meanwhile
    gate.release()
    assert (await first).state == "accepted"
    then = await ben.patiently(held)
    assert then.held
    assert "Anna sent another version" in then.sentence
    assert (await release(ben, held.write_id)).state == "accepted"
    assert len(fault_server.book.all("R-1")) == 1  # a change of the order, not a second one


async def test_whoever_gets_the_claim_next_knows_what_was_sent(mates: list[Mate], fault_server: FaultServer) -> None:
    """The order was closed between the two, so the provider knows none: sent now it would be a second one."""
    anna, ben, _ = mates
    assert (await anna.send("R-1")).state == "accepted"
    fault_server.book.all("R-1")[0].state = COMPLETE
    fault_server.plan_by(_says_no_such_order)
    held = await ben.send("R-1")
    assert held.retry_later
    assert "What Anna sent before may not be processed yet." in held.sentence
    clock = ben.desk.now
    ben.desk.now = lambda: clock() + timedelta(minutes=10)
    (later,) = await outbox.drain(ben.desk)
    assert later.held
    assert "Anna has sent this reference before, so sending may create a second order." in later.sentence
    assert len(fault_server.seen(SUBMIT)) == 1


def _says_no_such_order(seen: object) -> Fault | None:

    path = getattr(seen, "path", "")
    return Fault(answer=json_answer({"title": "Not Found"}, 404)) if path.endswith("/Order/status") else None


async def test_of_three_desks_that_send_one_order_at_once_one_is_on_the_wire(
    mates: list[Mate], fault_server: FaultServer
) -> None:
    on_the_wire: list[int] = []
    most: list[int] = []

    def count(seen: object) -> Fault | None:
        if getattr(seen, "path", "").endswith(SUBMIT):
            on_the_wire.append(1)
            made = fault_server.book.all("R-1")
            most.append(len(on_the_wire) - sum(len(each.versions) for each in made))
            return Fault(delay=0.2)
        return None

    fault_server.plan_by(count)
    writes = [await each.queue("R-1", f"Name {place}") for place, each in enumerate(mates)]
    states: list[str] = []
    async with asyncio.timeout(30):
        while states != ["accepted"] * 3:
            for each, write in zip(mates, writes, strict=True):
                if (await outbox.story(each.desk, write)).row.held is not None:  # another one's version went before it
                    await each.desk.journal.write(held_writes.release, write, each.desk.now())
            await asyncio.gather(*(outbox.drain(each.desk) for each in mates))
            states = [await each.state(write) for each, write in zip(mates, writes, strict=True)]
    assert set(most) == {1}
    assert len(fault_server.book.all("R-1")) == 1


async def test_without_the_database_a_desk_sends_and_says_so_later(
    mates: list[Mate], fault_server: FaultServer, team_database: TeamDatabase
) -> None:
    anna, ben, cleo = mates
    team_database.server.stop()
    for each in mates:
        await each.until(lambda each=each: not each.team.state.connected)  # type: ignore[misc]
    assert (await anna.send("R-1")).state == "accepted"
    waiting = await cleo.send("R-2")  # by her setting
    assert (waiting.state, waiting.retry_later) == ("queued", True)
    assert waiting.sentence.startswith("Waits for the team's database")
    assert [len(fault_server.book.all(each)) for each in ("R-1", "R-2")] == [1, 0]
    team_database.server.start()
    for each in mates:
        each.team.link.wake()
    await ben.knows("R-1")
    known = await ben.team.sent_by_others("R-1")
    assert known is not None
    assert (known.person, known.unclaimed, known.state) == ("Anna", True, "accepted")
    await cleo.until(lambda: cleo.team.state.connected)
    (sent,) = await outbox.drain(cleo.desk)
    assert sent.state == "accepted"


async def test_the_verdict_tells_what_another_desk_sent(mates: list[Mate], fault_server: FaultServer) -> None:
    anna, ben, _ = mates
    await anna.send("R-1")
    await ben.knows("R-1")
    same = await verdict(ben.desk, "R-1", wire_bytes(submission("R-1")))
    assert (same.kind, same.nothing_new, same.sent_by) == ("changes", True, "Anna")
    other = await verdict(ben.desk, "R-1", wire_bytes(submission("R-1", "Other Name")))
    assert [(each.path, each.before, each.after) for each in other.differences] == [
        ("consignee.consigneeName", "J. Rivera", "Other Name")
    ]
    await ben.send("R-1", "Other Name")
    own = await verdict(ben.desk, "R-1", wire_bytes(submission("R-1", "Other Name")))
    assert (own.nothing_new, own.sent_by) == (True, "")
    await anna.knows("R-1")
    theirs = await verdict(anna.desk, "R-1", wire_bytes(submission("R-1", "Other Name")))
    assert (theirs.nothing_new, theirs.sent_by) == (True, "Ben")


async def test_where_orders_are_not_shared_equal_ones_are_known_all_the_same(
    mates: list[Mate], fault_server: FaultServer, team_database: TeamDatabase
) -> None:

    anna, ben, _ = mates
    with psycopg.connect(team_database.server.administrator(team_database.names.database)) as c:
        save_settings(c, payloads=False)
    for each in (anna, ben):  # the setting is read at each connection
        with team_database.server.as_administrator() as c:
            c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Waybill'")
        each.team.link.wake()
        await each.until(lambda each=each: each.team.state.connected)  # type: ignore[misc]
    await anna.send("R-1")
    await ben.knows("R-1")
    known = await ben.team.sent_by_others("R-1")
    assert known is not None
    assert known.payload is None
    assert (await verdict(ben.desk, "R-1", wire_bytes(submission("R-1")))).nothing_new
    other = await verdict(ben.desk, "R-1", wire_bytes(submission("R-1", "Other Name")))
    assert (other.kind, other.compared) == ("changes", "")


async def test_an_attempt_in_doubt_keeps_its_claim(mates: list[Mate], fault_server: FaultServer) -> None:
    anna, ben, _ = mates
    fault_server.plan(act_then_drop(), SUBMIT)
    doubt = await anna.send("R-1")
    assert doubt.state == "in_doubt"
    held = await ben.try_to_send("R-1")
    assert held.sentence == "Waits. Anna is sending this order."
    await ben.knows("R-1")  # and what may have arrived is known to all


@pytest.mark.parametrize(("arrived", "state"), [(True, "accepted"), (False, "withdrawn")])
async def test_a_doubt_is_settled_by_a_person_at_any_desk(
    mates: list[Mate], fault_server: FaultServer, *, arrived: bool, state: WriteState
) -> None:
    anna, ben, _ = mates
    fault_server.plan(act_then_drop(), SUBMIT)
    doubt = await anna.send("R-1")
    await ben.knows("R-1")
    (theirs,) = await ben.team.writes_of("R-1")
    with pytest.raises(WrongState):
        await settle_for(ben.desk, theirs._replace(state="accepted"), arrived=True)
    # A decision about an earlier attempt says nothing about this one.
    assert theirs.tried_at is not None
    await settle_for(ben.desk, theirs._replace(tried_at=theirs.tried_at - timedelta(seconds=9)), arrived=not arrived)
    await settle_for(ben.desk, theirs, arrived=arrived)
    async with asyncio.timeout(30), anna.news:
        while len(await anna.team.settlements(["R-1"])) < 2:
            await anna.news.wait()
    writes = await outbox.writes(anna.desk, (), 9)
    assert await settle_by_team(anna.desk, writes) == 1
    story = await outbox.story(anna.desk, doubt.write_id)
    assert story.row.state == state
    assert story.row.note is not None
    assert "Ben" in story.row.note
    assert await settle_by_team(anna.desk, writes) == 0
    anna.team.tell()
    async with asyncio.timeout(30), ben.news:
        while (await ben.team.writes_of("R-1"))[0].state != state:
            await ben.news.wait()


async def test_what_two_desks_sent_alone_is_a_conflict_for_both(
    mates: list[Mate], fault_server: FaultServer, team_database: TeamDatabase
) -> None:
    anna, ben, _ = mates
    team_database.server.stop()
    for each in (anna, ben):
        await each.until(lambda each=each: not each.team.state.connected)  # type: ignore[misc]
    await anna.send("R-1")
    await ben.send("R-1", "Other Name")
    await anna.send("R-2")
    await ben.send("R-2")
    assert len(fault_server.book.all("R-1")) == 1
    assert (await order_story(anna.desk, "R-1")).conflict is None, "nobody can know yet"
    team_database.server.start()
    for each in (anna, ben):
        each.team.link.wake()
    for each, other, own, theirs in (
        (anna, "Ben", "J. Rivera", "Other Name"),
        (ben, "Anna", "Other Name", "J. Rivera"),
    ):
        for reference in ("R-1", "R-2"):
            await each.knows(reference)
        conflict = (await order_story(each.desk, "R-1")).conflict
        assert conflict is not None
        assert conflict.theirs.person == other
        assert conflict.differences is not None
        assert [(diff.path, diff.before, diff.after) for diff in conflict.differences] == [
            ("consignee.consigneeName", own, theirs)
        ]
        equal = await order_story(each.desk, "R-2")
        assert equal.conflict is None, "both wanted the same"
        assert [write.person for write in equal.writes] == [other]


async def test_a_desk_that_was_cut_off_and_one_that_was_not_are_both_shown_the_conflict(
    mates: list[Mate], fault_server: FaultServer
) -> None:
    anna, ben, _ = mates
    cut = anna.team.link
    assert isinstance(cut, TeamLink)
    cut.stop()
    assert await asyncio.to_thread(cut.join, 30)
    await ben.send("R-1", "Other Name")  # with a claim, and Anna does not hear of it
    await anna.send("R-1")
    (order,) = fault_server.book.all("R-1")
    assert b"J. Rivera" in order.versions[-1], "Anna has undone what Ben sent, and nobody could ask her"
    anna.team.link = TeamLink(cut._login, anna.desk.journal, anna.team.others, cut._on_news)
    anna.team.link.start()
    try:
        for each, other in ((anna, "Ben"), (ben, "Anna")):
            await each.knows("R-1")
            conflict = (await order_story(each.desk, "R-1")).conflict
            assert conflict is not None, f"the version of {other} is hidden"
            assert conflict.theirs.person == other
        # Ben has seen both, and sends his once more: he knew of Anna's, and her desk hears that he did.
        again = (await ben.send("R-1", "Other Name")).write_id
        async with asyncio.timeout(30), anna.news:
            while not any(each.number == again and each.tried for each in await anna.team.writes_of("R-1")):
                await anna.news.wait()
        for each in (anna, ben):
            assert (await order_story(each.desk, "R-1")).conflict is None
    finally:
        anna.team.link.stop()
        assert await asyncio.to_thread(anna.team.link.join, 30)


async def test_what_the_others_did_stands_in_the_details_with_their_names(mates: list[Mate]) -> None:
    anna, ben, _ = mates
    assert await team_sections(ben.desk, "R-1") == []
    await anna.send("R-1")
    await ben.patiently(await ben.try_to_send("R-1"))  # with the claim comes what Anna did
    (section,) = await team_sections(ben.desk, "R-1")
    assert section.heading == "Sent by the team"
    assert [text for _, text in section.lines] == ["✓ Order: Accepted, by Anna"]


async def test_practice_is_nobody_s_business(mates: list[Mate]) -> None:

    anna = mates[0]
    practice = replace(anna.desk.profile, kind="practice")
    assert team_of(practice, anna.team.link, anna.team.others, waits=False) is None


async def test_a_desk_without_a_team_keeps_nothing_for_one(desk: Desk) -> None:
    await outbox.queue_submission(desk, submission("R-1"), None)
    (sent,) = await outbox.drain(desk)
    assert sent.state == "accepted"
    assert await desk.journal.read(team_log.current) is None


async def test_who_has_an_order_in_the_form_is_known_to_the_others(mates: list[Mate]) -> None:
    anna, ben, cleo = mates
    anna.team.be_present("R 1", CHANGING)
    cleo.team.be_present("R 1", CHANGING)
    cleo.team.be_present("R 2", REVIEWING)
    await ben.until(lambda: len(ben.team.at_work(CHANGING).get("R 1", ())) == 2)
    assert {name: sorted(people) for name, people in ben.team.at_work(CHANGING).items()} == {"R 1": ["Anna", "Cleo"]}
    await anna.until(lambda: anna.team.at_work(CHANGING) == {"R 1": ["Cleo"]})
    first, *_ = await team_sections(ben.desk, "R 1")
    assert "Anna, Cleo are changing this order." in first.lines[0][1]
    anna.team.be_present("R 1", "")
    await ben.until(lambda: ben.team.at_work(CHANGING) == {"R 1": ["Cleo"]})


async def test_what_the_others_sent_is_listed_by_person_and_state(mates: list[Mate]) -> None:
    anna, ben, cleo = mates
    await anna.send("R 1")
    await cleo.send("R 2")
    waiting = await cleo.queue("R 3")
    await cleo.desk.journal.write(held_writes.hold, waiting, "Held.", datetime.now())
    for reference in ("R 1", "R 2"):
        await ben.knows(reference)
    async with asyncio.timeout(30), ben.news:
        while len(await ben.team.writes((), 9, held=True)) < 3:
            await ben.news.wait()

    async def listed(*states: WriteState, **more: Any) -> list[str]:
        return sorted(each.reference for each in await ben.team.writes(states, 9, **more))

    assert await ben.team.people() == ["Anna", "Cleo"]
    assert await listed() == ["R 1", "R 2", "R 3"]
    assert await listed(person="Cleo") == ["R 2", "R 3"]
    assert await listed("queued", "in_doubt") == ["R 3"]
    assert await listed("queued", held=False) == []
    assert await listed("accepted", "confirmed", person="Anna") == ["R 1"]
    assert all(each.payload is None for each in await ben.team.writes((), 9))


async def test_each_person_s_review_stands_beside_the_others(mates: list[Mate]) -> None:
    anna, ben, _ = mates
    await audit_reviews.save_audit_review(anna.desk, 1, AuditReview(reviewed=True, note="See the dock"))
    await audit_reviews.save_photo_review(anna.desk, 2, "/a.jpg", PhotoReview(flagged=True))
    await audit_reviews.save_photo_review(anna.desk, 3, "/a.jpg", PhotoReview(turned=90))
    await audit_reviews.save_audit_review(ben.desk, 1, AuditReview(flagged=True))
    anna.team.tell()
    async with asyncio.timeout(30), ben.news:
        while (found := await audit_reviews.marked(ben.desk)).flagged != {1, 2}:
            await ben.news.wait()
    assert found == Marked(frozenset({1}), frozenset({1, 2}), frozenset({1}), {1: "Anna"})
    (said,) = await audit_reviews.others_said(ben.desk, 1)
    assert (said.person, said.photo, said.reviewed, said.flagged, said.note) == (
        "Anna",
        "",
        True,
        False,
        "See the dock",
    )
    assert [each.photo for each in await audit_reviews.others_said(ben.desk, 2)] == ["/a.jpg"]
    assert await audit_reviews.others_said(ben.desk, 3) == []  # she turned a picture
    assert (await audit_reviews.reviews_of(ben.desk, 1)).audit == AuditReview(flagged=True)


async def release(mate: Mate, write: int) -> Outcome:
    """A person has read why the write is held, and sends it all the same."""
    await mate.desk.journal.write(held_writes.release, write, mate.desk.now())
    return (await mate.drain())[write]


async def test_a_change_that_was_queued_before_another_s_came_waits_for_a_person(
    mates: list[Mate], fault_server: FaultServer
) -> None:
    anna, ben, _ = mates
    assert (await anna.send("R-1")).state == "accepted"
    await ben.knows("R-1")
    early = await ben.queue("R-1", "Typed by Ben")  # his computer is asleep now
    same = await ben.queue("R-2", "Both want this")
    assert (await anna.send("R-1", "Corrected by Anna")).state == "accepted"
    assert (await anna.send("R-2", "Both want this")).state == "accepted"
    await ben.until(lambda: ben.team.others.read_now(count_writes) == 3)
    outcomes = await ben.drain()
    assert outcomes[same].state == "accepted", "the provider holds what both want"
    assert outcomes[early].held
    assert "Anna sent another version" in outcomes[early].sentence
    assert fault_server.book.all("R-1")[0].versions[-1] == wire_bytes(submission("R-1", "Corrected by Anna"))
    assert (await release(ben, early)).state == "accepted"
    assert fault_server.book.all("R-1")[0].versions[-1] == wire_bytes(submission("R-1", "Typed by Ben"))
    late = await ben.try_to_send("R-1", "Again by Ben")
    assert late.state == "accepted", "he knew of hers when he typed this"


async def test_a_yes_to_one_version_of_another_is_none_to_the_next(
    mates: list[Mate], fault_server: FaultServer
) -> None:
    anna, ben, _ = mates
    early = await ben.queue("R-1", "Typed by Ben")
    assert (await anna.send("R-1", "By Anna")).state == "accepted"
    await ben.until(lambda: ben.team.others.read_now(count_writes) == 1)
    assert (await ben.drain())[early].held
    await outbox.release(ben.desk, early)
    assert (await anna.send("R-1", "Corrected by Anna")).state == "accepted"
    await ben.until(lambda: ben.team.others.read_now(count_writes) == 2)
    again = (await ben.drain())[early]
    assert again.held, "nobody has compared the corrected one"
    assert fault_server.book.all("R-1")[0].versions[-1] == wire_bytes(submission("R-1", "Corrected by Anna"))
    assert (await release(ben, early)).state == "accepted"


async def test_two_reasons_to_hold_each_get_one_yes(mates: list[Mate], fault_server: FaultServer) -> None:
    anna, ben, _ = mates
    early = await ben.queue("R-1", "Typed by Ben")
    assert (await anna.send("R-1", "By Anna")).state == "accepted"
    await ben.knows("R-1")
    assert (await ben.drain())[early].held
    fault_server.book.move("R-1", COMPLETE)
    second = await release(ben, early)
    assert second.held
    assert "creates a second order" in second.sentence
    assert (await release(ben, early)).state == "accepted"
    assert [each.state for each in fault_server.book.all("R-1")] == [COMPLETE, "Pending Receipt"]


async def test_a_cancellation_that_was_decided_before_another_s_version_waits(mates: list[Mate]) -> None:
    anna, ben, _ = mates
    assert (await anna.send("R-1")).state == "accepted"
    await ben.knows("R-1")
    await outbox.queue_cancellation(ben.desk, "R-1")
    assert (await anna.send("R-1", "Wanted again")).state == "accepted"
    await ben.until(lambda: ben.team.others.read_now(count_writes) == 2)
    let_time_pass(ben.desk, outbox.UNDO)
    (outcome,) = (await ben.drain()).values()
    assert outcome.held
    assert "Anna sent this order again" in outcome.sentence
    assert (await release(ben, outcome.write_id)).state == "accepted"


def count_writes(c: Any) -> int:
    """The writes of others whose end is known here."""
    found = c.execute("SELECT count(*) FROM writes WHERE state = 'accepted'").fetchone()
    return int(found[0])
