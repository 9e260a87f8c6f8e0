"""The undo of a cancellation stands until that very cancellation has ended."""

import pytest

from app.desk import outbox
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.page import Room
from app.ui.theme.theme import Theme
from app.ui.undo import CancelUndo
from app.ui.widgets.bars import MessageBar
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


@pytest.fixture
def bar(theme: Theme, show: Show) -> MessageBar:
    made = MessageBar(theme)
    show(made)
    return made


@pytest.fixture
def undo(bar: MessageBar, room: Room) -> CancelUndo:
    return CancelUndo(bar, Tasks(room.sink, "undo"))


def test_another_s_end_leaves_the_offer(bar: MessageBar, undo: CancelUndo, offline_desk: Desk) -> None:
    undo.offer(offline_desk, 7, "R-7")
    undo.withdraw_offer({6, 8, None})
    assert bar.text == "Cancelling R-7 in ten seconds."
    undo.withdraw_offer({7})
    assert bar.text == ""


def test_its_own_end_leaves_what_else_is_said(bar: MessageBar, undo: CancelUndo, offline_desk: Desk) -> None:
    undo.offer(offline_desk, 7, "R-7")
    bar.say("bad", "Rejected: something else.")
    undo.withdraw_offer({7})
    assert bar.text == "Rejected: something else."


def test_what_is_taken_back_is_withdrawn(
    loop: RunningLoop, bar: MessageBar, undo: CancelUndo, offline_desk: Desk
) -> None:
    write = loop.run(outbox.queue_cancellation(offline_desk, "R-7"))
    undo.offer(offline_desk, write, "R-7")
    bar.act()
    loop.until(lambda: bar.text == "Order R-7 was not cancelled.")
    assert loop.run(outbox.story(offline_desk, write)).row.state == "withdrawn"
