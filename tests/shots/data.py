"""The data of the pictures: a desk's store on one fixed afternoon, written by hand and by a fixed rule."""

import json
from datetime import datetime, timedelta

import apsw

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft, ConsigneeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from app.store.cache import fetched_windows, order_store
from app.store.cache.index import segments
from app.store.cache.order_rows import OrderFacts
from app.store.journal import draft_store, held_writes, profile_store, write_store
from app.store.journal.profile_store import Profile
from app.store.journal.records import Outcome

NOW = datetime(2026, 11, 24, 14, 2, 10)
PRACTICE = "practice"

_PEOPLE = (
    ("J. Rivera", "Memphis", "TN", "38103"),
    ("Aaliyah Washington", "Jackson", "MS", "39201"),
    ("Renée O'Brien", "New Orleans", "LA", "70112"),
    ("Maximiliana Konstantinopoulou-Featherstonehaugh & Sons Home Furnishings", "Rancho Cucamonga", "CA", "91730"),
    ("محمد العبد الله", "Dearborn", "MI", "48126"),
    ("<b>Not bold</b> & a&lt;b", "Plano", "TX", "75024"),
    ("李 小龍", "Seattle", "WA", "98104"),
    ("Olivia Payne", "Phoenix", "AZ", "85004"),
)
_STATES = (("STD", "Started"), ("AVL", "Available"), ("PLN", "Planned"), ("DSO", "Dispatched"))
_PLACES = (("Memphis", "TN", "38109"), ("Dallas", "TX", "75207"), ("Macon", "GA", "31201"), ("Ontario", "CA", "91761"))
_FACILITIES = (("MEM01", "Memphis"), ("DAL02", "Dallas"), ("ATL01", "Atlanta"), ("ONT03", "Ontario"))


def order_record(number: int, *, completed: bool) -> dict[str, object]:
    """One order as the information service would tell it, a pure function of its number."""
    name, city, state, code = _PEOPLE[number % len(_PEOPLE)]
    status = ("CMP", "Completed") if completed else _STATES[number % len(_STATES)]
    facility = _FACILITIES[number % len(_FACILITIES)]
    imported = NOW - timedelta(hours=5 * (number % 60) + 1)
    record: dict[str, object] = {
        "OrderNumber": number,
        "CRN": f"CRN-{number - 750_000}",
        "PO": [f"PO-{number % 977}", f"PO-{number % 977 + 1}"],
        "BOL": f"BOL{number * 7919 % 10_000_000}",
        "Consignee": {
            "Id": f"C{number % 10_000:05}",
            "Name": name,
            "Phone": f"901-555-{number % 10_000:04}",
            "Email": "dock@example.com",
            "Address": {
                "StreetAddress1": f"{number % 900 + 12} Beale Street",
                "City": city,
                "State": state,
                "ZipCode": code,
            },
        },
        "Facility": {"Id": facility[0], "Phone": "901-555-0100", **_contact(facility[1], number // 60 % 4)},
        "Carrier": {
            "Id": f"BRC{number % 5}",
            "Phone": "615-555-0177",
            **_contact("Blue Ridge Carriers", number // 60 % 3),
        },
        "Manufacturer": {"Id": "HEARTH", **_contact("Hearthline Furniture", number // 60 % 2)},
        "DeliveryType": ("HOME", "STORE", "BUILD")[number % 3],
        "DateImported": imported.isoformat(timespec="seconds"),
        "DateEstimatedReceive": (imported + timedelta(days=2)).isoformat(timespec="seconds"),
        "DateRequestedDelivery": (imported + timedelta(days=8)).replace(hour=0, minute=0, second=0).isoformat(),
        "StatusId": status[0],
        "Status": status[1],
        "Brand": "Hearthline",
        "Remarks": "Call before delivery; the dock closes at four.",
        "Commodities": [
            {"CommodityCode": "SOFA", "Description": "Sofa, three seats", "Count": 2},
            {"CommodityCode": "CHAIR", "Description": "Dining chair", "Count": 6},
        ],
        "ProofOfDelivery": [
            {"Filename": "bol-771002.pdf", "Url": "x", "CreatedDate": NOW.isoformat(), "Folder": "BOL"},
            {"Filename": "damage-1.jpg", "Url": "x", "CreatedDate": NOW.isoformat(), "Folder": "DMR"},
        ],
    }
    turn = number // 60
    if turn % 4:  # the others were never opened
        record["Notes"] = [
            {"Text": "Customer asked for a morning slot.", "CreatedDate": imported.isoformat(timespec="seconds")},
            {"Text": "Gate code is on the paper order. <i>Plain text</i>.", "CreatedDate": NOW.isoformat()},
        ][: turn % 3]
    if status[0] != "STD" or completed:
        record["DateReceived"] = (imported + timedelta(days=1)).isoformat(timespec="seconds")
        record["ReceivedById"] = "R. Cole"
    if completed:
        record["DateActualDelivery"] = (NOW - timedelta(hours=number % 150)).isoformat(timespec="seconds")
        record["DeliveredBy"] = "Crew 4"
    return record


def _contact(name: str, place: int) -> dict[str, object]:
    """Name, mail and address of somebody who is not the consignee."""
    city, state, code = _PLACES[place]
    mail = f"desk@{name.split()[0].lower()}.example.com"
    address = {"StreetAddress1": f"{100 + place} Wharf Road", "City": city, "State": state, "ZipCode": code}
    return {"Name": name, "Email": mail, "Address": address}


def facts_of_number(number: int, *, completed: bool) -> OrderFacts:
    """The facts that the store keeps of such an order."""
    # Not desk.facts: it takes a reply, and pictures need no provider.
    record = order_record(number, completed=completed)
    consignee: dict[str, object] = record["Consignee"]  # type: ignore[assignment]
    address: dict[str, str] = consignee["Address"]  # type: ignore[assignment]
    facility: dict[str, str] = record["Facility"]  # type: ignore[assignment]

    def when(name: str) -> datetime | None:
        return datetime.fromisoformat(str(record[name])) if name in record else None

    return OrderFacts(
        number=number,
        raw=json.dumps(record, ensure_ascii=False),
        crn=str(record["CRN"]),
        state=str(record["StatusId"]),
        status=str(record["Status"]),
        consignee_name=str(consignee["Name"]),
        street=address["StreetAddress1"],
        city=address["City"],
        region=address["State"],
        zip=address["ZipCode"],
        facility_id=facility["Id"],
        facility_name=facility["Name"],
        phone=str(consignee["Phone"]),
        carrier=_name(record, "Carrier"),
        manufacturer=_name(record, "Manufacturer"),
        bol=str(record["BOL"]),
        pos="\n".join(record["PO"]),  # type: ignore[arg-type]
        brand=str(record["Brand"]),
        remarks=str(record["Remarks"]),
        estimated_receive=when("DateEstimatedReceive"),
        is_received="DateReceived" in record,
        is_delivered=completed,
        received_by=record.get("ReceivedById"),  # type: ignore[arg-type]
        delivered_by=record.get("DeliveredBy"),  # type: ignore[arg-type]
        delivery_type=str(record["DeliveryType"]),
        imported_at=when("DateImported"),
        requested_delivery=when("DateRequestedDelivery"),
        received_at=when("DateReceived"),
        delivered_at=when("DateActualDelivery"),
    )


def _name(record: dict[str, object], member: str) -> str:
    found: dict[str, object] = record[member]  # type: ignore[assignment]
    return str(found["Name"])


def fill_cache(c: apsw.Connection) -> None:
    """1,204 open and 300 completed orders, all dates fetched."""
    for list_name, first, count in (("open", 771_000, 1_204), ("completed", 760_000, 300)):
        completed = list_name == "completed"
        facts = [facts_of_number(first + at, completed=completed) for at in range(count)]
        order_store.store_orders(c, PRACTICE, "completed" if completed else "open", facts, NOW)
        start = datetime(2026, 10, 25)
        fetched_windows.finish_window(c, PRACTICE, "completed" if completed else "open", start, NOW, NOW, count)
    while segments.index_some(c):
        pass


def full_draft(reference: str = "CRN-20481") -> OrderDraft:
    """An order with everything filled in."""
    return OrderDraft(
        orderReferenceNumber=reference,
        poNumber="PO-7781",
        billToCode="ACME",
        manufacturerCode="HEARTH",
        providerFacilityCode="MEM01",
        intermediateConsignee="Rivera Furniture Gallery",
        deliveryType="HOME",
        shipDate="2026-11-25",
        estimatedReceiveDate="2026-11-27",
        requestedDeliveryDate="2026-12-01",
        consignee=ConsigneeDraft(
            "J. Rivera",
            "12 Beale Street",
            "Apt 4",
            "Memphis",
            "TN",
            "38103",
            "901-555-0117",
            "",
            "j.rivera@example.com",
        ),
        freightDetails=[FreightDraft("SOFA", "2", "74.5", "260"), FreightDraft("CHAIR", "6", "41", "96")],
        otherReferenceNumbers=[ReferenceDraft("STORE", "0412")],
        deliveryInstructions="Call 30 minutes before. Use the dock on the north side.",
    )


def with_barcodes(draft: OrderDraft, count: int) -> OrderDraft:
    """The draft with a load and some barcodes."""
    draft.barcoding.receivingLoadNumber = "TRL-55812"
    draft.barcoding.barcodeItemDetails = [
        BarcodeDraft("SOFA" if at < 2 else "CHAIR", f"00312345678901{at:04}", "1", "Carton", "") for at in range(count)
    ]
    return draft


def odd_draft() -> OrderDraft:
    """Very long and right-to-left texts, and characters that steer others; the rest as it should be."""
    draft = with_barcodes(full_draft(), 5)
    draft.consignee.consigneeName = "محمد \u202eevil\u202c عبد الله " * 3
    draft.consignee.streetAddress = "רחוב הרצל 12\u200f, דירה 4, קומה 3"
    draft.consignee.city = "Llanfairpwllgwyngyllgogerychwyrndrobwll"
    draft.deliveryInstructions = "اتصل قبل الوصول. \u2066Ring twice\u2069\n" * 3
    draft.freightDetails[0].commodity = "أريكة\u202e-SOFA-" + "a-code-that-goes-on-" * 8
    draft.barcoding.barcodeItemDetails[0].description = "كرسي \u200f بذراعين\x07"
    return draft


def wrong_draft() -> OrderDraft:
    """An order with every kind of mistake, and text longer than any field."""
    draft = with_barcodes(full_draft("CRN-20481-THAT-IS-LONGER-THAN-THIRTY-CHARACTERS"), 2)
    draft.consignee.consigneeName = "محمد \u202eevil\u202c <img src=x>" * 6
    draft.consignee.city = "Llanfairpwllgwyngyllgogerychwyrndrobwll"
    draft.consignee.state = "Tenn"
    draft.consignee.zip = ""
    draft.consignee.email = "a.very.long.address.indeed@warehouse.example.com"
    draft.shipDate = "2026-02-30"
    draft.deliveryInstructions = "Ring the bell twice. " * 14
    draft.freightDetails[0].count = "0"
    draft.freightDetails[1].volume = "4,5"
    draft.barcoding.receivingLoadNumber = ""
    draft.barcoding.barcodeItemDetails[1].barcode = draft.barcoding.barcodeItemDetails[0].barcode
    draft.barcoding.barcodeItemDetails[1].commodity = "LAMP"
    draft.otherReferenceNumbers.append(ReferenceDraft("", "x"))
    return draft


def payload(reference: str) -> bytes:
    """The submission of an order with every field filled in."""
    checked = check_draft(full_draft(reference))
    assert isinstance(checked, OrderSubmission)
    return wire_bytes(checked)


_REFUSAL = json.dumps(
    {
        "title": "The order was refused.",
        "status": 400,
        "errors": {"providerFacilityCode": ["MEM01 does not deliver to 38103."], "consignee.zip": ["Not served."]},
    }
).encode()


def fill_journal(c: apsw.Connection) -> None:
    """A write in every state, and a draft."""
    _sent(c, "CRN-20472", "accepted", 200, b'{"orderReferenceNumber":"CRN-20472","status":"In Import Queue"}', "")
    _sent(c, "CRN-20473", "rejected", 400, _REFUSAL, "The order was refused. MEM01 does not deliver to 38103.")
    _sent(c, "CRN-20474", "unknown", None, None, "The connection broke after the order began to leave.")
    confirmed = _sent(c, "CRN-20475", "accepted", 200, b'{"status":"Pending Receipt"}', "")
    write_store.settle(
        c, confirmed, "confirmed", "Confirmed as 771475; what the provider returns matches what you sent.", NOW
    )
    withdrawn = write_store.queue_write(c, PRACTICE, "submit", "CRN-20476", payload("CRN-20476"), ago(40))
    write_store.settle(c, withdrawn, "withdrawn", "Withdrawn by a person's decision.", ago(39))
    cancel = wire_bytes(Cancellation(orderReferenceNumber="CRN-21007"))
    sending = write_store.queue_write(c, PRACTICE, "cancel", "CRN-21007", cancel, ago(1))
    write_store.begin_attempt(c, sending, NOW)
    write_store.queue_write(c, PRACTICE, "submit", "CRN-20478", payload("CRN-20478"), ago(0))
    held = write_store.queue_write(c, PRACTICE, "submit", "CRN-20479", payload("CRN-20479"), ago(2))
    words = "The provider says: Complete. Sending this reference now creates a second order."
    held_writes.hold(c, held, words, ago(1), "closed")
    undo = wire_bytes(Cancellation(orderReferenceNumber="CRN-21009"))
    later = NOW + timedelta(seconds=8)
    write_store.queue_write(c, PRACTICE, "cancel", "CRN-21009", undo, NOW, not_before=later)
    body = json.dumps(full_draft().to_dict(), ensure_ascii=False)
    draft_store.save_draft(c, PRACTICE, "draft-1", body, ago(3))


def ago(minutes: int) -> datetime:
    """So long before the moment of the pictures."""
    return NOW - timedelta(minutes=minutes)


def _sent(
    c: apsw.Connection, reference: str, outcome: Outcome, status: int | None, reply: bytes | None, sentence: str
) -> int:
    began = ago(int(reference[-2:]))
    draft_id = f"draft of {reference}"
    draft_store.save_draft(c, PRACTICE, draft_id, json.dumps(full_draft(reference).to_dict()), began)
    write = write_store.queue_write(c, PRACTICE, "submit", reference, payload(reference), began, draft_id=draft_id)
    attempt = write_store.begin_attempt(c, write, began)
    words = sentence or "The provider accepted the order. Status: In Import Queue."
    ended = began + timedelta(seconds=1)
    write_store.end_attempt(
        c, attempt, outcome, ended, http_status=status, reply=reply, reply_type="application/json", sentence=words
    )
    return write


def fill_profiles(c: apsw.Connection) -> None:
    """Two connections beside practice."""
    for key, name, kind, colour in (
        ("acme", "Acme Freight", "production", "teal"),
        ("acme-test", "Acme Freight", "test", "violet"),
    ):
        profile_store.save_profile(
            c,
            Profile(
                id=key,
                name=name,
                kind="production" if kind == "production" else "test",
                base_url="https://orders.provider.example",
                info_base_url="https://orders.provider.example/OrderInformationApi",
                auth_url="https://login.provider.example",
                client_id="acme-4711",
                scopes=("order_information_api:orders",),
                colour=colour,
            ),
        )
