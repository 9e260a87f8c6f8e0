"""The undo of a cancellation stands until that very cancellation has ended."""

import pytest

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
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


def test_another_s_end_leaves_the_offer(room: Room, bar: MessageBar, offline_desk: Desk) -> None:
    undo = CancelUndo(bar, Tasks(room.sink, "window"))
    undo.offer(offline_desk, 7, "R-7")
    undo.withdraw_offer({6, 8, None})
    assert bar.text == "Cancelling R-7 in ten seconds."
    undo.withdraw_offer({7})
    assert bar.text == ""


def test_its_own_end_leaves_what_else_is_said(room: Room, bar: MessageBar, offline_desk: Desk) -> None:
    undo = CancelUndo(bar, Tasks(room.sink, "window"))
    undo.offer(offline_desk, 7, "R-7")
    bar.say("bad", "Rejected: something else.")
    undo.withdraw_offer({7})
    assert bar.text == "Rejected: something else."
