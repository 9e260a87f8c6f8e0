"""Stored drafts hold exactly the typed texts; any stored content can be read back."""

import json
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.check import check_draft, field_of
from app.contract.draft import (
    FILLED,
    BarcodeDraft,
    BarcodingDraft,
    ConsigneeDraft,
    FreightDraft,
    OrderDraft,
    ReferenceDraft,
)
from app.contract.submission import OrderSubmission, wire_bytes
from tests.support.contract_samples import UNTIMED, changed, sample

AS_TYPED = sample("order_full_as_xml.json")
ROWS = {
    "freightDetails": FreightDraft,
    "barcoding.barcodeItemDetails": BarcodeDraft,
    "otherReferenceNumbers": ReferenceDraft,
}


def names(kind: Any, head: str = "") -> list[str]:
    """The paths of a draft's fields, rows without indexes."""
    inner = {"consignee": ConsigneeDraft, "barcoding": BarcodingDraft, **ROWS}
    found = []
    for each in fields(kind):
        path = head + each.name
        found += [path, *(names(inner[path], f"{path}.") if is_dataclass(inner.get(path)) else [])]
    return found


def test_a_draft_has_exactly_the_contracts_fields_and_the_marks_of_what_was_filled_in() -> None:
    marks = [path for path in names(OrderDraft) if path.rpartition(".")[2] == FILLED]
    assert marks == ["freightDetails.filled", "filled"]
    assert [path for path in names(OrderDraft) if path not in marks] == [
        field_of(row["path"]) for row in sample("submission_fields.json")["fields"]
    ]


def test_what_was_typed_is_kept_exactly() -> None:
    typed = changed(AS_TYPED, "consignee.city", "  half a tho")
    assert json.loads(json.dumps(OrderDraft.from_dict(typed).to_dict())) == typed


def test_marks_are_kept_where_there_are_some_and_are_no_part_of_what_is_sent() -> None:
    draft = OrderDraft.from_dict(AS_TYPED)
    before = check_draft(draft)
    assert isinstance(before, OrderSubmission)
    draft.filled, draft.freightDetails[0].filled = "consignee.email", "weight"
    again = OrderDraft.from_dict(json.loads(json.dumps(draft.to_dict())))
    assert (again.filled, again.freightDetails[0].filled) == ("consignee.email", "weight")
    after = check_draft(again)
    assert isinstance(after, OrderSubmission)
    assert wire_bytes(after) == wire_bytes(before)


def test_a_new_draft_is_empty_and_asks_for_what_is_required() -> None:
    assert OrderDraft.from_dict({}) == OrderDraft()
    assert OrderDraft().useConsigneeAddressToDetermineFaclityCode == "false"
    outcome = check_draft(OrderDraft())
    assert isinstance(outcome, list)
    assert [issue.path for issue in outcome if issue.sentence == "Required."] == [
        "orderReferenceNumber",
        *(f"consignee.{name}" for name in ("consigneeName", "streetAddress", "city", "state", "zip", "phone1")),
    ]


def test_two_drafts_share_nothing() -> None:
    first, second = OrderDraft(), OrderDraft()
    first.freightDetails.append(FreightDraft())
    first.consignee.city = "Memphis"
    first.barcoding.barcodeItemDetails.append(BarcodeDraft())
    assert second == OrderDraft()


def test_unknown_keys_are_passed_over() -> None:
    older = {**AS_TYPED, "colour": "grey", "consignee": {**AS_TYPED["consignee"], "fax": "1"}}
    assert OrderDraft.from_dict(older) == OrderDraft.from_dict(AS_TYPED)


@pytest.mark.parametrize("value", [None, 5, True, "x", [], {}, [None], ["x"], [5]])
@pytest.mark.parametrize("path", ["orderReferenceNumber", "consignee", "barcoding", *ROWS, "consignee.city"])
def test_odd_values_leave_the_rest_alone(path: str, value: object) -> None:
    draft = OrderDraft.from_dict(changed(AS_TYPED, path, value))
    assert draft.poNumber == "PO-7781"
    if not (isinstance(value, str) and path in {"orderReferenceNumber", "consignee.city"}):
        kept = draft.to_dict()
        for step in path.split("."):
            kept = kept[step]
        assert not any(_texts(kept))


def _texts(value: object) -> list[str]:
    """Every text in a kept draft that is not empty."""
    if isinstance(value, dict | list):
        return [text for each in (value.values() if isinstance(value, dict) else value) for text in _texts(each)]
    return [value] if isinstance(value, str) and value else []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@UNTIMED
@given(st.dictionaries(st.sampled_from([each.name for each in fields(OrderDraft)]), json_values))
def test_a_draft_is_made_of_anything(data: dict[str, object]) -> None:
    draft = OrderDraft.from_dict(data)
    assert OrderDraft.from_dict(draft.to_dict()) == draft
    check_draft(draft)
