"""Stores the search index: for every term a posting list, the set of keys of orders that have it.

The index is made of segments of some thousand orders, each with its own posting lists. Terms are those of `terms`,
`@partition` for the list, `#abc` for one to three letters in a row of an order's search text (never across a blank),
and `~prefix` for what many words begin with.

Invariants: a segment's posting lists never change. An order that is new, changed or gone waits in `unindexed`, and
counts only there until it gets into a newer segment; `live` are the orders that a segment still speaks for.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from app.store.cache.index.terms import TERM_COLUMNS, terms_of
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows, value

SEGMENT = 16_384  # orders at most
ENOUGH = 2_000  # unindexed orders: fewer are searched one by one within a few milliseconds
SHORTEST_PREFIX, LONGEST_PREFIX = 4, 12
_SAMPLE = 8  # one order of so many is read to learn which prefixes are frequent
_FREQUENT = 256  # one order of so many has a frequent prefix
_YIELD_EVERY = 40  # orders between two moments in which other threads get the interpreter lock
_BLANKS = " \n"

Postings = defaultdict[str, list[int]]


class Segment(NamedTuple):
    """A segment to be put into the index: the change since which each order waits, and the key sets by term."""

    changes: dict[int, int]
    postings: list[tuple[str, bytes]]


def mark_unindexed(c: apsw.Connection, keys: Sequence[int]) -> None:
    """The index does not know these orders as they are now: they are new, changed or gone."""
    if keys:
        c.execute("UPDATE search_state SET changes = changes + 1")
        c.execute(
            "INSERT OR REPLACE INTO unindexed SELECT value, changes FROM carray(?), search_state",
            (key_array(keys),),
        )


def count_unindexed(c: apsw.Connection) -> int:
    """How many orders wait for the index; searches read their texts one by one."""
    return int(value(c, "SELECT count(*) FROM unindexed"))


def index_some(c: apsw.Connection, limit: int = SEGMENT, enough: int = ENOUGH) -> int:
    """Index up to `limit` waiting orders, if `enough` wait; returns how many should still be indexed.

    Call it while it returns more than 0, between batches of orders or after them. It is `build` and `add` in one, about
    0.1 ms an order; where others wait for the connection, `build` runs on another one.
    """
    segment = build(c, limit, enough)
    return 0 if segment is None else add(c, segment, min(enough, limit))


def build(c: apsw.Connection, limit: int = SEGMENT, enough: int = ENOUGH) -> Segment | None:
    """A segment of up to `limit` waiting orders, if `enough` wait. This is nearly all of the work, and only reads."""
    waiting = dict(rows(c, "SELECT id, change FROM unindexed ORDER BY id LIMIT ?", (limit,)))
    if len(waiting) < min(enough, limit):
        return None
    # The rows are read as a whole before the first term is made: no statement stays open while the work of a second
    # goes on, so the connection can end its transaction, and a checkpoint of the log does not wait for this reader.
    return Segment(waiting, list(_postings(_indexed_rows(c, waiting))))


def add(c: apsw.Connection, segment: Segment, enough: int = ENOUGH) -> int:
    """Put a segment into the index; returns the same as `index_some`."""
    # An order may have changed while the segment was built: the segment speaks only for those that still wait since the
    # same change.
    now = rows(c, "SELECT id, change FROM unindexed WHERE id IN carray(?)", (key_array(segment.changes),))
    keys = [key for key, change in now if segment.changes[key] == change]
    # First out of the older segments: an order in two of them would be found by terms that it no longer has.
    _remove_from_segments(c, keys)
    _insert(c, segment, keys)
    # Only these: an order that changed meanwhile still waits, and the next segment has it as it is now.
    c.execute("DELETE FROM unindexed WHERE id IN carray(?)", (key_array(keys),))
    c.execute("UPDATE search_state SET segments = segments + 1")
    left = count_unindexed(c)
    return left if left >= enough else 0


def forget_partition(c: apsw.Connection, partition: int) -> None:
    """Remove all orders of a list from the index."""
    low, high = partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER
    c.execute("DELETE FROM unindexed WHERE id BETWEEN ? AND ?", (low, high))
    for segment, live in live_segments(c):
        left = [key for key in live if not low <= key <= high]
        if len(left) < len(live):
            _set_live(c, segment, left)
    c.execute("UPDATE search_state SET segments = segments + 1, changes = changes + 1")


def live_segments(c: apsw.Connection) -> list[tuple[int, Any]]:
    """The segments, each with the set of the orders that it speaks for."""
    from pyroaring import BitMap64  # the first paint does without it

    return [(segment, BitMap64.deserialize(live)) for segment, live in rows(c, "SELECT segment, live FROM segments")]


def _remove_from_segments(c: apsw.Connection, keys: Sequence[int]) -> None:
    from pyroaring import BitMap64  # the first paint does without it

    gone = BitMap64(array("Q", keys))
    for segment, live in live_segments(c):
        if live.intersect(gone):
            _set_live(c, segment, live - gone)


def _set_live(c: apsw.Connection, segment: int, live: Iterable[int]) -> None:
    """Say which orders a segment still speaks for; without any it is deleted."""
    left = array("Q", live)
    if left:
        c.execute("UPDATE segments SET live = ?, dead = 1 WHERE segment = ?", (_serialized(left), segment))
        return
    # Both tables by hand: a foreign key would look through all posting lists for each segment.
    c.execute("DELETE FROM segments WHERE segment = ?", (segment,))
    c.execute("DELETE FROM postings WHERE segment = ?", (segment,))


def _indexed_rows(c: apsw.Connection, keys: Iterable[int]) -> list[tuple[Any, ...]]:
    """Key, search text and term columns of those of these orders that exist."""
    return rows(
        c,
        f"""
        SELECT id, text, {", ".join(TERM_COLUMNS)} FROM orders JOIN search_texts USING (id)
        WHERE id IN carray(?) ORDER BY id
        """,
        (key_array(keys),),
    )


def _insert(c: apsw.Connection, segment: Segment, keys: Sequence[int]) -> None:
    live = [key for (key,) in rows(c, "SELECT id FROM orders WHERE id IN carray(?) ORDER BY id", (key_array(keys),))]
    if not live:
        return
    whole = len(live) == len(segment.changes)
    # A new number, even where the last segment was deleted: `IndexCache.prefix_segments` remembers segments by number.
    number = value(c, "SELECT segments + 1 FROM search_state")
    c.execute("INSERT INTO segments VALUES (?, ?, ?)", (number, _serialized(array("Q", live)), not whole))
    c.executemany("INSERT INTO postings VALUES (?, ?, ?)", ((number, *each) for each in segment.postings))


def _postings(found: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, bytes]]:
    """Each term with its key set, in the order of the terms."""
    postings: Postings = defaultdict(list)
    frequent = _frequent_prefixes(each[1] for each in found[::_SAMPLE])
    for place, (key, text, *values) in enumerate(found):
        if place % _YIELD_EVERY == 0:
            # A segment takes a second or more of plain Python on a thread of its own. Sleeping for no time releases
            # the interpreter lock. Otherwise the window's thread would wait for a whole switch interval each time it
            # needs the lock.
            time.sleep(0)
        postings[f"@{key >> NUMBER_BITS}"].append(key)
        for term in set(terms_of(values)):
            postings[term].append(key)
        for prefix in _prefixes(text, frequent):
            postings[f"~{prefix}"].append(key)
    yield from _serialized_all(postings)
    # Trigrams are most of it: they are gathered after the rest is serialized, so that both never stand in memory.
    postings.clear()
    for place, (key, text, *_) in enumerate(found):
        if place % _YIELD_EVERY == 0:
            # As above: trigrams are most of the work.
            time.sleep(0)
        padded = f"{text}\n\n"
        for gram in {padded[at : at + 3] for at in range(len(padded) - 2)}:
            postings[gram].append(key)
    yield from _grams(postings)


def _grams(trigrams: Postings) -> Iterator[tuple[str, bytes]]:
    """The terms of one to three letters. Every text ends in two line breaks, so each letter begins a trigram."""
    from pyroaring import BitMap64  # the first paint does without it

    shorter: dict[str, Any] = defaultdict(BitMap64)
    for place, gram in enumerate(sorted(trigrams)):
        if place % _YIELD_EVERY == 0:
            # As above, in `_postings`.
            time.sleep(0)
        keys = BitMap64(array("Q", trigrams.pop(gram)))
        shorter[gram[:2]] |= keys
        if not any(letter in _BLANKS for letter in gram):
            yield f"#{gram}", keys.serialize()
    for gram in list(shorter):
        shorter[gram[:1]] |= shorter[gram]
    for gram, keys in shorter.items():
        if not any(letter in _BLANKS for letter in gram):
            yield f"#{gram}", keys.serialize()


def _frequent_prefixes(texts: Iterable[str]) -> set[str]:
    """Beginnings of words that many of these texts have."""
    found: Counter[str] = Counter()
    count = 0
    for text in texts:
        count += 1
        found.update({word[:end] for word in text.split() for end in _ends(word)})
    return {prefix for prefix, times in found.items() if times * _FREQUENT >= count}


def _prefixes(text: str, frequent: set[str]) -> set[str]:
    """The frequent prefixes of a text's words."""
    found = set()
    for word in text.split():
        if word[:SHORTEST_PREFIX] not in frequent:
            continue  # of most words; a longer prefix is rarer still
        for end in _ends(word):
            if word[:end] not in frequent:
                break
            found.add(word[:end])
    return found


def _ends(word: str) -> range:
    return range(SHORTEST_PREFIX, min(len(word), LONGEST_PREFIX) + 1)


def _serialized_all(postings: Postings) -> Iterator[tuple[str, bytes]]:
    return ((term, _serialized(array("Q", postings[term]))) for term in sorted(postings))


def _serialized(keys: "array[int]") -> bytes:
    from pyroaring import BitMap64  # the first paint does without it

    return BitMap64(keys).serialize()
