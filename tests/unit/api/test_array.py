"""The array reader: whatever the pieces, the same elements; whatever the nonsense, a clear end."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.errors import BrokenReply
from app.api.lists.array import ArrayReader, decoded

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)
LAYOUTS = st.sampled_from(
    [{"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"separators": (" , ", " : ")}]
)
COMPACT: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False}


def read(pieces: list[str], reader: ArrayReader | None = None) -> tuple[list[object], list[str], bool]:
    """Everything the reader makes of the pieces: values, their texts, and whether the array was complete."""
    reader = reader or ArrayReader()
    values, texts = [], []
    for index, piece in enumerate(pieces):
        reader.feed(piece, last=index == len(pieces) - 1)
        while (element := reader.next()) is not None:
            values.append(element[0])
            texts.append(element[1])
    return values, texts, reader.complete


def cut(text: str, at: list[int]) -> list[str]:
    edges = [0, *sorted(each % (len(text) + 1) for each in at), len(text)]
    return [text[start:end] for start, end in pairwise(edges)] + [""]


@given(st.lists(VALUES, max_size=8), LAYOUTS, st.lists(st.integers(0, 10_000), max_size=30))
def test_any_pieces_of_any_array_give_its_elements(
    values: list[object], layout: dict[str, object], at: list[int]
) -> None:
    text = json.dumps(values, **layout)  # type: ignore[arg-type]
    got, texts, complete = read(cut(text, at))
    assert complete
    assert got == values
    assert [json.loads(each) for each in texts] == values


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_one_character_at_a_time(values: list[object]) -> None:
    text = json.dumps(values)
    assert read([*text, ""]) == (values, [json.dumps(each) for each in values], True)


@given(st.lists(VALUES, max_size=6), st.integers(0, 10_000))
def test_an_array_cut_anywhere_is_never_complete_and_invents_nothing(values: list[object], at: int) -> None:
    text = json.dumps(values)
    got, _, complete = read([text[: at % len(text)], ""])
    assert not complete
    assert got == values[: len(got)]


@given(st.text(max_size=40), st.lists(st.integers(0, 100), max_size=5))
def test_nonsense_ends_in_a_broken_reply_or_in_an_array(text: str, at: list[int]) -> None:
    try:
        values, _, complete = read(cut(text, at))
    except BrokenReply:
        return
    if complete:
        assert json.loads(text, strict=False, parse_constant=lambda _: None) == values


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', "null", "42", "<html>", "[1, 2] 3", "[1 2]", "[,1]", "[1,,2]", "]", '[{"a": tru3' + " " * 99 + "}]"],
)
def test_what_is_no_array_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BrokenReply):
        read([text, " " * 200, ""])


def test_a_number_at_the_edge_of_a_piece_waits_for_its_rest() -> None:
    assert read(["[1", "2, 3", "4]", ""])[0] == [12, 34]


def test_what_is_not_quite_json_does_not_cost_the_list() -> None:
    assert read(['[{"a": NaN, "b": "line\nbreak"}]', ""])[0] == [{"a": None, "b": "line\nbreak"}]


def test_a_mistake_in_the_middle_is_found_before_the_end() -> None:
    reader = ArrayReader()
    reader.feed('[{"a": 1}, {"b": oops, ' + '"c": 1, ' * 40)
    assert reader.next() == ({"a": 1}, '{"a": 1}')
    with pytest.raises(BrokenReply):
        reader.next()


def test_an_element_that_never_ends_is_refused_before_it_fills_the_memory() -> None:
    reader = ArrayReader(largest=10_000)
    reader.feed('["')

    def go_on() -> None:
        for _ in range(100):
            reader.feed("x" * 1_000)
            reader.next()

    with pytest.raises(BrokenReply, match="too large"):
        go_on()


@pytest.mark.parametrize("text", ["[" * 100_000, '[{"a":' * 50_000, "[" + "9" * 5_000 + "]"])
def test_depth_and_length_beyond_reason_are_a_broken_reply(text: str) -> None:
    with pytest.raises(BrokenReply):
        read([text, " " * 200])


def test_a_large_element_in_many_pieces_costs_in_proportion_to_its_size() -> None:
    """Counted in attempts at decoding, not in seconds: each needs twice the text of the one before."""
    attempts = []

    class Counting(ArrayReader):
        def _wait_for_more(self, there: int, *, unfinished: bool) -> None:
            attempts.append(there)
            super()._wait_for_more(there, unfinished=unfinished)

    text = json.dumps([{"note": "x" * 2_000_000}])
    assert read([*(text[at : at + 1_000] for at in range(0, len(text), 1_000)), ""], Counting())[2]
    assert sum(attempts) < 3 * len(text)


@settings(max_examples=20)
@given(st.integers(1, 200))
def test_the_reader_keeps_nothing_of_what_it_has_given(size: int) -> None:
    reader = ArrayReader()
    reader.feed("[")
    for _ in range(50):
        reader.feed(json.dumps({"note": "x" * size}) + ",")
        assert reader.next() is not None
        assert reader.next() is None
        assert len(reader._text) - reader._at <= 1


# Told apart many at a time


def read_quickly(pieces: list[str]) -> tuple[list[str], int]:
    """The texts of all elements, and how many of them were told apart without being decoded."""
    reader, texts, quickly = ArrayReader(), list[str](), 0
    for index, piece in enumerate(pieces):
        reader.feed(piece, last=index == len(pieces) - 1)
        while some := reader.whole():
            texts += some
            quickly += len(some)
        while (element := reader.next()) is not None:
            texts.append(element[1])
    assert reader.complete
    return texts, quickly


RECORDS = st.lists(
    st.builds(
        lambda number, more: {"OrderNumber": number, **more},
        st.integers(),
        st.dictionaries(st.text(), VALUES, max_size=3),
    )
    | VALUES,
    max_size=8,
)


@given(RECORDS, LAYOUTS | st.just(COMPACT), st.lists(st.integers(0, 10_000), max_size=6))
def test_records_told_apart_together_are_those_told_apart_one_by_one(
    records: list[object], layout: dict[str, Any], at: list[int]
) -> None:
    pieces = cut(json.dumps(records, **layout).encode("utf-8", "replace").decode(), at)
    texts, _ = read_quickly(pieces)
    assert texts == read(pieces)[1]
    assert [decoded(each) for each in texts] == read(pieces)[0]


def test_of_a_long_compact_list_nearly_all_are_told_apart_together() -> None:
    record = {
        "OrderNumber": 1,
        "PO": ["},{"],
        "Commodities": [{"Count": 1}, {"Count": 2}],
        "Remarks": '"},{"OrderNumber"',
    }
    text = json.dumps([record | {"OrderNumber": number} for number in range(5_000)], **COMPACT)
    texts, quickly = read_quickly([*(text[at : at + 65_536] for at in range(0, len(text), 65_536)), ""])
    assert [json.loads(each)["OrderNumber"] for each in texts] == list(range(5_000))
    assert quickly > 4_900


def test_what_one_decoder_takes_and_the_other_does_not_is_left_to_the_stricter() -> None:
    whole = '{"a":1}'
    for odd in ('{"a":NaN}', '{"a":"\t"}', '{"a":"\\ud83d"}', '{"a":"\\x"}', f'{{"a":{"9" * 5_000}}}'):
        reader = ArrayReader()
        reader.feed(f"[{whole},{odd},{whole}]")
        assert odd not in reader.whole()
    with pytest.raises(BrokenReply):
        read_quickly([f'[{whole},{{"a":{"9" * 5_000}}}]', " " * 200])


def test_a_record_nested_beyond_reason_is_a_broken_reply() -> None:
    with pytest.raises(BrokenReply):
        decoded('{"a":' * 50_000)
