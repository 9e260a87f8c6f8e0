"""Reads orders: counts, pages of rows, facets, one order, one reference.

Invariant: count, pages and facets of one query agree, since all of them come from the same set of keys.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from weakref import WeakKeyDictionary

import apsw

from app.store.cache.index.page_search import is_unfiltered, page_keys
from app.store.cache.index.sort_order import lacks_sort_index, partitions_in
from app.store.cache.order_rows import LINE_COLUMNS, OrderDetail, OrderLine, OrderQuery, order_line
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.conditions import Clause
from app.store.cache.schema.raw_fields import read_raw_fields
from app.store.sqlite.plain_rows import key_array, row, rows, value

_LINE = f"{LINE_COLUMNS}, list, coalesce(change_marks.columns, '')"
_LINES = "orders JOIN partitions USING (partition) LEFT JOIN change_marks USING (id)"
QUICKLY_READ = 400  # search texts: a millisecond or two

# For each connection: the change counter at which the lists were counted, and the count by partition.
_sizes: "WeakKeyDictionary[apsw.Connection, tuple[int, dict[int, int]]]" = WeakKeyDictionary()


def count_orders(c: apsw.Connection, query: OrderQuery) -> int:
    """How many orders the query finds, exactly."""
    if is_unfiltered(query):
        return sum(_size(c, partition) for partition in partitions_in(c, query))
    from app.store.cache.index.key_sets import matching_keys  # the first paint does without it

    return len(matching_keys(c, query))


def quick_count(c: apsw.Connection, query: OrderQuery) -> tuple[int, bool]:
    """How many orders the query finds, and whether that is exact: at most `QUICKLY_READ` texts are read for it.

    An inexact count is too high rather than too low.
    """
    if is_unfiltered(query):
        return count_orders(c, query), True
    from app.store.cache.index.key_sets import find_matches, matching_keys  # the first paint does without them

    matches = find_matches(c, query)
    if len(matches.candidates) - len(matches.certain) > QUICKLY_READ:
        return len(matches.candidates), False
    return len(matching_keys(c, query)), True


def first_pages(
    c: apsw.Connection, query: OrderQuery, pages: Sequence[int], size: int, few: int
) -> tuple[int, bool, dict[int, list[OrderLine]]] | None:
    """The `quick_count` and those of `pages` that exist, in one trip; of the first page always at least `few` rows.

    None if the sort column has no index yet: `prepare_sort` comes first.
    """
    if lacks_sort_index(c, query.sort):
        return None
    first = size if 0 in pages else few
    found = {0: page_orders(c, query, first, 0)}
    # Counted after the page: to fill a page may have read all texts, and then the count is exact for free.
    count, exact = quick_count(c, query)
    others = sorted(number for number in pages if number and number * size < count)
    return count, exact, found | {number: page_orders(c, query, size, number * size) for number in others}


def read_ahead(c: apsw.Connection, query: OrderQuery, blocks: int) -> bool:
    """Read `blocks` blocks more of the query's order; returns whether there are more (see `ordered_walk`)."""
    from app.store.cache.index import key_sets, ordered_walk  # the first paint does without them

    key_sets.prefixes(c)
    return not lacks_sort_index(c, query.sort) and ordered_walk.read_ahead(c, query, blocks)


def page_orders(c: apsw.Connection, query: OrderQuery, limit: int, offset: int = 0) -> list[OrderLine]:
    """`limit` orders from place `offset` on, in the query's order; equal ones by their number."""
    return lines_of(c, page_keys(c, query, limit, offset), query.raw_fields)


def facets(c: apsw.Connection, query: OrderQuery, field: str) -> list[tuple[str, int]]:
    """How many orders have each value of a field, the most frequent first; clauses on the field itself do not count.

    Values that differ in case or accents alone are one, written as most orders have it.
    """
    from app.store.cache.index.key_sets import count_values, matching_keys  # the first paint does without them

    others = query._replace(clauses=tuple(clause for clause in query.clauses if clause.field != field))
    counted = count_values(c, matching_keys(c, others), field)
    by_value: dict[str, Counter[str]] = {}
    for (folded, spelling), count in counted.items():
        by_value.setdefault(folded, Counter())[spelling] += count
    found = [(spellings.most_common(1)[0][0], spellings.total()) for spellings in by_value.values()]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def orders_numbered(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> list[OrderLine]:
    """The known orders of these numbers, by number."""
    partitions = [each for (each,) in rows(c, "SELECT partition FROM partitions WHERE profile = ?", (profile,))]
    keys = [each << NUMBER_BITS | number for each in partitions for number in numbers if 0 <= number <= MAX_NUMBER]
    return sorted(lines_of(c, keys), key=lambda line: line.number)


def unmatched_values(c: apsw.Connection, profile: str, field: str, values: Sequence[str]) -> tuple[str, ...]:
    """The numbers (`field` is "number") or references ("reference") that no order has."""
    from app.store.cache.index.key_sets import find_matches  # the first paint does without it
    from app.store.cache.index.terms import ascii_folded, order_number

    found = find_matches(c, OrderQuery(profile, None, clauses=(Clause(field, tuple(values)),))).certain
    column = "crn" if field == "reference" else "number"
    held = (
        rows(c, f"SELECT {column} FROM orders WHERE id IN carray(?)", (key_array(found.to_array()),)) if found else []
    )
    if field == "number":
        numbers = {number for (number,) in held}
        return tuple(each for each in values if order_number(each) not in numbers)
    known = {ascii_folded(str(each)) for (each,) in held}
    return tuple(each for each in values if ascii_folded(each) not in known)


def order_detail(c: apsw.Connection, profile: str, number: int) -> OrderDetail | None:
    """One order whole; None if it was never seen."""
    found = row(
        c,
        f"""
        SELECT {_LINE}, raw, at, changed_at FROM {_LINES} JOIN raw_orders USING (id) JOIN seen USING (id)
        WHERE id IN (SELECT partition << {NUMBER_BITS} | :number FROM partitions WHERE profile = :profile)
        """,
        {"profile": profile, "number": number},
    )
    if found is None:
        return None
    *line, raw, at, changed = found
    return OrderDetail(
        order_line(tuple(line)), raw, datetime.fromtimestamp(at / 1_000), datetime.fromisoformat(changed)
    )


def find_crn(c: apsw.Connection, profile: str, crn: str) -> list[OrderLine]:
    """Orders of any list whose CRN is exactly this, the newest number first.

    There can be several: the provider takes a reference again once its order is closed.
    """
    # Compared twice: NOCASE uses the index, BINARY makes it exact.
    found = rows(
        c,
        f"""
        SELECT {LINE_COLUMNS}, list FROM partitions JOIN orders USING (partition)
        WHERE profile = :profile AND crn = :crn COLLATE NOCASE AND crn = :crn COLLATE BINARY
        ORDER BY number DESC
        """,
        {"profile": profile, "crn": crn},
    )
    return [order_line(values) for values in found]


def _size(c: apsw.Connection, partition: int) -> int:
    """How many orders lie on a list; counted again only after a change."""
    changes = value(c, "SELECT changes FROM search_state")
    counted, sizes = _sizes.setdefault(c, (changes, {}))
    if counted != changes:
        _sizes[c] = changes, (sizes := {})
    if partition not in sizes:
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER)
        # A read can be cancelled at any statement: the size is cached only once it was counted to the end.
        sizes[partition] = int(value(c, "SELECT count(*) FROM seen WHERE id BETWEEN ? AND ?", span))
    return sizes[partition]


def lines_of(c: apsw.Connection, keys: Sequence[int], names: Sequence[str] = ()) -> list[OrderLine]:
    """The rows of these keys, in their order, with the raw fields of these names."""
    found = c.execute(f"SELECT id, {_LINE} FROM {_LINES} WHERE id IN carray(?)", (key_array(keys),)) if keys else ()
    by_key = {key: order_line(tuple(values)) for key, *values in found}
    fields = read_raw_fields(c, keys, names)
    if fields:
        by_key = {key: line._replace(raw_fields=fields.get(key)) for key, line in by_key.items()}
    return [by_key[key] for key in keys if key in by_key]
