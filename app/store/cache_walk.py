"""Walking the orders of a list as they are sorted, passing over whoever is not found.

What was read of an index is kept in blocks, each with its set, so that a block without anything found is passed over
at once and the next question in the same order reads nothing. Any change of an order ends that; see `cache_sets.known`.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice

import apsw
from pyroaring import BitMap64

from app.store.cache_order import in_order
from app.store.cache_rows import OrderQuery
from app.store.cache_sets import Found, Known, known, looked_at

BLOCK = 4_096
_ORDERS_KEPT = 2  # eleven bytes an order each


class _Block:
    """Some keys in their order, and as a set."""

    __slots__ = ("found", "keys")

    def __init__(self, keys: Sequence[int]) -> None:
        self.keys = array("q", keys)
        self.found = BitMap64(array("Q", keys))


class _Order:
    """How far the keys of some lists were read as they are sorted."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.ended = False


def walked(c: apsw.Connection, query: OrderQuery, found: Found, limit: int, offset: int) -> list[int]:
    """The keys from place `offset` on of what is found; where not all of that is sure, texts are looked at."""
    keys: list[int] = []
    all_sure = len(found.may) == len(found.sure)
    for block in _blocks(c, known(c), query):
        here = block.found.intersection_cardinality(found.may)
        if not here or (all_sure and offset >= here):
            offset -= here
            continue
        some = _of_block(c, block, found)
        keys += some[offset : offset + limit - len(keys)]
        offset = max(offset - len(some), 0)
        if len(keys) == limit:
            break
    return keys


def read_ahead(c: apsw.Connection, query: OrderQuery, blocks: int) -> bool:
    """Read so many blocks more of the query's order; whether there are more."""
    order = _order(known(c), query)
    wanted = len(order.blocks) + blocks
    for _ in islice(_blocks(c, known(c), query), wanted):
        pass
    return not order.ended


def _of_block(c: apsw.Connection, block: _Block, found: Found) -> list[int]:
    may = block.found & found.may
    unsure = may - found.sure
    if unsure:
        may = may - unsure | BitMap64(array("Q", looked_at(c, unsure.to_array(), found.words)))
    return [key for key in block.keys if key in may]


def _order(it: Known, query: OrderQuery) -> _Order:
    asked = (query.profile, query.list, query.sort, query.descending)
    order = it.orders.setdefault(asked, _Order())
    assert isinstance(order, _Order)
    it.orders.move_to_end(asked)
    if len(it.orders) > _ORDERS_KEPT:
        it.orders.popitem(last=False)
    return order


def _blocks(c: apsw.Connection, it: Known, query: OrderQuery) -> Iterator[_Block]:
    """The blocks that are at hand, then those that are read."""
    order = _order(it, query)
    yield from order.blocks
    if order.ended:
        return
    stream = in_order(c, query, len(order.blocks) * BLOCK)
    while keys := list(islice(stream, BLOCK)):
        block = _Block(keys)
        order.blocks.append(block)
        order.ended = len(keys) < BLOCK
        yield block
        if order.ended:
            return
    order.ended = True
