"""What scrolls ends above the messages, and a message that made way comes down again."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QTableView, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.bars.floating import Floating
from app.ui.widgets.bars.foot_room import _Room
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.layout import column, holding, scrolling
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

ROWS = 60


class Rows(QWidget):
    """A table in a holder of its own, and a message over it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.table = QTableView()
        model = QStandardItemModel(self.table)
        for row in range(ROWS):
            model.appendRow(QStandardItem(f"row {row}"))
        self.table.setModel(model)
        self.holder = holding(column(self.table))
        self.setLayout(column(self.holder))
        self.bar = MessageBar(theme)
        self.bar.float_over(self, self.holder)

    def shown_rect(self, row: int) -> QRect:
        """Where a row is to be seen, in the page's coordinates; empty where it is out of sight."""
        seen = self.table.visualRect(self.table.model().index(row, 0)) & self.table.viewport().rect()
        return QRect(self.table.viewport().mapTo(self, seen.topLeft()), seen.size())

    def is_free(self, row: int) -> bool:
        whole = self.table.visualRect(self.table.model().index(row, 0)).height()
        seen = self.shown_rect(row)
        return seen.height() == whole and not seen.intersects(self.bar.geometry())


def floating_of(bar: MessageBar) -> Floating:
    (found,) = (each for each in bar.findChildren(Floating) if each.widget is bar)
    return found


def pass_first_moment(bar: MessageBar) -> None:
    floating_of(bar)._aimed.stop()
    floating_of(bar)._aimed.timeout.emit()


@pytest.fixture(autouse=True)
def _pointer_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)


@pytest.fixture
def rows(theme: Theme, show: Show, loop: RunningLoop) -> Rows:
    made = Rows(theme)
    show(made)
    made.table.setFocus()
    made.table.setCurrentIndex(made.table.model().index(0, 0))
    loop.rest()
    return made


def test_each_row_that_a_key_comes_to_stands_above_the_message(loop: RunningLoop, rows: Rows) -> None:
    first = rows.shown_rect(0)
    rows.bar.say("warn", "Something happened. " * 8)
    loop.rest()
    pass_first_moment(rows.bar)
    assert rows.shown_rect(0) == first, "nothing moves"
    for row in range(1, ROWS):
        QTest.keyClick(rows.table, Qt.Key.Key_Down)
        loop.rest(2)
        assert rows.is_free(row), row
    foot = rows.bar.geometry()
    for row in range(ROWS - 2, ROWS - 20, -1):
        QTest.keyClick(rows.table, Qt.Key.Key_Up)
        loop.rest(2)
        assert rows.is_free(row), row
    assert rows.bar.geometry() == foot


def test_a_row_that_comes_below_the_message_in_its_first_moment_is_shown(loop: RunningLoop, rows: Rows) -> None:
    rows.bar.say("warn", "Something happened. " * 8)
    loop.rest()
    assert floating_of(rows.bar)._aimed.isActive()
    for row in range(1, ROWS):
        QTest.keyClick(rows.table, Qt.Key.Key_Down)
        loop.rest(1)
        assert rows.is_free(row), row


def test_a_message_that_made_way_for_a_row_comes_down_with_the_next_key(loop: RunningLoop, rows: Rows) -> None:
    last = rows.table.rowAt(rows.table.viewport().height() - 20)
    rows.table.setCurrentIndex(rows.table.model().index(last, 0))
    loop.rest()
    rows.bar.say("warn", "Something happened.")
    loop.rest()
    pass_first_moment(rows.bar)
    assert rows.is_free(last)
    assert rows.bar.geometry().bottom() < rows.shown_rect(last).top(), (
        "it stands above the row, which stays where it is"
    )
    QTest.keyClick(rows.table, Qt.Key.Key_Down)
    loop.until(lambda: rows.bar.geometry().bottom() > rows.height() - 20)
    assert rows.is_free(last + 1)


def test_a_row_does_not_move_when_the_message_goes(loop: RunningLoop, rows: Rows) -> None:
    rows.bar.say("warn", "Something happened. " * 8)
    loop.rest()
    pass_first_moment(rows.bar)
    rows.table.scrollToBottom()
    loop.rest()
    assert rows.is_free(ROWS - 1)
    there = rows.shown_rect(ROWS - 1)
    rows.bar.clear()
    loop.rest()
    assert rows.shown_rect(ROWS - 1) == there
    rows.table.scrollToTop()
    loop.rest()
    assert rows.table.geometry().bottom() == rows.holder.rect().bottom(), "the room is given back, out of sight"


@pytest.fixture
def ended(loop: RunningLoop, rows: Rows) -> Rows:
    """Rows scrolled to their end, over which a message was, and has gone."""
    rows.bar.say("warn", "Something happened. " * 8)
    loop.rest()
    pass_first_moment(rows.bar)
    rows.table.scrollToBottom()
    loop.rest()
    rows.bar.clear()
    loop.rest()
    assert rows.table.geometry().bottom() < rows.holder.rect().bottom()
    return rows


def pass_moment(rows: Rows) -> None:
    room = room_of(rows)
    assert room._later.isActive()
    room._later.timeout.emit()


def room_of(rows: Rows) -> _Room:
    (room,) = rows.table.findChildren(_Room)
    return room


def is_at_foot(rows: Rows) -> bool:
    """Whether the last row ends where its holder does, but for a part of a row that no row fills."""
    left = rows.holder.rect().bottom() - rows.shown_rect(ROWS - 1).bottom()
    return 0 <= left < rows.table.rowHeight(0) and rows.table.geometry().bottom() == rows.holder.rect().bottom()


def test_the_strip_goes_a_moment_after_the_message(loop: RunningLoop, ended: Rows) -> None:
    longest = ended.table.verticalScrollBar().maximum()
    pass_moment(ended)
    loop.rest()
    assert is_at_foot(ended)
    assert ended.table.verticalScrollBar().maximum() < longest
    assert not room_of(ended)._later.isActive()


def test_the_strip_stays_while_the_pointer_is_on_the_rows(
    loop: RunningLoop, ended: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = ended.shown_rect(ROWS - 1)
    monkeypatch.setattr(QWidget, "underMouse", lambda _: True)
    pass_moment(ended)
    loop.rest()
    assert ended.shown_rect(ROWS - 1) == there, "a click may be aimed at a row"
    monkeypatch.setattr(QWidget, "underMouse", lambda _: False)
    pass_moment(ended)
    loop.rest()
    assert is_at_foot(ended)


def test_the_strip_goes_with_the_next_key_in_the_rows(
    loop: RunningLoop, ended: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QWidget, "underMouse", lambda _: True)
    ended.table.setCurrentIndex(ended.table.model().index(ROWS - 2, 0))
    QTest.keyClick(ended.table, Qt.Key.Key_Down)
    loop.rest()
    assert is_at_foot(ended)
    assert ended.table.currentIndex().row() == ROWS - 1


def test_another_message_finds_the_room_of_the_one_before(loop: RunningLoop, ended: Rows) -> None:
    there = ended.shown_rect(ROWS - 1)
    ended.bar.say("warn", "Something happened. " * 8)
    loop.rest()
    pass_first_moment(ended.bar)
    assert not room_of(ended)._later.isActive()
    assert ended.shown_rect(ROWS - 1) == there


def test_the_end_of_a_page_can_be_scrolled_above_the_message(loop: RunningLoop, theme: Theme, show: Show) -> None:
    lines = [QLabel(f"line {at}") for at in range(80)]
    area: QScrollArea = scrolling(holding(column(*lines)))
    page = holding(column(area))
    bar = MessageBar(theme)
    bar.float_over(page, area)
    show(page)
    loop.rest()
    bar.say("warn", "Something happened. " * 8)
    loop.rest()
    pass_first_moment(bar)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    loop.rest()
    last = QRect(lines[-1].mapTo(page, QPoint(0, 0)), lines[-1].size())
    assert page.rect().contains(last)
    assert not last.intersects(bar.geometry())


def test_a_message_comes_down_a_moment_after_the_one_below_it_has_gone(
    loop: RunningLoop, rows: Rows, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows.bar.say("warn", "Something happened.")
    loop.rest()
    foot = rows.bar.geometry()
    second = MessageBar(theme)
    second.float_over(rows, rows.holder)
    second.say("warn", "Another thing.")
    loop.rest()
    above = second.geometry()
    assert above.bottom() < foot.top()
    rows.bar.clear()
    loop.rest()
    assert second.geometry() == above, "its button may be aimed at"
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: True)
    floating_of(second)._lower.timeout.emit()
    assert second.geometry() == above, "the pointer is on it"
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)
    assert floating_of(second)._lower.isActive()
    floating_of(second)._lower.timeout.emit()
    assert second.geometry().bottom() == foot.bottom()


def test_a_message_comes_down_that_was_out_of_sight_when_the_one_below_it_went(
    loop: RunningLoop, rows: Rows, theme: Theme
) -> None:
    rows.bar.say("warn", "Something happened.")
    second = MessageBar(theme)
    second.float_over(rows, rows.holder)
    second.say("warn", "Another thing.")
    loop.rest()
    foot, above = rows.bar.geometry(), second.geometry()
    assert above.bottom() < foot.top()
    rows.hide()  # another page is shown
    rows.bar.clear()
    loop.rest()
    rows.show()
    loop.rest()
    assert second.geometry().bottom() == foot.bottom()
