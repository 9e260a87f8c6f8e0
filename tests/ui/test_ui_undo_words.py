"""Taking a cancellation back: what is said is what happened, and "too late" only where it has left."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QPushButton

from app.desk import outbox
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store import journal
from app.store.errors import NotSaved
from app.ui.page import Room
from app.ui.undo import CancelUndo
from app.ui.widgets.bars import MessageBar
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


@pytest.fixture
def bar(loop: RunningLoop, room: Room, show: Show) -> MessageBar:
    made = MessageBar(room.theme)
    show(made)
    return made


@pytest.fixture
def offered(loop: RunningLoop, room: Room, bar: MessageBar, offline_desk: Desk) -> Iterator[int]:
    """A cancellation that can still be taken back."""
    tasks = Tasks(room.sink, "window")
    undo = CancelUndo(bar, tasks)
    write = loop.run(outbox.queue_cancellation(offline_desk, "R-1"))
    undo.offer(offline_desk, write, "R-1")
    yield write
    loop.run(tasks.aclose(20))


def take_back(loop: RunningLoop, bar: MessageBar) -> None:
    (pressed,) = [each for each in bar.findChildren(QPushButton) if each.text() == "Take it back"]
    pressed.click()
    loop.until(lambda: bar.text and "in ten seconds" not in bar.text)


def test_in_time_it_is_not_cancelled(loop: RunningLoop, bar: MessageBar, offline_desk: Desk, offered: int) -> None:
    take_back(loop, bar)
    assert bar.text == "Order R-1 was not cancelled."
    assert loop.run(outbox.story(offline_desk, offered)).row.state == "withdrawn"


def test_once_it_has_left_it_is_too_late(loop: RunningLoop, bar: MessageBar, offline_desk: Desk, offered: int) -> None:
    loop.run(offline_desk.journal.write(journal.begin_attempt, offered, offline_desk.now()))
    take_back(loop, bar)
    assert bar.text.startswith("Too late: the cancellation of R-1 has left.")


def test_taken_back_elsewhere_is_not_too_late(
    loop: RunningLoop, bar: MessageBar, offline_desk: Desk, offered: int
) -> None:
    loop.run(outbox.settle(offline_desk, offered, "withdrawn", "Taken back before it was sent."))
    take_back(loop, bar)
    assert bar.text == "The cancellation of R-1 was taken back already."


def test_what_the_disk_refuses_is_said_and_not_called_too_late(
    loop: RunningLoop, bar: MessageBar, offered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise NotSaved("The disk is full, so nothing of this was saved. Make room and try again.")

    monkeypatch.setattr(outbox, "settle", refuse)
    take_back(loop, bar)
    assert bar.text.startswith("The cancellation of R-1 could not be taken back. The disk is full")


@pytest.fixture
def several(
    loop: RunningLoop, room: Room, bar: MessageBar, offline_desk: Desk
) -> Iterator[tuple[CancelUndo, list[int]]]:
    """Three cancellations that can still be taken back."""
    tasks = Tasks(room.sink, "window")
    undo = CancelUndo(bar, tasks)
    names = {loop.run(outbox.queue_cancellation(offline_desk, name)): name for name in ("R-1", "R-2", "R-3")}
    undo.offer_all(offline_desk, names)
    yield undo, list(names)
    loop.run(tasks.aclose(20))


def take_all_back(loop: RunningLoop, bar: MessageBar) -> None:
    assert bar.text == "Cancelling 3 orders in ten seconds."
    bar.act()
    loop.until(lambda: bar.text and "in ten seconds" not in bar.text)


def test_several_are_taken_back_at_once(
    loop: RunningLoop, bar: MessageBar, offline_desk: Desk, several: tuple[CancelUndo, list[int]]
) -> None:
    take_all_back(loop, bar)
    assert bar.text == "None of the 3 orders was cancelled."
    states = {loop.run(outbox.story(offline_desk, each)).row.state for each in several[1]}
    assert states == {"withdrawn"}


def test_of_several_those_that_have_left_are_told(
    loop: RunningLoop, bar: MessageBar, offline_desk: Desk, several: tuple[CancelUndo, list[int]]
) -> None:
    loop.run(offline_desk.journal.write(journal.begin_attempt, several[1][1], offline_desk.now()))
    take_all_back(loop, bar)
    assert bar.text == "2 of 3 cancellations were taken back. The outbox says what became of the others."


def test_the_offer_of_several_stands_until_the_last_has_ended(
    bar: MessageBar, several: tuple[CancelUndo, list[int]]
) -> None:
    undo, writes = several
    undo.withdraw_offer(writes[:2])
    assert bar.text == "Cancelling 3 orders in ten seconds."
    undo.withdraw_offer(writes[2:])
    assert bar.text == ""
