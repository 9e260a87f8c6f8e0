"""The column of the verdicts, which stays in sight while the columns of the file scroll sideways under it.

A second view of the same model, with the same selection, over the left edge of the grid. Invariant: it has no keyboard
and no place of its own: both are the grid's.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from app.ui.bulk.sheet.sheet_header import SheetHeader
from app.ui.bulk.sheet.sheet_model import VERDICT, SheetModel
from app.ui.bulk.sheet.sheet_painting import SheetPainter
from app.ui.theme.theme import Theme, follow_row_height


class FrozenVerdicts(QTableView):
    """Follows `grid`, which has the model already; `place` is to be called when the grid has another size."""

    def __init__(self, theme: Theme, grid: QTableView, model: SheetModel) -> None:
        super().__init__(grid)
        self._grid = grid
        self.setModel(model)
        self._painter = SheetPainter(theme, self, model)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusProxy(grid)
        self.setAccessibleName("")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(grid.selectionMode())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        follow_row_height(self.verticalHeader(), least=True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalHeader(SheetHeader(theme, self, model))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        model.modelReset.connect(self._hide_others)
        # Both ways, as the wheel may be over either. A bar that is told its own value tells nobody, so this ends.
        grid.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(grid.verticalScrollBar().setValue)
        theme.changed.connect(self.viewport().update)

    def _hide_others(self) -> None:
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column != VERDICT)
        self.verticalScrollBar().setValue(self._grid.verticalScrollBar().value())

    def place(self) -> None:
        """Lie over the left edge of the grid's viewport, as wide as its first column."""
        header, view = self._grid.horizontalHeader(), self._grid.viewport()
        width = header.sectionSize(VERDICT) if header.count() else 0
        self.setColumnWidth(VERDICT, width)
        self.horizontalHeader().setFixedHeight(header.height())
        self.setGeometry(view.x(), header.y(), min(width, view.width()), header.height() + view.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._painter.paint(painter, event.rect(), focused=self._grid.hasFocus())
        painter.end()
