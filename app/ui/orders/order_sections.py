"""An order as words for the detail pane: plain lines of text, nothing of Qt, so that it is easy to check."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from app.contract.codes import ORDER_STATE_WORDS, OrderState
from app.contract.information import Contact, Order
from app.desk.sending.order_status import LookUp, order_status_words
from app.ui.widgets.milestones import Milestone
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import day, moment


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of (label, value); a label may be empty. `nothing` is said in place of lines."""

    heading: str
    lines: tuple[tuple[str, str], ...]
    nothing: str = ""


def milestones(order: Order) -> tuple[Milestone, ...]:
    """Imported, received, scheduled, loaded, delivered: what has happened, and what is planned as long as it can be.

    A milestone that is not reached has another word than one that is, and the date of its plan says that it is one.
    """
    scheduled, requested = order.DateScheduledDelivery, order.DateRequestedDelivery
    over = order.StatusId in (OrderState.CAN, OrderState.CMP)  # nothing is due of such an order any more
    return (
        _station(("Imported", "Import"), order.DateImported),
        _station(
            ("Received", "Receipt"),
            order.DateReceived,
            happened=bool(order.IsReceived),
            plan=None if over else order.DateEstimatedReceive,
            word="estimated",
        ),
        Milestone("Scheduled", scheduled, done=True, plan="for", plan_more="the delivery")
        if scheduled is not None
        else Milestone("Scheduling", None, done=False),
        _station(("Loaded", "Loading"), order.DateLoaded),
        _station(
            ("Delivered", "Delivery"),
            order.DateActualDelivery,
            happened=bool(order.IsDelivered),
            plan=None if over else scheduled or requested,
            word="due",
            more="as scheduled" if scheduled else "as requested",
        ),
    )


def _station(
    words: tuple[str, str],
    at: datetime | None,
    *,
    happened: bool = False,
    plan: datetime | None = None,
    word: str = "",
    more: str = "",
) -> Milestone:
    """One that was reached, if the provider says when or only that it was; else one with its plan, if there is one."""
    reached, ahead = words
    if at is not None or happened:
        return Milestone(reached, at, done=True)
    return Milestone(ahead, plan, done=False, plan=word, plan_more=more) if plan else Milestone(ahead, None, done=False)


def state_words(order: Order) -> str:
    """The state in the provider's word and code."""
    code = order.StatusId or ""
    word = order.Status or ORDER_STATE_WORDS.get(code, "No state given")
    return f"{word} ({code})" if code else word


def lateness(order: Order, today: date) -> tuple[str, Tone]:
    """When it is due, or by how much it is or was late, and how that is to be coloured; empty when nothing is due."""
    due = order.DateScheduledDelivery or order.DateRequestedDelivery
    if due is None or order.StatusId == OrderState.CAN:
        return "", ""
    if order.DateActualDelivery is not None:
        late = (order.DateActualDelivery.date() - due.date()).days
        return (f"Delivered {_days(late)} late", "bad") if late > 0 else ("Delivered in time", "good")
    if order.IsDelivered or order.StatusId == OrderState.CMP:
        return "", ""
    left = (due.date() - today).days
    if left < 0:
        return f"{_days(-left)} late", "bad"
    words = {0: "Due today", 1: "Due tomorrow"}.get(left, f"Due {day(due)}, in {_days(left)}")
    return words, "warn" if left == 0 else "soft"


def _days(count: int) -> str:
    return f"{count:,} day{'' if count == 1 else 's'}"


def sections(order: Order, looked_up: LookUp | None = None, unknown: str = "") -> tuple[Section, ...]:
    """Everything the provider has said about the order except its documents, in the order people look for it.

    `unknown` says why parts that are asked for apart are not known yet; empty when they were asked for.
    """
    made = (
        Section("State", tuple(_state(order, looked_up))),
        Section("Consignee", tuple(_contact(order.Consignee))),
        Section("Freight", tuple(_freight(order)), _absent(order.Commodities, unknown, "No commodities")),
        Section("Dates", tuple(_dates(order))),
        Section("Purchase orders", tuple(("", each) for each in order.PO or ()), _absent(order.PO, unknown, "")),
        Section("References", tuple(_references(order))),
        Section("Notes", tuple(_notes(order)), _absent(order.Notes, unknown, "No notes")),
        Section("Facility", tuple(_contact(order.Facility))),
        Section("Carrier", tuple(_contact(order.Carrier))),
        Section("Manufacturer", tuple(_contact(order.Manufacturer))),
    )
    return tuple(each for each in made if each.lines or each.nothing)


def _absent(known: object, unknown: str, none: str) -> str:
    """What to say of a part of which there is nothing: it was not told yet, or there is none."""
    return unknown if known is None and unknown else none


def _state(order: Order, looked_up: LookUp | None) -> Iterable[tuple[str, str]]:
    yield "In the order list", state_words(order)
    yield "By order status", order_status_words(order.StatusId, looked_up)


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
    yield from _given(("Phone", contact.Phone), ("Email", contact.Email), ("Code", contact.Id))


def _freight(order: Order) -> Iterable[tuple[str, str]]:
    for line in order.Commodities or ():
        count = "" if line.Count is None else f"{line.Count:g} × "
        yield line.CommodityCode or "", f"{count}{line.Description or line.CommodityCode or 'unnamed'}"


def _dates(order: Order) -> Iterable[tuple[str, str]]:
    stations = (
        ("Imported", order.DateImported, None),
        ("Estimated receipt", order.DateEstimatedReceive, None),
        ("Received", order.DateReceived, order.ReceivedById),
        ("Requested delivery", order.DateRequestedDelivery, None),
        ("Scheduled delivery", order.DateScheduledDelivery, _after(order)),
        ("Loaded", order.DateLoaded, order.LoadedById),
        ("Delivered", order.DateActualDelivery, order.DeliveredBy),
    )
    for label, when, more in stations:
        if when is not None:
            said = more if label == "Scheduled delivery" else f" by {more}" if more else ""
            yield label, f"{moment(when)}{said or ''}"


def _after(order: Order) -> str | None:
    """How the scheduled day lies to the requested one."""
    scheduled, requested = order.DateScheduledDelivery, order.DateRequestedDelivery
    if scheduled is None or requested is None or scheduled.date() <= requested.date():
        return None
    return f", {_days((scheduled.date() - requested.date()).days)} after the requested day"


def _references(order: Order) -> Iterable[tuple[str, str]]:
    yield from _given(
        ("BOL", order.BOL),
        ("Brand", order.Brand),
        ("Delivery type", order.DeliveryType),
        ("Remarks", order.Remarks),
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
