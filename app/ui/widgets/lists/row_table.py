"""How a table of whole rows is set up, wherever there is one: no grid, one height, a header that stays in place."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ROW_HEIGHT
from app.ui.widgets.lists.row_delegate import RowDelegate


class RowTable(QTableView):
    """Rows are what one stands on: Home and End lead to the first and last of them, not of the columns."""

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)


def set_up_rows(
    table: RowTable,
    theme: Theme,
    name: str,
    delegate: Callable[[Theme, QTableView], RowDelegate],
    widths: Sequence[int],
    *,
    several: bool = False,
) -> None:
    """Set up a table that has its model already; Tab goes on from it, and `several` rows can be selected or one."""
    table.setItemDelegate(delegate(theme, table))
    theme.changed.connect(table.viewport().update)
    table.setAccessibleName(name)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    mode = QAbstractItemView.SelectionMode
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
    table.verticalHeader().setVisible(False)
    table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setStretchLastSection(True)
    for place, width in enumerate(widths):
        table.setColumnWidth(place, width)
