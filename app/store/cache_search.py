"""How a page of a list is found: which keys, by the way that comes to them soonest.

Sorted by number, they lie in order already, in narrow tables and in the text index. Sorted by a column with
nothing to search for, its index has them. A search sorted by a column first looks at the texts of the rows
nearest to the start, which fills a page of anything common. Otherwise the text index names all that hold the
words: a few are sorted, of many the set is made and the column's index walked along it.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import apsw

from app.store.cache_rows import INDEXED, SORTS
from app.store.cache_schema import MAX_NUMBER, SHELF_BITS
from app.store.search_text import match_expression, words
from app.store.sql import rows

_NEAR = 2_000  # rows looked at from the start of the sorting: some 3 ms
_FEW = 2_000  # so many are sorted in about the same time
_SPAN = "id BETWEEN :low AND :high"  # the keys of one list


class Search(NamedTuple):
    """The orders of a list that hold every word, as SQL."""

    keys: str  # a query for their keys
    holds: str  # the same as a condition on a row of `texts`; empty when there is nothing to search for
    bindings: dict[str, Any]


class Keys(NamedTuple):
    """A query for the keys of one page."""

    statement: str
    bindings: dict[str, Any]


def search(shelf: int, text: str) -> Search:
    """The search of a list for a text, as typed."""
    long_words, short_words = words(text)
    every = [*long_words, *short_words]
    bindings: dict[str, Any] = {
        "shelf": shelf,
        "low": shelf << SHELF_BITS,
        "high": shelf << SHELF_BITS | MAX_NUMBER,
        **{f"word{place}": word for place, word in enumerate(every)},
    }
    if not every:
        return Search(f"SELECT id FROM seen WHERE {_SPAN}", "", bindings)
    holds = _holds(every, 0)
    if not long_words:
        return Search(f"SELECT id FROM texts WHERE {_SPAN} AND {holds}", holds, bindings)
    bindings["match"] = match_expression(long_words)
    indexed = "SELECT rowid AS id FROM trigrams WHERE text MATCH :match AND rowid BETWEEN :low AND :high"
    if short_words:
        rest = _holds(short_words, len(long_words))
        indexed = f"SELECT id FROM ({indexed}) CROSS JOIN texts USING (id) WHERE {rest}"
    waiting = f"SELECT id FROM unindexed CROSS JOIN texts USING (id) WHERE unindexed.{_SPAN} AND {holds}"
    return Search(f"{indexed} UNION ALL {waiting}", holds, bindings)


def sorting(sort: str, descending: bool) -> str:
    """What to sort by. Only text from `SORTS` gets into a statement; raises KeyError for another."""
    way = "DESC" if descending else "ASC"
    return f"id {way}" if sort == "number" else f"{SORTS[sort]} {way}, id {way}"


def page_keys(c: apsw.Connection, found: Search, sort: str, order: str, limit: int, offset: int) -> Keys:
    """The keys of the page from place `offset` on."""
    page = f"ORDER BY {order} LIMIT {limit:d} OFFSET {offset:d}"
    if sort == "number":
        return Keys(f"SELECT id FROM ({found.keys}) {page}", found.bindings)
    if not found.holds:
        return Keys(f"SELECT id FROM orders WHERE shelf = :shelf {page}", found.bindings)
    if sort in INDEXED and (near := _near_the_start(c, found, sort, order, limit + offset)) is not None:
        return _these(near[offset:])
    some = rows(c, f"SELECT id FROM ({found.keys}) LIMIT {_FEW + 1}", found.bindings)
    if len(some) <= _FEW:
        few = _these([key for (key,) in some])
        return Keys(f"SELECT id FROM orders WHERE id IN ({few.statement}) {page}", few.bindings)
    # The + keeps the walk along the column's index.
    return Keys(f"SELECT id FROM orders WHERE shelf = :shelf AND +id IN ({found.keys}) {page}", found.bindings)


def _near_the_start(c: apsw.Connection, found: Search, sort: str, order: str, wanted: int) -> list[int] | None:
    """The first `wanted` keys, when the rows nearest to the start have as many."""
    if wanted > _NEAR:
        return None
    near = rows(
        c,
        f"""
        SELECT id FROM (SELECT id, {sort} FROM orders WHERE shelf = :shelf ORDER BY {order} LIMIT {_NEAR}) near
        WHERE EXISTS (SELECT 1 FROM texts WHERE texts.id = near.id AND {found.holds})
        ORDER BY {order} LIMIT {wanted:d}
        """,
        found.bindings,
    )
    return [key for (key,) in near] if len(near) == wanted else None


def _these(keys: Sequence[int]) -> Keys:
    if not keys:
        return Keys("SELECT NULL AS id WHERE 0", {})
    return Keys("SELECT value AS id FROM carray(:these)", {"these": apsw.carray(array("q", keys))})


def _holds(found: Sequence[str], first: int) -> str:
    return " AND ".join(f"instr(text, :word{first + place})" for place in range(len(found)))
