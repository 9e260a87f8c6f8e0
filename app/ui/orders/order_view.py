"""An order as words for the detail pane: plain lines of text, nothing of Qt, so that it is easy to check."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.contract.information import Contact, Order
from app.ui.widgets.milestones import Milestone
from app.ui.widgets.times import moment


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of (label, value); a label may be empty."""

    heading: str
    lines: tuple[tuple[str, str], ...]


def milestones(order: Order) -> tuple[Milestone, ...]:
    """Imported, received, scheduled, loaded, delivered: what has happened and what is planned."""
    received = order.DateReceived or order.DateEstimatedReceive
    delivery = order.DateActualDelivery or order.DateScheduledDelivery
    return (
        Milestone("Imported", order.DateImported, done=order.DateImported is not None),
        Milestone("Received", received, done=order.DateReceived is not None or bool(order.IsReceived)),
        Milestone("Loaded", order.DateLoaded, done=order.DateLoaded is not None),
        Milestone("Delivered", delivery, done=order.DateActualDelivery is not None or bool(order.IsDelivered)),
    )


def state_words(order: Order) -> str:
    """The state in the provider's word and code."""
    code = order.StatusId or ""
    word = order.Status or ORDER_STATE_WORDS.get(code, "No state given")
    return f"{word} ({code})" if code else word


def sections(order: Order) -> tuple[Section, ...]:
    """Everything the provider has said about the order, in the order people look for it."""
    made = (
        Section("Consignee", tuple(_contact(order.Consignee))),
        Section("Freight", tuple(_freight(order))),
        Section("Dates", tuple(_dates(order))),
        Section("References", tuple(_references(order))),
        Section("Notes", tuple(_notes(order))),
        Section("Documents", tuple(_documents(order))),
        Section("Facility", tuple(_contact(order.Facility))),
        Section("Carrier", tuple(_contact(order.Carrier))),
        Section("Manufacturer", tuple(_contact(order.Manufacturer))),
    )
    return tuple(each for each in made if each.lines)


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
        ("Scheduled delivery", order.DateScheduledDelivery, None),
        ("Loaded", order.DateLoaded, order.LoadedById),
        ("Delivered", order.DateActualDelivery, order.DeliveredBy),
    )
    for label, when, by_whom in stations:
        if when is not None:
            yield label, f"{moment(when)}{f' by {by_whom}' if by_whom else ''}"


def _references(order: Order) -> Iterable[tuple[str, str]]:
    orders = ", ".join(order.PO or ())
    yield from _given(
        ("PO", orders),
        ("BOL", order.BOL),
        ("Brand", order.Brand),
        ("Delivery type", order.DeliveryType),
        ("Remarks", order.Remarks),
    )


def _notes(order: Order) -> Iterable[tuple[str, str]]:
    for note in order.Notes or ():
        if note.Text:
            yield moment(note.CreatedDate), note.Text


def _documents(order: Order) -> Iterable[tuple[str, str]]:
    for paper in order.ProofOfDelivery or ():
        folder = paper.Folder or ""
        kind = FOLDER_TYPE_WORDS.get(folder, "Document")
        when = moment(paper.CreatedDate)
        yield f"{kind} ({folder})" if folder else kind, " · ".join(part for part in (paper.Filename, when) if part)


def _given(*pairs: tuple[str, str | None]) -> Iterable[tuple[str, str]]:
    for label, value in pairs:
        if value:
            yield label, value
