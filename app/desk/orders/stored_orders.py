"""Reads the orders that pages show: counts, rows, one whole order.

Invariant: the first paint of the window goes through here, so this module imports nothing that it does not need.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.desk import Desk
from app.store.cache import order_query
from app.store.cache.index import sort_order
from app.store.cache.order_rows import COMMON_SORTS, ListName, OrderDetail, OrderLine, OrderQuery, WindowRow
from app.store.cache.schema.conditions import ANY, Clause

_DOCUMENTS = "has"  # the field of clauses about documents
_BLOCKS = 3  # of some thousand orders each: a few milliseconds


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The result of a query as far as it is on screen: how many orders it finds, and rows by page number.

    For a frequent word of more than three letters the count may be too high: then `exact` is False, and `count` gives
    the exact one.
    """

    count: int
    exact: bool
    pages: Mapping[int, Sequence[OrderLine]]


OnPrepared = Callable[[int, int], object]  # orders done, orders in all


async def first_rows(
    desk: Desk, query: OrderQuery, pages: Sequence[int], page_size: int, few: int, on_prepared: OnPrepared | None = None
) -> FirstRows:
    """The count, and those of `pages` that the result has; of the first page always at least `few` rows.

    `on_prepared` is called while the index of the sort column is made.
    """
    # One trip to the database thread, as a rule: every key typed into the filter comes this way.
    while (answer := await desk.reader.read(order_query.first_pages, query, pages, page_size, few)) is None:
        await _prepare(desk, query.sort, on_prepared)
    return FirstRows(*answer)


async def _prepare(desk: Desk, sort: str, on_prepared: OnPrepared | None = None) -> None:
    """Make the index of a sort column in short steps, so that others can write in between.

    Cancelled, it goes on from the same step the next time.
    """
    total = await desk.reader.read(sort_order.count_to_prepare)
    if on_prepared is not None:
        on_prepared(0, total)
    while (done := await desk.cache.write(sort_order.prepare_step, sort)) is not None:
        if on_prepared is not None:
            on_prepared(min(done, total), total)


async def count(desk: Desk, query: OrderQuery) -> int:
    """How many orders the query finds, exactly. Can be cancelled."""
    return await desk.reader.read(order_query.count_orders, query)


def dated_before(query: OrderQuery, list_name: ListName, first: date) -> OrderQuery:
    """The query limited to orders dated before `first`, by the date that their list is fetched by."""
    field = "delivered_on" if list_name == "completed" else "imported"
    return query._replace(clauses=(*query.clauses, Clause(field, last=first - timedelta(days=1))))


async def read_ahead(desk: Desk, query: OrderQuery) -> None:
    """Read the query's order to its end in short steps, so that any place is reached at once. Can be cancelled."""
    while await desk.reader.read(order_query.read_ahead, query, _BLOCKS):
        pass
    # The connection that writes does not read the pages that it wrote last: up to 4 MiB of them.
    await desk.cache.read(sort_order.free_pages)


async def make_sortable(desk: Desk, sort: str) -> bool:
    """Make the index of a sort column; returns whether it was missing."""
    if not await desk.reader.read(sort_order.lacks_sort_index, sort):
        return False
    await _prepare(desk, sort)
    return True


async def make_common_sortable(desk: Desk) -> None:
    """Make the indexes of the columns that are sorted by most, while nothing else is under way. Raises `StoreError`."""
    for sort in COMMON_SORTS:
        await make_sortable(desk, sort)


async def page(desk: Desk, query: OrderQuery, number: int, page_size: int) -> Sequence[OrderLine]:
    """One page of rows."""
    return await desk.reader.read(order_query.page_orders, query, page_size, number * page_size)


async def counts(desk: Desk) -> dict[ListName, int]:
    """How many orders are open and how many completed."""
    lists: tuple[ListName, ...] = ("open", "completed")
    queries = {name: OrderQuery(profile=desk.profile.id, list=name) for name in lists}
    return {name: await desk.reader.read(order_query.count_orders, query) for name, query in queries.items()}


async def documents_unknown(desk: Desk, query: OrderQuery) -> int:
    """How many orders a filter by documents cannot judge, since their documents were never requested.

    Neither `has` nor its negation finds those. 0 if the query has no clause about documents.
    """
    others = tuple(each for each in query.clauses if each.field != _DOCUMENTS)
    if len(others) == len(query.clauses):
        return 0
    known = (Clause(_DOCUMENTS, (ANY,)), Clause(_DOCUMENTS, (ANY,), negated=True))
    queries = [query._replace(clauses=others), *(query._replace(clauses=(*others, each)) for each in known)]
    whole, some, none = [await desk.reader.read(order_query.count_orders, each) for each in queries]
    return whole - some - none


async def coverage(desk: Desk, list_name: ListName) -> Sequence[WindowRow]:
    """The windows of a list that were fetched, newest first."""
    from app.store.cache import fetched_windows  # the first paint does without it

    return await desk.reader.read(fetched_windows.read_windows, desk.profile.id, list_name)


async def find_latest(desk: Desk, text: str, limit: int) -> list[OrderLine]:
    """The latest orders of any list whose search text contains every word of `text`."""
    query = OrderQuery(profile=desk.profile.id, list=None, text=text, sort="number")
    return await desk.reader.read(order_query.page_orders, query, limit, 0)


async def clear_change_marks(desk: Desk, numbers: Sequence[int]) -> int:
    """A person has looked at these orders: drop their change marks; returns how many bore one."""
    from app.store.cache import change_marks  # the first paint does without it

    return await desk.cache.write(change_marks.clear_marks, desk.profile.id, numbers)


async def detail(desk: Desk, number: int) -> OrderDetail | None:
    """One order whole, as last seen."""
    return await desk.reader.read(order_query.order_detail, desk.profile.id, number)


async def number_of(desk: Desk, reference: str) -> int | None:
    """The number of the order that a reference stands for: the open one, else the newest; None if none was seen."""
    from app.store.cache import listed_references  # the first paint does without it

    found = await desk.reader.read(listed_references.latest_of, desk.profile.id, (reference,))
    return found[reference].number if reference in found else None
