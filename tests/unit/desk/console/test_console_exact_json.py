"""JSON in which nothing is lost: texts to values and back."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.console.forms.exact_json import (
    MOST_DEPTH,
    JsonTrouble,
    Number,
    Value,
    depth_of,
    number_of,
    path_text,
    read_json,
    same,
    value_of,
    write_json,
)

NUMBERS = st.one_of(
    st.integers().map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.sampled_from(["1e5", "-0", "0.10", "1E+2", "1" + "0" * 400, "12345678901234567890.12345678901234567890"]),
).filter(lambda text: number_of(text) is not None)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.text(max_size=8) | NUMBERS.map(Number),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_read_again(value: Value) -> None:
    for indent in (None, 2):
        text = write_json(value, indent=indent)
        assert read_json(text) == value
        json.loads(text)


def test_numbers_and_the_order_of_members_stay_as_typed() -> None:
    text = '{"z": 1.50, "a": 12345678901234567890123, "m": -0.0, "e": 1E5, "unknown": [1.0, null]}'
    assert write_json(read_json(text), indent=None) == text.replace(": ", ":").replace(", ", ",")
    assert list(read_json(text)) == ["z", "a", "m", "e", "unknown"]  # type: ignore[arg-type]


def test_it_is_laid_out_an_element_a_line() -> None:
    assert write_json(read_json('{"a":[1,{}],"b":[]}')) == '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}'


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('{"a": 1,\n "b": }', 2, 7, "line 2, column 7"),
        ('{"a": [1, 2', 1, 12, "ends too early"),
        ("", 1, 1, "Nothing is typed"),
        ("{'a': 1}", 1, 2, "column 2"),
        ('{"a": 01}', 1, 8, "column 8"),
    ],
)
def test_a_mistake_has_its_place(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(JsonTrouble) as trouble:
        read_json(text)
    assert (trouble.value.line, trouble.value.column) == (line, column)
    assert said in trouble.value.sentence


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5_000, "[" * 99 + "]" * 99, b"\xff\xfe\xff"])
def test_what_no_provider_would_read_is_refused(text: str | bytes) -> None:
    with pytest.raises(JsonTrouble) as trouble:
        read_json(text)
    assert trouble.value.__context__ is None or not isinstance(trouble.value.__context__, json.JSONDecodeError)


def test_a_name_that_is_there_twice_is_named_and_can_be_let_pass() -> None:
    with pytest.raises(JsonTrouble, match="weight"):
        read_json('{"weight": 1, "weight": 2}')
    assert read_json('{"weight": 1, "weight": 2}', doubled=True) == {"weight": Number("2")}


def test_depth_is_counted_without_recursion() -> None:
    assert depth_of(Number("1")) == 0
    assert depth_of({"a": [{}]}) == 3
    deep: Value = []
    for _ in range(50_000):
        deep = [deep]
    assert depth_of(deep) == 50_001 > MOST_DEPTH


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("1", "1.0", True),
        ("1e2", "100", True),
        ("1", '"1"', False),
        ("true", "1", False),
        ('{"a": 1, "b": 2}', '{"b": 2.0, "a": 1}', True),
        ("[1, 2]", "[2, 1]", False),
        ("null", "false", False),
    ],
)
def test_two_values_may_mean_the_same(one: str, other: str, alike: bool) -> None:
    assert same(read_json(one), read_json(other)) is alike


def test_a_number_knows_its_value() -> None:
    assert Number("12.50").exact == Decimal("12.5")
    assert Number("3.0").whole
    assert not Number("3.1").whole
    assert Number("1e99999999999999999999").exact == Decimal("Infinity")
    assert number_of(" 12.5 ") == Number("12.5")
    assert [number_of(each) for each in ("1,5", "0x1", "١", "1_000", "", "+1", ".5")] == [None] * 7


def test_plain_data_becomes_a_value() -> None:
    assert value_of({"a": (1, 1.5, None, True), 2: "x"}) == {
        "a": [Number("1"), Number("1.5"), None, True],
        "2": "x",
    }


def test_a_path_is_written_as_people_write_it() -> None:
    assert path_text(("freightDetails", 0, "count")) == "freightDetails[0].count"
    assert path_text((0, "a b", "c")) == '[0]["a b"].c'
