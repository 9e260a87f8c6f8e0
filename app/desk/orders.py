"""What the orders page asks of the store: counts, rows, one whole order.

Light on purpose: the first paint of the window goes through here, so nothing heavy is imported.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.desk.desk import Desk
from app.store import cache
from app.store.cache_rows import ListName, OrderDetail, OrderLine, OrderQuery, WindowRow


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The answer to a query: how many orders there are, and the pages that are on screen, by page number."""

    count: int
    pages: dict[int, Sequence[OrderLine]]


async def first_rows(desk: Desk, query: OrderQuery, pages: Sequence[int], page_size: int) -> FirstRows:
    """The count, and those of `pages` that the result still has; the first page always."""
    count = await desk.reader.read(cache.count_orders, query)
    wanted = sorted({0, *(number for number in pages if number * page_size < count)})
    return FirstRows(count, {number: await page(desk, query, number, page_size) for number in wanted})


async def page(desk: Desk, query: OrderQuery, number: int, page_size: int) -> Sequence[OrderLine]:
    """One page of rows."""
    return await desk.reader.read(cache.page_orders, query, page_size, number * page_size)


async def counts(desk: Desk) -> dict[ListName, int]:
    """How many orders each list holds."""
    lists: tuple[ListName, ...] = ("open", "completed")
    queries = {name: OrderQuery(profile=desk.profile.id, list=name) for name in lists}
    return {name: await desk.reader.read(cache.count_orders, query) for name, query in queries.items()}


async def coverage(desk: Desk, list_name: ListName) -> Sequence[WindowRow]:
    """Which dates of a list were fetched, and when; newest first."""
    return await desk.reader.read(cache.windows, desk.profile.id, list_name)


async def find(desk: Desk, text: str, limit: int) -> list[OrderLine]:
    """The latest orders of any list in which every word of the text stands."""
    query = OrderQuery(profile=desk.profile.id, list=None, text=text, sort="number")
    return await desk.reader.read(cache.page_orders, query, limit, 0)


async def detail(desk: Desk, number: int) -> OrderDetail | None:
    """The whole order as last seen."""
    return await desk.reader.read(cache.order_detail, desk.profile.id, number)
