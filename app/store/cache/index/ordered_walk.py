"""Walks the orders of a list as they are sorted, and passes over those that a query does not find.

Keys that were read of a sort index are kept in blocks, each with its key set. So a block without any match is passed
over at once, and the next query in the same order reads nothing. Invariant: any change of an order drops the blocks
(see `key_sets.index_cache`).
"""

import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice

import apsw
from pyroaring import BitMap64

from app.store.cache.index.key_sets import IndexCache, Matches, index_cache, keys_containing
from app.store.cache.index.sort_order import keys_in_order
from app.store.cache.order_rows import OrderQuery

BLOCK = 4_096  # keys
_TEXTS_A_READ = 32
_FEW_KEYS = 64  # are found faster one by one than by going through a block
_LISTS_CACHED = 2
_KEYS_CACHED = 1_000_000  # seven bytes each; the newest list may hold more
_HALF = 32  # bits


class _Block:
    """Some keys in their order, and as a set. Keys that share their upper half are kept by the lower one: 4 bytes."""

    __slots__ = ("_high", "_keys", "found")

    def __init__(self, keys: Sequence[int]) -> None:
        self.found = BitMap64(array("Q", keys))
        high = self.found.min() >> _HALF
        # Keys of one list share their upper half, which is the partition. A walk over several lists needs all eight
        # bytes.
        self._high = high << _HALF if high == self.found.max() >> _HALF else 0
        self._keys = array("I" if self._high else "Q", [key - self._high for key in keys])

    def last(self) -> int:
        """The last key in its order."""
        return self._keys[-1] + self._high

    def in_order(self, keys: BitMap64) -> list[int]:
        """These keys, all of which the block holds, in its order."""
        high = self._high
        if len(keys) > _FEW_KEYS:
            wanted = {key - high for key in keys}
            return [key + high for key in self._keys if key in wanted]
        return sorted(keys, key=partial(_place, self._keys.tobytes(), self._keys.itemsize, high))


def _place(block: bytes, size: int, high: int, key: int) -> int:
    """Where a key stands in a block's bytes: several times faster than going through the keys in Python."""
    sought = (key - high).to_bytes(size, sys.byteorder)
    at = block.find(sought)
    while at % size:  # the end of one key and the beginning of the next may look like it
        at = block.find(sought, at + 1)
    return at


class _SortedList:
    """The keys of some lists in one order, as far as they were read."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.ended = False


def is_fully_read(c: apsw.Connection, query: OrderQuery) -> bool:
    """Whether the query's order was read to its end."""
    found = index_cache(c).sorted_lists.get(_order_of(query))
    return isinstance(found, _SortedList) and found.ended


def walk_page(c: apsw.Connection, query: OrderQuery, keys: BitMap64, limit: int, offset: int) -> list[int]:
    """`limit` of these keys from place `offset` on, in the query's order."""
    page: list[int] = []
    for block in _blocks(c, index_cache(c), query):
        here = block.found & keys
        if offset >= len(here):
            offset -= len(here)
            continue
        page += block.in_order(here)[offset : offset + limit - len(page)]
        offset = 0
        if len(page) == limit:
            break
    return page


def scan(c: apsw.Connection, query: OrderQuery, matches: Matches, limit: int, texts: int) -> list[int] | None:
    """The first `limit` keys of a query in its order; texts of candidates are read on the way.

    None once `texts` texts were read and the page is not full.
    """
    page: list[int] = []
    walked = chain.from_iterable(
        block.in_order(block.found & matches.candidates) for block in _blocks(c, index_cache(c), query)
    )
    while some := list(islice(walked, max(limit - len(page), _TEXTS_A_READ))):
        if texts < 0:
            return None
        uncertain = [key for key in some if key not in matches.certain]
        containing = set(keys_containing(c, uncertain, matches.words))
        texts -= len(uncertain)
        page += [key for key in some if key in matches.certain or key in containing][: limit - len(page)]
        if len(page) == limit:
            break
    return page


def read_ahead(c: apsw.Connection, query: OrderQuery, blocks: int) -> bool:
    """Read `blocks` blocks more of the query's order; returns whether there are more."""
    it = index_cache(c)
    found = _sorted_list(it, query)
    for _ in islice(_blocks(c, it, query), len(found.blocks) + blocks):
        pass
    return not found.ended


def _sorted_list(it: IndexCache, query: OrderQuery) -> _SortedList:
    found = it.sorted_lists.setdefault(_order_of(query), _SortedList())
    assert isinstance(found, _SortedList)
    it.sorted_lists.move_to_end(_order_of(query))
    while len(it.sorted_lists) > 1 and (len(it.sorted_lists) > _LISTS_CACHED or _keys_of(it) > _KEYS_CACHED):
        it.sorted_lists.popitem(last=False)
    return found


def _keys_of(it: IndexCache) -> int:
    """How many keys the cached lists hold, to a block each."""
    return sum(len(each.blocks) for each in it.sorted_lists.values() if isinstance(each, _SortedList)) * BLOCK


def _order_of(query: OrderQuery) -> tuple[object, ...]:
    # Awaited orders get later from day to day and overtake delivered ones: tomorrow's order is another one.
    day = query.today if query.sort == "late" else None
    return query.profile, query.list, query.sort, query.descending, day


def _blocks(c: apsw.Connection, it: IndexCache, query: OrderQuery) -> Iterator[_Block]:
    """The blocks that were read, then the others as they are read."""
    found = _sorted_list(it, query)
    yield from found.blocks
    if found.ended:
        return
    # By the place, because a cursor cannot be kept open between two reads: it would keep the transaction open too.
    last = found.blocks[-1].last() if found.blocks else None
    stream = keys_in_order(c, query, len(found.blocks) * BLOCK, before=last)
    while keys := list(islice(stream, BLOCK)):
        # A read can be cancelled while `keys` are read: only whole blocks are kept, and the next read goes on there.
        block = _Block(keys)
        found.blocks.append(block)
        found.ended = len(keys) < BLOCK
        yield block
        if found.ended:
            return
    found.ended = True
