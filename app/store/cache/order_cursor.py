"""Walking all orders of a query while others write: which and in which order is settled once, eight bytes an order.

Each order is read when its turn comes, as it is then; one that went to another list meanwhile is found there.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import apsw

from app.store.cache.index.page_search import all_keys
from app.store.cache.order_rows import LINE_COLUMNS, OrderLine, OrderQuery, order_line
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.raw_fields import read_parts
from app.store.sqlite.plain_rows import rows

T = TypeVar("T")
_AT_A_TIME = 64  # a millisecond or two of reading
_KEYS_AT_A_TIME = 1_000
Step = Callable[[], None]


class Cursor:
    """The orders of a query, settled when this is made. `gone` counts those that were not known any more when their
    turn came."""

    def __init__(self, c: apsw.Connection, query: OrderQuery, step: Step) -> None:
        self._c, self._query = c, query
        self._numbers = order_numbers(c, query, step)
        self.gone = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def lines(self) -> Iterator[OrderLine]:
        """Each as it is when its turn comes."""
        for first in range(0, len(self._numbers), _AT_A_TIME):
            some = self._numbers[first : first + _AT_A_TIME]
            found = orders_of(self._c, self._query, some)
            self.gone += len(some) - len(found)
            yield from found


def walk(c: apsw.Connection, query: OrderQuery, use: Callable[[Cursor], T], step: Step = lambda: None) -> T:
    """What `use` makes of the orders of a query; for a connection that has nothing else to do meanwhile.

    While they are looked for, `step` is called about every millisecond, and may raise to break off.
    """
    return use(Cursor(c, query, step))


def order_numbers(c: apsw.Connection, query: OrderQuery, step: Step) -> "array[int]":
    """The numbers of all orders that the query finds, in its order."""
    keys = iter(all_keys(c, query))
    numbers = array("q")
    while some := [key & MAX_NUMBER for key in islice(keys, _KEYS_AT_A_TIME)]:
        numbers.extend(some)
        step()
    return numbers


def orders_of(c: apsw.Connection, query: OrderQuery, numbers: Sequence[int]) -> list[OrderLine]:
    """These orders in this order, as they are now; those that are not known any more are left out."""
    partitions = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (query.profile,)))
    keys = array("q", (partition << NUMBER_BITS | number for number in numbers for partition in partitions))
    found = c.execute(
        f"SELECT {LINE_COLUMNS}, list FROM orders JOIN partitions USING (partition) WHERE id IN carray(?)",
        (apsw.carray(keys),),
    )
    by_number = {line.number: line for line in map(order_line, found)}
    for key, told in read_parts(c, keys, query.parts).items():
        number = key & MAX_NUMBER
        if number in by_number:
            by_number[number] = by_number[number]._replace(parts=told)
    return [by_number[number] for number in numbers if number in by_number]
