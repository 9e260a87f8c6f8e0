"""Walking all orders of a query while others write: which and in which order is settled once, eight bytes an order.

Each order is read when its turn comes, as it is then; one that went to another list meanwhile is found there.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Sequence

import apsw

from app.store.cache_rows import LINE_COLUMNS, OrderLine, OrderQuery, order_line
from app.store.cache_schema import SHELF_BITS
from app.store.cache_search import search, sorting
from app.store.sql import rows, value


def order_numbers(c: apsw.Connection, query: OrderQuery) -> "array[int]":
    """The numbers of all orders that the query finds, in its order."""
    shelf = value(c, "SELECT shelf FROM shelves WHERE profile = ? AND list = ?", (query.profile, query.list))
    if shelf is None:
        return array("q")
    found = search(shelf, query.text)
    among = f"AND id IN ({found.keys})" if found.holds else ""
    order = sorting(query.sort, query.descending)
    numbers = c.execute(f"SELECT number FROM orders WHERE shelf = :shelf {among} ORDER BY {order}", found.bindings)
    return array("q", (number for (number,) in numbers))


def orders_of(c: apsw.Connection, query: OrderQuery, numbers: Sequence[int]) -> list[OrderLine]:
    """These orders in this order, as they are now; those that are not known any more are left out."""
    shelves = dict(rows(c, "SELECT shelf, list FROM shelves WHERE profile = ?", (query.profile,)))
    keys = array("q", (shelf << SHELF_BITS | number for number in numbers for shelf in shelves))
    found = c.execute(
        f"SELECT {LINE_COLUMNS}, list FROM orders JOIN shelves USING (shelf) WHERE id IN carray(?)",
        (apsw.carray(keys),),
    )
    by_number = {line.number: line for line in map(order_line, found)}
    return [by_number[number] for number in numbers if number in by_number]
