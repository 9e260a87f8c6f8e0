"""Counts orders by several fields at once, from the posting lists alone: how many were late, by facility and week.

Invariant: a count is the number of orders that a query with the same clauses finds. An order without a term of one of
the fields counts nowhere.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

import apsw
from pyroaring import BitMap64

from app.store.cache.index.key_sets import IndexCache, index_cache, matching_keys, pending_postings
from app.store.cache.index.terms import Span, all_terms, folded_value, spelled_value
from app.store.cache.order_rows import OrderQuery
from app.store.sqlite.plain_rows import rows

Group = Hashable
Counts = Counter[tuple[Group, ...]]
_Sets = dict[Group, BitMap64]


class Dimension(NamedTuple):
    """A field to count by. `group` makes a group of a value, as it is folded and as it is spelled; None leaves it out.

    `low` and `high` are the first and the last value that is looked at, if not all are.
    """

    field: str
    group: Callable[[str, str], Group | None]
    low: str = ""
    high: str = ""

    @property
    def span(self) -> Span:
        """The terms of its values."""
        every = all_terms(self.field)
        return Span(f"{self.field}={self.low}" if self.low else every.low, self._high or every.high)

    @property
    def _high(self) -> str:
        return f"{self.field}={self.high}" if self.high else ""


class Spellings:
    """Groups values that differ in case and accents alone; a group is called as it was first spelled."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, folded: str, spelled: str) -> str:
        return self._known.setdefault(folded, spelled)


def as_number(folded: str, _spelled: str) -> int:
    """Groups a number of days by itself."""
    return int(folded)


def count_across(
    c: apsw.Connection, query: OrderQuery, dimensions: Sequence[Dimension], step: Callable[[], None] = lambda: None
) -> Counts:
    """How many orders of a query are in each combination of groups. `step` is called often, and may raise to cancel."""
    keys, counts = matching_keys(c, query), Counts()
    for sets in _by_segment(c, index_cache(c), dimensions):
        step()
        _count(keys, sets, (), counts, step)
    return counts


def _count(
    among: BitMap64, sets: Sequence[_Sets], before: tuple[Group, ...], counts: Counts, step: Callable[[], None]
) -> None:
    first, *others = sets
    for group, keys in first.items():
        if not others:
            if number := among.intersection_cardinality(keys):
                counts[(*before, group)] += number
        elif part := among & keys:
            step()
            _count(part, others, (*before, group), counts, step)


def _by_segment(c: apsw.Connection, it: IndexCache, dimensions: Sequence[Dimension]) -> Iterator[list[_Sets]]:
    """The sets of each dimension's groups, segment by segment, then those of the orders that wait for the index."""
    for (segment,) in rows(c, "SELECT segment FROM segments ORDER BY segment"):
        yield [_segment_sets(c, it, segment, each) for each in dimensions]
    if it.pending:
        postings = pending_postings(c, it)
        yield [_pending_sets(postings, each) for each in dimensions]


def _segment_sets(c: apsw.Connection, it: IndexCache, segment: int, by: Dimension) -> _Sets:
    found: dict[Group, list[BitMap64]] = {}
    statement = "SELECT term, keys FROM postings WHERE segment = ? AND term BETWEEN ? AND ?"
    for term, ids in c.execute(statement, (segment, *by.span)):
        if (group := by.group(folded_value(term), spelled_value(term))) is not None:
            found.setdefault(group, []).append(BitMap64.deserialize(ids))
    # A segment also holds orders that have changed since: those it no longer speaks for, and those that wait.
    gone = it.pending
    return {group: _live(it, segment, BitMap64.union(*sets)) - gone for group, sets in found.items()}


def _live(it: IndexCache, segment: int, keys: BitMap64) -> BitMap64:
    return keys & it.partly_live[segment] if segment in it.partly_live else keys


def _pending_sets(postings: dict[str, BitMap64], by: Dimension) -> _Sets:
    found: _Sets = {}
    for term, keys in postings.items():
        if by.span.low <= term <= by.span.high:
            group = by.group(folded_value(term), spelled_value(term))
            if group is not None:
                found[group] = found.get(group, BitMap64()) | keys
    return found
