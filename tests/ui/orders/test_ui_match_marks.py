"""Where the words of a search are found in a row, shown or not, as the store finds them."""

import gc
import weakref
from typing import Any

import pytest

from app.store.cache.order_columns import columns_of, searched_text
from app.ui.orders.table.match_marks import SEARCHED, MatchMarks
from tests.support.order_facts import facts
from tests.ui.orders.test_ui_orders_model import line


@pytest.mark.parametrize(
    ("search", "text", "places"),
    [
        ("riv", "J. Rivera", ((3, 6),)),
        ("mem is", "Memphis Memphis", ((0, 3), (5, 7), (8, 11), (13, 15))),
        ("renee", "Renée O'Brien", ((0, 5),)),
        ("strasse", "Straße 4", ((0, 8),)),  # a letter that folds to two: the whole text is marked
        ("عبد", "محمد العبد الله", ((0, 15),)),
        ("dallas", "Memphis", ()),
    ],
)
def test_words_are_found_without_case_and_accents(search: str, text: str, places: tuple[tuple[int, int], ...]) -> None:
    assert MatchMarks(search).found_in(text, False).places == places


def test_what_was_remembered_for_a_search_goes_with_it() -> None:
    gc.disable()  # each key in the filter is another search, and the cyclic collector runs seldom
    try:
        marks = MatchMarks("riv")
        found = weakref.ref(marks.found_in), weakref.ref(marks)
        assert marks.found_in("Rivera", False).which
        del marks
        assert [each() for each in found] == [None, None]
    finally:
        gc.enable()


def test_digits_are_found_in_a_phone_number_only() -> None:
    marks = MatchMarks("7705550194")
    assert marks.found_in("770-555-0194", True).places == ((0, 12),)
    assert marks.found_in("770-555-0194", False).places == ()


def test_what_is_not_shown_is_named_with_its_field() -> None:
    found = line(1, phone="770-555-0194", pos="PO-1\nPO-77", street="77 Beale Street", remarks="x" * 60 + " gate 12")
    marks = MatchMarks("0194 po-77 gate")
    assert marks.elsewhere(found, marks.every) == ("PO PO-77 · phone 770-555-0194 · remarks …" + "x" * 32 + " gate 12")
    assert marks.elsewhere(found, 0b010) == "PO PO-77"
    assert marks.elsewhere(found, 0) == ""


def test_every_field_that_the_store_searches_is_looked_at() -> None:
    """A row that the store finds never lacks its reason."""
    given: dict[str, Any] = {name: f"value of {name}" for name in SEARCHED if name != "number"}
    searched = searched_text(columns_of(facts(4711, **given))).splitlines()
    assert sorted(searched) == sorted([*given.values(), "4711"])
