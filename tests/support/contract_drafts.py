"""Drafts as people may type them, for tests with Hypothesis, and the JSON that each stands for by another reading."""

import re
from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from app.contract.draft import BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from tests.support.contract_samples import sample

FULL_AS_TYPED = sample("order_full_as_xml.json")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

anything = st.text(st.characters(), max_size=40)  # surrogates too: a paste can hold half a character
numbers = st.sampled_from(["", "0", "-1", "1", " 7 ", "12.5", "1e3", ".5", "abc", "1,5", "NaN", "1_0", "٣", "-0"])
numbers |= st.decimals(-10_000, 10_000, places=3).map(str) | st.text(max_size=4)
words = st.sampled_from(
    ["", " ", "SOFA", "CHAIR", "SOFA ", "HOME", "true", "False", "2026-02-30", "2026-12-24", "x" * 31]
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
