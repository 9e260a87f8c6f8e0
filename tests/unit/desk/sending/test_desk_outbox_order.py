"""The send queue as a whole: its order, the writes that wait for each other, and trouble with the journal."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import apsw
import pytest
import pytest_asyncio

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal import write_store as journal_store
from app.store.journal.records import WriteState
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from app.store.store_errors import JournalDamaged, StoreError, WrongState
from tests.support.desks import provider_of, submission
from tests.support.failing_disk import FailingDisk
from tests.support.fault_server import FaultServer, Seen
from tests.support.faults import Fault, act_then_drop, held

SUBMIT = "/Order/submit"
pytestmark = pytest.mark.asyncio


async def queue(desk: Desk, reference: str, name: str = "J. Rivera") -> int:
    return await outbox.queue_submission(desk, submission(reference, name), None)


async def states(desk: Desk) -> dict[int, WriteState]:
    return {each.id: each.state for each in await outbox.writes(desk, (), 100)}


def names(server: FaultServer) -> list[str]:
    """The consignees of the orders that arrived, in the order in which they did."""
    return [json.loads(each.body)["consignee"]["consigneeName"] for each in server.seen(SUBMIT)]


async def test_writes_leave_in_the_order_in_which_they_were_queued(desk: Desk, fault_server: FaultServer) -> None:
    wanted = [f"Consignee {number}" for number in range(12)]
    for place, name in enumerate(wanted):
        await queue(desk, f"R-{place % 4}", name)  # three edits of each of four orders
    outcomes = await outbox.drain(desk)
    assert [each.state for each in outcomes] == ["accepted"] * 12
    by_reference = {each.reference: [json.loads(v) for v in each.versions] for each in fault_server.book.all()}
    for number in range(4):
        last = by_reference[f"R-{number}"][-1]["consignee"]["consigneeName"]
        assert last == f"Consignee {8 + number}"
    assert sorted(names(fault_server)[:4]) == sorted(wanted[:4])


async def test_a_later_edit_waits_while_the_earlier_one_is_in_doubt(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    first, edit, other = await queue(desk, "R-1", "A"), await queue(desk, "R-1", "B"), await queue(desk, "R-2", "C")
    await outbox.drain(desk)
    await outbox.drain(desk)
    assert await states(desk) == {first: "in_doubt", edit: "queued", other: "accepted"}
    assert names(fault_server) == ["A", "C"]
    await outbox.settle(desk, first, "accepted", "Seen at the provider.")
    await outbox.drain(desk)
    assert await states(desk) == {first: "accepted", edit: "accepted", other: "accepted"}
    assert names(fault_server) == ["A", "C", "B"]
    assert len(fault_server.book.all("R-1")) == 1


async def test_what_was_queued_while_sending_is_sent_too(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")

    def more(seen: Seen) -> Fault | None:
        if seen.path.endswith(SUBMIT) and not fault_server.seen(SUBMIT):
            payload = b'{"orderReferenceNumber":"R-2","consignee":{"consigneeName":"late"}}'
            desk.journal.write_now(journal_store.queue_write, desk.profile.id, "submit", "R-2", payload, desk.now())
        return None

    fault_server.plan_by(more)
    assert len(await outbox.drain(desk)) == 2
    assert names(fault_server) == ["J. Rivera", "late"]


async def test_what_was_withdrawn_while_another_was_sent_stays_here(desk: Desk, fault_server: FaultServer) -> None:
    """A person may change their mind while the one before is on its way; that is no fault of the program."""
    first, second, third = [await queue(desk, f"R-{number}", f"N{number}") for number in range(3)]

    def change_of_mind(seen: Seen) -> Fault | None:
        if seen.path.endswith(SUBMIT) and not fault_server.seen(SUBMIT):
            desk.journal.write_now(journal_store.settle, second, "withdrawn", "Not any more.", desk.now())
        return None

    fault_server.plan_by(change_of_mind)
    outcomes = await outbox.drain(desk)
    assert [each.write_id for each in outcomes] == [first, third]
    assert names(fault_server) == ["N0", "N2"]
    assert await states(desk) == {first: "accepted", second: "withdrawn", third: "accepted"}


async def test_other_profiles_wait_for_their_own_desk(desk: Desk, fault_server: FaultServer) -> None:
    other = replace(desk, profile=replace(desk.profile, id="other"))
    await queue(other, "R-1")
    assert await outbox.drain(desk) == []
    assert fault_server.seen(SUBMIT) == []
    assert (await outbox.counts(other))["queued"] == 1
    assert (await outbox.counts(desk))["queued"] == 0


async def test_it_stops_when_the_connection_is_given_up_meanwhile(desk: Desk, fault_server: FaultServer) -> None:
    first, second = await queue(desk, "R-1"), await queue(desk, "R-2")
    provider = desk.provider

    def hang_up() -> None:
        desk.provider, desk.trouble = None, "The connection was changed."

    try:
        outcomes = await outbox.drain(desk, hang_up)
    finally:
        desk.provider = provider
    assert [(each.write_id, each.state) for each in outcomes] == [(first, "accepted"), (second, "queued")]
    assert outcomes[-1].sentence == "The connection was changed."
    assert len(fault_server.seen(SUBMIT)) == 1


async def test_what_was_being_sent_when_the_program_ended_is_in_doubt(desk: Desk, fault_server: FaultServer) -> None:
    write, waiting = await queue(desk, "R-1"), await queue(desk, "R-2")
    await desk.journal.write(journal_store.begin_attempt, write, desk.now())
    assert await outbox.recover(desk) == 1
    assert await states(desk) == {write: "in_doubt", waiting: "queued"}
    told = await outbox.story(desk, write)
    assert told.attempts[0].outcome == "died"
    assert "not known yet whether it arrived" in (told.row.note or "")
    assert await outbox.recover(desk) == 0
    await outbox.drain(desk)
    assert [json.loads(each.body)["orderReferenceNumber"] for each in fault_server.seen(SUBMIT)] == ["R-2"]


@pytest.mark.parametrize(("to", "sent"), [("accepted", 1), ("withdrawn", 1), ("queued", 2)])
async def test_a_person_settles_a_doubt(desk: Desk, fault_server: FaultServer, to: WriteState, sent: int) -> None:
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    await outbox.settle(desk, write, to, "A person's decision.")
    assert (await outbox.story(desk, write)).row.note == "A person's decision."
    await outbox.drain(desk)
    assert len(fault_server.seen(SUBMIT)) == sent
    with pytest.raises(WrongState):
        await outbox.settle(desk, write, "queued", "Once more.")


async def test_nothing_settles_what_is_being_sent(desk: Desk, fault_server: FaultServer) -> None:
    write = await queue(desk, "R-1")
    await desk.journal.write(journal_store.begin_attempt, write, desk.now())
    for state in ("accepted", "queued", "withdrawn", "rejected"):
        with pytest.raises(WrongState):
            await outbox.settle(desk, write, state, "No.")
    assert fault_server.seen(SUBMIT) == []


async def test_history_tells_what_this_desk_sent_about_an_order(desk: Desk) -> None:
    first, edit = await queue(desk, "R-1"), await queue(desk, "R-1", "B")
    cancel = await outbox.queue_cancellation(desk, "R-1")
    await queue(desk, "R-2")
    assert [each.id for each in await outbox.history(desk, "R-1")] == [cancel, edit, first]
    assert [each.kind for each in await outbox.history(desk, "R-1")] == ["cancel", "submit", "submit"]


async def test_a_damaged_write_is_not_sent_and_does_not_hold_up_the_others(
    desk: Desk, fault_server: FaultServer
) -> None:
    damaged, whole = await queue(desk, "R-1", "A"), await queue(desk, "R-2", "B")

    def flip(c: apsw.Connection) -> None:
        c.execute("DROP TRIGGER writes_keep_what_was_queued")
        c.execute("UPDATE writes SET payload = ? WHERE id = ?", (b'{"orderReferenceNumber":"R-9"}', damaged))

    await desk.journal.write(flip)
    first, second = await outbox.drain(desk)
    assert (first.write_id, first.held, first.go_on) == (damaged, True, True)
    assert "damaged" in first.sentence
    assert (second.write_id, second.state) == (whole, "accepted")
    assert names(fault_server) == ["B"]
    assert (await outbox.story(desk, damaged)).row.damaged
    with pytest.raises(JournalDamaged):
        await outbox.release(desk, damaged)


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    made = FailingDisk()
    yield made
    made.unregister()


@pytest_asyncio.fixture
async def shaky_desk(desk: Desk, disk: FailingDisk, tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk whose journal lies on a disk that can be told to fail."""
    database = Database(tmp_path / "shaky.sqlite3", JOURNAL, vfs=disk.vfs)
    yield replace(desk, journal=database, now=datetime.now)
    await database.close()


async def test_what_cannot_be_journalled_is_not_queued(shaky_desk: Desk, disk: FailingDisk) -> None:
    await shaky_desk.journal.opened()
    disk.fail = apsw.FullError
    with pytest.raises(StoreError, match="disk is full"):
        await queue(shaky_desk, "R-1")
    disk.fail = None
    assert await states(shaky_desk) == {}


async def test_what_cannot_be_written_down_as_being_sent_is_not_sent(
    shaky_desk: Desk, disk: FailingDisk, fault_server: FaultServer
) -> None:
    first, second = await queue(shaky_desk, "R-1", "A"), await queue(shaky_desk, "R-2", "B")
    disk.fail = apsw.FullError
    (outcome,) = await outbox.drain(shaky_desk)
    assert (outcome.write_id, outcome.state, outcome.go_on, outcome.recorded) == (first, "queued", False, False)
    assert "disk is full" in outcome.sentence
    assert fault_server.seen("/Order/submit") == []
    disk.fail = None
    assert [each.write_id for each in await outbox.drain(shaky_desk)] == [first, second]
    assert names(fault_server) == ["A", "B"]


@pytest.mark.parametrize("since", ["nothing", "restarted", "the connection was stored anew"])
async def test_an_outcome_that_cannot_be_written_down_is_in_doubt_as_soon_as_it_can(
    shaky_desk: Desk, disk: FailingDisk, fault_server: FaultServer, since: str
) -> None:
    first, second = await queue(shaky_desk, "R-1", "A"), await queue(shaky_desk, "R-2", "B")
    gate = fault_server.gate()
    fault_server.plan(held(after=gate), SUBMIT)

    def told() -> None:
        """The attempt is on the disk: from here on the disk refuses."""
        disk.fail = apsw.IOError
        gate.release()

    (outcome,) = await outbox.drain(shaky_desk, told)
    assert (outcome.write_id, outcome.state, outcome.go_on, outcome.recorded) == (first, "sending", False, False)
    assert "in doubt" in outcome.sentence
    (again,) = await outbox.drain(shaky_desk)
    assert (again.write_id, again.go_on, again.recorded) == (first, False, False)
    disk.fail = None
    assert await states(shaky_desk) == {first: "sending", second: "queued"}
    assert names(fault_server) == ["A"]
    if since == "restarted":
        assert await outbox.recover(shaky_desk) == 1
        assert (await states(shaky_desk))[first] == "in_doubt"
    # A connection that is stored anew gets another desk, as in `Shell.open_desk`.
    await outbox.drain(shaky_desk if since != "the connection was stored anew" else replace(shaky_desk))
    assert await states(shaky_desk) == {first: "in_doubt", second: "accepted"}
    assert names(fault_server) == ["A", "B"]


async def test_a_client_that_was_opened_anew_takes_the_queue_over(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    async with provider_of(fault_server, secret="wrong") as provider:
        (outcome,) = await outbox.drain(replace(desk, provider=provider))
    assert (outcome.state, outcome.go_on) == ("queued", False)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]


async def test_what_a_person_decides_holds_only_for_what_was_on_the_screen(
    desk: Desk, fault_server: FaultServer
) -> None:
    """A row may be a quarter of a second old: what was queued on it may be in doubt by now."""
    fault_server.plan(act_then_drop(), SUBMIT)
    write = await queue(desk, "R-1")
    await outbox.drain(desk)
    with pytest.raises(WrongState):
        await outbox.settle(desk, write, "withdrawn", "Undone before it was sent.", seen="queued")
    assert (await outbox.story(desk, write)).row.state == "in_doubt"
    await outbox.settle(desk, write, "withdrawn", "Given up.", seen="in_doubt")


async def test_a_yes_is_to_what_was_read_and_to_nothing_else(desk: Desk, fault_server: FaultServer) -> None:
    await queue(desk, "R-1")
    await outbox.drain(desk)
    fault_server.book.move("R-1", "Complete")
    write = await queue(desk, "R-1", "Somebody Else")
    before = (await outbox.story(desk, write)).row
    await outbox.drain(desk)
    held_now = (await outbox.story(desk, write)).row
    assert held_now.held is not None
    with pytest.raises(WrongState, match="reason why this waits has changed"):
        await outbox.release(desk, write, before)
    await outbox.drain(desk)
    assert len(fault_server.book.all("R-1")) == 1
    await outbox.release(desk, write, held_now)
    await outbox.drain(desk)
    assert len(fault_server.book.all("R-1")) == 2, "with a yes to exactly that"
