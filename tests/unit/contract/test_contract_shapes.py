"""Bodies of the wrong shape, and bodies that came as XML, where everything is text."""

import pytest
from pydantic import ValidationError

from app.contract.check import check_body
from app.contract.order_rules import Issue
from app.contract.request_body import LIST_FIELDS
from app.contract.submission import OrderSubmission
from tests.support.contract_samples import changed, sample, without

FULL = sample("order_full.json")
AS_XML = sample("order_full_as_xml.json")
PLACES = ["", "consignee.", "freightDetails[1].", "barcoding.", "barcoding.barcodeItemDetails[0]."]
PLACES += ["otherReferenceNumbers[0]."]


@pytest.mark.parametrize("body", [None, [], [FULL], "order", 5, True, float("nan")])
def test_a_body_is_an_object_and_nothing_more_is_said(body: object) -> None:
    assert check_body(body) == [Issue("", "The body must be an object.")]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["colour", "useConsigneeAddressToDetermineFacilityCode", "Count", ""])
def test_an_unknown_property_is_named_where_it_stands(place: str, name: str) -> None:
    spot = place.removesuffix(".")
    body = changed(FULL, f"{place}colour", "grey")
    if name != "colour":
        body = _renamed(FULL, spot, name)
    assert check_body(body) == [Issue(f"{place}{name}", "This field is not known.")]
    with pytest.raises(ValidationError):
        OrderSubmission.model_validate(body)


def _renamed(body: object, spot: str, name: str) -> object:
    """`body` with one more property of any name, the empty one too, in the record at `spot`."""
    marked = changed(body, f"{spot}.@" if spot else "@", "grey")
    record = marked
    for step in [each for each in spot.replace("[", ".").replace("]", "").split(".") if each]:
        record = record[int(step)] if step.isdigit() else record[step]
    record[name] = record.pop("@")
    return marked


@pytest.mark.parametrize("path", ["freightDetails[1]", "barcoding.barcodeItemDetails[1]", "otherReferenceNumbers[0]"])
@pytest.mark.parametrize("value", ["SOFA", 5, [], True])
def test_a_row_is_an_object(path: str, value: object) -> None:
    outcome = check_body(changed(FULL, path, value))
    assert isinstance(outcome, list)
    assert outcome[0] == Issue(path, "This must be an object.")
    assert not [issue for issue in outcome if issue.path.startswith(f"{path}.")]


def test_wrong_shapes_and_wrong_values_are_told_together() -> None:
    body = changed(changed(FULL, "poNumber", 5), "consignee.city", "x" * 19)
    assert check_body({**body, "extra": 1}) == [
        Issue("poNumber", "This must be text."),
        Issue("extra", "This field is not known."),
        Issue("consignee.city", "At most 18 characters; this has 19."),
    ]


def test_xml_where_everything_is_text_means_the_same() -> None:
    assert check_body(AS_XML) == check_body(FULL)


@pytest.mark.parametrize("typed", ["true", "True", " TRUE "])
def test_a_boolean_as_text(typed: str) -> None:
    body = without(changed(AS_XML, "useConsigneeAddressToDetermineFaclityCode", typed), "providerFacilityCode")
    outcome = check_body(body)
    assert isinstance(outcome, OrderSubmission)
    assert outcome.useConsigneeAddressToDetermineFaclityCode is True


@pytest.mark.parametrize("path", ["barcoding", "barcoding.barcodeItemDetails", "otherReferenceNumbers"])
def test_an_empty_element_is_an_absent_part(path: str) -> None:
    assert check_body(changed(AS_XML, path, "")) == check_body(without(AS_XML, path))


def test_an_empty_element_does_not_fill_a_required_part() -> None:
    outcome = check_body(changed(AS_XML, "freightDetails", ""))
    assert isinstance(outcome, list)
    assert outcome[0] == Issue("freightDetails", "At least one freight line is required.")


def test_the_lists_are_named_for_whoever_reads_xml() -> None:
    assert set(LIST_FIELDS) == {"freightDetails", "barcodeItemDetails", "otherReferenceNumbers"}
