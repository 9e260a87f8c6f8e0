"""Whatever is typed, nothing raises, and the check and the models come to the same verdict."""

import json
import re
from dataclasses import fields
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.contract.check import check_body, check_cancellation, check_draft
from app.contract.draft import BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.shape import Issue, draft_of_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from tests.support.contract_samples import UNTIMED, changed, sample

FULL_AS_TYPED = sample("order_full_as_xml.json")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

anything = st.text(st.characters(), max_size=40)  # surrogates too: a paste can hold half a character
numbers = st.sampled_from(["", "0", "-1", "1", " 7 ", "12.5", "1e3", ".5", "abc", "1,5", "NaN", "1_0", "٣", "-0"])
numbers |= st.decimals(-10_000, 10_000, places=3).map(str) | st.text(max_size=4)
words = st.sampled_from(
    ["", " ", "SOFA", "CHAIR", "SOFA ", "HOME", "true", "False", "2026-02-30", "2026-12-24", "x" * 31]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def _spoil(draw: st.DrawFn, record: Any) -> None:
    """Type something else into some fields of one record of a draft."""
    for each in fields(record):
        if isinstance(getattr(record, each.name), str) and draw(st.integers(0, 9)) == 0:
            kind = numbers if each.name in {"count", "volume", "weight"} else words | anything
            setattr(record, each.name, draw(kind))


@st.composite
def drafts(draw: st.DrawFn) -> OrderDraft:
    """Drafts that are nearly right, so that both verdicts are common."""
    draft = OrderDraft.from_dict(FULL_AS_TYPED)
    items = draft.barcoding.barcodeItemDetails
    draft.freightDetails = draft.freightDetails[: draw(st.integers(0, 5))]
    draft.barcoding.barcodeItemDetails = items[draw(st.integers(0, 2)) :]
    for row in draw(st.lists(st.sampled_from([FreightDraft, BarcodeDraft, ReferenceDraft]), max_size=1)):
        made = row()
        draft.freightDetails += [made] if isinstance(made, FreightDraft) else []
        draft.barcoding.barcodeItemDetails += [made] if isinstance(made, BarcodeDraft) else []
        draft.otherReferenceNumbers += [made] if isinstance(made, ReferenceDraft) else []
    rows = [*draft.freightDetails, *draft.barcoding.barcodeItemDetails, *draft.otherReferenceNumbers]
    for record in [draft, draft.consignee, draft.barcoding, *rows]:
        _spoil(draw, record)
    return draft


def body_of(value: Any, name: str = "") -> Any:
    """The JSON that a typed value stands for, by a reading of its own: empty is absent, digits are numbers."""
    if isinstance(value, dict):
        parts = {key: body_of(part, key) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in (None, [], {})}
    if isinstance(value, list):
        return [body_of(row) for row in value]
    typed = value.strip()
    if name in {"count", "volume", "weight"} and NUMBER.fullmatch(typed):
        return float(typed)
    if name.startswith("useConsignee") and typed.lower() in {"true", "false"}:
        return typed.lower() == "true"
    return typed or None


def accepts(model: type[OrderSubmission] | type[Cancellation], body: object) -> bool:
    try:
        model.model_validate(body)
    except ValidationError:
        return False
    return True


def well_said(issues: list[Issue]) -> bool:
    return bool(issues) and all(
        re.fullmatch(r"[A-Z][^!\n]{3,88}\.", each.sentence) and "error" not in each.sentence.lower() for each in issues
    )


@UNTIMED
@given(drafts())
def test_check_and_models_come_to_the_same_verdict(draft: OrderDraft) -> None:
    outcome, body = check_draft(draft), body_of(draft.to_dict())
    if isinstance(outcome, list):
        assert well_said(outcome)
        assert not accepts(OrderSubmission, body), outcome
    else:
        assert outcome == OrderSubmission.model_validate(body)


@UNTIMED
@given(drafts())
def test_an_order_comes_back_from_its_bytes(draft: OrderDraft) -> None:
    outcome = check_draft(draft)
    if isinstance(outcome, OrderSubmission):
        sent = wire_bytes(outcome)
        assert check_body(json.loads(sent)) == outcome
        again, issues = draft_of_body(json.loads(sent))
        assert issues == []
        assert check_draft(again) == outcome


@UNTIMED
@given(drafts())
def test_a_draft_comes_back_from_what_is_kept(draft: OrderDraft) -> None:
    assert OrderDraft.from_dict(json.loads(json.dumps(draft.to_dict()))) == draft


@UNTIMED
@given(st.sampled_from([each["path"] for each in sample("submission_fields.json")["fields"]]), json_values)
def test_any_value_in_any_field_gets_one_verdict(path: str, value: object) -> None:
    outcome = check_body(changed(sample("order_full.json"), path, value))
    assert isinstance(outcome, OrderSubmission) or well_said(outcome)


@UNTIMED
@given(json_values)
def test_any_body_gets_a_verdict(body: object) -> None:
    assert well_said(_issues(check_body(body)))
    outcome = check_cancellation(body)
    assert isinstance(outcome, Cancellation) or well_said(outcome)


@UNTIMED
@given(anything)
def test_a_cancellation_and_its_model_agree(typed: str) -> None:
    outcome = check_cancellation({"orderReferenceNumber": typed})
    assert isinstance(outcome, Cancellation) == accepts(Cancellation, {"orderReferenceNumber": typed.strip()})


def _issues(outcome: OrderSubmission | list[Issue]) -> list[Issue]:
    assert isinstance(outcome, list)
    return outcome
