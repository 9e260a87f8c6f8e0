"""The writes that stand among the orders of the table: those that the provider's lists do not show yet.

Invariant: this module imports nothing heavy, since the first paint of the window needs it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from app.desk.desk import Desk
from app.store.cache import listed_references
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.raw_fields import RawFields
from app.store.journal import outstanding_writes
from app.store.journal.outstanding_writes import OutstandingWrite
from app.store.journal.records import WriteRow
from app.store.sqlite.search_text import plain, words
from app.store.sqlite.text_values import local

# An order that was accepted longer ago and that no list shows will not appear any more: only the outbox shows it.
STANDS_FOR = timedelta(days=7)
# Writes that are read for the rows above the list; with more of them the list says "or more".
_LOOKED_AT = 2_000
_STREETS = ("streetAddress", "streetAddress2")


@dataclass(frozen=True, slots=True)
class OutboxLine:
    """A write as a row of the orders table: the columns of `OrderLine`, as far as a submission has them.

    A cancellation has the columns of the order that it cancels, as last seen.
    """

    write: WriteRow
    crn: str
    number: int | None = None
    consignee_name: str | None = None
    city: str | None = None
    region: str | None = None
    zip: str | None = None
    facility_name: str | None = None
    delivery_type: str | None = None
    requested_delivery: datetime | None = None
    imported_at: datetime | None = None
    scheduled_delivery: datetime | None = None
    delivered_at: datetime | None = None
    street: str | None = None
    phone: str | None = None
    pos: str | None = None
    estimated_receive: datetime | None = None
    raw_fields: RawFields | None = None
    blocked: bool = False  # the connection waits for a person (`Desk.blocked`)


@dataclass(frozen=True, slots=True)
class Outstanding:
    """The first lines, and the count of all; `more`: there are more than `count`."""

    lines: tuple[OutboxLine, ...] = ()
    count: int = 0
    more: bool = False


async def outstanding(desk: Desk, text: str, limit: int) -> Outstanding:
    """Up to `limit` writes that a search for `text` finds: those that need a person first, then the latest."""
    wanted = [word for some in words(text) for word in some]
    since = desk.now() - STANDS_FOR
    some = await desk.journal.read(outstanding_writes.find_outstanding, desk.profile.id, wanted, since, _LOOKED_AT)
    if not some:
        return Outstanding()
    orders = await _cancelled_orders(desk, some)
    listed = await _listed(desk, some)
    standing = [each for each in some if _stands(each, orders.get(each.reference), listed, wanted)]
    shown = await desk.journal.read(outstanding_writes.read_outstanding, [each.id for each in standing[:limit]])
    blocked = bool(desk.blocked)
    lines = tuple(replace(_line(row, payload, orders.get(row.reference)), blocked=blocked) for row, payload in shown)
    return Outstanding(lines, len(standing), more=len(some) == _LOOKED_AT)


async def lines_of(desk: Desk, write_ids: Sequence[int]) -> dict[int, OutboxLine]:
    """Writes by their ids, as rows of the orders table."""
    found = await desk.journal.read(outstanding_writes.read_outstanding, write_ids)
    orders = await _cancelled_orders(desk, [row for row, _ in found])
    return {row.id: _line(row, payload, orders.get(row.reference)) for row, payload in found}


async def order_of(desk: Desk, write_id: int) -> OrderLine | None:
    """The order of an accepted submission that a list has shown since; else None."""
    found = await desk.journal.read(outstanding_writes.read_outstanding, [write_id])
    row = found[0][0] if found else None
    if row is None or row.kind != "submit" or row.state not in ("accepted", "confirmed"):
        return None
    queued = {row.reference: local(row.queued_at)}
    if row.reference not in await desk.reader.read(listed_references.listed_since, row.profile, queued):
        return None
    return (await desk.reader.read(listed_references.latest_of, row.profile, queued)).get(row.reference)


async def _cancelled_orders(desk: Desk, some: Sequence[OutstandingWrite | WriteRow]) -> Mapping[str, OrderLine]:
    references = {each.reference for each in some if each.kind == "cancel"}
    return await desk.reader.read(listed_references.latest_of, desk.profile.id, references) if references else {}


async def _listed(desk: Desk, some: Sequence[OutstandingWrite]) -> set[str]:
    queued = {
        each.reference: local(each.queued_at) for each in some if each.state == "accepted" and each.kind == "submit"
    }
    return await desk.reader.read(listed_references.listed_since, desk.profile.id, queued) if queued else set()


def _stands(each: OutstandingWrite, order: OrderLine | None, listed: set[str], wanted: Sequence[str]) -> bool:
    if each.kind == "submit":
        return each.state != "accepted" or each.reference not in listed
    if each.state == "accepted" and (order is None or order.list != "open"):
        return False  # the list does not show the order any more
    shown = (each.reference, *(() if order is None else map(str, filter(None, order[:11]))))
    searched = plain("\n".join(shown))
    return all(word in searched for word in wanted)


def _line(row: WriteRow, payload: bytes, order: OrderLine | None) -> OutboxLine:
    if row.kind == "submit":
        return _submission_line(row, payload)
    if order is None:
        return OutboxLine(row, row.reference)
    return OutboxLine(
        row,
        row.reference,
        number=order.number,
        consignee_name=order.consignee_name,
        city=order.city,
        region=order.region,
        zip=order.zip,
        facility_name=order.facility_name,
        delivery_type=order.delivery_type,
        requested_delivery=order.requested_delivery,
        imported_at=order.imported_at,
        scheduled_delivery=order.scheduled_delivery,
        delivered_at=order.delivered_at,
        street=order.street,
        phone=order.phone,
        pos=order.pos,
        estimated_receive=order.estimated_receive,
    )


def _submission_line(row: WriteRow, payload: bytes) -> OutboxLine:
    body = _body(payload)
    consignee = body.get("consignee")
    consignee = consignee if isinstance(consignee, dict) else {}
    return OutboxLine(
        row,
        row.reference,
        consignee_name=_text(consignee, "consigneeName"),
        city=_text(consignee, "city"),
        region=_text(consignee, "state"),
        zip=_text(consignee, "zip"),
        facility_name=_text(body, "providerFacilityCode"),
        delivery_type=_text(body, "deliveryType"),
        requested_delivery=_date(_text(body, "requestedDeliveryDate")),
        street=", ".join(filter(None, (_text(consignee, name) for name in _STREETS))) or None,
        phone=_text(consignee, "phone1"),
        pos=_text(body, "poNumber"),
        estimated_receive=_date(_text(body, "estimatedReceiveDate")),
        raw_fields=_raw_fields(body, consignee),
    )


def _raw_fields(body: Mapping[str, Any], consignee: Mapping[str, Any]) -> RawFields:
    """The raw fields (`store.cache.schema.raw_fields`) that a submission has too, in the form that orders have them."""
    return {"consignee_email": _text(consignee, "email"), **_freight(body.get("freightDetails"))}


def _freight(lines: object) -> RawFields:
    """The raw fields of a submission's commodities; a submission has codes only, so `descriptions` has no value."""
    records = [each for each in lines if isinstance(each, dict)] if isinstance(lines, list) else []
    if not records:
        return {}
    counts = [each["count"] if isinstance(each.get("count"), int | float) else 0 for each in records]
    told = [
        f"{_text(each, 'commodity') or '?'} × {_figure(count)}" for each, count in zip(records, counts, strict=True)
    ]
    return {"commodities": "\n".join(told), "pieces": sum(counts)}


def _figure(count: float) -> str:
    """A whole number without a fraction, as in `raw_fields`. `{count:g}` would round from a million on."""
    return str(int(count) if count % 1 == 0 else count)


def _body(payload: bytes) -> Mapping[str, Any]:
    """The content of a submission; empty if the bytes are damaged, which the story of the write reports."""
    try:
        body = json.loads(payload)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _text(body: Mapping[str, Any], name: str) -> str | None:
    found = body.get(name)
    return found if isinstance(found, str) else None


def _date(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.combine(date.fromisoformat(text), time())
    except ValueError:
        return None
