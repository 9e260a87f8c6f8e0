"""Returns the focus when the widget that has it goes away, like a message or a strip.

Qt would move the focus to the next widget in the tab order, where a person never was.
"""

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken


class FocusReturn:
    """Remembers which widget had the focus before `place`. Call `give` before `place` is hidden or disabled.

    Not a QObject: in a closed window the collector may free the Python half of a QObject before Qt deletes the C++
    half, and a signal in between fails with "Slot not found". PySide holds a plain object by a weak reference.
    """

    def __init__(self, place: QWidget) -> None:
        self._place = place
        self._before: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def give(self) -> None:
        """Return the focus, if it is inside `place` and the former widget can take it."""
        window, before = self._place.window(), self._before
        # The focus of this window, also while another window is active.
        if before is None or not Shiboken.isValid(before) or not self._holds(window.focusWidget()):
            return
        if before.window() is window and before.isVisible() and before.isEnabled():
            before.setFocus()

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and self._holds(now) and not self._holds(before):
            self._before = before

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and Shiboken.isValid(self._place) and self._place.isAncestorOf(widget)
