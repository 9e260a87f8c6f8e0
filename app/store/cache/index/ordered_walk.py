"""Walking the orders of a list as they are sorted, passing over whoever is not found.

What was read of an index is kept in blocks, each with its set, so that a block without anything found is passed over
at once and the next question in the same order reads nothing. Any change of an order ends that; see `cache_sets.known`.
"""

import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice

import apsw
from pyroaring import BitMap64

from app.store.cache.index.key_sets import Found, Known, known, looked_at
from app.store.cache.index.sort_order import in_order
from app.store.cache.order_rows import OrderQuery

BLOCK = 4_096
_AT_A_TIME = 32  # texts
_SOUGHT = 64  # keys that are found sooner one by one than by going through a block
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
        if len(keys) > _SOUGHT:
            wanted = {key - high for key in keys}
            return [key + high for key in self._keys if key in wanted]
        return sorted(keys, key=partial(_place, self._keys.tobytes(), self._keys.itemsize, high))


def _place(held: bytes, size: int, high: int, key: int) -> int:
    """Where a key stands among others: several times quicker than to go through all of them."""
    sought = (key - high).to_bytes(size, sys.byteorder)
    at = held.find(sought)
    while at % size:  # the end of one and the beginning of the next look like it
        at = held.find(sought, at + 1)
    return at


class _Order:
    """How far the keys of some lists were read as they are sorted."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.ended = False


def at_hand(c: apsw.Connection, query: OrderQuery) -> bool:
    """Whether the query's whole order was read."""
    order = known(c).orders.get(_named(query))
    return isinstance(order, _Order) and order.ended


def walked(c: apsw.Connection, query: OrderQuery, found: BitMap64, limit: int, offset: int) -> list[int]:
    """The keys from place `offset` on of what is found."""
    keys: list[int] = []
    for block in _blocks(c, known(c), query):
        here = block.found & found
        if offset >= len(here):
            offset -= len(here)
            continue
        keys += block.of(here)[offset : offset + limit - len(keys)]
        offset = 0
        if len(keys) == limit:
            break
    return keys


def looked_for(c: apsw.Connection, query: OrderQuery, found: Found, limit: int, looks: int) -> list[int] | None:
    """The first keys of what is found, whose texts are looked at on the way.

    None once `looks` texts were looked at and there is still room for more keys.
    """
    keys: list[int] = []
    on_the_way = chain.from_iterable(block.of(block.found & found.may) for block in _blocks(c, known(c), query))
    while some := list(islice(on_the_way, max(limit - len(keys), _AT_A_TIME))):
        if looks < 0:
            return None
        unsure = [key for key in some if key not in found.sure]
        held = set(looked_at(c, unsure, found.words))
        looks -= len(unsure)
        keys += [key for key in some if key in found.sure or key in held][: limit - len(keys)]
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
    # What is awaited gets later from day to day, past what was delivered: tomorrow that is another order.
    day = query.today if query.sort == "late" else None
    return query.profile, query.list, query.sort, query.descending, day


def _blocks(c: apsw.Connection, it: Known, query: OrderQuery) -> Iterator[_Block]:
    """The blocks that are at hand, then those that are read."""
    order = _order(it, query)
    yield from order.blocks
    if order.ended:
        return
    stream = in_order(c, query, len(order.blocks) * BLOCK)
    while keys := list(islice(stream, BLOCK)):
        # A read can be broken off while `keys` are read: only whole blocks are kept, and the next one goes on there.
        block = _Block(keys)
        order.blocks.append(block)
        order.ended = len(keys) < BLOCK
        yield block
        if order.ended:
            return
    order.ended = True
