"""Orders as last seen, and which dates were fetched. The screen shows what is in here.

Invariants: an order of a profile lies on one list only; an older reply never replaces a newer one; parts
that were not asked for (notes, documents, purchase orders, commodities) never erase what is known of them.
What is new, changed or gone waits in `unindexed` until `index_some` takes it into the search index; searches look
at both, so they are right at any time and quick once it has caught up. Functions run through `Database.read` and
`Database.write`; the queries are in `cache_query` and can be had from here.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from app.store.cache.change_marks import look_at, mark_changed, told
from app.store.cache.index.segments import forget_partition, index_some, mark_unindexed
from app.store.cache.index.sort_order import prepare_sort, sorts_slowly
from app.store.cache.known_values import forget_all
from app.store.cache.order_columns import OrderColumns, columns_of, folders_of, searched_text
from app.store.cache.order_query import (
    count_at_once,
    count_orders,
    facets,
    find_crn,
    first_pages,
    order_detail,
    orders_numbered,
    page_orders,
    read_ahead,
    unknown_of,
    windows,
)
from app.store.cache.order_rows import ListName, OrderFacts, OrderLine, OrderQuery, Stored
from app.store.cache.schema.cache_schema import CACHE, MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows
from app.store.sqlite.text_values import storable, to_text_ms

__all__ = [
    "CACHE",
    "OrderFacts",
    "OrderLine",
    "OrderQuery",
    "Stored",
    "count_at_once",
    "count_orders",
    "facets",
    "find_crn",
    "first_pages",
    "forget_profile",
    "index_some",
    "key_array",
    "look_at",
    "order_detail",
    "orders_numbered",
    "page_orders",
    "prepare_sort",
    "read_ahead",
    "sorts_slowly",
    "store_orders",
    "unknown_of",
    "windows",
]

_ASKED_FOR_APART = ("PO", "Notes", "Commodities", "ProofOfDelivery")
_LISTS: tuple[ListName, ...] = ("open", "completed", "other")
# The tables that know an order by its key.
KEYED = ("orders", "raw_orders", "search_texts", "seen", "unlearnt", "change_marks")
_COLUMNS = ("id", "partition", "digest", "changed_at", *OrderColumns._fields[:-1])
_INSERT_ORDER = f"INSERT INTO orders ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_INSERT_RAW = "INSERT OR REPLACE INTO raw_orders VALUES (?, ?)"
_INSERT_TEXT = "INSERT OR REPLACE INTO search_texts VALUES (?, ?)"


class _Known(NamedTuple):
    key: int
    digest: int
    seen: int


class _Row(NamedTuple):
    """One order ready to be written."""

    key: int
    columns: OrderColumns
    digest: int


def store_orders(
    c: apsw.Connection,
    profile: str,
    list_name: ListName | None,
    orders: Sequence[OrderFacts | OrderColumns],
    seen_at: datetime,
) -> Stored:
    """Keep orders of one reply; about 1,000 a call keep everybody else fast.

    `seen_at` is when the provider was asked (not when it answered). `list_name` None is for an order asked
    for by its number: it stays on its list, unless its state says completed or cancelled.
    """
    partitions = partitions_of(c, profile)
    seen = milliseconds(seen_at)
    possible = {each.number: each for each in orders if 0 <= each.number <= MAX_NUMBER}
    known = _known(c, partitions.values(), possible)
    fresh: list[_Row] = []
    again: list[_Row] = []
    touched: list[int] = []
    for number, order in possible.items():
        old = known.get(number)
        if old is not None and old.seen > seen:
            continue
        partition = partitions[list_name or _list_of(order, old, partitions)]
        columns = order if isinstance(order, OrderColumns) else columns_of(order)
        row = _Row(partition << NUMBER_BITS | number, columns, _digest(order.raw))
        if old is None:
            fresh.append(row)
        elif old.digest == row.digest and old.key == row.key:
            touched.append(row.key)
        else:
            again.append(row)
    changed = _renew(c, again, known, seen_at)
    _put(c, fresh, seen_at)
    _see(c, [*touched, *(row.key for row in fresh), *(row.key for row in again)], seen)
    refused = tuple(each.number for each in orders if not 0 <= each.number <= MAX_NUMBER)
    return Stored(len(fresh), changed, len(possible) - len(fresh) - changed, refused)


def forget_profile(c: apsw.Connection, profile: str) -> None:
    """Drop all that is known of a profile's orders and audits, and what was learnt from them."""
    from app.store.cache.audits.audit_store import forget_audits  # the first paint does without the audits

    forget_all(c, profile)
    forget_audits(c, profile)
    for partition in partitions_of(c, profile).values():
        span = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER)
        forget_partition(c, partition)
        for table in KEYED:
            c.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
    for table in ("windows", "departed", "replies"):
        c.execute(f"DELETE FROM {table} WHERE profile = ?", (profile,))


def partitions_of(c: apsw.Connection, profile: str) -> dict[ListName, int]:
    """The partition of each of a profile's lists."""
    c.executemany(
        "INSERT OR IGNORE INTO partitions (profile, list) VALUES (?, ?)", [(profile, name) for name in _LISTS]
    )
    return dict(rows(c, "SELECT list, partition FROM partitions WHERE profile = ?", (profile,)))


def _known(c: apsw.Connection, partitions: Iterable[int], numbers: Iterable[int]) -> dict[int, _Known]:
    """What is known of these numbers on any list of the profile."""
    keys = [partition << NUMBER_BITS | number for number in numbers for partition in partitions]
    if not keys:
        return {}
    found = c.execute(
        "SELECT number, id, digest, at FROM orders JOIN seen USING (id) WHERE id IN carray(?)", (key_array(keys),)
    )
    return {number: _Known(*rest) for number, *rest in found}


def _list_of(order: OrderFacts | OrderColumns, old: _Known | None, partitions: dict[ListName, int]) -> ListName:
    """Where an order belongs that was asked for by its number."""
    if order.state == "CMP":
        return "completed"
    if order.state == "CAN":
        return "other"
    if old is None:
        return "open"
    return next(name for name, partition in partitions.items() if partition == old.key >> NUMBER_BITS)


def _renew(c: apsw.Connection, again: Sequence[_Row], known: dict[int, _Known], seen_at: datetime) -> int:
    """Bring known orders up to date; returns how many differ from what was known."""
    if not again:
        return 0
    before = told(c, (known[row.columns.number].key for row in again))
    moved = {row.key for row in again if known[row.columns.number].key != row.key}
    for partition in {key >> NUMBER_BITS for key in moved}:
        keys = [
            known[row.columns.number].key for row in again if row.key in moved and row.key >> NUMBER_BITS == partition
        ]
        move(c, keys, partition)
    merged = list(_merged(c, again))
    different = [row for row, same in merged if not same or row.key in moved]
    c.executemany("UPDATE orders SET digest = ? WHERE id = ?", [(row.digest, row.key) for row, _ in merged])
    c.execute("DELETE FROM orders WHERE id IN carray(?)", (key_array([row.key for row in different]),))  # see `_put`
    _put(c, different, seen_at)
    mark_changed(c, before, told(c, (row.key for row in different)))
    return len(different)


def _merged(c: apsw.Connection, again: Sequence[_Row]) -> Iterator[tuple[_Row, bool]]:
    """Each row with what was not asked for kept from before, and whether it says the same as before."""
    keys = key_array([row.key for row in again])
    before = {
        key: (raw, pos)
        for key, raw, pos in rows(
            c, "SELECT id, raw, pos FROM raw_orders JOIN orders USING (id) WHERE id IN carray(?)", (keys,)
        )
    }
    for row in again:
        raw, pos = before[row.key]
        old: dict[str, Any] = json.loads(raw)
        new: dict[str, Any] = json.loads(row.columns.raw)
        kept = {name: old[name] for name in _ASKED_FOR_APART if name in old and name not in new}
        if not kept:
            yield row, old == new
            continue
        whole = new | kept
        text = storable(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
        columns = row.columns._replace(raw=text, folders=folders_of(text))
        yield row._replace(columns=columns._replace(pos=pos) if "PO" in kept else columns), old == whole


def _put(c: apsw.Connection, batch: Sequence[_Row], seen_at: datetime) -> None:
    """Write rows whole, of orders that are not there: deleting before takes half the time of REPLACE.

    Values are made one row at a time, so that no other thread waits for a whole batch.
    """
    if not batch:
        return
    now, keys = to_text_ms(seen_at), [row.key for row in batch]
    c.executemany(
        _INSERT_ORDER, ((row.key, row.key >> NUMBER_BITS, row.digest, now, *row.columns[:-1]) for row in batch)
    )
    c.executemany(_INSERT_RAW, ((row.key, row.columns.raw) for row in batch))
    c.execute("INSERT OR IGNORE INTO unlearnt SELECT value FROM carray(?)", (key_array(keys),))
    c.executemany(_INSERT_TEXT, ((row.key, searched_text(row.columns)) for row in batch))
    mark_unindexed(c, keys)


def _see(c: apsw.Connection, keys: Sequence[int], seen: int) -> None:
    if keys:
        c.execute("INSERT OR REPLACE INTO seen SELECT value, ? FROM carray(?)", (seen, key_array(keys)))


def move(c: apsw.Connection, keys: Sequence[int], partition: int) -> None:
    """Put orders on another list: every table knows them by a new key afterwards."""
    if not keys:
        return
    held = key_array(keys)
    for table in KEYED:
        c.execute(
            f"UPDATE {table} SET id = (id & ?) | ? WHERE id IN carray(?)", (MAX_NUMBER, partition << NUMBER_BITS, held)
        )
    after = [key & MAX_NUMBER | partition << NUMBER_BITS for key in keys]
    c.execute("UPDATE orders SET partition = ? WHERE id IN carray(?)", (partition, key_array(after)))
    mark_unindexed(c, [*keys, *after])


def milliseconds(moment: datetime) -> int:
    """As `seen` counts them."""
    return int(moment.timestamp() * 1_000)


def _digest(raw: str) -> int:
    return int.from_bytes(blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
