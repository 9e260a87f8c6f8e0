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
from dataclasses import fields, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from app.store.cache_marks import look_at, mark_changed, told
from app.store.cache_order import prepare_sort, sorts_slowly
from app.store.cache_query import (
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
from app.store.cache_rows import ListName, OrderFacts, OrderLine, OrderQuery, Stored
from app.store.cache_schema import CACHE, MAX_NUMBER, SHELF_BITS
from app.store.cache_segments import forget_shelf, index_some, mark_unindexed
from app.store.memory import forget_all
from app.store.search_text import searched_text
from app.store.sql import bound, rows
from app.store.texts import storable, to_exact, to_text

__all__ = [
    "CACHE",
    "OrderFacts",
    "OrderLine",
    "OrderQuery",
    "Stored",
    "bound",
    "count_at_once",
    "count_orders",
    "facets",
    "find_crn",
    "first_pages",
    "forget_profile",
    "index_some",
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
_KEYED = ("orders", "raws", "texts", "seen", "unlearnt", "unlooked")
_INSERT_ORDER = f"INSERT INTO orders VALUES ({', '.join('?' * 36)})"
_INSERT_RAW = "INSERT OR REPLACE INTO raws VALUES (?, ?)"
_INSERT_TEXT = "INSERT OR REPLACE INTO texts VALUES (?, ?)"


class _Known(NamedTuple):
    key: int
    digest: int
    seen: int


class _Row(NamedTuple):
    """One order ready to be written."""

    key: int
    facts: OrderFacts
    raw: str
    pos: str | None
    digest: int


def store_orders(
    c: apsw.Connection, profile: str, list_name: ListName | None, facts: Sequence[OrderFacts], seen_at: datetime
) -> Stored:
    """Keep orders of one reply; about 500 a call keep everybody else fast.

    `seen_at` is when the provider was asked (not when it answered). `list_name` None is for an order asked
    for by its number: it stays on its list, unless its state says completed or cancelled.
    """
    shelves = shelves_of(c, profile)
    seen = milliseconds(seen_at)
    possible = {f.number: f for f in facts if 0 <= f.number <= MAX_NUMBER}
    known = _known(c, shelves.values(), possible)
    fresh: list[_Row] = []
    again: list[_Row] = []
    touched: list[int] = []
    for number, fact in possible.items():
        old = known.get(number)
        if old is not None and old.seen > seen:
            continue
        shelf = shelves[list_name or _list_of(fact, old, shelves)]
        row = _Row(shelf << SHELF_BITS | number, fact, fact.raw, fact.pos, _digest(fact.raw))
        if old is None:
            fresh.append(row)
        elif old.digest == row.digest and old.key == row.key:
            touched.append(row.key)
        else:
            again.append(row)
    changed = _renew(c, again, known, seen_at)
    _put(c, fresh, seen_at)
    _see(c, [row.key for row in fresh], seen)
    _see(c, [*touched, *(row.key for row in again)], seen)
    refused = tuple(f.number for f in facts if not 0 <= f.number <= MAX_NUMBER)
    return Stored(len(fresh), changed, len(possible) - len(fresh) - changed, refused)


def forget_profile(c: apsw.Connection, profile: str) -> None:
    """Drop all that is known of a profile's orders and audits, and what was learnt from them."""
    from app.store.audits import forget_audits  # the first paint does without the audits

    forget_all(c, profile)
    forget_audits(c, profile)
    for shelf in shelves_of(c, profile).values():
        span = (shelf << SHELF_BITS, shelf << SHELF_BITS | MAX_NUMBER)
        forget_shelf(c, shelf)
        for table in _KEYED:
            c.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
    for table in ("windows", "departed", "replies"):
        c.execute(f"DELETE FROM {table} WHERE profile = ?", (profile,))


def shelves_of(c: apsw.Connection, profile: str) -> dict[ListName, int]:
    """The shelf of each of a profile's lists."""
    c.executemany("INSERT OR IGNORE INTO shelves (profile, list) VALUES (?, ?)", [(profile, name) for name in _LISTS])
    return dict(rows(c, "SELECT list, shelf FROM shelves WHERE profile = ?", (profile,)))


def _known(c: apsw.Connection, shelves: Iterable[int], numbers: Iterable[int]) -> dict[int, _Known]:
    """What is known of these numbers on any list of the profile."""
    keys = [shelf << SHELF_BITS | number for number in numbers for shelf in shelves]
    if not keys:
        return {}
    found = c.execute(
        "SELECT number, id, digest, at FROM orders JOIN seen USING (id) WHERE id IN carray(?)", (bound(keys),)
    )
    return {number: _Known(*rest) for number, *rest in found}


def _list_of(fact: OrderFacts, old: _Known | None, shelves: dict[ListName, int]) -> ListName:
    """Where an order belongs that was asked for by its number."""
    if fact.state == "CMP":
        return "completed"
    if fact.state == "CAN":
        return "other"
    if old is None:
        return "open"
    return next(name for name, shelf in shelves.items() if shelf == old.key >> SHELF_BITS)


def _renew(c: apsw.Connection, again: Sequence[_Row], known: dict[int, _Known], seen_at: datetime) -> int:
    """Bring known orders up to date; returns how many differ from what was known."""
    if not again:
        return 0
    before = told(c, (known[row.facts.number].key for row in again))
    moved = {row.key for row in again if known[row.facts.number].key != row.key}
    for shelf in {key >> SHELF_BITS for key in moved}:
        keys = [known[row.facts.number].key for row in again if row.key in moved and row.key >> SHELF_BITS == shelf]
        move(c, keys, shelf)
    merged = list(_merged(c, again))
    different = [row for row, same in merged if not same or row.key in moved]
    c.executemany("UPDATE orders SET digest = ? WHERE id = ?", [(row.digest, row.key) for row, _ in merged])
    _put(c, different, seen_at)
    mark_changed(c, before, told(c, (row.key for row in different)))
    return len(different)


def _merged(c: apsw.Connection, again: Sequence[_Row]) -> Iterator[tuple[_Row, bool]]:
    """Each row with what was not asked for kept from before, and whether it says the same as before."""
    keys = bound([row.key for row in again])
    before = {
        key: (raw, pos)
        for key, raw, pos in rows(
            c, "SELECT id, raw, pos FROM raws JOIN orders USING (id) WHERE id IN carray(?)", (keys,)
        )
    }
    for row in again:
        raw, pos = before[row.key]
        old: dict[str, Any] = json.loads(raw)
        new: dict[str, Any] = json.loads(row.raw)
        kept = {name: old[name] for name in _ASKED_FOR_APART if name in old and name not in new}
        if not kept:
            yield row, old == new
            continue
        whole = new | kept
        text = storable(json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
        yield row._replace(raw=text, pos=pos if "PO" in kept else row.pos), old == whole


def _put(c: apsw.Connection, batch: Sequence[_Row], seen_at: datetime) -> None:
    """Write rows whole. Values are made one row at a time, so that no other thread waits for a whole batch."""
    if not batch:
        return
    now = to_exact(seen_at)
    keys = [row.key for row in batch]
    c.execute("DELETE FROM orders WHERE id IN carray(?)", (bound(keys),))  # half the time of OR REPLACE
    c.executemany(_INSERT_ORDER, (_values(row, now) for row in batch))
    c.executemany(_INSERT_RAW, ((row.key, storable(row.raw)) for row in batch))
    c.execute("INSERT OR IGNORE INTO unlearnt SELECT value FROM carray(?)", (bound(keys),))
    texts = dict(rows(c, "SELECT id, text FROM texts WHERE id IN carray(?)", (bound(keys),)))
    fresh = [(row.key, text) for row in batch if texts.get(row.key) != (text := searched_text(row.facts, row.pos))]
    c.executemany(_INSERT_TEXT, fresh)
    mark_unindexed(c, keys)


def _values(row: _Row, now: str) -> tuple[Any, ...]:
    f = row.facts
    if "\\ud" in row.raw or "\\uD" in row.raw:  # the one way for half a character to get in
        f, row = _whole(f), row._replace(pos=row.pos and storable(row.pos))
    return (
        *(row.key, row.key >> SHELF_BITS, f.number, f.crn, f.state, f.status, f.consignee_name, f.city),
        *(f.region, f.zip, f.facility_name, f.facility_id, f.delivery_type, to_text(f.imported_at)),
        *(to_text(f.requested_delivery), to_text(f.scheduled_delivery), to_text(f.delivered_at)),
        *(to_text(f.received_at), f.street, f.phone, f.manufacturer, f.brand, f.bol, row.pos, f.remarks),
        *(to_text(f.estimated_receive), to_text(f.loaded_at), f.is_received, f.is_delivered, row.digest, now),
        *(folders_of(row.raw), f.carrier, f.received_by, f.loaded_by, f.delivered_by),
    )


def folders_of(raw: str) -> str | None:
    """The folders of an order's documents, each between blanks; None when documents were not asked for."""
    if '"ProofOfDelivery"' not in raw:
        return None
    documents = json.loads(raw).get("ProofOfDelivery")
    if documents is None:
        return None
    records = [each for each in (documents if isinstance(documents, list) else [documents]) if isinstance(each, dict)]
    codes = sorted({"".join(str(each.get("Folder") or "?").upper().split()) for each in records})
    return storable("".join(f" {code}" for code in codes)) + " "


def _whole(facts: OrderFacts) -> OrderFacts:
    values = {field.name: getattr(facts, field.name) for field in fields(facts)}
    texts: dict[str, Any] = {name: storable(text) for name, text in values.items() if isinstance(text, str)}
    return replace(facts, **texts)


def _see(c: apsw.Connection, keys: Sequence[int], seen: int) -> None:
    if keys:
        c.execute("INSERT OR REPLACE INTO seen SELECT value, ? FROM carray(?)", (seen, bound(keys)))


def move(c: apsw.Connection, keys: Sequence[int], shelf: int) -> None:
    """Put orders on another list: every table knows them by a new key afterwards."""
    if not keys:
        return
    held = bound(keys)
    for table in _KEYED:
        c.execute(
            f"UPDATE {table} SET id = (id & ?) | ? WHERE id IN carray(?)", (MAX_NUMBER, shelf << SHELF_BITS, held)
        )
    after = [key & MAX_NUMBER | shelf << SHELF_BITS for key in keys]
    c.execute("UPDATE orders SET shelf = ? WHERE id IN carray(?)", (shelf, bound(after)))
    mark_unindexed(c, [*keys, *after])


def milliseconds(moment: datetime) -> int:
    """As `seen` counts them."""
    return int(moment.timestamp() * 1_000)


def _digest(raw: str) -> int:
    return int.from_bytes(blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
