"""Whatever is typed, nothing raises, and the check and the models come to the same verdict."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.contract.check import check_body, check_cancellation, check_draft
from app.contract.draft import OrderDraft
from app.contract.order_rules import Issue
from app.contract.request_body import draft_of_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from tests.support.contract_drafts import anything, body_of, drafts
from tests.support.contract_samples import UNTIMED, changed, sample

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


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
