"""Items of a layout: what is dropped is gone at once for a person, and for good after the next turn of the loop."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from app.ui.theme.theme import Theme
from app.ui.widgets.layout import Splitter, column, drop_items, row
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


def test_dropped_items_and_their_widgets_are_deleted(loop: RunningLoop, theme: Theme, show: Show) -> None:
    stays, goes = QLabel("Stays"), QLabel("Goes")
    inner = row(None)
    holder = QWidget()
    layout = column(stays, 8, goes, inner, None)
    holder.setLayout(layout)
    show(holder)
    items = [layout.itemAt(place) for place in range(layout.count())]
    drop_items(layout, 1)
    assert layout.count() == 1
    assert goes.isHidden(), "it is not painted until it is deleted"
    assert [isValid(each) for each in items] == [True, False, False, False, False]
    loop.until(lambda: not isValid(goes))
    assert isValid(stays)
    assert stays.isVisible()


def test_a_screen_reader_goes_through_panes_in_their_order(theme: Theme, show: Show) -> None:
    splitter = Splitter(Qt.Orientation.Horizontal)
    for words in ("List", "Details", "Notes"):
        splitter.addWidget(QLabel(words))
    show(splitter)
    seen = QAccessible.queryAccessibleInterface(splitter)
    assert [seen.child(at).text(QAccessible.Text.Name) for at in range(3)] == ["List", "Details", "Notes"]
    assert splitter.children()[-1] is splitter.handle(2), "a handle can be taken hold of beside its line"
