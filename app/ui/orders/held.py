"""Whether the list still holds the order that is shown beside it. One that it does not hold any more is not worked on.

What was opened from elsewhere, by its number, was never in the list: it may be worked on until other rows are asked
for.
"""

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.desk.filter.filter_language import Filter
from app.desk.orders import stored_orders
from app.store.cache.schema.conditions import Clause
from app.ui.base.page import Page
from app.ui.orders.detail.beside import Beside
from app.ui.orders.showing import Asked, Showing


class Held(QObject):
    """`look` whenever the table shows something else, `opened_apart` when an order was opened by its number."""

    def __init__(self, page: Page, showing: Showing, beside: Beside) -> None:
        super().__init__(page)
        self._page, self._showing, self._beside = page, showing, beside
        self._apart: tuple[int, Filter] | None = None  # opened from elsewhere, while this was asked for

    def opened_apart(self, number: int) -> None:
        """A person asked for this order, wherever it stands."""
        now = self._showing.now
        self._apart = None if now is None else (number, now.asked)
        self._beside.show_held(True)

    def look(self) -> None:
        """See whether the order that is shown is among what the table shows."""
        key, now = self._beside.key, self._showing.now
        if key is None or key < 0 or now is None:
            return
        if self._showing.holds(key) or self._apart == (key, now.asked):
            self._page.tasks.cancel("held")
            self._beside.show_held(True)
        else:  # it may stand on a page that is not at hand
            self._page.tasks.read("held", self._look(self._page.desk, key, now))

    async def _look(self, desk: Desk, key: int, now: Asked) -> None:
        alone = now.query._replace(clauses=(*now.query.clauses, Clause("number", (str(key),))))
        held = await stored_orders.count(desk, alone) > 0
        if now is self._showing.now and key == self._beside.key:
            self._beside.show_held(held)
