"""Drafts as people may type them, for tests with Hypothesis, and the JSON that each stands for by another reading."""

import re
from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from app.contract.draft import FILLED, BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.typed_fields import LIMITS
from tests.support.contract_samples import sample

FULL_AS_TYPED = sample("order_full_as_xml.json")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

anything = st.text(st.characters(), max_size=40)  # surrogates too: a paste can hold half a character
numbers = st.sampled_from(["", "0", "-1", "1", " 7 ", "12.5", "1e3", ".5", "abc", "1,5", "NaN", "1_0", "٣", "-0"])
numbers |= st.decimals(-10_000, 10_000, places=3).map(str) | st.text(max_size=4)
words = st.sampled_from(
    ["", " ", "SOFA", "CHAIR", "SOFA ", "HOME", "true", "False", "2026-02-30", "2026-12-24", "x" * 31]
)


def _typed(name: str) -> st.SearchStrategy[str]:
    """Texts for a field of this name, among them one of the greatest length and one that is a letter longer."""
    if name in {"count", "volume", "weight"}:
        return numbers
    limits = sorted({limit for path, limit in LIMITS.items() if path.rpartition(".")[2] == name})
    edges = [f"{blank}{'x' * (limit + more)}{blank}" for limit in limits for more in (0, 1) for blank in ("", " ")]
    return words | anything | st.sampled_from(edges) if edges else words | anything


def _change_rows(draw: st.DrawFn, draft: OrderDraft) -> None:
    """Fewer lines than are scanned, fewer barcodes, and a row that nothing was typed into."""
    draft.freightDetails = draft.freightDetails[: draw(st.integers(0, 5))]
    draft.barcoding.barcodeItemDetails = draft.barcoding.barcodeItemDetails[draw(st.integers(0, 2)) :]
    rows = draw(st.sampled_from([FreightDraft, BarcodeDraft, ReferenceDraft, None]))
    draft.freightDetails += [FreightDraft()] if rows is FreightDraft else []
    draft.barcoding.barcodeItemDetails += [BarcodeDraft()] if rows is BarcodeDraft else []
    draft.otherReferenceNumbers += [ReferenceDraft()] if rows is ReferenceDraft else []


@st.composite
def drafts(draw: st.DrawFn) -> OrderDraft:
    """Drafts that are right or nearly right: both verdicts are common, and often a single fault decides."""
    draft = OrderDraft.from_dict(FULL_AS_TYPED)
    if draw(st.integers(0, 3)) == 0:
        _change_rows(draw, draft)
    rows = [*draft.freightDetails, *draft.barcoding.barcodeItemDetails, *draft.otherReferenceNumbers]
    records: list[Any] = [draft, draft.consignee, draft.barcoding, *rows]
    places = [
        (at, each.name)
        for at, record in enumerate(records)
        for each in fields(record)
        if isinstance(getattr(record, each.name), str)
    ]
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 3, 8]))):
        at, name = draw(st.sampled_from(places))
        setattr(records[at], name, draw(_typed(name)))
    return draft


def body_of(value: Any, name: str = "") -> Any:
    """The JSON that a typed value stands for, by a reading of its own: empty is absent, digits are numbers."""
    if isinstance(value, dict):
        parts = {key: body_of(part, key) for key, part in value.items() if key != FILLED}  # which is never sent
        return {key: part for key, part in parts.items() if part not in (None, [], {})}
    if isinstance(value, list):
        return [body_of(row) for row in value]
    typed = value.strip()
    if name in {"count", "volume", "weight"} and NUMBER.fullmatch(typed):
        return float(typed)
    if name.startswith("useConsignee") and typed.lower() in {"true", "false"}:
        return typed.lower() == "true"
    return typed or None
