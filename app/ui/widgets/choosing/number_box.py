"""A box for a whole number. Invariant: the wheel changes no value, so that scrolling past the box does not either."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox

from app.ui.theme.tokens import SPACE_2


class NumberBox(QSpinBox):
    """Its text begins where that of other fields does."""

    def __init__(self) -> None:
        super().__init__()
        # Qt lays the editor inside over the whole box, whatever padding the style sheet gives to either.
        self.lineEdit().setTextMargins(SPACE_2, 0, 0, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # so that the area around it scrolls
