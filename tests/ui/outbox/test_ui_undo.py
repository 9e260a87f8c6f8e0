"""Undoing cancellations: offered and counted down by the journal; the words say what happened."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.runtime.tasks import Tasks
from app.store.journal import write_store
from app.store.store_errors import NotSaved
from app.ui.base.page import PageServices
from app.ui.shell.undo_cancellations import CancelUndo
from app.ui.widgets.bars.message_bar import MessageBar
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

UNDO_S = 10


class Clock:
    """A desk's clock that a test sets on."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now() + self.ahead


@pytest.fixture
def bar(loop: RunningLoop, services: PageServices, show: Show, monkeypatch: pytest.MonkeyPatch) -> MessageBar:
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)  # clicks of other tests leave the pointer somewhere
    made = MessageBar(services.theme)
    show(made)
    return made


@pytest.fixture
def clock(offline_desk: Desk) -> Clock:
    made = Clock()
    offline_desk.now = made
    return made


@pytest.fixture
def undo(loop: RunningLoop, services: PageServices, bar: MessageBar, clock: Clock) -> Iterator[CancelUndo]:
    tasks = Tasks(services.sink, "window")
    made = CancelUndo(bar, tasks)
    made.undone.connect(made.look)
    yield made
    made.clock.stop()
    loop.run(tasks.aclose(20))


def cancel(loop: RunningLoop, desk: Desk, *references: str) -> dict[int, str]:
    return {loop.run(outbox.queue_cancellation(desk, name)): name for name in references}


def offered(loop: RunningLoop, undo: CancelUndo, bar: MessageBar, desk: Desk, *references: str) -> list[int]:
    """These can still be undone, and the bar says so."""
    writes = cancel(loop, desk, *references)
    undo.offer_all(desk, writes)
    loop.until(lambda: references[0] in bar.text)
    return list(writes)


def state(loop: RunningLoop, desk: Desk, write: int) -> str:
    return loop.run(outbox.story(desk, write)).row.state


def test_it_names_the_order_and_counts_down_on_the_button(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk, clock: Clock
) -> None:
    offered(loop, undo, bar, offline_desk, "R-1")
    assert bar.text == "Order R-1 is about to be cancelled."
    assert bar.action_text in ("Undo (10)  Ctrl+Z", "Undo (9)  Ctrl+Z")
    clock.ahead = timedelta(seconds=4)
    undo.tick()
    assert bar.action_text in ("Undo (6)  Ctrl+Z", "Undo (5)  Ctrl+Z")


def test_in_time_it_is_not_cancelled(loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk) -> None:
    (write,) = offered(loop, undo, bar, offline_desk, "R-1")
    bar.undo()
    loop.until(lambda: bar.text == "Order R-1 was not cancelled.")
    assert state(loop, offline_desk, write) == "withdrawn"
    assert bar.passing.isActive()


def test_once_its_time_is_over_nothing_is_offered_and_the_journal_knows(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk, clock: Clock
) -> None:
    """Also without a connection, where it goes on waiting: it is not asked about at the next start."""
    (write,) = offered(loop, undo, bar, offline_desk, "R-1")
    clock.ahead = timedelta(seconds=UNDO_S + 1)
    undo.tick()
    assert bar.text == ""
    loop.until(lambda: not loop.run(outbox.undoable(offline_desk)))
    row = loop.run(outbox.story(offline_desk, write)).row
    assert (row.state, row.not_before, row.held) == ("queued", None, None)


def test_what_was_undone_elsewhere_is_offered_no_more(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    (write,) = offered(loop, undo, bar, offline_desk, "R-1")
    loop.run(outbox.settle(offline_desk, write, "withdrawn", "Undone before it was sent."))
    undo.look()
    loop.until(lambda: not bar.text)
    assert not undo.undo_last()


def test_too_late_follows_how_it_stands(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    (write,) = offered(loop, undo, bar, offline_desk, "R-1")
    attempt = loop.run(offline_desk.journal.write(write_store.begin_attempt, write, offline_desk.now()))
    bar.undo()
    loop.until(lambda: bar.text == "Too late: The cancellation of R-1 is being sent.")
    loop.run(offline_desk.journal.write(write_store.end_attempt, attempt, "accepted", offline_desk.now()))
    undo.look()
    loop.until(lambda: bar.text == "The provider has taken the cancellation of R-1.")
    assert bar.passing.isActive()


def test_what_the_disk_refuses_is_said_and_not_called_too_late(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise NotSaved("The disk is full, so nothing of this was saved. Make room and try again.")

    offered(loop, undo, bar, offline_desk, "R-1")
    monkeypatch.setattr(outbox, "settle", refuse)
    bar.undo()
    loop.until(lambda: bar.text.startswith("The cancellation of R-1 could not be undone. The disk is full"))


def test_several_are_undone_at_once(loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk) -> None:
    writes = offered(loop, undo, bar, offline_desk, "R-1", "R-2", "R-3", "R-4")
    assert bar.text == "4 orders (R-1, R-2, R-3 and 1 more) are about to be cancelled."
    bar.undo()
    loop.until(lambda: bar.text == "4 orders (R-1, R-2, R-3 and 1 more) were not cancelled.")
    assert {state(loop, offline_desk, each) for each in writes} == {"withdrawn"}


def test_of_several_those_that_have_left_are_told(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    writes = offered(loop, undo, bar, offline_desk, "R-1", "R-2", "R-3")
    loop.run(offline_desk.journal.write(write_store.begin_attempt, writes[1], offline_desk.now()))
    undo.look()
    loop.until(lambda: bar.text == "2 orders (R-1, R-3) are about to be cancelled.")
    bar.undo()
    loop.until(lambda: bar.text == "Too late: The cancellation of R-2 is being sent.")
    assert [state(loop, offline_desk, each) for each in writes] == ["withdrawn", "sending", "withdrawn"]


def test_each_act_has_its_own_undo_and_the_latest_goes_first(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    (first,) = offered(loop, undo, bar, offline_desk, "R-1")
    (second,) = offered(loop, undo, bar, offline_desk, "R-2")
    bar.undo()
    loop.until(lambda: state(loop, offline_desk, second) == "withdrawn")
    assert bar.text == "Order R-1 is about to be cancelled."
    bar.undo()
    loop.until(lambda: state(loop, offline_desk, first) == "withdrawn")


def test_trouble_that_comes_meanwhile_does_not_hide_the_undo(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    offered(loop, undo, bar, offline_desk, "R-1")
    bar.say("bad", "Something else.", topic="else")
    assert bar.text == "Order R-1 is about to be cancelled."
    bar.undo()
    loop.until(lambda: bar.text == "Order R-1 was not cancelled.")
    bar.withdraw("undo result")
    assert bar.text == "Something else."


def test_a_message_that_was_closed_stays_closed_and_the_key_still_works(
    loop: RunningLoop, undo: CancelUndo, bar: MessageBar, offline_desk: Desk
) -> None:
    (write,) = offered(loop, undo, bar, offline_desk, "R-1")
    bar.clear()
    undo.tick()
    assert bar.text == ""
    assert undo.undo_last()
    loop.until(lambda: state(loop, offline_desk, write) == "withdrawn")
