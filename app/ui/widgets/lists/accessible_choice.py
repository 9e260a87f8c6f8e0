"""Choosing a line of a list through the accessibility tree.

Qt lets a screen reader select a line there, but neither click nor activate it. By keys and by mouse the current line
moves along with what is selected; a selection that changes alone came through the tree, and counts as choosing.
"""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView


class AccessibleChoice(QObject):
    """Calls `act` with the line that was chosen in `view`."""

    def __init__(self, view: QAbstractItemView, act: Callable[[QModelIndex], object]) -> None:
        super().__init__(view)
        self._view, self._act = view, act
        self._current = QPersistentModelIndex(view.currentIndex())
        self._selected = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._look)
        view.selectionModel().selectionChanged.connect(self._on_selection)
        view.selectionModel().currentChanged.connect(self._later.start)

    def forget(self) -> None:
        """What was selected just now was not chosen by anybody: the program put it there."""
        self._current, self._selected = QPersistentModelIndex(self._view.currentIndex()), False
        self._later.stop()

    def _on_selection(self) -> None:
        self._selected = QAccessible.isActive()
        self._later.start()

    def _look(self) -> None:
        """Once all is done that belongs to one key, click or call."""
        chosen = self._view.selectionModel().selectedIndexes()
        moved, selected = self._current != self._view.currentIndex(), self._selected
        self._current, self._selected = QPersistentModelIndex(self._view.currentIndex()), False
        if selected and not moved and len({each.row() for each in chosen}) == 1:  # a table selects whole rows
            self._act(chosen[0])
