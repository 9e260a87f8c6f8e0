"""The story of a submission stands beside the table until a list shows its order: then the order itself does."""

from app.desk.desk import Desk
from app.desk.sending.outstanding_orders import order_of
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.orders.detail.beside import Beside
from app.ui.orders.showing import Showing


class Following:
    """`look` whenever the table shows something else."""

    def __init__(self, page: Page, showing: Showing, beside: Beside) -> None:
        self._page, self._showing, self._beside = page, showing, beside

    def look(self) -> None:
        """See whether the write that is shown has become an order; one that still has its row has not."""
        key = self._beside.key
        if key is not None and key < 0 and not any(each.write.id == -key for each in self._showing.outstanding.lines):
            self._page.tasks.read("follow", self._follow(self._page.desk, key))

    async def _follow(self, desk: Desk, key: int) -> None:
        try:
            order = await order_of(desk, -key)
        except StoreError as error:
            self._page.bar.say("bad", error.sentence)
            return
        if order is None or self._beside.key != key:
            return
        self._beside.follow(order.number)
        self._showing.restore_selection(set())
        self._page.bar.say("good", f"{order.crn} is listed by now, as order {order.number}.")
