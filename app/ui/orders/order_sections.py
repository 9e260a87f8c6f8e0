"""An order as plain lines of text, for the pane beside the table and for the case file.

Invariant: only what the provider has said is a line; what it has not said yet is told from what there is none of.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from app.contract.codes import ORDER_STATE_WORDS, OrderState
from app.contract.information import Address, Contact, Order
from app.desk.looked_up import LookUp
from app.desk.sending.order_status import order_status_words
from app.store.cache.order_rows import OrderLine
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.widgets.milestones import Milestone
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import day, moment

PHONE, EMAIL = translate("Phone"), translate("Email")
FACILITY, CARRIER, MANUFACTURER = translate("Facility"), translate("Carrier"), translate("Manufacturer")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of (label, value); a label may be empty. `nothing` is shown in place of lines.

    `place` is an address in one line, to be shown on a map. `more` is the title of a button that asks for the lines
    that are left out.
    """

    heading: str
    lines: tuple[tuple[str, str], ...]
    nothing: str = ""
    place: str = ""
    more: str = ""


def order_of_row(line: OrderLine) -> Order:
    """The order as far as its row in the table knows it."""
    # Not validated again: the row holds what was read of the provider once.
    return Order.model_construct(
        OrderNumber=line.number,
        CRN=line.crn,
        StatusId=line.state,
        Status=line.status,
        Consignee=_row_contact(line.consignee_name, line.phone, (line.street, line.city, line.region, line.zip)),
        Facility=_row_contact(line.facility_name, code=line.facility_id),
        Carrier=_row_contact(line.carrier),
        Manufacturer=_row_contact(line.manufacturer),
        PO=None if line.pos is None else line.pos.splitlines(),
        BOL=line.bol,
        Brand=line.brand,
        Remarks=line.remarks,
        DeliveryType=line.delivery_type,
        DateImported=line.imported_at,
        DateEstimatedReceive=line.estimated_receive,
        DateReceived=line.received_at,
        ReceivedById=line.received_by,
        DateRequestedDelivery=line.requested_delivery,
        DateScheduledDelivery=line.scheduled_delivery,
        DateLoaded=line.loaded_at,
        LoadedById=line.loaded_by,
        DateActualDelivery=line.delivered_at,
        DeliveredBy=line.delivered_by,
        IsReceived=line.is_received,
        IsDelivered=line.is_delivered,
    )


def _row_contact(
    name: str | None,
    phone: str | None = None,
    place: tuple[str | None, ...] = (None, None, None, None),
    code: str | None = None,
) -> Contact | None:
    if not any((name, phone, code, *place)):
        return None
    street, city, region, zip_code = place
    address = Address.model_construct(StreetAddress1=street, City=city, State=region, ZipCode=zip_code)
    return Contact.model_construct(Id=code, Name=name, Phone=phone, Address=address if any(place) else None)


def milestones(order: Order) -> tuple[Milestone, ...]:
    """Imported, received, scheduled, loaded, delivered: each as reached, or as planned while the order is open.

    A milestone that is not reached has another word than one that is, and a word says that its date is planned.
    """
    scheduled, requested = order.DateScheduledDelivery, order.DateRequestedDelivery
    closed = order.StatusId in (OrderState.CAN, OrderState.CMP)  # nothing of such an order is due any more
    return (
        _milestone((translate("Imported"), translate("Import")), order.DateImported),
        _milestone(
            (translate("Received"), translate("Receipt")),
            order.DateReceived,
            happened=bool(order.IsReceived),
            plan=None if closed else order.DateEstimatedReceive,
            word=translate("estimated"),
        ),
        _scheduling(scheduled),
        _milestone((translate("Loaded"), translate("Loading")), order.DateLoaded),
        _milestone(
            (translate("Delivered"), translate("Delivery")),
            order.DateActualDelivery,
            happened=bool(order.IsDelivered),
            plan=None if closed else scheduled or requested,
            word=translate("due"),
            more=translate("as scheduled") if scheduled else translate("as requested"),
        ),
    )


def _scheduling(at: datetime | None) -> Milestone:
    """Done as soon as there is a day, whose date is still that of a plan."""
    if at is None:
        return Milestone(translate("Scheduling"), None, done=False)
    return Milestone(translate("Scheduled"), at, done=True, plan=translate("for"), plan_more=translate("the delivery"))


def _milestone(
    titles: tuple[str, str],
    at: datetime | None,
    *,
    happened: bool = False,
    plan: datetime | None = None,
    word: str = "",
    more: str = "",
) -> Milestone:
    """A milestone that was reached, if the provider says when or only that it was; else with its plan, if any.

    `titles`: once reached, and before; `word` and `more` stand before and after a planned date.
    """
    reached, ahead = titles
    if at is not None or happened:
        return Milestone(reached, at, done=True)
    return Milestone(ahead, plan, done=False, plan=word, plan_more=more) if plan else Milestone(ahead, None, done=False)


def state_words(order: Order) -> str:
    """The state in the provider's own word, and its code."""
    code = order.StatusId or ""
    word = order.Status or ORDER_STATE_WORDS.get(code, translate("No state given"))
    return f"{word} ({code})" if code else word


def lateness(order: Order, today: date) -> tuple[str, Tone]:
    """When the order is due, or how late it is or was, and the tone of that; empty where nothing is due."""
    due = order.DateScheduledDelivery or order.DateRequestedDelivery
    if due is None or order.StatusId == OrderState.CAN:
        return "", ""
    if order.DateActualDelivery is not None:
        late = (order.DateActualDelivery.date() - due.date()).days
        return (words.delivered_late(late), "bad") if late > 0 else (words.DELIVERED_IN_TIME, "good")
    if order.IsDelivered or order.StatusId == OrderState.CMP:
        return "", ""
    left = (due.date() - today).days
    if left < 0:
        return words.days_late(-left), "bad"
    return words.due(day(due), left), "warn" if left == 0 else "soft"


def sections(order: Order, looked_up: LookUp | None = None, unknown: str = "") -> tuple[Section, ...]:
    """All that the provider has said about the order except its documents, in the sequence in which people look for it.

    `unknown` says why parts that come only with a single order are not known yet; empty where they were asked for.
    """
    freight, purchase_orders = tuple(_freight(order)), tuple(("", each) for each in order.PO or ())
    found = (
        Section(translate("State"), tuple(_state(order, looked_up))),
        _of_contact(translate("Consignee"), order.Consignee),
        Section(translate("Freight"), freight, _absent(order.Commodities, unknown, words.NO_COMMODITIES)),
        Section(translate("Dates"), tuple(_dates(order))),
        Section(translate("Purchase orders"), purchase_orders, _absent(order.PO, unknown, "")),
        Section(translate("References"), tuple(_references(order))),
        Section(translate("Notes"), tuple(_notes(order)), _absent(order.Notes, unknown, words.NO_NOTES)),
        _of_contact(FACILITY, order.Facility),
        _of_contact(CARRIER, order.Carrier),
        _of_contact(MANUFACTURER, order.Manufacturer),
    )
    return tuple(each for each in found if each.lines or each.nothing)


def _absent(known: object, unknown: str, none: str) -> str:
    """Why a part has no lines: it is not known yet, or there is none."""
    return unknown if known is None and unknown else none


def _state(order: Order, looked_up: LookUp | None) -> Iterable[tuple[str, str]]:
    yield translate("In the order list"), state_words(order)
    yield translate("By order status"), order_status_words(order.StatusId, looked_up)


def _of_contact(heading: str, contact: Contact | None) -> Section:
    address = None if contact is None else contact.Address
    parts = () if address is None else (address.StreetAddress1, address.City, address.State, address.ZipCode)
    # Without a street a map would show a whole town.
    place = ", ".join(part.strip() for part in parts if part and part.strip()) if parts and parts[0] else ""
    return Section(heading, tuple(_contact(contact)), place=place)


def _contact(contact: Contact | None) -> Iterable[tuple[str, str]]:
    if contact is None:
        return
    if contact.Name:
        yield "", contact.Name
    if contact.Address is not None:
        address = contact.Address
        for line in (address.StreetAddress1, address.StreetAddress2, address.StreetAddress3):
            if line:
                yield "", line
        place = " ".join(part for part in (address.City, address.State, address.ZipCode) if part)
        if place:
            yield "", place
    yield from _given((PHONE, contact.Phone), (EMAIL, contact.Email), (translate("Code"), contact.Id))


def _freight(order: Order) -> Iterable[tuple[str, str]]:
    for line in order.Commodities or ():
        count = "" if line.Count is None else f"{line.Count:g} × "
        yield line.CommodityCode or "", f"{count}{line.Description or line.CommodityCode or words.UNNAMED}"


def _dates(order: Order) -> Iterable[tuple[str, str]]:
    yield from _given(
        (translate("Imported"), _at(order.DateImported)),
        (translate("Estimated receipt"), _at(order.DateEstimatedReceive)),
        (translate("Received"), _at(order.DateReceived, order.ReceivedById)),
        (translate("Requested delivery"), _at(order.DateRequestedDelivery)),
        (translate("Scheduled delivery"), _scheduled(order)),
        (translate("Loaded"), _at(order.DateLoaded, order.LoadedById)),
        (translate("Delivered"), _at(order.DateActualDelivery, order.DeliveredBy)),
    )


def _at(when: datetime | None, person: str | None = None) -> str:
    return words.happened_at(moment(when), person or "") if when is not None else ""


def _scheduled(order: Order) -> str:
    scheduled, requested = order.DateScheduledDelivery, order.DateRequestedDelivery
    if scheduled is None:
        return ""
    later = 0 if requested is None else max((scheduled.date() - requested.date()).days, 0)
    return words.scheduled_for(moment(scheduled), later)


def _references(order: Order) -> Iterable[tuple[str, str]]:
    yield from _given(
        (translate("BOL"), order.BOL),
        (translate("Brand"), order.Brand),
        (translate("Delivery type"), order.DeliveryType),
        (translate("Remarks"), order.Remarks),
    )


def _notes(order: Order) -> Iterable[tuple[str, str]]:
    newest_first = sorted(order.Notes or (), key=lambda each: each.CreatedDate or datetime(1, 1, 1), reverse=True)
    for note in newest_first:
        if note.Text:
            yield moment(note.CreatedDate), note.Text


def _given(*pairs: tuple[str, str | None]) -> Iterable[tuple[str, str]]:
    for label, value in pairs:
        if value:
            yield label, value
