"""The one place that decides whether an order may be submitted, and says in words why not.

`check_draft` is used by the form and by import, `check_body` by the practice service: both go through the same
reading, so that all three agree. Either the result is a whole `OrderSubmission`, or a list of `Issue`s; there is
nothing in between. Rules: services.md, "Order submission request" and "Order submit"; notes.md for where it is silent.

Spaces around a value are not part of it. An optional field left empty is not sent.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation

from app.contract.codes import DeliveryType
from app.contract.draft import FALSE, TRUE, BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.limits import LIMITS
from app.contract.moments import read_date
from app.contract.shape import Issue, draft_of_body
from app.contract.submission import Cancellation, OrderSubmission

__all__ = ["Issue", "check_body", "check_cancellation", "check_draft", "field_of"]

# From here on a double has no room for a fraction any more; freight is never so large.
_MOST_DIGITS = 15
_ROW = re.compile(r"\[\d+\]")

_REQUIRED = "Required."
_NUMBER = "Not a number. Write it as 12 or 12.5."


def check_draft(draft: OrderDraft) -> OrderSubmission | list[Issue]:
    """The submission that `draft` means, or every issue it has, in the order of the contract's fields."""
    reading = _Reading([])
    record = _read_order(reading, draft)
    return reading.issues if reading.issues else OrderSubmission.model_validate(record)


def check_body(body: object) -> OrderSubmission | list[Issue]:
    """The same for a decoded request body: unknown properties and values of the wrong kind are issues too."""
    draft, issues = draft_of_body(body)
    if not isinstance(body, Mapping):
        return issues
    outcome = check_draft(draft)
    if not issues:
        return outcome
    rest = outcome if isinstance(outcome, list) else []
    return issues + [issue for issue in rest if not any(_covers(each.path, issue.path) for each in issues)]


def _covers(whole: str, path: str) -> bool:
    """What has the wrong shape was read as empty, so nothing more is said about it or its parts."""
    return path == whole or path.startswith((f"{whole}.", f"{whole}["))


def check_cancellation(body: object) -> Cancellation | list[Issue]:
    """The cancellation that a decoded request body means, or its issues."""
    if not isinstance(body, Mapping):
        return [Issue("", "The body must be an object with orderReferenceNumber.")]
    issues = [Issue(str(key), "This field is not known.") for key in body if key != "orderReferenceNumber"]
    value = body.get("orderReferenceNumber")
    if value is not None and not isinstance(value, str):
        return [*issues, Issue("orderReferenceNumber", "This must be text.")]
    reading = _Reading(issues)
    reference = reading.text("orderReferenceNumber", value or "", missing=_REQUIRED)
    return issues or Cancellation(orderReferenceNumber=reference or "")


@dataclass(slots=True)
class _Reading:
    """Turns one string at a time into its value and notes what is wrong with it.

    `missing` is what to say of an empty value, empty where a value may be left out.
    """

    issues: list[Issue]

    def say(self, path: str, sentence: str) -> None:
        self.issues.append(Issue(path, sentence))

    def text(self, path: str, typed: str, *, missing: str = "") -> str | None:
        value = typed.strip()
        if not value:
            if missing:
                self.say(path, missing)
            return None
        if any("\ud800" <= each <= "\udfff" for each in value):
            self.say(path, "Holds a character that cannot be sent. Type it again.")
        limit = LIMITS.get(field_of(path))
        if limit is not None and len(value) > limit:
            self.say(path, f"At most {limit} characters; this has {len(value)}.")
        return value

    def number(self, path: str, typed: str, *, above_zero: bool, missing: str = "") -> int | float | None:
        value = typed.strip()
        if not value:
            if missing:
                self.say(path, missing)
            return None
        number = _read_number(value)
        if isinstance(number, str):
            self.say(path, number)
            return None
        if above_zero and number <= 0:
            self.say(path, "Must be greater than 0.")
        elif number < 0:
            self.say(path, "Cannot be less than 0.")
        return number

    def date(self, path: str, typed: str) -> str | None:
        value = typed.strip()
        if value and read_date(value) is None:
            self.say(path, "Not a date. Write it as YYYY-MM-DD.")
        return value or None

    def choice(self, path: str, typed: str, choices: list[str]) -> str | None:
        value = typed.strip()
        if value and value not in choices:
            self.say(path, f"Must be one of {', '.join(choices)}.")
        return value or None


def _read_number(text: str) -> int | float | str:
    """The number, or the sentence that says why it is none."""
    # A grouping comma, another script's digits or an underscore could be read as another number than was meant.
    if not text.isascii() or "_" in text:
        return _NUMBER
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return _NUMBER
    if not exact.is_finite():
        return _NUMBER
    if exact and abs(exact.adjusted()) >= _MOST_DIGITS:
        return "Too large or too small to be sent exactly."
    value = float(exact)
    if Decimal(repr(value)) != exact:  # the digits that would be sent are others than those typed
        return "Has more digits than can be sent exactly."
    return int(value) if value.is_integer() else value


def field_of(path: str) -> str:
    """`freightDetails[3].count` → `freightDetails.count`: the path without the rows' indexes."""
    return _ROW.sub("", path)


def _read_order(reading: _Reading, draft: OrderDraft) -> dict[str, object]:
    text = reading.text
    record: dict[str, object] = {
        "orderReferenceNumber": text("orderReferenceNumber", draft.orderReferenceNumber, missing=_REQUIRED),
        "poNumber": text("poNumber", draft.poNumber),
        "billToCode": text("billToCode", draft.billToCode),
        "manufacturerCode": text("manufacturerCode", draft.manufacturerCode),
        "providerFacilityCode": _read_facility(reading, draft),
        "useConsigneeAddressToDetermineFaclityCode": _read_choice_of_facility(reading, draft),
        "consignee": _read_consignee(reading, draft),
        "deliveryType": reading.choice("deliveryType", draft.deliveryType, [each.value for each in DeliveryType]),
        "shipDate": reading.date("shipDate", draft.shipDate),
        "estimatedReceiveDate": reading.date("estimatedReceiveDate", draft.estimatedReceiveDate),
        "requestedDeliveryDate": reading.date("requestedDeliveryDate", draft.requestedDeliveryDate),
        "intermediateConsignee": text("intermediateConsignee", draft.intermediateConsignee),
        "freightDetails": _read_freight(reading, draft.freightDetails),
        "barcoding": _read_barcoding(reading, draft),
        "otherReferenceNumbers": _read_references(reading, draft.otherReferenceNumbers),
        "deliveryInstructions": text("deliveryInstructions", draft.deliveryInstructions),
    }
    return {name: value for name, value in record.items() if value is not None}


def _read_facility(reading: _Reading, draft: OrderDraft) -> str | None:
    by_hand = draft.useConsigneeAddressToDetermineFaclityCode.strip().lower() == FALSE
    missing = "Required unless the consignee address determines the facility." if by_hand else ""
    return reading.text("providerFacilityCode", draft.providerFacilityCode, missing=missing)


def _read_choice_of_facility(reading: _Reading, draft: OrderDraft) -> bool | None:
    path = "useConsigneeAddressToDetermineFaclityCode"
    typed = draft.useConsigneeAddressToDetermineFaclityCode.strip().lower()
    if typed not in (TRUE, FALSE):
        reading.say(path, "Required: true or false." if not typed else "Must be true or false.")
        return None
    return typed == TRUE


def _read_consignee(reading: _Reading, draft: OrderDraft) -> dict[str, object]:
    optional = {"streetAddress2", "phone2", "email"}
    record = {
        name: reading.text(f"consignee.{name}", typed, missing="" if name in optional else _REQUIRED)
        for name, typed in asdict(draft.consignee).items()
    }
    return {name: value for name, value in record.items() if value is not None}


def _read_freight(reading: _Reading, lines: list[FreightDraft]) -> list[dict[str, object]]:
    if not lines:
        reading.say("freightDetails", "At least one freight line is required.")
    rows = []
    for index, line in enumerate(lines):
        path = f"freightDetails[{index}]"
        row: dict[str, object | None] = {
            "commodity": reading.text(f"{path}.commodity", line.commodity, missing=_REQUIRED),
            "count": reading.number(f"{path}.count", line.count, above_zero=True, missing=_REQUIRED),
            "volume": reading.number(f"{path}.volume", line.volume, above_zero=False, missing=_REQUIRED),
            "weight": reading.number(f"{path}.weight", line.weight, above_zero=False),
        }
        rows.append({name: value for name, value in row.items() if value is not None})
    return rows


def _read_barcoding(reading: _Reading, draft: OrderDraft) -> dict[str, object] | None:
    typed = draft.barcoding
    missing = "Required once there are barcodes." if typed.barcodeItemDetails else ""
    load = reading.text("barcoding.receivingLoadNumber", typed.receivingLoadNumber, missing=missing)
    items = [
        _read_barcode(reading, f"barcoding.barcodeItemDetails[{index}]", item)
        for index, item in enumerate(typed.barcodeItemDetails)
    ]
    _check_barcodes(reading, draft)
    record: dict[str, object] = {}
    if load is not None:
        record["receivingLoadNumber"] = load
    if items:
        record["barcodeItemDetails"] = items
    return record or None


def _read_barcode(reading: _Reading, path: str, item: BarcodeDraft) -> dict[str, object]:
    row: dict[str, object | None] = {
        "commodity": reading.text(f"{path}.commodity", item.commodity, missing=_REQUIRED),
        "barcode": reading.text(f"{path}.barcode", item.barcode, missing=_REQUIRED),
        "count": reading.number(f"{path}.count", item.count, above_zero=True, missing=_REQUIRED),
        "description": reading.text(f"{path}.description", item.description),
        "groupBarcode": reading.text(f"{path}.groupBarcode", item.groupBarcode),
    }
    return {name: value for name, value in row.items() if value is not None}


def _read_references(reading: _Reading, references: list[ReferenceDraft]) -> list[dict[str, str | None]] | None:
    rows = []
    for index, reference in enumerate(references):
        path = f"otherReferenceNumbers[{index}]"
        kind = reading.text(f"{path}.type", reference.type, missing=_REQUIRED)
        value = reading.text(f"{path}.value", reference.value, missing=_REQUIRED)
        rows.append({"type": kind, "value": value})
    return rows or None


def _check_barcodes(reading: _Reading, draft: OrderDraft) -> None:
    commodities = {line.commodity.strip() for line in draft.freightDetails} - {""}
    first_rows: dict[str, int] = {}
    for index, item in enumerate(draft.barcoding.barcodeItemDetails):
        path = f"barcoding.barcodeItemDetails[{index}]"
        commodity, barcode = item.commodity.strip(), item.barcode.strip()
        if commodity and commodity not in commodities:
            reading.say(f"{path}.commodity", "Not among the freight of this order.")
        if barcode and first_rows.setdefault(barcode, index) != index:
            reading.say(f"{path}.barcode", f"Already on row {first_rows[barcode] + 1} of this order.")
