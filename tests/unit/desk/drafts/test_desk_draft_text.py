"""A draft's text is the same however many rows it has, and comes back as the draft it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.desk.drafts.saved_drafts import draft_text

text = st.text(max_size=6)


@pytest.mark.parametrize("rows", [0, 1, 199, 200, 201, 400, 1001])
def test_any_number_of_rows_is_written_as_json_writes_it(rows: int) -> None:
    draft = OrderDraft(
        "R-1",
        freightDetails=[FreightDraft(f"SKU{number}", "1") for number in range(rows)],
        barcoding=BarcodingDraft(
            'T"1', [BarcodeDraft("SKU1", f"WB{number}", "1", "Stühl\n") for number in range(rows)]
        ),
    )
    assert draft_text(draft) == json.dumps(draft.to_dict(), ensure_ascii=False)


@given(text, st.lists(st.builds(ReferenceDraft, text, text), max_size=3))
def test_any_draft_comes_back(typed: str, references: list[ReferenceDraft]) -> None:
    draft = OrderDraft(poNumber=typed, otherReferenceNumbers=references)
    assert OrderDraft.from_dict(json.loads(draft_text(draft))) == draft
