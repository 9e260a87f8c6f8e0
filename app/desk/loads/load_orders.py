"""This desk's orders that named a load, the loads that were named lately, and the load of an order.

The provider's orders do not say on which load they came (notes.md, trap 5), so only the submissions in the journal
tell. Invariant: of each order the last submission counts that was neither rejected nor withdrawn, so an order that was
moved to another load is not listed under the first one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.contract.information import Order
from app.contract.replies import decode
from app.desk.desk import Desk
from app.desk.drafts.scanning import Tally, tallies
from app.desk.known import known_data
from app.desk.loads import overage
from app.desk.orders.order_documents import Document, documents_of
from app.desk.sending.outbox import draft_of
from app.store.cache import known_values, listed_references, order_query
from app.store.cache.order_rows import OrderDetail, OrderLine
from app.store.journal import outstanding_writes
from app.store.journal.records import WriteRow
from app.store.sqlite.search_text import plain

OVERAGE_HINTS = ("OVR", "SOI")  # folders of documents about too much or too little on a load
_MOST_ORDERS = 500  # of a load
_MOST_LOADS = 100


@dataclass(frozen=True, slots=True)
class LoadOrder:
    """An order that named the load: its last submission, and the provider's order with this reference, if one was seen.

    `scanned`: barcodes against the freight, by commodity. `hints`: documents about too much or too little; None while
    its documents are not known. `several`: how many orders with this reference were seen.
    """

    write: WriteRow
    consignee: str
    scanned: tuple[Tally, ...]
    order: OrderLine | None = None
    hints: tuple[Document, ...] | None = None

    @property
    def reference(self) -> str:
        """The order's reference."""
        return self.write.reference

    @property
    def matches(self) -> bool:
        """Whether exactly the freight's pieces were scanned, of every commodity."""
        return bool(self.scanned) and all(each.left == 0 for each in self.scanned)


@dataclass(frozen=True, slots=True)
class NamedLoad:
    """A load that this desk's orders named, or that was asked about: when, and how many items were over."""

    load: str
    asked_at: datetime | None = None
    items: int = 0


async def orders_on(desk: Desk, load: str) -> list[LoadOrder]:
    """The orders that named this load, by reference. Raises `StoreError`."""
    start = known_data.load_key(load.strip())
    known = await desk.reader.read(known_values.known_beginning, desk.profile.id, "load_order", start, _MOST_ORDERS)
    references = [each.body["reference"] for each in known]
    if not references:
        return []
    sent = await desk.journal.read(outstanding_writes.last_submissions, desk.profile.id, references)
    # The learned value may come from an earlier submission: only the last one says on which load the order is.
    named = [(row, payload) for row, payload in sent if plain(load_named(payload)) == plain(load.strip())]
    seen = await desk.reader.read(listed_references.latest_of, desk.profile.id, [row.reference for row, _ in named])
    return [await _load_order(desk, row, payload, seen.get(row.reference)) for row, payload in named]


async def _load_order(desk: Desk, row: WriteRow, payload: bytes, order: OrderLine | None) -> LoadOrder:
    draft = draft_of(payload)
    hints = None if order is None else await _hints(desk, order)
    scanned = tuple(tallies(draft.freightDetails, draft.barcoding.barcodeItemDetails))
    return LoadOrder(row, draft.consignee.consigneeName, scanned, order, hints)


async def _hints(desk: Desk, line: OrderLine) -> tuple[Document, ...] | None:
    if line.folders is None:
        return None
    if not any(f" {folder} " in line.folders for folder in OVERAGE_HINTS):
        return ()
    detail: OrderDetail | None = await desk.reader.read(order_query.order_detail, desk.profile.id, line.number)
    if detail is None:
        return None
    order = Order.model_validate(decode(detail.raw.encode("utf-8", "replace")))
    return tuple(each for each in documents_of(order) if each.folder in OVERAGE_HINTS)


async def load_of(desk: Desk, reference: str) -> str:
    """The load that the last submission of this order named; empty if this desk named none. Raises `StoreError`."""
    found = await desk.journal.read(outstanding_writes.last_submissions, desk.profile.id, [reference])
    return load_named(found[0][1]) if found else ""


async def recent_loads(desk: Desk, text: str = "") -> Sequence[NamedLoad]:
    """The loads that this desk's orders named, the last one first, then others that were asked about.

    `text` narrows them to those with words that begin so. Raises `StoreError`.
    """
    named = (await known_data.find(desk, "load", text, _MOST_LOADS)).rows
    asked = await overage.asked_loads(desk)
    wanted = plain(text.strip())
    loads = dict.fromkeys([*(each.body["code"] for each in named), *(load for load in asked if wanted in plain(load))])
    return [
        NamedLoad(load) if load not in asked else NamedLoad(load, asked[load].at, asked[load].count) for load in loads
    ]


def load_named(payload: bytes) -> str:
    """The load that a submission's bytes name; empty for none, and for bytes that cannot be read."""
    try:
        order = json.loads(payload)
    except (ValueError, RecursionError):
        return ""
    barcoding = order.get("barcoding") if isinstance(order, Mapping) else None
    load = barcoding.get("receivingLoadNumber") if isinstance(barcoding, Mapping) else None
    return load.strip() if isinstance(load, str) else ""
