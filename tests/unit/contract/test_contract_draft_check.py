"""Checking again at every key finds what checking the whole finds, and reads no row twice."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import check as contract_check
from app.contract.check import DraftCheck, check_draft
from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.order_rules import Issue
from app.contract.typed_fields import ReadRecord
from tests.support.contract_samples import UNTIMED

cell = st.sampled_from(["", " ", "SOFA", "CHAIR", "0", "1", "x" * 60, "1.5", "abc"])
freight = st.builds(FreightDraft, cell, cell, cell, cell)
barcode = st.builds(BarcodeDraft, cell, cell, cell, cell, cell)
reference = st.builds(ReferenceDraft, cell, cell)


def by_place(issues: list[Issue]) -> dict[str, list[str]]:
    """Sentences by path, each path's in their order."""
    found: dict[str, list[str]] = {}
    for each in issues:
        found.setdefault(each.path, []).append(each.sentence)
    return found


def whole(draft: OrderDraft) -> list[Issue]:
    outcome = check_draft(draft)
    return outcome if isinstance(outcome, list) else []


def edited(data: st.DataObject, rows: list[Any], row: st.SearchStrategy[Any]) -> list[Any]:
    """The rows with some of them replaced, added, taken out or moved; the others the same objects as before."""
    at = data.draw(st.integers(0, len(rows)))
    end = data.draw(st.integers(at, len(rows)))
    middle = data.draw(st.lists(row, max_size=3) | st.just(rows[at:end][::-1]))
    return [*rows[:at], *middle, *rows[end:]]


@pytest.mark.slow
@UNTIMED
@given(st.data())
def test_after_any_edits_it_finds_what_the_whole_check_finds(data: st.DataObject) -> None:
    check, draft = DraftCheck(), OrderDraft()
    for _ in range(data.draw(st.integers(1, 6))):
        draft = replace(
            draft,
            poNumber=data.draw(cell),
            freightDetails=edited(data, draft.freightDetails, freight),
            barcoding=BarcodingDraft(data.draw(cell), edited(data, draft.barcoding.barcodeItemDetails, barcode)),
            otherReferenceNumbers=edited(data, draft.otherReferenceNumbers, reference),
        )
        found = check.check(draft)
        assert by_place(found.issues()) == by_place(whole(draft))
        assert found.count == len(whole(draft))
        assert found.issues() == whole(draft)


def test_only_the_rows_that_changed_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    read_row = contract_check.read_row

    def counted(path: str, row: FreightDraft | BarcodeDraft | ReferenceDraft) -> ReadRecord:
        read.extend([row.barcode] if isinstance(row, BarcodeDraft) else [])
        return read_row(path, row)

    monkeypatch.setattr(contract_check, "read_row", counted)
    check = DraftCheck()
    items = [BarcodeDraft("SOFA", str(number), "1") for number in range(5)]
    draft = OrderDraft(freightDetails=[FreightDraft("SOFA")], barcoding=BarcodingDraft("T", items))
    check.check(draft)
    assert read == ["0", "1", "2", "3", "4"]
    read.clear()
    check.check(replace(draft, poNumber="7"))
    assert read == []
    fewer = [*items[:2], *items[3:]]
    check.check(replace(draft, barcoding=BarcodingDraft("T", fewer)))
    assert read == []
    check.check(replace(draft, barcoding=BarcodingDraft("T", [*fewer[:1], BarcodeDraft("SOFA", "new"), *fewer[1:]])))
    assert read == ["new"]
