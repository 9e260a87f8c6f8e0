"""The words of the status bar change every second; nothing around them is laid out anew for that."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.ui.widgets.layout import holding, row
from app.ui.widgets.text.labels import SteadyLabel, text_label
from tests.support.hostile import HOSTILE
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.widgets.test_ui_hostile_labels import plainly_shown


class _LayoutsOf(QObject):
    """How often the widgets in a window were laid out."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def line(show: Show) -> SteadyLabel:
    made = SteadyLabel("soft")
    made.setText("92,443 orders · next refresh 0:59")
    show(holding(row(made, None, text_label("beside")), "statusBar"))
    return made


def test_while_the_seconds_are_counted_nothing_is_laid_out(line: SteadyLabel, loop: RunningLoop) -> None:
    bar = line.parentWidget()
    assert bar is not None
    layouts, width = _LayoutsOf(bar), line.width()
    for seconds in range(59, -1, -1):
        line.setText(f"92,443 orders · next refresh 0:{seconds:02}")
        assert line.sizeHint().width() <= line.width(), "all of it is seen"
    loop.rest()
    assert (layouts.count, line.width()) == (0, width)


def test_a_steady_label_grows_with_its_text_and_shrinks_when_much_room_is_spare(
    line: SteadyLabel, loop: RunningLoop
) -> None:
    for words in ("Refreshing…", "Refreshing, 12,000 orders received, 12 of 54 date ranges…", ""):
        line.setText(words)
        loop.rest()
        assert 0 <= line.width() - line.sizeHint().width() <= 40, words
    line.setText("92,443 orders")
    line.setStyleSheet("font-size: 40px")
    loop.rest()
    assert line.size().width() >= line.sizeHint().width()
    assert line.size().height() >= line.sizeHint().height()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_it_shows_text_letter_for_letter(line: SteadyLabel, text: str) -> None:
    line.setText(text)
    assert plainly_shown(line) == text_label(text).text()
