"""An order once more: what this desk last sent of it, or else what the provider returns, as a draft.

The provider returns neither volumes nor weights nor barcodes (trap 5), so its record alone makes half an order: what
was taken from where, and what is missing, is said in the sentence that comes with the draft.
"""

import json
from dataclasses import dataclass, replace
from datetime import date, datetime

from app.contract.codes import DeliveryType
from app.contract.draft import (
    FALSE,
    TRUE,
    BarcodingDraft,
    ConsigneeDraft,
    FreightDraft,
    OrderDraft,
)
from app.contract.information import Contact, Order
from app.contract.moments import read_date, read_moment
from app.contract.replies import decode
from app.contract.request_body import draft_of_body
from app.desk.desk import Desk
from app.desk.sending.payload_differences import Difference, read_back
from app.store.cache import order_query
from app.store.journal import write_store
from app.store.journal.records import WriteRow
from app.store.sqlite.text_values import local
from app.store.store_errors import JournalDamaged, WrongState

# Of these it is certain, or possible, that the provider has them or will have them.
_LIVE = ("accepted", "confirmed", "queued", "sending", "in_doubt")
NOT_TAKEN_UP = (
    "What is kept of this order here is damaged, so it cannot be taken up again. Enter it anew, or change it from the "
    "orders if the provider has it."
)
_DATES = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
# Of an order that another desk has sent these cannot be known.
NOT_RETURNED = "volume, weight, barcodes, bill-to, sold by, ship date, second phone, other references and instructions"


@dataclass(frozen=True, slots=True)
class Again:
    """A draft and where it comes from. `apart`: the fields in which the provider says otherwise by now. `whole` is
    False when the draft was made from the provider's record, which holds only part of an order."""

    draft: OrderDraft
    sentence: str
    apart: tuple[Difference, ...] = ()
    whole: bool = True


async def to_change(desk: Desk, number: int) -> Again | None:
    """The open order with this number, to be changed and sent again under its reference. None when it is not known."""
    order = await _order(desk, number)
    if order is None or not order.CRN:
        return None
    last = await _last_live(desk, order.CRN)
    if last is None:
        words = (
            f"This desk never sent {order.CRN}. This is what the provider returns, without {NOT_RETURNED}. "
            "What stays empty is sent empty: fill them in first."
        )
        return Again(_draft_of(order), words, whole=False)
    write, payload = last
    apart = tuple(read_back(payload, order)) if write.state in ("accepted", "confirmed") else ()
    return Again(_draft_of_payload(payload), f"This is {order.CRN} as {_how_sent(write)}.", apart)


async def clone_order(desk: Desk, number: int) -> Again | None:
    """A new order like the one with this number. None when it is not known."""
    order = await _order(desk, number)
    if order is None:
        return None
    name = order.CRN or f"order {number}"
    last = None if not order.CRN else await _last_live(desk, order.CRN)
    if last is None:
        words = f"A new order like {name}, from what the provider returns: it holds no {NOT_RETURNED}."
        return Again(_as_new(_draft_of(order), desk.now().date()), words, whole=False)
    write, payload = last
    return _cloned(desk, name, write, payload)


async def clone_write(desk: Desk, write_id: int) -> Again:
    """A new order like one of the outbox. Raises `StoreError`."""
    told = await desk.journal.read(write_store.write_story, write_id)
    if told.row.damaged:
        raise JournalDamaged(NOT_TAKEN_UP)
    if told.row.kind != "submit":
        raise WrongState("A cancellation holds no order, so there is nothing to copy.")
    return _cloned(desk, told.row.reference, told.row, told.payload)


def _cloned(desk: Desk, name: str, write: WriteRow, payload: bytes) -> Again:
    before = _draft_of_payload(payload)
    after = _as_new(before, desk.now().date())
    left = ["the reference"]
    left += ["its barcodes and load number"] if before.barcoding != after.barcoding else []
    left += ["dates that have passed"] if _dates(before) != _dates(after) else []
    return Again(after, f"A new order like {name}, as {_how_sent(write)}. Left out: {', '.join(left)}.")


def _as_new(draft: OrderDraft, today: date) -> OrderDraft:
    """Without what belongs to that one order alone: its reference, its cartons, and days that are over."""
    made = replace(draft, orderReferenceNumber="", barcoding=BarcodingDraft())
    for name, day in zip(_DATES, _dates(draft), strict=True):
        setattr(made, name, day if _is_to_come(day, today) else "")
    return made


def _dates(draft: OrderDraft) -> tuple[str, ...]:
    return tuple(getattr(draft, name) for name in _DATES)


def _is_to_come(text: str, today: date) -> bool:
    day = read_date(text)
    return day is not None and day >= today


async def _order(desk: Desk, number: int) -> Order | None:
    found = await desk.reader.read(order_query.order_detail, desk.profile.id, number)
    return None if found is None else Order.model_validate(decode(found.raw.encode("utf-8", "replace")))


async def _last_live(desk: Desk, reference: str) -> tuple[WriteRow, bytes] | None:
    """The last submission of a reference that was not refused or withdrawn, with its bytes, if they are whole."""
    for write in await desk.journal.read(write_store.writes_of, desk.profile.id, reference):
        if write.kind == "submit" and write.state in _LIVE:
            try:
                return write, await desk.journal.read(write_store.payload, write.id)
            except JournalDamaged:
                continue  # the one before it says more than none
    return None


def _how_sent(write: WriteRow) -> str:
    queued = local(write.queued_at)
    at = f"{queued:%a} {queued.day} {queued:%b %H:%M}"
    match write.state:
        case "accepted" | "confirmed":
            return f"this desk last sent it on {at}"
        case "in_doubt":
            return f"this desk last sent it on {at}; whether that arrived is in doubt"
        case "queued" | "sending":
            return f"it was submitted here on {at}; it is still on its way"
    return f"it was submitted here on {at}"


def _draft_of_payload(payload: bytes) -> OrderDraft:
    return draft_of_body(json.loads(payload))[0]


def _draft_of(order: Order) -> OrderDraft:
    """What the provider returns of an order, in the fields of a draft."""
    facility = (order.Facility or Contact()).Id or ""
    kinds = [each.value for each in DeliveryType]
    return OrderDraft(
        orderReferenceNumber=order.CRN or "",
        poNumber=next(iter(order.PO or ()), ""),
        manufacturerCode=(order.Manufacturer or Contact()).Id or "",
        providerFacilityCode=facility,
        useConsigneeAddressToDetermineFaclityCode=FALSE if facility else TRUE,
        deliveryType=order.DeliveryType if order.DeliveryType in kinds else "",
        estimatedReceiveDate=_day(order.DateEstimatedReceive),
        requestedDeliveryDate=_day(order.DateRequestedDelivery),
        consignee=_consignee(order.Consignee or Contact()),
        freightDetails=[
            FreightDraft(line.CommodityCode or "", "" if line.Count is None else f"{line.Count:g}")
            for line in order.Commodities or ()
        ]
        or [FreightDraft()],
    )


def _consignee(contact: Contact) -> ConsigneeDraft:
    address = contact.Address
    draft = ConsigneeDraft(consigneeName=contact.Name or "", phone1=contact.Phone or "", email=contact.Email or "")
    if address is not None:
        draft.streetAddress = address.StreetAddress1 or ""
        draft.streetAddress2 = ", ".join(line for line in (address.StreetAddress2, address.StreetAddress3) if line)
        draft.city, draft.state, draft.zip = address.City or "", address.State or "", address.ZipCode or ""
    return draft


def _day(moment: datetime | None) -> str:
    when = read_moment(moment)
    return "" if when is None else f"{when:%Y-%m-%d}"
