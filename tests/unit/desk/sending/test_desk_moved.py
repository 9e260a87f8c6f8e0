"""A connection that leads to another provider keeps its queue, and drops every agreement given at the place before."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
import pytest_asyncio

from app.desk.connections import profiles
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal import profile_store as kept_profiles
from app.store.journal.records import WriteRow
from app.store.store_errors import WrongState
from tests.support.desks import let_time_pass, profile_of, provider_of, submission
from tests.support.fault_server import COMPLETE, Answer, Fault, FaultServer, Seen, start_fault_server
from tests.support.faults import answered

SUBMIT, STATUS = "/Order/submit", "/Order/status"
pytestmark = pytest.mark.asyncio


@pytest.fixture
def other_server() -> Iterator[FaultServer]:
    with start_fault_server() as server:
        yield server


@pytest_asyncio.fixture
async def moved(desk: Desk, other_server: FaultServer) -> AsyncIterator[Desk]:
    """The desk as it is once its connection leads to the other provider; `profiles.move` is still to be called."""
    async with provider_of(other_server) as provider:
        yield Desk(profile_of(other_server), desk.journal, desk.cache, desk.reader, desk.now, provider)


async def row(desk: Desk, write: int) -> WriteRow:
    return (await outbox.story(desk, write)).row


def close_there(server: FaultServer, reference: str) -> None:
    server.book.submit(b'{"orderReferenceNumber":"%s"}' % reference.encode())
    server.book.move(reference, COMPLETE)


async def held_as_closed(desk: Desk, fault_server: FaultServer) -> int:
    await profiles.save(desk.journal, desk.profile)
    close_there(fault_server, "R-1")
    write = await outbox.queue_submission(desk, submission("R-1"), None)
    (held,) = await outbox.drain(desk)
    assert held.held
    return write


async def test_nothing_is_queued_for_a_connection_that_was_removed_meanwhile(desk: Desk) -> None:
    """It would be seen nowhere until the same connection is made again."""
    await profiles.save(desk.journal, desk.profile)
    await profiles.remove(desk.journal, desk.profile)
    with pytest.raises(WrongState, match="removed"):
        await outbox.queue_submission(desk, submission("R-1"), None)
    with pytest.raises(WrongState, match="removed"):
        await outbox.queue_cancellation(desk, "R-1")
    assert await outbox.writes(desk, (), 10) == []
    await profiles.save(desk.journal, desk.profile)  # the same again: it has its id back
    await outbox.queue_submission(desk, submission("R-1"), None)


async def test_a_yes_does_not_outlive_the_place_it_was_given_for(
    desk: Desk, moved: Desk, fault_server: FaultServer, other_server: FaultServer
) -> None:
    write = await held_as_closed(desk, fault_server)
    await outbox.release(desk, write)
    assert (await row(desk, write)).agreed == "closed"
    await profiles.move(desk.journal, moved.profile)
    close_there(other_server, "R-1")
    (held,) = await outbox.drain(moved)
    assert held.held
    assert other_server.seen(SUBMIT) == []
    await outbox.release(moved, write)
    assert [each.state for each in await outbox.drain(moved)] == ["accepted"]


async def test_a_yes_beside_the_form_does_not_either(desk: Desk, moved: Desk, other_server: FaultServer) -> None:
    await profiles.save(desk.journal, desk.profile)
    write = await outbox.queue_submission(desk, submission("R-1"), None, "closed")
    await profiles.move(desk.journal, moved.profile)
    close_there(other_server, "R-1")
    (held,) = await outbox.drain(moved)
    assert held.held
    assert (await row(moved, write)).agreed is None


async def test_what_was_held_there_waits_here_and_a_yes_to_that_is_none_to_what_is_found_here(
    desk: Desk, moved: Desk, fault_server: FaultServer, other_server: FaultServer
) -> None:
    write = await held_as_closed(desk, fault_server)
    for _ in range(2):
        await profiles.move(desk.journal, moved.profile)
    waits = await row(moved, write)
    assert (waits.held or "").startswith("Held before this connection led here: The provider says: Complete.")
    assert waits.note == waits.held
    assert await outbox.drain(moved) == []
    close_there(other_server, "R-1")
    await outbox.release(moved, write, waits)
    (held,) = await outbox.drain(moved)
    assert held.held
    assert other_server.seen(SUBMIT) == []


async def test_a_yes_to_sending_without_asking_is_for_the_place_that_did_not_answer(
    desk: Desk, moved: Desk, fault_server: FaultServer, other_server: FaultServer
) -> None:
    await profiles.save(desk.journal, desk.profile)
    for server in (fault_server, other_server):
        server.plan(answered(Answer(500)), STATUS, times=None)
    write = await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    await outbox.release(desk, write)
    await profiles.move(desk.journal, moved.profile)
    await outbox.drain(moved)
    assert other_server.seen(SUBMIT) == []


async def test_what_was_asked_about_at_the_place_before_is_not_sent_there_any_more(
    desk: Desk, moved: Desk, fault_server: FaultServer, other_server: FaultServer
) -> None:
    """The connection is changed between the last look and the sending."""
    await profiles.save(desk.journal, desk.profile)

    def change(seen: Seen) -> Fault | None:
        if seen.path.endswith(STATUS):
            desk.journal.write_now(kept_profiles.move_profile, moved.profile)
        return None

    fault_server.plan_by(change)
    write = await outbox.queue_submission(desk, submission("R-1"), None)
    assert await outbox.drain(desk) == []
    assert (await row(desk, write)).attempts == 0
    assert [each.state for each in await outbox.drain(moved)] == ["accepted"]
    assert fault_server.seen(SUBMIT) == []


async def test_a_connection_that_gets_another_name_leads_where_it_led(desk: Desk, fault_server: FaultServer) -> None:
    write = await held_as_closed(desk, fault_server)
    await outbox.release(desk, write)
    await profiles.save(desk.journal, replace(desk.profile, name="Otherwise called"))
    let_time_pass(desk, outbox.UNDO)
    assert [each.state for each in await outbox.drain(desk)] == ["accepted"]
