"""Rules across fields, what may be typed as a number, and cancellations."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.contract.check import check_body, check_cancellation, check_draft
from app.contract.draft import FreightDraft, OrderDraft
from app.contract.order_rules import Issue
from app.contract.submission import Cancellation, OrderSubmission
from tests.support.contract_samples import changed, sample, without

FULL = sample("order_full.json")
LEAST = sample("order_least.json")
BY_ADDRESS = "useConsigneeAddressToDetermineFaclityCode"
ITEMS = "barcoding.barcodeItemDetails"


def issues(body: object) -> list[tuple[str, str]]:
    """The issues; the models agree that there are some, or none."""
    outcome = check_body(body)
    if isinstance(outcome, OrderSubmission):
        assert outcome == OrderSubmission.model_validate(body)
        return []
    with pytest.raises(ValidationError):
        OrderSubmission.model_validate(body)
    return [(issue.path, issue.sentence) for issue in outcome]


@pytest.mark.parametrize("empty", ["absent", None, ""])
def test_the_facility_is_required_when_the_address_does_not_determine_it(empty: str | None) -> None:
    path = "providerFacilityCode"
    body = without(FULL, path) if empty == "absent" else changed(FULL, path, empty)
    assert issues(body) == [(path, "Required unless the consignee address determines the facility.")]


@pytest.mark.parametrize("typed", ["false", "False", " FALSE "])
def test_the_facility_is_required_however_the_choice_is_written(typed: str) -> None:
    outcome = check_body(without(changed(FULL, BY_ADDRESS, typed), "providerFacilityCode"))
    assert isinstance(outcome, list)
    assert [issue.path for issue in outcome] == ["providerFacilityCode"]


def test_the_facility_may_be_left_out_or_named_when_the_address_determines_it() -> None:
    body = changed(FULL, BY_ADDRESS, True)
    assert issues(body) == []
    assert issues(without(body, "providerFacilityCode")) == []


def test_the_choice_of_facility_is_never_guessed() -> None:
    assert issues(without(LEAST, BY_ADDRESS)) == [(BY_ADDRESS, "Required: true or false.")]
    for value in ("yes", "1", "falsch"):
        assert issues(changed(LEAST, BY_ADDRESS, value)) == [(BY_ADDRESS, "Must be true or false.")]
    for number in (0, 1):
        outcome = check_body(changed(LEAST, BY_ADDRESS, number))
        assert outcome == [Issue(BY_ADDRESS, "This must be true or false.")]


def test_an_order_has_freight() -> None:
    assert issues(changed(LEAST, "freightDetails", [])) == [
        ("freightDetails", "At least one freight line is required.")
    ]


def test_two_lines_may_hold_the_same_commodity() -> None:
    assert issues(changed(FULL, "freightDetails[1].commodity", "SOFA"))[:1] == [
        (f"{ITEMS}[1].commodity", "Not in the freight of this order.")
    ]
    assert issues(changed(LEAST, "freightDetails", LEAST["freightDetails"] * 2)) == []


@pytest.mark.parametrize("commodity", ["sofa", "SOF", "SOFAS", "TABLE"])
def test_a_barcodes_commodity_is_among_the_freight(commodity: str) -> None:
    path = f"{ITEMS}[0].commodity"
    assert issues(changed(FULL, path, commodity)) == [(path, "Not in the freight of this order.")]


def test_a_barcode_stands_once_in_an_order() -> None:
    first = FULL["barcoding"]["barcodeItemDetails"][0]["barcode"]
    path = f"{ITEMS}[1].barcode"
    assert issues(changed(FULL, path, first)) == [(path, "Already on row 1 of this order.")]
    third = changed(FULL, ITEMS, [*FULL["barcoding"]["barcodeItemDetails"], {**_item("SOFA"), "barcode": first}])
    assert issues(third) == [(f"{ITEMS}[2].barcode", "Already on row 1 of this order.")]


def test_barcodes_differ_by_case_and_groups_may_repeat() -> None:
    rows = [{**_item("SOFA"), "barcode": code, "groupBarcode": "G"} for code in ("ab", "AB", "Ab")]
    assert issues(changed(FULL, ITEMS, rows)) == []


@pytest.mark.parametrize("empty", ["absent", None, ""])
def test_the_load_is_required_once_there_are_barcodes(empty: str | None) -> None:
    path = "barcoding.receivingLoadNumber"
    body = without(FULL, path) if empty == "absent" else changed(FULL, path, empty)
    assert issues(body) == [(path, "Required once there are barcodes.")]


def test_a_load_may_stand_without_barcodes_and_nothing_may_stand_for_barcoding() -> None:
    assert issues(without(FULL, ITEMS)) == []
    records: list[dict[str, object]] = [{}, {"barcodeItemDetails": []}, {"receivingLoadNumber": None}]
    for nothing in records:
        outcome = check_body(changed(FULL, "barcoding", nothing))
        assert isinstance(outcome, OrderSubmission)
        assert outcome.barcoding is None


def _item(commodity: str) -> dict[str, Any]:
    return {"commodity": commodity, "barcode": "1", "count": 1}


def test_spaces_around_a_value_are_no_part_of_it() -> None:
    padded = changed(changed(FULL, "freightDetails[0].commodity", " SOFA"), f"{ITEMS}[0].barcode", "0012345678905\t")
    padded = changed(changed(padded, "consignee.state", " TN "), "deliveryType", " HOME\n")
    assert check_body(padded) == check_body(FULL)


def test_issues_come_in_the_order_of_the_contracts_fields() -> None:
    body: dict[str, object] = {
        "deliveryInstructions": "x" * 300,
        "otherReferenceNumbers": [{}],
        "barcoding": {"barcodeItemDetails": [{"commodity": "X", "count": 0}]},
        "freightDetails": [{}],
        "shipDate": "soon",
        "deliveryType": "X",
        BY_ADDRESS: False,
        "consignee": {},
    }
    outcome = check_body(body)
    assert isinstance(outcome, list)
    assert [issue.path for issue in outcome] == [
        "orderReferenceNumber",
        "providerFacilityCode",
        *(f"consignee.{name}" for name in ("consigneeName", "streetAddress", "city", "state", "zip", "phone1")),
        "deliveryType",
        "shipDate",
        *(f"freightDetails[0].{name}" for name in ("commodity", "count", "volume")),
        "barcoding.receivingLoadNumber",
        *(f"{ITEMS}[0].{name}" for name in ("barcode", "count", "commodity")),
        *(f"otherReferenceNumbers[0].{name}" for name in ("type", "value")),
        "deliveryInstructions",
    ]


def typed_count(typed: str) -> object:
    """What a count typed so becomes: its number, or the sentence about it."""
    draft = OrderDraft.from_dict(changed(LEAST, BY_ADDRESS, "true"))
    draft.freightDetails = [FreightDraft("E", typed, "1")]
    outcome = check_draft(draft)
    if isinstance(outcome, OrderSubmission):
        return outcome.freightDetails[0].count
    assert [issue.path for issue in outcome] == ["freightDetails[0].count"]
    return outcome[0].sentence


@pytest.mark.parametrize(
    ("typed", "meant"),
    list(
        {
            "12": 12,
            " 12 ": 12,
            "+3": 3,
            "012": 12,
            "12.50": 12.5,
            "2.0": 2,
            ".5": 0.5,
            "5.": 5,
            "1e3": 1000,
            "0.1": 0.1,
            "1E-3": 0.001,
            "123456789012.345": 123456789012.345,
            "33.333333333333336": 33.333333333333336,
        }.items()
    ),
)
def test_numbers_as_they_are_typed(typed: str, meant: float) -> None:
    count = typed_count(typed)
    assert count == meant
    assert type(count) is type(meant)


@pytest.mark.parametrize(
    "typed",
    [
        "1 000",
        "12 pcs",
        "twelve",
        "1,5",
        "1,000",
        "1_000",
        "0x10",
        "--1",
        "1e",
        "NaN",
        "sNaN",
        "Infinity",
        "-inf",
        "٣",
        "１２",
        "½",
        "1.2.3",
        "-",
    ],
)
def test_what_could_be_misread_is_no_number(typed: str) -> None:
    assert typed_count(typed) == "Not a number. Write it as 12 or 12.5."


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("1e300", "Too large or too small to be sent exactly."),
        ("1e999999999", "Too large or too small to be sent exactly."),
        ("1e-999999", "Too large or too small to be sent exactly."),
        ("1000000000000000", "Too large or too small to be sent exactly."),
        ("0.10000000000000000000000000000000001", "Has more digits than can be sent exactly."),
        ("123456789012345.678", "Has more digits than can be sent exactly."),
        ("9" * 5_000, "Too large or too small to be sent exactly."),
    ],
)
def test_no_number_is_sent_as_another_one(typed: str, sentence: str) -> None:
    assert typed_count(typed) == sentence


def test_a_cancellation_is_a_reference() -> None:
    for reference in ("A", "x" * 30):
        assert check_cancellation({"orderReferenceNumber": reference}) == Cancellation(orderReferenceNumber=reference)
    assert check_cancellation({"orderReferenceNumber": " CRN-1 "}) == Cancellation(orderReferenceNumber="CRN-1")


@pytest.mark.parametrize(
    ("body", "issue"),
    [
        ({}, ("orderReferenceNumber", "Required.")),
        ({"orderReferenceNumber": None}, ("orderReferenceNumber", "Required.")),
        ({"orderReferenceNumber": " "}, ("orderReferenceNumber", "Required.")),
        ({"orderReferenceNumber": 5}, ("orderReferenceNumber", "This must be text.")),
        ({"orderReferenceNumber": True}, ("orderReferenceNumber", "This must be text.")),
        ({"orderReferenceNumber": ["A"]}, ("orderReferenceNumber", "This must be text.")),
        ({"orderReferenceNumber": "x" * 31}, ("orderReferenceNumber", "At most 30 characters; this has 31.")),
        ({"orderReferenceNumber": "A", "reason": "none"}, ("reason", "This field is not known.")),
        ([], ("", "The body must be an object with orderReferenceNumber.")),
        (None, ("", "The body must be an object with orderReferenceNumber.")),
        ("CRN-1", ("", "The body must be an object with orderReferenceNumber.")),
    ],
)
def test_anything_else_is_no_cancellation(body: object, issue: tuple[str, str]) -> None:
    assert check_cancellation(body) == [Issue(*issue)]
    if body not in ({"orderReferenceNumber": " "},):
        with pytest.raises(ValidationError):
            Cancellation.model_validate(body)
