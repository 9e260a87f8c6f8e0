"""A scan on an order adds a barcode, changes the commodity, or is refused with a reason."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.draft import BarcodeDraft, FreightDraft
from app.desk.drafts.scanning import Tally, codes_in, current_code, mismatches, number, read_scan, tallies

CODES = ["SOFA", "CHAIR", "Lamp", "LAMP"]


def test_a_barcode_is_added_for_the_current_commodity_and_group() -> None:
    found = read_scan("WB1", CODES, {"WB0"}, "CHAIR", "PALLET-7")
    assert (found.outcome, found.commodity) == ("added", "CHAIR")
    assert found.row == BarcodeDraft("CHAIR", "WB1", "1", "", "PALLET-7")


@pytest.mark.parametrize(("typed", "code"), [("SOFA", "SOFA"), ("sofa", "SOFA"), (" Lamp ", "Lamp"), ("LAMP", "LAMP")])
def test_a_commodity_code_switches(typed: str, code: str) -> None:
    found = read_scan(typed, CODES, set(), "CHAIR")
    assert (found.outcome, found.commodity, found.row) == ("commodity", code, None)


def test_a_code_that_fits_two_by_case_is_a_barcode() -> None:
    assert read_scan("lamp", CODES, set(), "CHAIR").outcome == "added"


@pytest.mark.parametrize(
    ("typed", "codes", "barcodes", "current", "sentence"),
    [
        ("WB1", CODES, {"WB1"}, "SOFA", "WB1 is already on this order."),
        ("WB1", [], set(), "", "WB1: The freight has no commodity yet. Enter the freight first."),
        ("WB1", CODES, set(), "TABLE", "WB1: TABLE is not in the freight of this order."),
        ("WB1\tTABLE", CODES, set(), "SOFA", "WB1: TABLE is not in the freight of this order."),
        ("DESK", CODES, set(), "SOFA", "DESK is a commodity, but not in the freight of this order."),
        ("x" * 51, CODES, set(), "SOFA", f"{'x' * 51}: At most 50 characters; this has 51."),
    ],
)
def test_what_the_order_cannot_take_is_refused_with_a_reason(
    typed: str, codes: list[str], barcodes: set[str], current: str, sentence: str
) -> None:
    found = read_scan(typed, codes, barcodes, current, others={"DESK"})
    assert (found.outcome, found.sentence, found.row, found.commodity) == ("refused", sentence, None, current)
    assert found.sentence.startswith(typed.partition("\t")[0]), "a person has to know which code it was"


def test_a_pasted_line_may_name_its_commodity_and_leaves_the_current_one() -> None:
    found = read_scan("WB1\tchair", CODES, set(), "SOFA")
    assert found.row is not None
    assert (found.row.commodity, found.commodity) == ("CHAIR", "SOFA")
    assert read_scan("SOFA\tCHAIR", CODES, set(), "SOFA").outcome == "added", (
        "a barcode may be called as a commodity is"
    )


@given(st.text(max_size=60), st.text(max_size=4), st.text(max_size=60))
def test_any_scan_gets_an_answer(typed: str, current: str, group: str) -> None:
    assert read_scan(typed, CODES, {"1"}, current, group).sentence


def counted(**figures: str) -> list[Tally]:
    """`SOFA="1/2"`: one scanned of two."""
    return [Tally(code, *(Decimal(part) for part in each.split("/"))) for code, each in figures.items()]


def test_the_current_commodity_is_the_one_chosen_the_last_scanned_or_the_first() -> None:
    some = counted(SOFA="0/2", CHAIR="1/2", LAMP="0/1")
    assert current_code(some, "LAMP", "CHAIR") == "LAMP"
    assert current_code(some, "GONE", "CHAIR") == "CHAIR"
    assert current_code(some, "", "") == "SOFA"
    assert current_code([], "SOFA", "CHAIR") == ""


@pytest.mark.parametrize(
    ("figures", "last", "wanted"),
    [
        ({"SOFA": "2/2", "CHAIR": "0/4", "LAMP": "0/1"}, "SOFA", "CHAIR"),
        ({"SOFA": "2/2", "CHAIR": "4/4", "LAMP": "0/1"}, "SOFA", "LAMP"),
        ({"SOFA": "1/2", "CHAIR": "0/4", "LAMP": "1/1"}, "LAMP", "SOFA"),  # from the beginning again
        ({"SOFA": "2/2", "CHAIR": "4/4"}, "SOFA", "SOFA"),  # none lacks any: more of the last is said, not hidden
        ({"SOFA": "3/0", "CHAIR": "0/4"}, "SOFA", "SOFA"),  # how many sofas there are was not typed yet
        ({"SOFA": "2/2", "CHAIR": "0/4"}, "", "CHAIR"),
    ],
)
def test_a_commodity_that_is_full_hands_over_to_the_next_that_lacks_scans(
    figures: dict[str, str], last: str, wanted: str
) -> None:
    assert current_code(counted(**figures), "", last) == wanted
    assert current_code(counted(**figures), "SOFA", last) == "SOFA", "it was chosen"


def test_what_does_not_match_the_freight_is_named_in_words() -> None:
    freight = [
        FreightDraft("SOFA", "2"),
        FreightDraft("CHAIR", "4"),
        FreightDraft("LAMP", "1"),
        FreightDraft("RUG", "x"),
    ]
    items = [BarcodeDraft("SOFA", str(at), "1") for at in range(5)] + [BarcodeDraft("LAMP", "L", "1")]
    assert [(each.commodity, each.words) for each in mismatches(tallies(freight, items))] == [
        ("SOFA", "5 scanned, the freight says 2"),
        ("CHAIR", "none scanned, the freight says 4"),
    ]


def test_codes_stand_once_in_the_order_of_the_freight() -> None:
    lines = [FreightDraft(" B "), FreightDraft("A"), FreightDraft("B"), FreightDraft("")]
    assert codes_in(lines) == ["B", "A"]


def test_scanned_against_the_freight_s_count() -> None:
    lines = [FreightDraft("A", "2"), FreightDraft("A", "3"), FreightDraft("B", "x"), FreightDraft("", "9")]
    items = [BarcodeDraft("A", "1", "1"), BarcodeDraft(" A", "2", "4.5"), BarcodeDraft("C", "3", "1")]
    found = tallies(lines, items)
    assert [(each.commodity, each.scanned, each.wanted) for each in found] == [
        ("A", Decimal("5.5"), Decimal(5)),
        ("B", Decimal(0), Decimal(0)),
    ]
    assert found[0].left == Decimal("-0.5")


@given(st.text(max_size=12))
def test_a_count_that_is_no_number_counts_nothing(typed: str) -> None:
    assert number(typed).is_finite()
    assert number("NaN") == number("1e99") == number("Infinity") == 0
