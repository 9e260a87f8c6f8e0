"""The current cell of a grid as a field of its own, for those who reach the window through the accessibility tree.

Qt's tables tell a screen reader what stands in their cells, but offer no way to write into one; a field does. It is
shown only while such a program is there, and is no stop of the Tab key: the grid itself is.
"""

from PySide6.QtCore import QItemSelection, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit

from app.ui.widgets.field import NO_LIMIT
from app.ui.widgets.grid.grid_model import RowsModel
from app.ui.widgets.grid.grid_view import RowsGrid


class CellLine(QLineEdit):
    """Follows the grid's current cell both ways; choosing a cell through the tree makes it the current one."""

    def __init__(self, model: RowsModel, grid: RowsGrid) -> None:
        super().__init__()
        self._model, self._grid = model, grid
        self._at = QPersistentModelIndex()
        self._typing = object()  # all that is written into one cell is one step
        self._chosen = QPersistentModelIndex()
        self.setMaxLength(NO_LIMIT)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.hide()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._stand_on_chosen)
        self.textChanged.connect(self._write)
        for signal in (model.dataChanged, model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(self.follow)
        grid.selectionModel().currentChanged.connect(self.follow)
        grid.selectionModel().selectionChanged.connect(self._on_selection)
        self.follow()

    def follow(self) -> None:
        """Show the cell that is current now."""
        self.setVisible(QAccessible.isActive() and self.parentWidget() is not None)
        here = self._grid.currentIndex()
        self.setEnabled(here.isValid())
        if self._at != here:
            self._at, self._typing = QPersistentModelIndex(here), object()
        grid, text, issue = self._grid.accessibleName(), "", ""
        name = f"No row of {grid}"
        if here.isValid():
            column = self._model.columns[here.column()]
            name = f"{column.title} of {grid}, row {here.row() + 1}"
            text, issue = self._model.text(here.row(), here.column()), self._model.issue(here.row(), column.name)
        self.setAccessibleName(name)
        self.setAccessibleDescription(issue)
        if self.text() != text:
            self.blockSignals(True)
            self.setText(text)
            self.blockSignals(False)

    def _write(self, text: str) -> None:
        if self._at.isValid():
            self._model.type_in(self._at, text, self._typing)

    def _on_selection(self, selected: QItemSelection) -> None:
        """A single cell came into the selection: if it is not current once all is done, the tree has chosen it."""
        found = selected.indexes()
        if len(found) == 1 and QAccessible.isActive():
            self._chosen = QPersistentModelIndex(found[0])
            self._later.start()

    def _stand_on_chosen(self) -> None:
        if self._chosen.isValid() and self._chosen != self._grid.currentIndex():
            self._grid.stand_on(self._model.index(self._chosen.row(), self._chosen.column()))
