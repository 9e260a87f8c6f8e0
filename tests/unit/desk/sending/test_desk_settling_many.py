"""Many doubts are asked about a few at a time, the latest first, and never while the provider is to be left alone."""

from datetime import timedelta

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox, sending_words, settling
from app.store.journal import write_store
from tests.support.desks import let_time_pass, submission
from tests.support.fault_server import Answer, FaultServer
from tests.support.faults import answered, json_answer

STATUS, BY_NUMBER = "/Order/status", "/orders/number"
pytestmark = pytest.mark.asyncio


async def doubts(desk: Desk, count: int) -> None:
    """So many writes in doubt, as a program that was killed leaves them behind."""

    def fill(c: apsw.Connection) -> None:
        for number in range(count):
            write = write_store.queue_write(c, desk.profile.id, "submit", f"R-{number}", b"{}", desk.now())
            write_store.begin_attempt(c, write, desk.now(), "new")

    await desk.journal.write(fill)
    assert await outbox.recover(desk) == count


def asked(fault_server: FaultServer) -> list[str]:
    return [each.query["OrderReferenceNumber"] for each in fault_server.seen(STATUS)]


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "_BATCH", 3)


@pytest.mark.usefixtures("few_at_once")
async def test_the_latest_are_asked_about_first_and_then_those_that_were_not(
    desk: Desk, fault_server: FaultServer
) -> None:
    await doubts(desk, 7)
    seen: list[list[str]] = []
    for _ in range(4):
        before = len(asked(fault_server))
        await settling.settle_doubts(desk)
        seen.append(asked(fault_server)[before:])
        let_time_pass(desk, timedelta(seconds=15))
    assert seen == [
        ["R-6", "R-5", "R-4"],
        ["R-3", "R-2", "R-1"],
        ["R-0", "R-6", "R-5"],
        ["R-4", "R-3", "R-2"],
    ]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_provider_that_asks_to_be_left_alone_is_asked_nothing_more_until_then(
    desk: Desk, fault_server: FaultServer, status: int
) -> None:
    await doubts(desk, 7)
    fault_server.plan(answered(json_answer({"title": "Busy"}, status, **{"Retry-After": "120"})), STATUS)
    await settling.settle(desk)
    assert asked(fault_server) == ["R-6"]
    let_time_pass(desk, timedelta(seconds=110))
    await settling.settle(desk)
    assert asked(fault_server) == ["R-6"]
    let_time_pass(desk, timedelta(seconds=15))
    await settling.settle(desk)
    assert len(asked(fault_server)) == 8


async def test_what_asks_for_a_rest_while_sending_is_left_alone_by_settling_too(
    desk: Desk, fault_server: FaultServer
) -> None:
    await doubts(desk, 2)
    fault_server.plan(answered(json_answer({"title": "Busy"}, 429, **{"Retry-After": "120"})), "/Order/submit")
    (write,) = await desk.journal.write(
        lambda c: [write_store.queue_write(c, desk.profile.id, "submit", "S", b"{}", desk.now())]
    )
    (sent,) = await outbox.drain(desk)
    assert (sent.write_id, sent.retry_after) == (write, 120.0)
    await settling.settle(desk)
    assert asked(fault_server) == ["S"], "the last look at it, before it was sent"


@pytest.mark.usefixtures("few_at_once")
async def test_what_was_accepted_is_asked_for_by_number_in_turn(desk: Desk, fault_server: FaultServer) -> None:
    """Those that are never confirmed do not keep the others from being asked for."""
    for number in range(5):
        await desk.journal.write(
            write_store.queue_write, desk.profile.id, "submit", f"R-{number}", _body(number), desk.now()
        )
    assert {each.state for each in await outbox.drain(desk)} == {"accepted"}
    fault_server.plan_by(lambda seen: answered(Answer(500)) if "/orders/" in seen.path.lower() else None)
    before = len(fault_server.seen())
    for _ in range(2):
        await settling.confirm_accepted(desk)
        let_time_pass(desk, timedelta(seconds=15))
    numbers = [seen.path.rsplit("/", 1)[-1] for seen in fault_server.seen()[before:]]
    assert len(set(numbers)) == 5


async def test_a_cancellation_that_is_never_shown_is_asked_about_ever_more_seldom_and_not_for_ever(
    desk: Desk, fault_server: FaultServer
) -> None:
    """While another order is open the status of a cancelled one is "not found": nothing will ever confirm it."""
    await outbox.queue_submission(desk, submission("R-1"), None)
    write = await outbox.queue_cancellation(desk, "R-1")
    await outbox.drain(desk)
    let_time_pass(desk, outbox.UNDO)
    await outbox.drain(desk)
    fault_server.plan(answered(json_answer({"title": "Not found"}, 404)), STATUS, times=None)

    async def asked_within(span: timedelta, every: timedelta) -> int:
        before = len(asked(fault_server))
        for _ in range(span // every):
            let_time_pass(desk, every)
            await settling.settle(desk)
        return len(asked(fault_server)) - before

    pass_of_the_settler = timedelta(seconds=15)
    assert await asked_within(4 * pass_of_the_settler, pass_of_the_settler) == 4
    assert await asked_within(40 * pass_of_the_settler, pass_of_the_settler) < 6
    hour = timedelta(hours=1)
    assert await asked_within(24 * hour, hour) > 20
    assert (await outbox.story(desk, write)).row.note != sending_words.NOT_SHOWN_CANCELLED
    await asked_within(50 * hour, hour)
    assert await asked_within(24 * hour, hour) == 0
    row = (await outbox.story(desk, write)).row
    assert (row.state, row.note) == ("accepted", sending_words.NOT_SHOWN_CANCELLED)


def _body(number: int) -> bytes:
    return b'{"orderReferenceNumber":"R-%d"}' % number
