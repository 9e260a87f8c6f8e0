"""Questions to the cache: how many orders, which page of them, one order, one reference, which dates."""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from weakref import WeakKeyDictionary

import apsw

from app.store.cache.index.page_search import asks_nothing, page_keys
from app.store.cache.index.sort_order import partitions_of, sorts_slowly
from app.store.cache.order_rows import (
    LINE_COLUMNS,
    ListName,
    OrderDetail,
    OrderLine,
    OrderQuery,
    WindowRow,
    order_line,
    window_row,
)
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.cache.schema.conditions import Clause
from app.store.cache.schema.raw_fields import read_parts
from app.store.sqlite.plain_rows import key_array, row, rows, value

_sizes: "WeakKeyDictionary[apsw.Connection, tuple[int, dict[int, int]]]" = WeakKeyDictionary()
_LINE = f"{LINE_COLUMNS}, list, coalesce(change_marks.columns, '')"
PATIENCE = 400  # texts: a millisecond or two
_LINES = "orders JOIN partitions USING (partition) LEFT JOIN change_marks USING (id)"


def count_orders(c: apsw.Connection, query: OrderQuery) -> int:
    """How many orders the query finds, exactly."""
    if asks_nothing(query):
        return sum(_size(c, partition) for partition in partitions_of(c, query))
    from app.store.cache.index.key_sets import certain  # the first paint does without it

    return len(certain(c, query))


def _size(c: apsw.Connection, partition: int) -> int:
    """How many orders lie on a list; counted again after a change only."""
    changes = value(c, "SELECT changes FROM search_state")
    counted, sizes = _sizes.setdefault(c, (changes, {}))
    if counted != changes:
        _sizes[c] = changes, (sizes := {})
    if partition not in sizes:
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER)
        # Kept once it was counted: a count that is broken off leaves nothing.
        sizes[partition] = int(value(c, "SELECT count(*) FROM seen WHERE id BETWEEN ? AND ?", span))
    return sizes[partition]


def count_at_once(c: apsw.Connection, query: OrderQuery) -> tuple[int, bool]:
    """How many orders the query finds and whether that is exact: no more than `PATIENCE` texts are looked at for it.

    What is not exact is too many rather than too few.
    """
    if asks_nothing(query):
        return count_orders(c, query), True
    from app.store.cache.index.key_sets import certain, find  # the first paint does without them

    found = find(c, query)
    if len(found.may) - len(found.sure) > PATIENCE:
        return len(found.may), False
    return len(certain(c, query)), True


def first_pages(
    c: apsw.Connection, query: OrderQuery, pages: Sequence[int], size: int, few: int
) -> tuple[int, bool, dict[int, list[OrderLine]]] | None:
    """The count as far as it can be told at once (see `count_at_once`), and those of `pages` that there are; of the
    first always at least so `few` rows. None where the column has to be prepared before (see `prepare_sort`)."""
    if sorts_slowly(c, query.sort):
        return None
    first = size if 0 in pages else few
    found = {0: page_orders(c, query, first, 0)}
    count, exact = count_at_once(c, query)  # once the page is there: it may have taken a look at every text
    others = sorted(number for number in pages if number and number * size < count)
    return count, exact, found | {number: page_orders(c, query, size, number * size) for number in others}


def read_ahead(c: apsw.Connection, query: OrderQuery, blocks: int) -> bool:
    """Read so many blocks more of the query's order; whether there are more (see `cache_walk`)."""
    from app.store.cache.index import key_sets, ordered_walk  # the first paint does without them

    key_sets.strings(c)
    return not sorts_slowly(c, query.sort) and ordered_walk.read_ahead(c, query, blocks)


def page_orders(c: apsw.Connection, query: OrderQuery, limit: int, offset: int = 0) -> list[OrderLine]:
    """`limit` orders from place `offset` on, in the query's order; equal ones by their number."""
    return _lines(c, page_keys(c, query, limit, offset), query.parts)


def facets(c: apsw.Connection, query: OrderQuery, field: str) -> list[tuple[str, int]]:
    """How many orders have each value of a field, the most frequent first; clauses on the field itself do not count.

    Values that differ in case or accents alone are one, written as most orders have it.
    """
    from app.store.cache.index.key_sets import certain, values_among  # the first paint does without them

    asked = query._replace(clauses=tuple(each for each in query.clauses if each.field != field))
    counted = values_among(c, certain(c, asked), field)
    together: dict[str, Counter[str]] = {}
    for (same, told), count in counted.items():
        together.setdefault(same, Counter())[told] += count
    found = [(spellings.most_common(1)[0][0], spellings.total()) for spellings in together.values()]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def orders_numbered(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> list[OrderLine]:
    """The orders of these numbers, as far as they are known, by number."""
    found = _lines(c, _keys_of(c, profile, numbers))
    return sorted(found, key=lambda line: line.number)


def unknown_of(c: apsw.Connection, profile: str, field: str, values: Sequence[str]) -> tuple[str, ...]:
    """Those of the numbers (`field` is "number") or references ("reference") that no order has."""
    from app.store.cache.index.key_sets import find  # the first paint does without it
    from app.store.cache.index.terms import same_letters

    found = find(c, OrderQuery(profile, None, clauses=(Clause(field, tuple(values)),))).sure
    column = "crn" if field == "reference" else "number"
    keys = key_array(found.to_array())
    held = rows(c, f"SELECT {column} FROM orders WHERE id IN carray(?)", (keys,)) if found else []
    known = {same_letters(str(each)) for (each,) in held}
    return tuple(
        each for each in values if same_letters(_plain_number(each) if field == "number" else each) not in known
    )


def order_detail(c: apsw.Connection, profile: str, number: int) -> OrderDetail | None:
    """All that is known of an order; None when it was never seen."""
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
    """Orders of any list whose CRN is exactly this, the newest number first. A closed reference can be used
    again, so there can be several."""
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


def windows(c: apsw.Connection, profile: str, list_name: ListName) -> list[WindowRow]:
    """The spans of dates asked for, newest first."""
    found = rows(
        c,
        """
        SELECT start, end, fetched_at, count, error, tried_at, tries FROM windows WHERE profile = ? AND list = ?
        ORDER BY start DESC, end DESC
        """,
        (profile, list_name),
    )
    return [window_row(values) for values in found]


def _lines(c: apsw.Connection, keys: Sequence[int], parts: Sequence[str] = ()) -> list[OrderLine]:
    """The rows of these keys, in their order."""
    found = c.execute(f"SELECT id, {_LINE} FROM {_LINES} WHERE id IN carray(?)", (key_array(keys),)) if keys else ()
    by_key = {key: order_line(tuple(values)) for key, *values in found}
    told = read_parts(c, keys, parts)
    if told:
        by_key = {key: line._replace(parts=told.get(key)) for key, line in by_key.items()}
    return [by_key[key] for key in keys if key in by_key]


def _keys_of(c: apsw.Connection, profile: str, numbers: Sequence[int]) -> list[int]:
    partitions = [
        partition for (partition,) in rows(c, "SELECT partition FROM partitions WHERE profile = ?", (profile,))
    ]
    return [
        partition << NUMBER_BITS | number for partition in partitions for number in numbers if 0 <= number <= MAX_NUMBER
    ]


def _plain_number(text: str) -> str:
    return str(int(text)) if text.isdecimal() else text
