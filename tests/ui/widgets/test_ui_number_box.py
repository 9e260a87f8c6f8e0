"""The box for a number: its text stands off the edge, and the wheel scrolls past it."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.choosing.number_box import NumberBox
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


def shown_box(loop: RunningLoop, show: Show) -> NumberBox:
    whole, box = QWidget(), NumberBox()
    box.setRange(1, 99)
    box.setValue(14)
    box.setSuffix(" days")
    whole.setLayout(column(box))
    show(whole)
    loop.rest()
    return box


def test_its_text_stands_off_the_edge(loop: RunningLoop, theme: Theme, show: Show) -> None:
    box = shown_box(loop, show)
    picture, ground = box.grab().toImage(), theme.colour("surface")
    middle = range(box.height() // 3, 2 * box.height() // 3)
    inked = [x for x in range(2, box.width() // 2) if any(picture.pixelColor(x, y) != ground for y in middle)]
    assert inked[0] >= SPACE_2


def test_the_wheel_changes_no_number(loop: RunningLoop, theme: Theme, show: Show) -> None:
    assert theme is not None
    box = shown_box(loop, show)
    box.setFocus()
    turned = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, turned)
    assert box.value() == 14
