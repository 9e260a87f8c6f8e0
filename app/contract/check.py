"""The one place that decides whether an order may be submitted, and says in words why not.

`check_draft` is used by the form and by import, `check_body` by the practice service: both go through the same
reading, so that all three agree. Either the result is a whole `OrderSubmission`, or a list of `Issue`s; there is
nothing in between. Rules: services.md, "Order submission request" and "Order submit"; notes.md for where it is silent.

Spaces around a value are not part of it. An optional field left empty is not sent.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict

from app.contract.codes import DeliveryType
from app.contract.draft import FALSE, TRUE, OrderDraft
from app.contract.reading import REQUIRED, Reading
from app.contract.rows import (
    BARCODES,
    FREIGHT,
    READERS,
    REFERENCES,
    RowIssues,
    RowRead,
    across_barcodes,
    commodities_of,
    issue_at,
    keys_of,
    rows_of,
)
from app.contract.shape import Issue, draft_of_body
from app.contract.submission import Cancellation, OrderSubmission

__all__ = ["Issue", "check_body", "check_cancellation", "check_draft", "field_issues", "field_of"]

_ROW = re.compile(r"\[\d+\]")


def check_draft(draft: OrderDraft) -> OrderSubmission | list[Issue]:
    """The submission that `draft` means, or every issue it has, in the order of the contract's fields."""
    reading = Reading([])
    reads = {path: [read(row) for row in rows_of(draft, path)] for path, read in READERS.items()}
    across = across_barcodes(keys_of(draft.barcoding.barcodeItemDetails), commodities_of(draft.freightDetails))
    record = _read_order(reading, draft, reads, across)
    return reading.issues if reading.issues else OrderSubmission.model_validate(record)


def field_issues(draft: OrderDraft) -> list[Issue]:
    """The issues of everything but the rows: of single fields, and of a list as a whole."""
    reading = Reading([])
    _read_order(reading, draft, {path: [] for path in READERS}, {})
    return reading.issues


def check_body(body: object) -> OrderSubmission | list[Issue]:
    """The same for a decoded request body: unknown properties and values of the wrong kind are issues too."""
    draft, issues = draft_of_body(body)
    if not isinstance(body, Mapping):
        return issues
    outcome = check_draft(draft)
    if not issues:
        return outcome
    # What has the wrong shape was read as empty, so nothing more is said about it or its parts. Looked up and not
    # compared one by one: a body of 100,000 wrong rows has as many issues on either side.
    wrong = {each.path for each in issues}
    rest = outcome if isinstance(outcome, list) else []
    return issues + [issue for issue in rest if wrong.isdisjoint(_wholes(issue.path))]


def _wholes(path: str) -> list[str]:
    """A path and everything that it is a part of: `a[0].b`, `a[0]`, `a`."""
    return [path, *(path[:at] for at, sign in enumerate(path) if sign in ".[")]


def check_cancellation(body: object) -> Cancellation | list[Issue]:
    """The cancellation that a decoded request body means, or its issues."""
    if not isinstance(body, Mapping):
        return [Issue("", "The body must be an object with orderReferenceNumber.")]
    issues = [Issue(str(key), "This field is not known.") for key in body if key != "orderReferenceNumber"]
    value = body.get("orderReferenceNumber")
    if value is not None and not isinstance(value, str):
        return [*issues, Issue("orderReferenceNumber", "This must be text.")]
    reading = Reading(issues)
    reference = reading.text("orderReferenceNumber", value or "", missing=REQUIRED)
    return issues or Cancellation(orderReferenceNumber=reference or "")


def field_of(path: str) -> str:
    """`freightDetails[3].count` → `freightDetails.count`: the path without the rows' indexes."""
    return _ROW.sub("", path)


def _read_order(
    reading: Reading, draft: OrderDraft, reads: Mapping[str, list[RowRead]], across: Mapping[int, RowIssues]
) -> dict[str, object]:
    text = reading.text
    record: dict[str, object] = {
        "orderReferenceNumber": text("orderReferenceNumber", draft.orderReferenceNumber, missing=REQUIRED),
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
        "freightDetails": _read_freight(reading, draft, reads[FREIGHT]),
        "barcoding": _read_barcoding(reading, draft, reads[BARCODES], across),
        "otherReferenceNumbers": _records(reading, REFERENCES, reads[REFERENCES]) or None,
        "deliveryInstructions": text("deliveryInstructions", draft.deliveryInstructions),
    }
    return {name: value for name, value in record.items() if value is not None}


def _read_facility(reading: Reading, draft: OrderDraft) -> str | None:
    by_hand = draft.useConsigneeAddressToDetermineFaclityCode.strip().lower() == FALSE
    missing = "Required unless the consignee address determines the facility." if by_hand else ""
    return reading.text("providerFacilityCode", draft.providerFacilityCode, missing=missing)


def _read_choice_of_facility(reading: Reading, draft: OrderDraft) -> bool | None:
    path = "useConsigneeAddressToDetermineFaclityCode"
    typed = draft.useConsigneeAddressToDetermineFaclityCode.strip().lower()
    if typed not in (TRUE, FALSE):
        reading.say(path, "Required: true or false." if not typed else "Must be true or false.")
        return None
    return typed == TRUE


def _read_consignee(reading: Reading, draft: OrderDraft) -> dict[str, object]:
    optional = {"streetAddress2", "phone2", "email"}
    record = {
        name: reading.text(f"consignee.{name}", typed, missing="" if name in optional else REQUIRED)
        for name, typed in asdict(draft.consignee).items()
    }
    return {name: value for name, value in record.items() if value is not None}


def _read_freight(reading: Reading, draft: OrderDraft, reads: list[RowRead]) -> list[dict[str, object]]:
    if not draft.freightDetails:
        reading.say(FREIGHT, "At least one freight line is required.")
    return _records(reading, FREIGHT, reads)


def _read_barcoding(
    reading: Reading, draft: OrderDraft, reads: list[RowRead], across: Mapping[int, RowIssues]
) -> dict[str, object] | None:
    typed = draft.barcoding
    missing = "Required once there are barcodes." if typed.barcodeItemDetails else ""
    load = reading.text("barcoding.receivingLoadNumber", typed.receivingLoadNumber, missing=missing)
    items = _records(reading, BARCODES, reads)
    reading.issues += [issue_at(BARCODES, index, each) for index, issues in across.items() for each in issues]
    record: dict[str, object] = {}
    if load is not None:
        record["receivingLoadNumber"] = load
    if items:
        record["barcodeItemDetails"] = items
    return record or None


def _records(reading: Reading, path: str, reads: list[RowRead]) -> list[dict[str, object]]:
    reading.issues += [issue_at(path, index, each) for index, read in enumerate(reads) for each in read.issues]
    return [read.record for read in reads]
