"""Makes a draft of an order: from what this desk last sent, or else from the provider's record.

The provider returns neither volumes nor weights nor barcodes (trap 5), so its record alone makes half an order. The
sentence that comes with the draft says where its values are from and which are missing.
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
from app.desk.drafts import drafts_words
from app.desk.sending.payload_differences import Difference, read_back
from app.store.cache import order_query
from app.store.journal import write_store
from app.store.journal.records import WriteRow
from app.store.sqlite.text_values import local
from app.store.store_errors import JournalDamaged, WrongState

# In these states the provider has the order, or may have it, or will have it.
_LIVE = ("accepted", "confirmed", "queued", "sending", "in_doubt")
_DATES = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")


@dataclass(frozen=True, slots=True)
class CopiedOrder:
    """A draft, and a sentence that says where it is from.

    `differences` are the fields in which the provider's record differs by now. `whole` is False for a draft that was
    made from the provider's record, which holds only part of an order.
    """

    draft: OrderDraft
    sentence: str
    differences: tuple[Difference, ...] = ()
    whole: bool = True


async def to_change(desk: Desk, number: int) -> CopiedOrder | None:
    """The open order with this number, to be changed and sent again under its reference. None when it is not known."""
    order = await _order(desk, number)
    if order is None or not order.CRN:
        return None
    # What this desk sent first: the provider returns no volumes, weights and barcodes (trap 5).
    last = await _last_live(desk, order.CRN)
    if last is None:
        words = drafts_words.never_sent(order.CRN)
        return CopiedOrder(_draft_of(order), words, whole=False)
    write, payload = last
    # A write that is still on its way differs from what the provider shows, and that is no news.
    differences = tuple(read_back(payload, order)) if write.state in ("accepted", "confirmed") else ()
    return CopiedOrder(_draft_of_payload(payload), drafts_words.sent_before(order.CRN, _how_sent(write)), differences)


async def as_listed(desk: Desk, number: int) -> OrderDraft | None:
    """The order with this number as far as the provider returns it. None when it is not known."""
    order = await _order(desk, number)
    return None if order is None else _draft_of(order)


async def clone_order(desk: Desk, number: int) -> CopiedOrder | None:
    """A new order like the one with this number. None when it is not known."""
    order = await _order(desk, number)
    if order is None:
        return None
    name = order.CRN or drafts_words.order_number(number)
    last = None if not order.CRN else await _last_live(desk, order.CRN)
    if last is None:
        draft = _as_new(_draft_of(order), desk.now().date())
        return CopiedOrder(draft, drafts_words.copy_of_returned(name), whole=False)
    write, payload = last
    return _cloned(desk, name, write, payload)


async def clone_write(desk: Desk, write_id: int) -> CopiedOrder:
    """A new order like one of the outbox. Raises `StoreError`."""
    story = await desk.journal.read(write_store.write_story, write_id)
    if story.row.damaged:
        raise JournalDamaged(drafts_words.DAMAGED)
    if story.row.kind != "submit":
        raise WrongState(drafts_words.NOT_AN_ORDER)
    return _cloned(desk, story.row.reference, story.row, story.payload)


def _cloned(desk: Desk, name: str, write: WriteRow, payload: bytes) -> CopiedOrder:
    before = _draft_of_payload(payload)
    after = _as_new(before, desk.now().date())
    # Said, because a person who copies an order takes everything for copied.
    left_out = [drafts_words.THE_REFERENCE]
    left_out += [drafts_words.ITS_BARCODES] if before.barcoding != after.barcoding else []
    left_out += [drafts_words.PAST_DATES] if _dates(before) != _dates(after) else []
    return CopiedOrder(after, drafts_words.copy_of_sent(name, _how_sent(write), left_out))


def _as_new(draft: OrderDraft, today: date) -> OrderDraft:
    """The draft without the values of that one order: its reference, its barcodes, and dates that have passed."""
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
    match write.state:
        case "accepted" | "confirmed":
            return drafts_words.last_sent(queued)
        case "in_doubt":
            return drafts_words.last_sent_in_doubt(queued)
        case "queued" | "sending":
            return drafts_words.still_on_its_way(queued)
    return drafts_words.submitted_here(queued)


def _draft_of_payload(payload: bytes) -> OrderDraft:
    return draft_of_body(json.loads(payload))[0]


def _draft_of(order: Order) -> OrderDraft:
    """The provider's record of an order, in the fields of a draft."""
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
