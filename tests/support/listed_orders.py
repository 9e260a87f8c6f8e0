"""The provider's lists of orders on one day, in the windows that a refresh asks for."""

from collections.abc import Callable
from datetime import datetime, timedelta

from app.api.information_service import Include
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.store.cache.order_rows import OrderQuery, WindowRow
from tests.support.fault_server import Answer, Seen
from tests.support.faults import json_answer

OPEN, COMPLETED = "/orders/open", "/orders/completed"
WITH_DOCUMENTS = Include(purchase_orders=True, commodities=True, documents=True)
TODAY = datetime(2026, 11, 20, 14, 2, 10)

Record = dict[str, object]


def record(number: int, days_ago: int, **more: object) -> Record:
    """An order that was entered so many days ago."""
    imported = (TODAY - timedelta(days=days_ago)).replace(hour=8, minute=0, second=0)
    return {"OrderNumber": number, "CRN": f"R-{number}", "StatusId": "STD", "DateImported": imported.isoformat()} | more


def in_window(world: list[Record], by: str = "DateImported") -> Callable[[Seen], Answer]:
    """The provider's orders in the window of the request."""

    def answer(seen: Seen) -> Answer:
        start, end = seen.query["StartDate"], seen.query["EndDate"]
        return json_answer([each for each in world if start <= str(each[by]) <= end])

    return answer


async def numbers(desk: Desk, list_name: str = "open") -> list[int]:
    """The orders of a list that are known here."""
    query = OrderQuery(desk.profile.id, "open" if list_name == "open" else "completed", sort="number", descending=False)
    return [line.number for line in await stored_orders.page(desk, query, 0, 1_000)]


async def covered(desk: Desk) -> list[WindowRow]:
    """The windows of open orders that were asked for."""
    return list(await stored_orders.coverage(desk, "open"))
