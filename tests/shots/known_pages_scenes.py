"""Loads, facilities and delivery slots in every state: empty, asked, answered, older than the trouble, long and odd."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import apsw
from PySide6.QtWidgets import QApplication

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft
from app.contract.submission import OrderSubmission, wire_bytes
from app.desk.console.console_operations import operations
from app.desk.console.description.described import Description
from app.desk.console.description.read_description import read_description
from app.desk.known import known_data
from app.desk.requests import request_drafts
from app.desk.requests.request_shape import RequestShape
from app.desk.slots.slot_calls import PARTNERS, FoundSlots, SlotQuestion
from app.desk.slots.slot_reading import slots_in
from app.practice.web.description import description
from app.store.cache import kept_answers
from app.store.journal import request_store, write_store
from app.store.journal.profile_store import Profile
from app.ui.facilities.facilities_page import FacilitiesPage
from app.ui.loads.loads_page import LoadsPage
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.quotes.request_page import RequestPage
from app.ui.slots.slots_dialog import SlotsDialog, open_slots
from tests.shots.data import NOW, PRACTICE, full_draft
from tests.shots.stage import Stage

_LOAD = "L-077103"
_GOODS = (("SOFA", "Sofa, three seats"), ("CHAIR", "Dining chair"), ("LAMP", "Floor lamp <b>tall</b> مصباح"))
_ITEMS = [
    {
        "commodity": _GOODS[at % 3][0],
        "description": _GOODS[at % 3][1],
        "barcode": f"{90_071_004_000 + at * 7}",
        "count": at % 4 + 1,
        "orderNumber": 771_002 + at if at % 2 else None,
    }
    for at in range(9)
]
_WIDE = [
    {
        **item,
        "Trailer": {"Number": "T-5510", "Seal": "A very long seal number that nobody reads 0123456789" * 2},
        "photos": ["a.jpg", "b.jpg"],
        "remarkOfTheReceivingClerkAtTheInboundDock": "Found behind the last pallet, wrapping torn, no label. " * 3,
    }
    for item in _ITEMS
]
_FACILITIES = [
    {
        "providerFacilityCode": code,
        "name": f"{city} Distribution",
        "streetAddress": f"{100 + at} Wharf Road",
        "city": city,
        "state": state,
        "zip": zip_code,
        "phone": "901-555-0100",
    }
    for at, (code, city, state, zip_code) in enumerate(
        (("MEM01", "Memphis", "TN", "38118"), ("DAL02", "Dallas", "TX", "75207"), ("ATL01", "Atlanta", "GA", "30336"))
    )
]
_SLOTS = {
    "providerFacilityCode": "MEM01",
    "slots": [
        {
            "slotId": f"MEM01-{day}-{letter}",
            "date": f"2026-11-{day}",
            "from": start,
            "to": end,
            "remaining": day % 4 + 1,
        }
        for day in range(26, 31)
        for letter, start, end in (("A", "08:00", "12:00"), ("B", "12:00", "16:00"), ("C", "16:00", "20:00"))
    ],
}


def _order(reference: str, barcodes: int) -> bytes:
    draft = full_draft()
    draft.orderReferenceNumber = reference
    draft.barcoding.receivingLoadNumber = _LOAD
    code = draft.freightDetails[0].commodity
    draft.barcoding.barcodeItemDetails = [BarcodeDraft(code, f"{reference}-{at}", "1") for at in range(barcodes)]
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission), checked
    return wire_bytes(checked)


def _send(c: apsw.Connection) -> None:
    for reference, barcodes in (("CRN-21002", 2), ("CRN-21005", 1), ("CRN-77001", 0)):
        if not write_store.writes_of(c, PRACTICE, reference):
            write_store.queue_write(c, PRACTICE, "submit", reference, _order(reference, barcodes), NOW)


def _reserve(c: apsw.Connection) -> None:
    place = Profile(PRACTICE, "Practice", "practice", "", "", "", "")
    for title, state, sentence in (
        ("Thu 26 Nov 2026, 08:00 to 12:00", "accepted", "The provider accepted it: Reservation id: RSV-12"),
        (
            "Fri 27 Nov 2026, 12:00 to 16:00",
            "in_doubt",
            "The provider broke the connection off without an answer. It is not known whether it arrived.",
        ),
    ):
        began = request_store.begin_request(
            c, place, "partner_a_reserve_slot", "CRN-21002", title, b"{}", NOW - timedelta(minutes=3)
        )
        request_store.end_request(c, began, state, sentence, NOW)  # type: ignore[arg-type]


async def _keep(stage: Stage, subject: str, asked: dict[str, str], records: Sequence[object]) -> None:
    at, text = NOW - timedelta(minutes=12), json.dumps(records, ensure_ascii=False)
    key = json.dumps(asked, separators=(",", ":"))
    await stage.cache.write(kept_answers.keep_answer, PRACTICE, subject, key, at, len(records), text)


def _loads(stage: Stage) -> LoadsPage:
    page = stage.shell.page("loads")
    assert isinstance(page, LoadsPage)
    return page


async def loads_empty(stage: Stage) -> None:
    await stage.use_empty_desk("Not connected.")
    stage.shell.go("loads")


async def loads_older(stage: Stage) -> None:
    """The provider cannot be asked: the last answer with its age."""
    await stage.use_full_desk()
    await stage.journal.write(_send)
    assert stage.shell.desk is not None
    while await known_data.learn_some(stage.shell.desk):
        pass
    await _keep(stage, "overage", {"load": _LOAD}, _ITEMS)
    await _keep(stage, "overage", {"load": "L-088000"}, [])
    stage.shell.go("loads")
    _loads(stage).show_load(_LOAD)


async def loads_answered(stage: Stage) -> None:
    page = _loads(stage)
    page.bar.clear()
    page.overage.into_rows()


async def loads_wide(stage: Stage) -> None:
    await _keep(stage, "overage", {"load": _LOAD}, _WIDE)
    page = _loads(stage)
    page.show_load("L-088000")
    await stage.settle()
    page.show_load(_LOAD)
    await stage.settle()
    page.bar.clear()


async def loads_none_over(stage: Stage) -> None:
    page = _loads(stage)
    page.show_load("L-088000")
    await stage.settle()
    page.bar.clear()


async def loads_unknown(stage: Stage) -> None:
    page = _loads(stage)
    page.show_load("T-9")


def _facilities(stage: Stage) -> FacilitiesPage:
    page = stage.shell.page("facilities")
    assert isinstance(page, FacilitiesPage)
    return page


async def facilities_empty(stage: Stage) -> None:
    await stage.use_full_desk()
    stage.shell.go("facilities")
    _facilities(stage).show_lookup("facilities")


async def facilities_answered(stage: Stage) -> None:
    await _keep(stage, "facilities", {"ZipCode": "38103"}, _FACILITIES[:1])
    await _keep(stage, "facilities", {}, _FACILITIES)
    page = _facilities(stage)
    page.look_up("facilities", {})
    await stage.settle()
    page.pane.records.into_rows()


async def facilities_stock_items(stage: Stage) -> None:
    items = [
        {"billToCode": "ACME", "manufacturerCode": "HEARTH", "modelNumber": f"HEA-SOFA-{at}", "sku": f"{800_000 + at}",
         "commodity": "SOFA", "description": "Sofa, three seats", "volume": 62.5, "weight": 310} for at in range(40)
    ]  # fmt: skip
    await _keep(stage, "stock_item_config", {"ManufacturerCodeFilter": "HEARTH"}, items)
    page = _facilities(stage)
    page.look_up("stock_item_config", {"ManufacturerCodeFilter": "HEARTH"})
    await stage.settle()
    page.bar.clear()


async def _slots(stage: Stage) -> SlotsDialog:
    stage.shell.go("orders")
    dialog = await open_slots(stage.shell.orders, 771_002)
    assert dialog is not None
    await stage.settle()
    stage.dialog = dialog
    return dialog


async def slots_to_ask(stage: Stage) -> None:
    await stage.use_full_desk()
    await _slots(stage)


async def slots_found(stage: Stage) -> None:
    await stage.journal.write(_reserve)
    dialog = await _slots(stage)
    slots = tuple(slots_in(json.dumps(_SLOTS).encode()))
    dialog._found, dialog._question = FoundSlots(NOW, slots), SlotQuestion("CRN-21002")
    dialog._show_found(dialog._found)


async def slots_of_b(stage: Stage) -> None:
    dialog = await _slots(stage)
    dialog.partner.put("B")
    dialog._partner, dialog._question = PARTNERS[1], SlotQuestion("CRN-21002")
    dialog._show_found(FoundSlots(NOW, tuple(slots_in(json.dumps(_SLOTS).encode()))))


async def order_with_reservations(stage: Stage) -> None:
    page = stage.shell.orders
    page.side.show_order(771_002)
    await stage.settle()
    assert page.side.order is not None
    bar = page.side.order._scroll.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)


def _request_page(stage: Stage, name: str) -> RequestPage:
    page = stage.shell.page(name)
    assert isinstance(page, RequestPage)
    return page


def _quotes_sent(c: apsw.Connection) -> None:
    place = Profile(PRACTICE, "Practice", "practice", "", "", "", "")
    for title, state, sentence in (
        ("Destination: Memphis, Weight: 310", "accepted", "The provider accepted it: Quote number: Q-10021"),
        ("Destination: Dallas, Weight: 95.5", "refused", "The weight is more than a van takes."),
        ("Destination: Atlanta, Weight: 62", "in_doubt", "The provider broke the connection off without an answer."),
    ):
        body = b'{"destination": "Memphis", "weight": 310, "freightDetails": [{"commodity": "SOFA", "count": 2}]}'
        began = request_store.begin_request(c, place, "quote_submit", "", title, body, NOW - timedelta(hours=2))
        request_store.end_request(c, began, state, sentence, NOW, reply=b'{"quoteNumber":"Q-10021"}')  # type: ignore[arg-type]


async def quotes_undescribed(stage: Stage) -> None:
    """The provider has never said which fields it takes."""
    await stage.use_full_desk()
    stage.shell.go("quotes")


def _described() -> Description:
    return read_description(description("management", "https://auth.example/connect/token").encode())


async def quotes_described(stage: Stage) -> None:
    assert stage.shell.desk is not None
    await stage.journal.write(_quotes_sent)
    await request_drafts.keep_template(stage.shell.desk, "quote_submit", "Memphis run", "{}")
    page = _request_page(stage, "quotes")
    described = next(
        each
        for each in operations(
            read_description(description("management", "https://auth.example/connect/token").encode())
        )
        if each.name == "quote_submit"
    )
    assert described.body is not None
    assert described.body.shape is not None
    page.shape = RequestShape(described.body.shape, described=True)
    page._put('{"orderReferenceNumber": "CRN-21002", "declaredValue": -4}')
    page._list_all()
    await stage.settle()
    page.form.show_issues(page._mistakes())
    page.form.show_issues_now()


async def quotes_in_doubt(stage: Stage) -> None:
    page = _request_page(stage, "quotes")
    page.show_request(page._sent[0])


async def quotes_accepted(stage: Stage) -> None:
    page = _request_page(stage, "quotes")
    page.show_request(page._sent[-1])


async def quotes_asks(stage: Stage) -> None:
    """Before a quote goes to a production connection, whose colour stands beside its name."""
    page = _request_page(stage, "quotes")
    assert stage.shell.desk is not None
    before = stage.shell.desk.profile
    stage.shell.desk.profile = replace(
        before, name="Acme Freight, Memphis and Nashville", kind="production", colour="teal"
    )
    stage.ask(page._agreed(stage.shell.desk, b'{"destination": "Memphis", "weight": 310}'))
    await stage.until(QApplication.activeModalWidget)
    stage.shell.desk.profile = before


async def outbox_requests_in_doubt(stage: Stage) -> None:
    """Requests that wait for a person below the orders, one with a long name."""
    await stage.journal.write(_more_doubts)
    stage.shell.go("outbox")
    page = stage.shell.page("outbox")
    assert isinstance(page, OutboxPage)
    page.reload()
    await stage.settle()


def _more_doubts(c: apsw.Connection) -> None:
    place = Profile(PRACTICE, "Practice", "practice", "", "", "", "")
    for operation, subject, title in (
        ("truck_submit", "", "Trailer: T-5510, " + "a very long description of what is on it " * 4),
        ("partner_a_reserve_slot", "CRN-21002", "Fri 27 Nov 2026, 12:00 to 16:00"),
    ):
        began = request_store.begin_request(c, place, operation, subject, title, b"{}", NOW - timedelta(hours=1))
        request_store.end_request(c, began, "in_doubt", "The provider broke the connection off.", NOW)


async def trucks_empty(stage: Stage) -> None:
    stage.shell.go("trucks")


KNOWN_PAGES_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    loads_empty,
    loads_older,
    loads_answered,
    loads_wide,
    loads_none_over,
    loads_unknown,
    facilities_empty,
    facilities_answered,
    facilities_stock_items,
    slots_to_ask,
    slots_found,
    slots_of_b,
    order_with_reservations,
    quotes_undescribed,
    quotes_described,
    quotes_in_doubt,
    quotes_accepted,
    quotes_asks,
    outbox_requests_in_doubt,
    trucks_empty,
)

LARGE_KNOWN_PAGES_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    loads_older,
    loads_answered,
    facilities_empty,
    facilities_stock_items,
    slots_found,
    order_with_reservations,
    quotes_undescribed,
    quotes_described,
    quotes_in_doubt,
    trucks_empty,
)
