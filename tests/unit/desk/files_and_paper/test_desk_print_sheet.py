"""The order sheet: everything of the order, page by page, with nothing lost and nothing off the paper."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.contract.draft import BarcodeDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.desk.printing.order_sheet import lay_out, total
from app.desk.printing.page_marks import Page, Style, Words
from app.desk.printing.paper_words import FOUND_BY_ADDRESS, PRACTICE
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import A4, LETTER
from app.desk.printing.text_fitting import fitted, wrapped
from tests.support.desks import order_draft
from tests.support.paper import PlainRuler, bars, marks, texts

RULER = PlainRuler()
NOW = datetime(2026, 11, 24, 14, 2)


def sheet(
    draft: OrderDraft, *, practice: bool = False, paper: tuple[float, float] = LETTER, standing: str = "Draft, not sent"
) -> list[Page]:
    return lay_out(Subject(draft, standing, practice), paper, NOW, RULER)


def whole() -> OrderDraft:
    draft = order_draft("R-1", poNumber="PO-9", deliveryType="HOME", requestedDeliveryDate="2026-12-01")
    draft.consignee.email = "a@b.example"
    draft.freightDetails = [FreightDraft("SOFA", "2", "74.5", "260"), FreightDraft("CHAIR", "6", "41", "")]
    draft.otherReferenceNumbers = [ReferenceDraft("STORE", "0412")]
    draft.barcoding.receivingLoadNumber = "TRL-1"
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("SOFA", "00123", "2", "Carton", "G-7")]
    draft.deliveryInstructions = "Ring twice.\nNorth dock."
    return draft


def test_everything_of_the_order_is_on_it() -> None:
    pages = sheet(whole())
    said = texts(pages)
    for expected in (
        "Order R-1", "Draft, not sent", "J. Rivera", "12 Beale Street", "Memphis TN 38103", "901-555-0142",
        "a@b.example", "PO-9", "HOME", "2026-12-01", "SOFA", "74.5", "260", "115.5",
        "STORE", "0412", "Barcodes on load TRL-1", "00123", "Carton", "G-7", "Ring twice.", "North dock.",
        "Page 1 of 1", "Printed Tue 24 Nov 2026 14:02 by Waybill",
    ):  # fmt: skip
        assert expected in said, expected
    assert FOUND_BY_ADDRESS in " ".join(said)
    assert len(pages) == len(bars(pages)) == 1, "the reference stands there to be scanned, too"


def test_what_was_sent_says_how_it_stands() -> None:
    assert "Accepted Tue 24 Nov 2026 13:59." in texts(sheet(whole(), standing="Accepted Tue 24 Nov 2026 13:59."))


def test_a_long_standing_takes_two_lines() -> None:
    words = "In doubt Tue 24 Nov 2026 13:59. It may have arrived. It is not sent again until that is known. " * 2
    pages = sheet(whole(), standing=words)
    assert words.strip() in " ".join(texts(pages))
    inside(pages)


def test_an_empty_form_prints_too() -> None:
    (page,) = sheet(OrderDraft(freightDetails=[FreightDraft()]))
    assert "Order without a reference" in texts([page])
    assert "Freight" not in texts([page])
    assert bars([page]) == []


@pytest.mark.parametrize("paper", [LETTER, A4])
def test_a_long_order_takes_several_pages_each_with_its_number_and_titles(paper: tuple[float, float]) -> None:
    draft = whole()
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("SOFA", f"B{at:05}", "1") for at in range(1000)]
    pages = sheet(draft, practice=True, paper=paper)
    assert len(pages) > 10
    for at, page in enumerate(pages, 1):
        said = texts([page])
        assert f"Page {at} of {len(pages)}" in said
        assert "Order R-1" in said
        assert PRACTICE in said
        assert "Draft, not sent" in said
        if at > 1:
            assert "Group barcode" in said
    assert [each for each in texts(pages) if each.startswith("B0")] == [f"B{at:05}" for at in range(1000)]
    inside(pages)


def inside(pages: list[Page]) -> None:
    """Nothing stands off the paper."""
    for page in pages:
        for mark in marks([page]):
            assert mark.x >= 0
            assert 0 <= mark.y <= page.height
            if isinstance(mark, Words):
                wide = RULER.width(mark.text, mark.style)
                assert mark.x + wide <= page.width or len(mark.text) == 1, mark


TEXT = st.text(max_size=400)


@settings(max_examples=60)
@given(TEXT, TEXT, TEXT, TEXT, st.integers(0, 40))
def test_whatever_is_typed_finds_its_place(name: str, notes: str, code: str, count: str, rows: int) -> None:
    draft = whole()
    draft.orderReferenceNumber = draft.consignee.consigneeName = name
    draft.deliveryInstructions = notes * 6
    draft.freightDetails = [FreightDraft(code, count, count, code)] * rows
    draft.barcoding.barcodeItemDetails = [BarcodeDraft(code, name, count, notes, code)] * rows
    inside(sheet(draft))


def test_a_text_longer_than_a_page_goes_on_on_the_next() -> None:
    draft = whole()
    draft.consignee.consigneeName = " ".join(f"w{at}" for at in range(3000))
    pages = sheet(draft)
    assert len(pages) > 2
    assert " ".join(texts(pages)).count("w2999") == 1
    inside(pages)


def test_hidden_characters_are_made_visible() -> None:
    draft = whole()
    draft.consignee.city, draft.deliveryInstructions = "Mem\u202ephis\nx", "a\x00b"
    said = texts(sheet(draft))
    assert "Mem¿phis␊x TN 38103" in said
    assert "a¿b" in said


@given(st.text(st.characters(exclude_characters="\n"), max_size=200), st.floats(3.0, 80.0))
def test_breaking_into_lines_loses_nothing_but_blanks(text: str, width: float) -> None:
    style = Style(3.0)
    lines = wrapped(text, width, style, RULER)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(RULER.width(line, style) <= width or len(line) == 1 for line in lines)


def test_words_are_broken_between_them_where_that_is_possible() -> None:
    assert wrapped("one two three", 9 * 1.8, Style(3.0), RULER) == ["one two", "three"]
    assert wrapped("abcdefghij", 4 * 1.8, Style(3.0), RULER) == ["abcd", "efgh", "ij"]


def test_what_does_not_fit_is_set_smaller_and_only_then_shortened() -> None:
    style = Style(2.0)
    assert fitted("abcde", 6.0, style, RULER) == ("abcde", style)
    text, smaller = fitted("abcde", 5.0, style, RULER)
    assert (text, smaller.size < 2.0) == ("abcde", True)
    assert fitted("abcdefghijkl", 5.0, style, RULER)[0] == "abcd…"
    assert fitted("abcdefghijkl", 5.0, style, RULER, middle=True)[0] == "ab…kl"


@pytest.mark.parametrize(
    ("typed", "said"),
    [(["2", " 6 "], "8"), (["74.5", "41"], "115.5"), (["x", ""], ""), (["1e3", "NaN"], "1000"), (["1e99"], "")],
)
def test_totals_are_of_what_is_a_number(typed: list[str], said: str) -> None:
    assert total(typed) == said
