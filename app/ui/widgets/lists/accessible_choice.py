"""Choosing a line of a list through the accessibility tree.

Qt lets a screen reader select a line there, but neither click nor activate it. Keys and mouse move the current line
together with the selection. So a selection that changes by itself came through the tree, and counts as a choice.
"""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView


class AccessibleChoice(QObject):
    """Calls `act` with a line of `view` that was chosen through the accessibility tree."""

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
        """Ignore the latest selection: the program has made it."""
        self._current, self._selected = QPersistentModelIndex(self._view.currentIndex()), False
        self._later.stop()

    def _on_selection(self) -> None:
        self._selected = QAccessible.isActive()
        self._later.start()

    def _look(self) -> None:
        """Compare selection and current line, once the key, click or call has been handled."""
        chosen = self._view.selectionModel().selectedIndexes()
        moved, selected = self._current != self._view.currentIndex(), self._selected
        self._current, self._selected = QPersistentModelIndex(self._view.currentIndex()), False
        if selected and not moved and len({each.row() for each in chosen}) == 1:  # a table selects all cells of a row
            self._act(chosen[0])
