"""How the cells of the orders table look.

Status and lateness in colour, what changed with a dot, rows of the outbox on a ground of their own.
"""

from app.desk.outstanding import OutboxLine
from app.store.cache_rows import OrderLine
from app.ui.orders.model import OrdersModel
from app.ui.widgets.row_delegate import CellLook, Index, RowDelegate


class OrderDelegate(RowDelegate):
    """Paints what an `OrdersModel` holds."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, OrdersModel)
        line, column = model.line(index.row()), model.columns[index.column()]
        if line is None:
            return CellLook()
        return CellLook(
            ground="raised" if isinstance(line, OutboxLine) else "surface",
            ink=column.ink(line),
            elide=column.elide,
            right=column.right,
            aside=column.aside(line),
            marked=isinstance(line, OrderLine) and bool(line.changed),
        )
