"""Paints a cell of the orders table: a hairline below, selection as a tint with an accent edge, status in colour.

Rows of the outbox stand on a ground of their own.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.desk.outstanding import OutboxLine
from app.ui.orders.columns import state_ink
from app.ui.orders.model import OrdersModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import EDGE_PX, SPACE_2


class OrderDelegate(QStyledItemDelegate):
    """One delegate for the whole table; colours are looked up once a theme."""

    def __init__(self, theme: Theme, table: QTableView) -> None:
        super().__init__(table)
        self._theme, self._table = theme, table
        self._colours: dict[str, QColor] = {}
        self._learn()
        theme.changed.connect(self._learn)

    def _learn(self) -> None:
        names = ("ink", "ink_soft", "line", "surface", "raised", "selection", "accent", "good", "warn", "bad")
        self._colours = {name: self._theme.colour(name) for name in names}

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        assert isinstance(model, OrdersModel)
        box: QRect = option.rect
        # Asked of the view: the option's state would load every enumeration of QStyle before the first paint.
        selected = self._table.selectionModel().isSelected(index)
        line = model.line(index.row())
        ground = "raised" if isinstance(line, OutboxLine) else "surface"
        painter.fillRect(box, self._colours["selection" if selected else ground])
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, self._colours["line"])
        if selected and index.column() == 0:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._colours["accent"])
        text = index.data(Qt.ItemDataRole.DisplayRole)
        if not text:
            return
        column = model.columns[index.column()]
        painter.setPen(self._colours[state_ink(line) if column.state and line is not None else "ink"])
        inner = box.adjusted(SPACE_2, 0, -SPACE_2, 0)
        shown = option.fontMetrics.elidedText(text, column.elide, inner.width())
        side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
