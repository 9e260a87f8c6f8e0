"""Merges small segments of the search index into large ones, because a search reads a posting list of every segment.

Among a million orders a word of the search was looked up in 61 segments in 1.3 ms, and in 4 merged ones in 0.35 ms.

A merge takes many short steps, between which others write. `merging` lists the segments that are merged, so that a
merge that was broken off goes on with the next step. The target's posting lists are stored first and its row in
`segments` last, so no search reads posting lists that are not complete.

Invariant: an order counts only in the segment that speaks for it. A merged posting list leaves out the orders for which
its segment no longer speaks; another segment may speak for them, and they may have other terms there.
"""

import heapq
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import apsw

from app.store.cache.index.segments import SEGMENT, live_segments
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, row, rows, value

TOGETHER = 8  # segments are merged at a time
_LARGE = SEGMENT * TOGETHER // 2  # orders: a segment that speaks for so many is not merged any more
# Of one step, so that it takes some 20 ms: bytes of posting lists that are stored, or terms that are deleted.
_STORED, _DELETED = 1 << 20, 4_000


def merge_step(c: apsw.Connection) -> bool:
    """Do a short part of the merging that is due; returns whether to call again."""
    if (segment := value(c, "SELECT segment FROM merging WHERE target IS NULL")) is not None:
        _delete_some(c, segment)
        return True
    target = value(c, "SELECT target FROM merging")
    if target is None:
        return _begin(c)
    if not _copy_some(c, target):
        _finish(c, target)
    return True


def break_off(c: apsw.Connection) -> None:
    """Delete what an unfinished merge has stored, and what a finished one has left to be deleted."""
    leftover = "SELECT coalesce(target, segment) FROM merging"
    c.execute(f"DELETE FROM postings WHERE segment IN ({leftover})")  # noqa: S608  # a constant of ours
    c.execute("DELETE FROM merging")


def _begin(c: apsw.Connection) -> bool:
    """Choose segments to be merged; returns whether there are enough."""
    chosen = _due(c)
    if chosen:
        # The target has a number of its own: `IndexCache.prefix_segments` remembers segments by number.
        c.execute("UPDATE search_state SET segments = segments + 1")
        c.executemany("INSERT INTO merging SELECT ?, segments, ? FROM search_state", chosen)
    return bool(chosen)


def _due(c: apsw.Connection) -> list[tuple[int, int]]:
    """The smallest segments that are not large, each with its number of orders, if there are enough of them.

    Orders of different profiles are not put together: when a profile is forgotten, its segments go as a whole.
    """
    profiles = rows(c, "SELECT partition, profile FROM partitions")
    by_profile: dict[frozenset[str], list[tuple[int, int]]] = {}
    for segment, live in live_segments(c):
        if len(live) < _LARGE:
            here = frozenset(profile for partition, profile in profiles if _is_in(live, partition))
            by_profile.setdefault(here, []).append((segment, len(live)))
    for small in by_profile.values():
        if len(small) >= TOGETHER:
            return sorted(small, key=itemgetter(1))[:TOGETHER]
    return []


def _is_in(live: Any, partition: int) -> bool:
    """Whether any of these orders is on this list."""
    return bool(live.range_cardinality(partition << NUMBER_BITS, (partition << NUMBER_BITS | MAX_NUMBER) + 1))


def _copy_some(c: apsw.Connection, target: int) -> bool:
    """Merge the posting lists of the next terms; returns whether there were any."""
    from pyroaring import BitMap64  # the first paint does without it

    after = value(c, "SELECT max(term) FROM postings WHERE segment = ?", (target,)) or ""
    found = rows(c, "SELECT segment, live, dead FROM merging JOIN segments USING (segment) WHERE target = ?", (target,))
    partly_live = {segment: BitMap64.deserialize(live) for segment, live, dead in found if dead}
    lists = (_lists_after(c, segment, after, partly_live) for segment, *_ in found)
    merged: list[tuple[int, str, bytes]] = []
    size = 0
    # Terms come sorted from each segment: SQLite compares their bytes in UTF-8, which is the order of Python's strings.
    for term, same in groupby(heapq.merge(*lists, key=itemgetter(0)), key=itemgetter(0)):
        keys = BitMap64.union(BitMap64(), *(each for _, each in same))
        if keys:
            keys.run_optimize()
            merged.append((target, term, keys.serialize()))
            size += len(merged[-1][2])
        if size > _STORED:
            break
    c.executemany("INSERT INTO postings VALUES (?, ?, ?)", merged)
    return bool(merged)


def _lists_after(
    c: apsw.Connection, segment: int, after: str, partly_live: Mapping[int, Any]
) -> Iterator[tuple[str, Any]]:
    """The posting lists of a segment's terms behind `after`: the keys that the segment still speaks for."""
    from pyroaring import BitMap64  # the first paint does without it

    live = partly_live.get(segment)
    found = c.execute("SELECT term, keys FROM postings WHERE segment = ? AND term > ? ORDER BY term", (segment, after))
    for term, keys in found:
        here = BitMap64.deserialize(keys)
        yield term, here if live is None else here & live


def _finish(c: apsw.Connection, target: int) -> None:
    """Let the target speak for all orders for which the merged segments still do."""
    from pyroaring import BitMap64  # the first paint does without it

    sources = rows(c, "SELECT segment, count FROM merging WHERE target = ?", (target,))
    numbers = key_array([segment for segment, _ in sources])
    left = rows(c, "SELECT live FROM segments WHERE segment IN carray(?)", (numbers,))
    live = BitMap64.union(BitMap64(), *(BitMap64.deserialize(each) for (each,) in left))
    c.execute("DELETE FROM segments WHERE segment IN carray(?)", (numbers,))
    c.execute("UPDATE merging SET target = NULL")
    if live:
        # An order that changed during the merge may be in posting lists that were stored before.
        dead = len(live) != sum(count for _, count in sources)
        c.execute("INSERT INTO segments VALUES (?, ?, ?)", (target, live.serialize(), dead))
    else:
        c.execute("INSERT INTO merging VALUES (?, NULL, 0)", (target,))
    c.execute("UPDATE search_state SET segments = segments + 1")


def _delete_some(c: apsw.Connection, segment: int) -> None:
    """Delete some posting lists of a segment that was merged."""
    end = row(c, "SELECT term FROM postings WHERE segment = ? ORDER BY term LIMIT 1 OFFSET ?", (segment, _DELETED))
    if end is None:
        c.execute("DELETE FROM postings WHERE segment = ?", (segment,))
        c.execute("DELETE FROM merging WHERE segment = ?", (segment,))
    else:
        c.execute("DELETE FROM postings WHERE segment = ? AND term < ?", (segment, *end))
