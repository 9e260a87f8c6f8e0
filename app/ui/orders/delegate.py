"""How the cells of the orders table look: status in colour, rows of the outbox on a ground of their own."""

from app.desk.outstanding import OutboxLine
from app.ui.orders.columns import state_ink
from app.ui.orders.model import OrdersModel
from app.ui.widgets.row_delegate import CellLook, Index, RowDelegate


class OrderDelegate(RowDelegate):
    """Paints what an `OrdersModel` holds."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, OrdersModel)
        line, column = model.line(index.row()), model.columns[index.column()]
        return CellLook(
            ground="raised" if isinstance(line, OutboxLine) else "surface",
            ink=state_ink(line) if column.state and line is not None else "ink",
            elide=column.elide,
            right=column.right,
        )
