"""The search index: for every term, which orders have it, as compressed sets, in segments of some thousand orders.

Terms are those of `cache_terms`, `@partition` for the list, `#abc` for one to three letters in a row of an order's text
(never across a blank), and `~string` for what many orders' words begin with. A segment is never changed. An order
that is new, changed or gone waits in `unindexed` and counts there alone until it gets into a newer segment; `live` are
the orders that a segment still speaks for. Segments that have grown few are taken apart and put into a new one.
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

SEGMENT = 16_384
ENOUGH = 2_000  # fewer wait: they are looked through one by one within a few milliseconds
SHORTEST_STRING, LONGEST_STRING = 4, 12
_SMALL, _SMALL_ONES = SEGMENT // 2, 8
_SAMPLE = 8  # one order of so many tells which strings are frequent
_FREQUENT = 256  # one order of so many has a frequent string
_REST = 40  # orders between two moments in which other threads may go on
_BLANKS = " \n"

Postings = defaultdict[str, list[int]]


def mark_unindexed(c: apsw.Connection, keys: Sequence[int]) -> None:
    """These orders are not (any more) what the index knows of them, or are gone."""
    if keys:
        c.execute("UPDATE search_state SET changes = changes + 1")
        c.execute(
            "INSERT OR REPLACE INTO unindexed SELECT value, changes FROM carray(?), search_state",
            (key_array(keys),),
        )


class Segment(NamedTuple):
    """A segment ready to be put into the index: when each of its orders was marked as waiting, and the terms' sets."""

    marked: dict[int, int]
    sets: list[tuple[str, bytes]]


def index_some(c: apsw.Connection, limit: int = SEGMENT, enough: int = ENOUGH) -> int:
    """Take up to `limit` waiting orders into the index, when `enough` wait; returns how many should still be.

    Call it while it returns more than 0, between batches of orders or after. It is `made` and `put_in` at once, about
    0.1 ms an order: where others wait for the connection, the first is for another one.
    """
    segment = made(c, limit, enough)
    return 0 if segment is None else put_in(c, segment, min(enough, limit))


def made(c: apsw.Connection, limit: int = SEGMENT, enough: int = ENOUGH) -> Segment | None:
    """A segment of waiting orders, when `enough` wait. Nearly all of the work, and it only reads."""
    waiting = dict(rows(c, "SELECT id, change FROM unindexed ORDER BY id LIMIT ?", (limit,)))
    if len(waiting) < min(enough, limit):
        return None
    return Segment(waiting, list(_sets(_told(c, waiting))))


def put_in(c: apsw.Connection, segment: Segment, enough: int = ENOUGH) -> int:
    """Let it speak for those of its orders that nothing has touched since it was made; as `index_some` otherwise."""
    held = key_array(segment.marked)
    now = rows(c, "SELECT id, change FROM unindexed WHERE id IN carray(?)", (held,))
    keys = [key for key, at in now if segment.marked[key] == at]
    _take_out(c, keys)
    _insert(c, segment, keys)
    c.execute("DELETE FROM unindexed WHERE id IN carray(?)", (key_array(keys),))
    _take_small_ones_apart(c)
    c.execute("UPDATE search_state SET segments = segments + 1")
    left = int(value(c, "SELECT count(*) FROM unindexed"))
    return left if left >= enough else 0


def forget_partition(c: apsw.Connection, partition: int) -> None:
    """No segment speaks for orders of this list any more."""
    low, high = partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER
    c.execute("DELETE FROM unindexed WHERE id BETWEEN ? AND ?", (low, high))
    for segment, live in _segments(c):
        left = [key for key in live if not low <= key <= high]
        if len(left) < len(live):
            _put_live(c, segment, left)
    c.execute("UPDATE search_state SET segments = segments + 1, changes = changes + 1")


def _segments(c: apsw.Connection) -> list[tuple[int, Any]]:
    from pyroaring import BitMap64  # the first paint does without it

    return [(segment, BitMap64.deserialize(live)) for segment, live in rows(c, "SELECT segment, live FROM segments")]


def _take_out(c: apsw.Connection, keys: Sequence[int]) -> None:
    """No segment speaks for these any more."""
    from pyroaring import BitMap64  # the first paint does without it

    gone = BitMap64(array("Q", keys))
    for segment, live in _segments(c):
        if live.intersect(gone):
            _put_live(c, segment, live - gone)


def _put_live(c: apsw.Connection, segment: int, live: Iterable[int]) -> None:
    left = array("Q", live)
    if left:
        c.execute("UPDATE segments SET live = ?, dead = 1 WHERE segment = ?", (_serialized(left), segment))
        return
    c.execute("DELETE FROM segments WHERE segment = ?", (segment,))
    c.execute("DELETE FROM postings WHERE segment = ?", (segment,))


def _take_small_ones_apart(c: apsw.Connection) -> None:
    """Let the orders of small segments wait for a larger one, once there are many."""
    small = [(segment, live) for segment, live in _segments(c) if len(live) < _SMALL]
    if len(small) < _SMALL_ONES:
        return
    for segment, live in small:
        mark_unindexed(c, list(live))
        _put_live(c, segment, ())


def _told(c: apsw.Connection, keys: Iterable[int]) -> list[tuple[Any, ...]]:
    """What is to be indexed of those of these orders that are there."""
    return rows(
        c,
        f"""
        SELECT id, text, {", ".join(TERM_COLUMNS)} FROM orders JOIN search_texts USING (id)
        WHERE id IN carray(?) ORDER BY id
        """,
        (key_array(keys),),
    )


def _insert(c: apsw.Connection, made: Segment, keys: Sequence[int]) -> None:
    live = [key for (key,) in rows(c, "SELECT id FROM orders WHERE id IN carray(?) ORDER BY id", (key_array(keys),))]
    if not live:
        return
    whole = len(live) == len(made.marked)
    # A number of its own, also where the last segment was taken apart: whoever read that one takes this one for unread.
    number = value(c, "SELECT segments + 1 FROM search_state")
    c.execute("INSERT INTO segments VALUES (?, ?, ?)", (number, _serialized(array("Q", live)), not whole))
    c.executemany("INSERT INTO postings VALUES (?, ?, ?)", ((number, *each) for each in made.sets))


def _sets(found: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, bytes]]:
    """Each term with its set, in the order of the terms."""
    postings: Postings = defaultdict(list)
    frequent = _frequent(each[1] for each in found[::_SAMPLE])
    for place, (key, text, *told) in enumerate(found):
        if place % _REST == 0:
            time.sleep(0)
        postings[f"@{key >> NUMBER_BITS}"].append(key)
        for term in set(terms_of(told)):
            postings[term].append(key)
        for string in _strings(text, frequent):
            postings[f"~{string}"].append(key)
    yield from _serialized_all(postings)
    postings.clear()
    for place, (key, text, *_) in enumerate(found):
        if place % _REST == 0:
            time.sleep(0)
        padded = f"{text}\n\n"
        for gram in {padded[at : at + 3] for at in range(len(padded) - 2)}:
            postings[gram].append(key)
    yield from _grams(postings)


def _grams(trigrams: Postings) -> Iterator[tuple[str, bytes]]:
    """Every text ends in two line breaks, so that what begins with one or two letters tells who has those."""
    from pyroaring import BitMap64  # the first paint does without it

    shorter: dict[str, Any] = defaultdict(BitMap64)
    for place, gram in enumerate(sorted(trigrams)):
        if place % _REST == 0:
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


def _frequent(texts: Iterable[str]) -> set[str]:
    """Beginnings of words that many of these texts have."""
    found: Counter[str] = Counter()
    count = 0
    for text in texts:
        count += 1
        found.update({word[:end] for word in text.split() for end in _ends(word)})
    return {string for string, times in found.items() if times * _FREQUENT >= count}


def _strings(text: str, frequent: set[str]) -> set[str]:
    found = set()
    for word in text.split():
        if word[:SHORTEST_STRING] not in frequent:
            continue  # most are not, and what is longer is rarer
        for end in _ends(word):
            if word[:end] not in frequent:
                break
            found.add(word[:end])
    return found


def _ends(word: str) -> range:
    return range(SHORTEST_STRING, min(len(word), LONGEST_STRING) + 1)


def _serialized_all(postings: Postings) -> Iterator[tuple[str, bytes]]:
    return ((term, _serialized(array("Q", postings[term]))) for term in sorted(postings))


def _serialized(keys: "array[int]") -> bytes:
    from pyroaring import BitMap64  # the first paint does without it

    return BitMap64(keys).serialize()
