"""Gives the keyboard back to where it was before it came into something that goes away: a message, a strip.

Qt would give it to whatever comes next in the order of tabs, which is nothing that a person was at.
"""

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken


class FocusReturn:
    """Knows from where the keyboard came into `place`. Call `give` before `place` is hidden or disabled.

    It is no QObject: the collector may take the Python half of one in a closed window before Qt deletes the other half,
    and a signal that still leads there complains of a slot that is not found. PySide holds a plain object weakly.
    """

    def __init__(self, place: QWidget) -> None:
        self._place = place
        self._before: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def give(self) -> None:
        """Give it back if it is in there, and what had it can have it still."""
        window, before = self._place.window(), self._before
        # What has it in the window, also while another window stands before that.
        if before is None or not Shiboken.isValid(before) or not self._holds(window.focusWidget()):
            return
        if before.window() is window and before.isVisible() and before.isEnabled():
            before.setFocus()

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and self._holds(now) and not self._holds(before):
            self._before = before

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and Shiboken.isValid(self._place) and self._place.isAncestorOf(widget)
