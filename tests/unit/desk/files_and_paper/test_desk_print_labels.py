"""Labels: bars that scan or a sentence that says why not, and everything in its place on every size of label."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.contract.draft import BarcodeDraft, OrderDraft
from app.desk.printing.barcode_labels import LEAST_MODULE, Labels, Which, plan
from app.desk.printing.code128 import QUIET
from app.desk.printing.page_marks import Bars, Style, Words
from app.desk.printing.paper_words import PRACTICE
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import FINENESSES, STOCKS, Fineness, Stock
from tests.support.desks import order_draft
from tests.support.paper import PlainRuler, bars, marks, texts

RULER = PlainRuler()
STOCK = {each.key: each for each in STOCKS}
FINE = {each.key: each for each in FINENESSES}
EVERY = [(stock, fine) for stock in STOCKS for fine in FINENESSES]
WHICH: tuple[Which, ...] = ("each", "group")
IDS = [f"{stock.key}-{fine.key}" for stock, fine in EVERY]


def draft_with(*barcodes: str) -> OrderDraft:
    draft = order_draft("R-1")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", each, "1") for each in barcodes]
    return draft


def planned(
    draft: OrderDraft, stock: Stock = STOCK["4x2in"], fine: Fineness = FINE["203"], *, practice: bool = False
) -> Labels:
    return plan(Subject(draft, "Draft, not sent", practice), "each", stock, fine)


def test_a_label_says_what_it_is_for() -> None:
    pages = list(planned(draft_with("0001", "0002", "0003")).pages(RULER))
    assert [(page.width, page.height) for page in pages] == [(101.6, 50.8)] * 3
    assert texts(pages[2:]) == [
        *("R-1", "3 of 3", "J. Rivera", "12 Beale Street", "Memphis, TN 38103"),
        *("Facility by address", "CHAIR · 1 piece", "0003"),
    ]
    assert len(bars(pages)) == 3


def test_a_label_says_where_it_goes_by_which_facility_for_which_purchase_and_when() -> None:
    draft = draft_with("1")
    draft.consignee.streetAddress2, draft.poNumber = "Suite 4", "45000-123"
    draft.providerFacilityCode, draft.requestedDeliveryDate = "MEM01", "2026-12-03"
    said = texts(planned(draft, STOCK["4x6in"]).pages(RULER))
    assert said[2:8] == [
        *("J. Rivera", "12 Beale Street", "Suite 4", "Memphis, TN 38103"),
        *("Facility MEM01 · PO 45000-123", "Deliver 3 Dec 2026"),
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, ""),
        ({"shipDate": "2026-11-24"}, "Ships 24 Nov 2026"),
        ({"shipDate": "2026-11-24", "estimatedReceiveDate": "2026-11-30"}, "At the facility 30 Nov 2026"),
        ({"shipDate": "2026-11-24", "requestedDeliveryDate": "2026-12-03"}, "Deliver 3 Dec 2026"),
        ({"requestedDeliveryDate": "next week"}, "Deliver next week"),
    ],
)
def test_a_label_calls_its_date_by_what_it_is(given: dict[str, str], said: str) -> None:
    draft = draft_with("1")
    draft.useConsigneeAddressToDetermineFaclityCode = "false"
    for name, value in given.items():
        setattr(draft, name, value)
    assert [each for each in texts(planned(draft).pages(RULER)) if "20" in each or "week" in each] == [said] * bool(
        said
    )


def test_what_an_order_does_not_have_takes_no_line() -> None:
    draft = OrderDraft(orderReferenceNumber="R-1")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("", "77", "")]
    assert texts(planned(draft).pages(RULER)) == ["R-1", "1 of 1", "77"]


def test_a_low_label_says_the_same_on_fewer_lines() -> None:
    draft = draft_with("1")
    draft.poNumber, draft.requestedDeliveryDate = "45000-123", "2026-12-03"
    said = texts(planned(draft, STOCK["letter30"]).pages(RULER))
    assert said[2:4] == ["J. Rivera", "12 Beale Street, Memphis, TN 38103"]
    assert said[4:-1] == ["Facility by address · PO 45000-123 · Deliver 3 Dec 2026", "CHAIR · 1 piece"]


_LONG = {
    "consigneeName": "Llanfairpwllgwyngyll Furniture and Household Goods Company of Memphis " * 2,
    "streetAddress": "12345 Martin Luther King Junior Boulevard North-East, Building Seventeen",
    "streetAddress2": "Suite 1400, ask for the receiving clerk at the second dock",
    "city": "Winchester-on-the-Severn",
}


@pytest.mark.parametrize(("stock", "fine"), EVERY, ids=IDS)
@pytest.mark.parametrize("times", [1, 3, 20])
def test_words_are_whole_or_end_in_an_ellipsis(stock: Stock, fine: Fineness, times: int) -> None:
    draft = draft_with("AB")
    for name, value in _LONG.items():
        setattr(draft.consignee, name, (value * times).strip())
    draft.poNumber, draft.requestedDeliveryDate = "4500" * 3 * times, "2026-12-03"
    ((_, _, *above, _),) = (texts([page]) for page in planned(draft, stock, fine).pages(RULER))
    said = _letters(" ".join(above))
    parts = (*(getattr(draft.consignee, name) for name in _LONG), draft.poNumber, "3 Dec 2026", "CHAIR")
    assert "…" in said or all(_letters(each) in said for each in parts)
    assert "…" not in said or times > 1 or stock.height < 45


def _letters(text: str) -> str:
    return text.replace(" ", "").replace(",", "")


def test_practice_stands_on_every_label() -> None:
    pages = list(planned(draft_with("1", "2"), STOCK["letter30"], practice=True).pages(RULER))
    assert texts(pages).count(PRACTICE) == 2


@pytest.mark.parametrize(("stock", "fine"), EVERY, ids=IDS)
@pytest.mark.parametrize("length", [1, 8, 18, 30, 50])
def test_bars_are_whole_dots_wide_enough_to_scan_and_have_their_quiet_zones(
    stock: Stock, fine: Fineness, length: int
) -> None:
    found = planned(draft_with("A" * length), stock, fine)
    assert found.count + len(found.refusals) == 1
    for page in found.pages(RULER):
        (block,) = page.blocks
        (drawn,) = (mark for mark in block.marks if isinstance(mark, Bars))
        room = stock.height if block.turned else stock.width
        dots = drawn.module * fine.dots_per_mm
        assert drawn.module >= LEAST_MODULE
        assert dots == pytest.approx(round(dots))
        assert drawn.x >= QUIET * drawn.module - 1e-6
        assert drawn.x + (sum(drawn.widths) + QUIET) * drawn.module <= room + 1e-6
        assert drawn.height >= 6


@pytest.mark.parametrize(("stock", "fine"), EVERY, ids=IDS)
@pytest.mark.parametrize("practice", [False, True])
def test_nothing_stands_outside_its_label_or_in_the_bars(stock: Stock, fine: Fineness, practice: bool) -> None:
    draft = draft_with("AB" * 8, "0" * 50)
    draft.orderReferenceNumber = "R" * 300
    draft.consignee.city = draft.consignee.streetAddress = "Llanfairpwllgwyngyllgogerychwyrndrobwll" * 9
    draft.consignee.consigneeName, draft.poNumber = "Name " * 80, "P" * 90
    draft.requestedDeliveryDate = "2026-12-03"
    for each in draft.barcoding.barcodeItemDetails:
        each.commodity, each.count = "C" * 200, "9" * 90
    for page in planned(draft, stock, fine, practice=practice).pages(RULER):
        for block in page.blocks:
            width, height = (stock.height, stock.width) if block.turned else (stock.width, stock.height)
            (drawn,) = (mark for mark in block.marks if isinstance(mark, Bars))
            for mark in block.marks:
                if isinstance(mark, Words):
                    assert mark.x >= 0
                    assert mark.x + RULER.width(mark.text, mark.style) <= width + 1e-6, mark
                    assert 0.7 * mark.style.size <= mark.y <= height - 0.25 * mark.style.size, mark
                    above, below = mark.y <= drawn.y, mark.y - 0.8 * mark.style.size >= drawn.y + drawn.height
                    assert above or below, mark


def test_the_longest_barcode_of_the_contract_runs_along_the_shipping_label() -> None:
    found = planned(draft_with("W" * 50), STOCK["4x6in"])
    (page,) = found.pages(RULER)
    assert page.blocks[0].turned
    assert bars([page])[0].module == 0.25
    assert "W" * 50 in "".join(texts([page]))


def test_a_barcode_without_room_is_refused_and_the_others_keep_their_place() -> None:
    found = planned(draft_with("1", "W" * 50, "naïve", "4"))
    assert [each.place for each in found.refusals] == [2, 3]
    assert found.refusals[0].sentence == (
        "Too long for this label: bars that scan need 151 mm at 203 dpi, and the label has 101 mm. "
        "Choose a longer label or a finer printer."
    )
    assert [each for each in texts(found.pages(RULER)) if " of " in each] == ["1 of 4", "4 of 4"]


def test_a_finer_printer_gets_more_onto_a_label() -> None:
    barcode = draft_with("W" * 34)
    assert planned(barcode, fine=FINE["203"]).count == 0
    assert planned(barcode, fine=FINE["600"]).count == 1


def test_a_long_barcode_is_said_whole_on_as_many_lines_as_it_takes() -> None:
    class WideRuler(PlainRuler):
        def width(self, text: str, style: Style) -> float:
            return len(text) * style.size * 1.5

    digits = "1234567890" * 4
    (page,) = planned(draft_with(digits), STOCK["letter30"], FINE["600"]).pages(WideRuler())
    lines = [each.text for each in marks([page]) if isinstance(each, Words) and each.style.mono]
    assert "".join(lines) == digits
    assert len(lines) > 1


def test_empty_rows_have_no_label_and_what_is_typed_around_a_barcode_is_not_part_of_it() -> None:
    found = planned(draft_with("", "  ", " 77 "))
    assert (found.total, found.count) == (1, 1)
    assert "77" in texts(found.pages(RULER))


def test_a_group_has_one_label_with_all_its_pieces() -> None:
    draft = order_draft("R-1")
    draft.barcoding.barcodeItemDetails = [
        BarcodeDraft("CHAIR", "1", "2", "", "G-1"),
        BarcodeDraft("SOFA", "2", "1.5", "", "G-1"),
        BarcodeDraft("CHAIR", "3", "x", "", "G-2"),
        BarcodeDraft("CHAIR", "4", "1", "", ""),
    ]
    found = plan(Subject(draft, "", practice=False), "group", STOCK["4x2in"], FINE["203"])
    said = texts(found.pages(RULER))
    assert (found.total, said.count("CHAIR, SOFA · 3.5 pieces"), said.count("CHAIR")) == (2, 1, 1)
    assert [each for each in said if each.startswith("G-")] == ["G-1", "G-2"]


@pytest.mark.parametrize("stock", STOCKS, ids=lambda stock: stock.key)
def test_the_labels_of_a_sheet_lie_on_it_side_by_side(stock: Stock) -> None:
    corners = [stock.place(at) for at in range(stock.per_page)]
    assert len(set(corners)) == stock.per_page
    for x, y in corners:
        assert x >= 0 <= y
        assert x + stock.width <= stock.paper[0] + 1e-6
        assert y + stock.height <= stock.paper[1] + 1e-6
    columns = sorted({x for x, _ in corners})
    assert all(right - left >= stock.width for left, right in itertools.pairwise(columns))


def test_a_sheet_is_filled_before_the_next_is_begun() -> None:
    found = planned(draft_with(*(f"{at:04}" for at in range(11))), STOCK["letter10"])
    assert [len(page.blocks) for page in found.pages(RULER)] == [10, 1]
    assert found.page_count == 2


@pytest.mark.parametrize(
    ("begin", "count", "filled"), [(0, 10, [10]), (9, 1, [1]), (9, 2, [1, 1]), (3, 18, [7, 10, 1]), (4, 0, [])]
)
def test_a_sheet_that_was_begun_goes_on_where_its_next_label_is(begin: int, count: int, filled: list[int]) -> None:
    subject = Subject(draft_with(*(f"{at:04}" for at in range(count))), "", practice=False)
    stock = STOCK["letter10"]
    found = plan(subject, "each", stock, FINE["203"], begin=begin)
    pages = list(found.pages(RULER))
    assert [len(page.blocks) for page in pages] == filled
    assert found.page_count == len(filled)
    if pages:
        assert (pages[0].blocks[0].x, pages[0].blocks[0].y) == stock.place(begin)
        assert all((page.blocks[0].x, page.blocks[0].y) == stock.place(0) for page in pages[1:])
    said = [each for each in texts(pages) if " of " in each]
    assert said == [f"{at} of {count}" for at in range(1, count + 1)]


@settings(max_examples=100)
@given(st.text(max_size=60), st.text(max_size=200), st.text(max_size=40), st.sampled_from(STOCKS))
def test_whatever_is_typed_is_printed_or_refused(barcode: str, other: str, count: str, stock: Stock) -> None:
    draft = draft_with(barcode)
    draft.orderReferenceNumber = draft.consignee.city = draft.consignee.state = draft.poNumber = other
    draft.consignee.consigneeName = draft.consignee.streetAddress = draft.requestedDeliveryDate = other
    draft.barcoding.barcodeItemDetails[0].count = count
    draft.barcoding.barcodeItemDetails[0].commodity = other
    draft.barcoding.barcodeItemDetails[0].groupBarcode = barcode
    for which in WHICH:
        found = plan(Subject(draft, other, practice=True), which, stock, FINE["300"])
        assert found.count + len(found.refusals) == found.total == bool(barcode.strip())
        assert len(list(found.pages(RULER))) == found.count


def test_planning_can_be_broken_off() -> None:
    class Enough(Exception):
        pass

    seen = []

    def step() -> None:
        seen.append(1)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        plan(Subject(draft_with(*"123456"), "", practice=False), "each", STOCK["4x2in"], FINE["203"], step=step)


def test_hidden_characters_are_made_visible_and_line_breaks_too() -> None:
    draft = draft_with("1")
    draft.consignee.city, draft.orderReferenceNumber = "Mem\u202ephis\nTown", "R\x07"
    said = texts(planned(draft).pages(RULER))
    assert "Mem¿phis␊Town, TN 38103" in said
    assert "R¿" in said
