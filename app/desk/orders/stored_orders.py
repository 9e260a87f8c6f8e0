"""What the orders page asks of the store: counts, rows, one whole order.

Light on purpose: the first paint of the window goes through here, so nothing heavy is imported.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.desk import Desk
from app.store.cache import change_marks, fetched_windows, order_query
from app.store.cache.index import sort_order
from app.store.cache.order_rows import COMMON_SORTS, ListName, OrderDetail, OrderLine, OrderQuery, WindowRow
from app.store.cache.schema.conditions import ANY, Clause

_DOCUMENTS = "has"  # the clause about documents


_BLOCKS = 3  # of some thousand orders each: a few milliseconds


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The answer to a query: how many orders there are, and the pages that are on screen, by page number.

    Of a common word of more than three letters the count may not be `exact` yet, and then rather too high: `count`
    tells it.
    """

    count: int
    exact: bool
    pages: Mapping[int, Sequence[OrderLine]]


Told = Callable[[int, int], object]


def _unheard(_done: int, _total: int) -> None:
    """Nobody wants to know."""


async def first_rows(
    desk: Desk, query: OrderQuery, pages: Sequence[int], page_size: int, few: int, told: Told = _unheard
) -> FirstRows:
    """The count, and those of `pages` that the result still has; of the first page always at least so `few` rows.

    While a column is made ready to be sorted by, `told` hears of how many orders it is done, and of how many in all.
    """
    # In one trip, as a rule: each key in the filter comes this way.
    while (answer := await desk.reader.read(order_query.first_pages, query, pages, page_size, few)) is None:
        await _prepare(desk, query.sort, told)
    return FirstRows(*answer)


async def _prepare(desk: Desk, sort: str, told: Told) -> None:
    """In short steps, between which others can write. It can be broken off, and goes on from there."""
    total = await desk.reader.read(sort_order.count_to_prepare)
    told(0, total)
    while (done := await desk.cache.write(sort_order.prepare_step, sort)) is not None:
        told(min(done, total), total)


async def count(desk: Desk, query: OrderQuery) -> int:
    """How many orders there are, exactly; it can be broken off."""
    return await desk.reader.read(order_query.count_orders, query)


def dated_before(query: OrderQuery, list_name: ListName, first: date) -> OrderQuery:
    """Those of its orders that are, by the date their list goes by, of days before `first`."""
    field = "delivered_on" if list_name == "completed" else "imported"
    return query._replace(clauses=(*query.clauses, Clause(field, last=first - timedelta(days=1))))


async def read_ahead(desk: Desk, query: OrderQuery) -> None:
    """Read on in the query's order in short steps, so that any place of it is reached at once; can be broken off."""
    while await desk.reader.read(order_query.read_ahead, query, _BLOCKS):
        pass


async def make_sortable(desk: Desk, sort: str) -> bool:
    """Give a column what a large list is sorted by; whether it had to be made."""
    if not await desk.reader.read(sort_order.lacks_sort_index, sort):
        return False
    await _prepare(desk, sort, _unheard)
    return True


async def make_usual_sortable(desk: Desk) -> None:
    """The same for the columns that are sorted by most; for when nothing else is under way. Raises `StoreError`."""
    for sort in COMMON_SORTS:
        await make_sortable(desk, sort)


async def page(desk: Desk, query: OrderQuery, number: int, page_size: int) -> Sequence[OrderLine]:
    """One page of rows."""
    return await desk.reader.read(order_query.page_orders, query, page_size, number * page_size)


async def counts(desk: Desk) -> dict[ListName, int]:
    """How many orders each list holds."""
    lists: tuple[ListName, ...] = ("open", "completed")
    queries = {name: OrderQuery(profile=desk.profile.id, list=name) for name in lists}
    return {name: await desk.reader.read(order_query.count_orders, query) for name, query in queries.items()}


async def documents_unknown(desk: Desk, query: OrderQuery) -> int:
    """Of how many orders nobody knows yet which documents they have, so that a filter by documents cannot tell.

    0 where the query asks for no documents. Those are found neither by `has` nor by its opposite.
    """
    others = tuple(each for each in query.clauses if each.field != _DOCUMENTS)
    if len(others) == len(query.clauses):
        return 0
    known = (Clause(_DOCUMENTS, (ANY,)), Clause(_DOCUMENTS, (ANY,), negated=True))
    asked = [query._replace(clauses=others), *(query._replace(clauses=(*others, each)) for each in known)]
    whole, some, none = [await desk.reader.read(order_query.count_orders, each) for each in asked]
    return whole - some - none


async def coverage(desk: Desk, list_name: ListName) -> Sequence[WindowRow]:
    """Which dates of a list were fetched, and when; newest first."""
    return await desk.reader.read(fetched_windows.read_windows, desk.profile.id, list_name)


async def find(desk: Desk, text: str, limit: int) -> list[OrderLine]:
    """The latest orders of any list in which every word of the text stands."""
    query = OrderQuery(profile=desk.profile.id, list=None, text=text, sort="number")
    return await desk.reader.read(order_query.page_orders, query, limit, 0)


async def looked_at(desk: Desk, numbers: Sequence[int]) -> int:
    """A person has seen these: they bear no mark of a change any more; returns how many bore one."""
    return await desk.cache.write(change_marks.clear_marks, desk.profile.id, numbers)


async def detail(desk: Desk, number: int) -> OrderDetail | None:
    """The whole order as last seen."""
    return await desk.reader.read(order_query.order_detail, desk.profile.id, number)
