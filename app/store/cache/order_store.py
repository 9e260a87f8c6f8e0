"""Stores orders as they come from the provider. The screen shows the rows that are in here.

Invariants: an order of a profile lies on one list only; an older reply never replaces a newer one; optional members
that were not requested (notes, documents, purchase orders, commodities) never erase what is known of them. Orders that
are new, changed or gone wait in `unindexed` until `segments.index_some` takes them into the search index. Searches
look at both, so they are right at any time, and fast once the index has caught up.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from app.store.cache.change_marks import mark_changed, snapshots
from app.store.cache.index.segments import mark_unindexed
from app.store.cache.order_columns import OrderColumns, columns_of, folders_of, searched_text
from app.store.cache.order_rows import ListName, OrderFacts, Stored
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, rows
from app.store.sqlite.text_values import storable, to_text_ms

CLOSED = ("CMP", "CAN")  # states
KEYED_TABLES = ("orders", "raw_orders", "search_texts", "seen", "unlearnt", "change_marks")
_OPTIONAL_MEMBERS = ("PO", "Notes", "Commodities", "ProofOfDelivery")
_LISTS: tuple[ListName, ...] = ("open", "completed", "other")
_COLUMNS = ("id", "partition", "digest", "changed_at", *OrderColumns._fields[:-1])
_INSERT_ORDER = f"INSERT INTO orders ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
# An order that changes stays in its place, or the places before would never be filled again.
_INSERT_RAW = "INSERT INTO raw_orders (id, raw) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET raw = excluded.raw"
_INSERT_TEXT = "INSERT OR REPLACE INTO search_texts VALUES (?, ?)"


class _Known(NamedTuple):
    """An order that is in the cache; `seen` is in milliseconds since 1970."""

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
    """Store orders of one reply. With about 1,000 a call, other work on the connection waits for no more than 0.1 s.

    `seen_at` is when the provider was asked, not when it answered. `list_name` None is for an order asked for by its
    number: it stays on its list, unless its state says completed or cancelled.
    """
    partitions = partitions_of(c, profile)
    completed, seen = partitions["completed"], milliseconds(seen_at)
    # By number: a reply may hold an order twice, and the last one counts.
    possible = {order.number: order for order in orders if 0 <= order.number <= MAX_NUMBER}
    known = _known(c, partitions.values(), possible)
    new: list[_Row] = []
    different: list[_Row] = []
    unchanged: list[int] = []
    for number, order in possible.items():
        old = known.get(number)
        # Requests overlap: an answer that was asked for before the one in the cache may arrive after it.
        if old is not None and old.seen > seen:
            continue
        partition = partitions[list_name or _list_of(order, old, partitions)]
        # The provider may list a closed order as open too (notes.md, "cancelled orders in lists"): without this, each
        # refresh would move it from one list to the other and back.
        if old is not None and list_name == "open" and order.state in CLOSED and old.key >> NUMBER_BITS == completed:
            partition = completed
        columns = order if isinstance(order, OrderColumns) else columns_of(order)
        row = _Row(partition << NUMBER_BITS | number, columns, _digest(order.raw))
        if old is None:
            new.append(row)
        elif old.digest == row.digest and old.key == row.key:
            unchanged.append(row.key)
        else:
            different.append(row)
    changed = _update(c, profile, different, known, seen_at)
    _insert(c, new, seen_at)
    _set_seen(c, [*unchanged, *(row.key for row in new), *(row.key for row in different)], seen)
    refused = tuple(order.number for order in orders if not 0 <= order.number <= MAX_NUMBER)
    return Stored(len(new), changed, len(possible) - len(new) - changed, refused)


def partitions_of(c: apsw.Connection, profile: str) -> dict[ListName, int]:
    """The partition of each of a profile's lists; makes those that are missing."""
    statement = "INSERT OR IGNORE INTO partitions (profile, list) VALUES (?, ?)"
    c.executemany(statement, [(profile, name) for name in _LISTS])
    return dict(rows(c, "SELECT list, partition FROM partitions WHERE profile = ?", (profile,)))


def move_orders(c: apsw.Connection, keys: Sequence[int], partition: int) -> None:
    """Move orders to another list. Every table knows them by a new key afterwards."""
    if not keys:
        return
    moved = key_array(keys)
    # The key holds the partition in its upper bits, so every table that is keyed by orders has to follow.
    for table in KEYED_TABLES:
        c.execute(
            f"UPDATE {table} SET id = (id & ?) | ? WHERE id IN carray(?)", (MAX_NUMBER, partition << NUMBER_BITS, moved)
        )
    after = [key & MAX_NUMBER | partition << NUMBER_BITS for key in keys]
    c.execute("UPDATE orders SET partition = ? WHERE id IN carray(?)", (partition, key_array(after)))
    mark_unindexed(c, [*keys, *after])


def milliseconds(moment: datetime) -> int:
    """A moment as the table `seen` holds it."""
    return int(moment.timestamp() * 1_000)


def _known(c: apsw.Connection, partitions: Iterable[int], numbers: Iterable[int]) -> dict[int, _Known]:
    """The orders of these numbers that are in the cache, on any list of the profile."""
    keys = [partition << NUMBER_BITS | number for number in numbers for partition in partitions]
    if not keys:
        return {}
    found = c.execute(
        "SELECT number, id, digest, at FROM orders JOIN seen USING (id) WHERE id IN carray(?)", (key_array(keys),)
    )
    return {number: _Known(*rest) for number, *rest in found}


def _list_of(order: OrderFacts | OrderColumns, old: _Known | None, partitions: dict[ListName, int]) -> ListName:
    """The list of an order that was asked for by its number."""
    if order.state == "CMP":
        return "completed"
    if order.state == "CAN":
        return "other"
    if old is None:
        return "open"
    return next(name for name, partition in partitions.items() if partition == old.key >> NUMBER_BITS)


def _update(
    c: apsw.Connection, profile: str, batch: Sequence[_Row], known: dict[int, _Known], seen_at: datetime
) -> int:
    """Update known orders; returns how many differ from what was known."""
    if not batch:
        return 0
    # Read before anything is moved or deleted: change marks compare with the order as it was.
    before = snapshots(c, (known[row.columns.number].key for row in batch))
    moved = {row.key for row in batch if known[row.columns.number].key != row.key}
    for partition in {key >> NUMBER_BITS for key in moved}:
        here = [row for row in batch if row.key in moved and row.key >> NUMBER_BITS == partition]
        move_orders(c, [known[row.columns.number].key for row in here], partition)
    merged = list(_merged(c, batch))
    different = [row for row, same in merged if not same or row.key in moved]
    c.executemany("UPDATE orders SET digest = ? WHERE id = ?", [(row.digest, row.key) for row, _ in merged])
    c.execute("DELETE FROM orders WHERE id IN carray(?)", (key_array([row.key for row in different]),))  # see `_insert`
    _insert(c, different, seen_at)
    mark_changed(c, profile, before, snapshots(c, (row.key for row in different)), seen_at)
    return len(different)


def _merged(c: apsw.Connection, batch: Sequence[_Row]) -> Iterator[tuple[_Row, bool]]:
    """Each row completed by the optional members that this reply lacks, and whether it equals the stored order."""
    keys = key_array([row.key for row in batch])
    statement = "SELECT id, raw, pos FROM raw_orders JOIN orders USING (id) WHERE id IN carray(?)"
    before = {key: (raw, pos) for key, raw, pos in rows(c, statement, (keys,))}
    for row in batch:
        raw, pos = before[row.key]
        old: dict[str, Any] = json.loads(raw)
        new: dict[str, Any] = json.loads(row.columns.raw)
        lacking = {name: old[name] for name in _OPTIONAL_MEMBERS if name in old and name not in new}
        if not lacking:
            yield row, old == new
            continue
        whole = new | lacking
        text = storable(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
        columns = row.columns._replace(raw=text, folders=folders_of(text))
        yield row._replace(columns=columns._replace(pos=pos) if "PO" in lacking else columns), old == whole


def _insert(c: apsw.Connection, batch: Sequence[_Row], seen_at: datetime) -> None:
    """Insert whole rows. Orders that are there are deleted before: that takes half the time of REPLACE.

    Values are made one row at a time, so that the interpreter lock is free for other threads in between.
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


def _set_seen(c: apsw.Connection, keys: Sequence[int], seen: int) -> None:
    if keys:
        c.execute("INSERT OR REPLACE INTO seen SELECT value, ? FROM carray(?)", (seen, key_array(keys)))


# Eight bytes, as a signed number: SQLite keeps it in the row itself and compares it without a blob.
def _digest(raw: str) -> int:
    return int.from_bytes(blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
