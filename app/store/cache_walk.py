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
_ORDERS_KEPT = 2  # seven bytes an order each
_HALF = 32  # bits


class _Block:
    """Some keys in their order, and as a set. Keys of one list are kept by the half in which they differ."""

    __slots__ = ("_high", "_keys", "found")

    def __init__(self, keys: Sequence[int]) -> None:
        self.found = BitMap64(array("Q", keys))
        high = self.found.min() >> _HALF
        self._high = high << _HALF if high == self.found.max() >> _HALF else 0
        self._keys = array("I" if self._high else "Q", [key - self._high for key in keys])

    def of(self, keys: BitMap64) -> list[int]:
        """Those of these keys, in the block's order."""
        high = self._high
        wanted = {key - high for key in keys}
        return [key + high for key in self._keys if key in wanted]


class _Order:
    """How far the keys of some lists were read as they are sorted."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.ended = False


def at_hand(c: apsw.Connection, query: OrderQuery) -> bool:
    """Whether the query's whole order was read."""
    order = known(c).orders.get(_named(query))
    return isinstance(order, _Order) and order.ended


def walked(
    c: apsw.Connection, query: OrderQuery, found: Found, limit: int, offset: int, looks: int | None = None
) -> list[int] | None:
    """The keys from place `offset` on of what is found; where not all of that is sure, texts are looked at.

    None once `looks` texts were looked at and there is still room in the page.
    """
    keys: list[int] = []
    looked = 0
    all_sure = len(found.may) == len(found.sure)
    for block in _blocks(c, known(c), query):
        here = block.found & found.may
        if not here or (all_sure and offset >= len(here)):
            offset -= len(here)
            continue
        unsure = BitMap64() if all_sure else here - found.sure
        if looks is not None and looked > looks:
            return None
        looked += len(unsure)
        if unsure:
            here = here - unsure | BitMap64(array("Q", looked_at(c, unsure.to_array(), found.words)))
        some = block.of(here)
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


def _order(it: Known, query: OrderQuery) -> _Order:
    order = it.orders.setdefault(_named(query), _Order())
    assert isinstance(order, _Order)
    it.orders.move_to_end(_named(query))
    if len(it.orders) > _ORDERS_KEPT:
        it.orders.popitem(last=False)
    return order


def _named(query: OrderQuery) -> tuple[object, ...]:
    return query.profile, query.list, query.sort, query.descending


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
