"""The header above the orders: the headings of columns that stay in sight stand over the others.

Invariant: a heading lies where its column is painted, and a press on it is a press on its own column.
"""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.ui.orders.table.column_list import OrderColumn
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.orders.table.row_painting import pinned_columns, pinned_edge


class PinnedHeader(QHeaderView):
    """Asks `row_painting` which columns stay in sight."""

    def __init__(self, orders: OrdersModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._orders = orders
        self._columns: tuple[OrderColumn, ...] = ()  # of the last reset
        self._shift = 0  # of the events of a press that began on a heading in sight

    def reset(self) -> None:
        """Take new headings. With the same columns nothing is to be done: each key of a search resets the rows."""
        if self._columns is not self._orders.columns:
            self._columns = self._orders.columns
            super().reset()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        edge = pinned_edge(self, self._orders.columns)
        if not edge or event.rect().left() >= edge:
            return
        painter = QPainter(self.viewport())
        painter.translate(self.offset(), 0)
        for at in pinned_columns(self, self._orders.columns):
            box = self.viewport().rect()
            box.setLeft(self.sectionViewportPosition(at))
            box.setWidth(self.sectionSize(at))
            painter.fillRect(box, self.palette().window())
            self.paintSection(painter, box, at)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = event.position().x() < pinned_edge(self, self._orders.columns)
        self._shift = self.offset() if inside else 0
        super().mousePressEvent(self._shifted(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(self._shifted(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._shifted(event))
        self._shift = 0

    def _shifted(self, event: QMouseEvent) -> QMouseEvent:
        """The event where the column lies that was pressed, as Qt counts: beside the viewport."""
        if not self._shift:
            return event
        at = event.position() - QPointF(self._shift, 0)
        return QMouseEvent(event.type(), at, event.globalPosition(), event.button(), event.buttons(), event.modifiers())
