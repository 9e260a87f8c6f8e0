"""Walks all orders of a query while others write. Which orders, and in which order, is settled at the beginning.

The cursor holds eight bytes an order. Each order is read when its turn comes, as it is then; one that went to another
list meanwhile is found there.
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
from app.store.cache.schema.raw_fields import read_raw_fields
from app.store.sqlite.plain_rows import rows

T = TypeVar("T")
_ROWS_A_READ = 64  # a millisecond or two of reading
# Between two steps an export can be stopped.
_KEYS_A_STEP = 1_000
Step = Callable[[], None]


class Cursor:
    """The orders of a query, settled when this is made. `gone` counts orders deleted before their turn came."""

    def __init__(self, c: apsw.Connection, query: OrderQuery, step: Step) -> None:
        self._c, self._query = c, query
        self._numbers = order_numbers(c, query, step)
        self.gone = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def lines(self) -> Iterator[OrderLine]:
        """The orders, each as it is when its turn comes."""
        for first in range(0, len(self._numbers), _ROWS_A_READ):
            some = self._numbers[first : first + _ROWS_A_READ]
            found = read_lines(self._c, self._query, some)
            self.gone += len(some) - len(found)
            yield from found


def walk(c: apsw.Connection, query: OrderQuery, use: Callable[[Cursor], T], step: Step = lambda: None) -> T:
    """Call `use` with the orders of a query, and return its result. The connection is busy until `use` returns.

    While the orders are searched for, `step` is called about every millisecond, and may raise to cancel.
    """
    return use(Cursor(c, query, step))


def order_numbers(c: apsw.Connection, query: OrderQuery, step: Step) -> "array[int]":
    """The numbers of all orders of a query, in its order."""
    keys = iter(all_keys(c, query))
    numbers = array("q")
    # Numbers, not keys: an order that moves to another list while the walk goes on gets another key.
    while some := [key & MAX_NUMBER for key in islice(keys, _KEYS_A_STEP)]:
        numbers.extend(some)
        step()
    return numbers


def read_lines(c: apsw.Connection, query: OrderQuery, numbers: Sequence[int]) -> list[OrderLine]:
    """The orders of these numbers as they are now, in this order; numbers that are not known any more are left out."""
    partitions = dict(rows(c, "SELECT partition, list FROM partitions WHERE profile = ?", (query.profile,)))
    keys = array("q", (partition << NUMBER_BITS | number for number in numbers for partition in partitions))
    found = c.execute(
        f"SELECT {LINE_COLUMNS}, list FROM orders JOIN partitions USING (partition) WHERE id IN carray(?)",
        (apsw.carray(keys),),
    )
    by_number = {line.number: line for line in map(order_line, found)}
    for key, fields in read_raw_fields(c, keys, query.raw_fields).items():
        number = key & MAX_NUMBER
        if number in by_number:
            by_number[number] = by_number[number]._replace(raw_fields=fields)
    return [by_number[number] for number in numbers if number in by_number]
