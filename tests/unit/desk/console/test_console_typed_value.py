"""What is typed into a form, as changes of one value."""

from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.exact_json import ABSENT, Number, Value, read_json, value_of
from app.desk.console.forms.shapes import Shape, at_path, has_form
from app.desk.console.forms.typed_value import (
    add_element,
    blank,
    get,
    move_element,
    put,
    text_shown,
    value_typed,
)


def shape_of(schema: dict[str, object]) -> Shape:
    document = value_of(schema)
    return ShapeReader(document).shape(document)


ORDER = shape_of(
    {
        "type": "object",
        "required": ["reference", "lines", "consignee"],
        "properties": {
            "reference": {"type": "string"},
            "consignee": {"type": "object", "properties": {"name": {"type": "string"}, "zip": {"type": "string"}}},
            "lines": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["kind", "count"],
                    "properties": {"kind": {"enum": ["BOX"]}, "count": {"type": "integer", "default": 1}},
                },
            },
            "note": {"type": "string"},
        },
    }
)


def test_typed_texts_become_values_of_their_kind() -> None:
    number, text, flag = Shape("number"), Shape("string"), Shape("boolean")
    assert value_typed(number, "12.50") == Number("12.50")
    assert value_typed(text, "0012") == "0012"
    assert value_typed(flag, "True") is True
    assert value_typed(Shape("null"), "null") is None
    assert [value_typed(each, "") for each in (number, text, flag)] == [ABSENT] * 3


def test_what_does_not_fit_stays_as_typed() -> None:
    assert value_typed(Shape("integer"), "12 or so") == "12 or so"
    assert value_typed(Shape("boolean"), "maybe") == "maybe"


def test_an_allowed_value_keeps_its_kind() -> None:
    shape = Shape("any", enum=(Number("1"), "1", None, True))
    assert value_typed(shape, "1") == Number("1")
    assert value_typed(shape, "true") is True
    assert value_typed(shape, "null") is None


def test_where_nothing_is_said_json_is_meant_and_texts_can_be_told_apart() -> None:
    values: list[Value] = [Number("12"), "12", "plain words", True, "true", {"a": [None]}, "", None, '{"a":']
    for value in values:
        shown = text_shown(value, None)
        assert value_typed(None, shown) == value
    assert value_typed(Shape("any"), "[1, 2]") == [Number("1"), Number("2")]


def test_of_a_choice_of_kinds_the_first_that_fits_is_taken() -> None:
    shape = shape_of({"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]})
    assert value_typed(shape, "12") == Number("12")
    assert value_typed(shape, "ab") == "ab"


def test_a_new_member_stands_where_its_shape_has_it() -> None:
    value: Value = read_json('{"reference": "R", "odd": 1, "lines": []}')
    value = put(value, ("note",), "n", ORDER)  # type: ignore[assignment]
    value = put(value, ("consignee", "zip"), "38103", ORDER)  # type: ignore[assignment]
    value = put(value, ("more",), "m", ORDER)  # type: ignore[assignment]
    assert list(value) == ["reference", "consignee", "odd", "lines", "note", "more"]  # type: ignore[arg-type]
    assert put({"lines": []}, ("reference",), "R", ORDER) == {"reference": "R", "lines": []}
    assert list(put({"lines": []}, ("reference",), "R", ORDER)) == ["reference", "lines"]  # type: ignore[arg-type]


def test_the_value_before_is_left_alone() -> None:
    before: Value = read_json('{"consignee": {"name": "A"}, "lines": [{"count": 1}]}')
    after = put(before, ("lines", 0, "count"), Number("2"), ORDER)
    assert before == read_json('{"consignee": {"name": "A"}, "lines": [{"count": 1}]}')
    assert get(after, ("lines", 0, "count")) == Number("2")


def test_what_becomes_empty_is_taken_away_but_no_element_and_not_the_whole() -> None:
    value = read_json('{"consignee": {"zip": "1"}, "lines": [{"count": 1}]}')
    value = put(value, ("consignee", "zip"), ABSENT)  # type: ignore[assignment]
    assert value == read_json('{"lines": [{"count": 1}]}')
    value = put(value, ("lines", 0, "count"), ABSENT)  # type: ignore[assignment]
    assert value == {"lines": [{}]}
    value = put(value, ("lines", 0), ABSENT)  # type: ignore[assignment]
    assert value == {}
    assert put("x", (), ABSENT) is ABSENT


def test_elements_are_added_made_from_their_shape_and_moved() -> None:
    value = add_element(ABSENT, ("lines",), ORDER)
    value = put(value, ("lines", 0, "count"), Number("7"), ORDER)  # type: ignore[assignment]
    value = add_element(value, ("lines",), ORDER)
    assert value == {"lines": [{"kind": "BOX", "count": Number("7")}, {"kind": "BOX", "count": Number("1")}]}
    assert get(move_element(value, ("lines",), 1, 0), ("lines", 0, "count")) == Number("1")
    assert move_element(value, ("lines",), 9, 0) == value
    assert add_element(["a"], (), shape_of({"type": "array", "items": {"type": "string"}}), 0) == ["", "a"]


def test_a_blank_has_what_is_required_and_ends_where_a_shape_needs_itself() -> None:
    assert blank(ORDER) == {"consignee": {}, "lines": [{"kind": "BOX", "count": Number("1")}]}
    document = value_of(
        {"d": {"N": {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#/d/N"}}}}, "$ref": "#/d/N"}
    )
    assert isinstance(blank(ShapeReader(document).shape(document)), dict)
    assert blank(Shape("string")) is ABSENT


def test_places_in_values_and_shapes_are_found() -> None:
    assert get({"a": [1, 2]}, ("a", -1)) == 2  # type: ignore[list-item]
    assert [get({"a": []}, path) for path in (("b",), ("a", 0), ("a", "x"), ("a", 0, "c"))] == [ABSENT] * 4
    found = at_path(ORDER, ("lines", 3, "count"))
    assert found is not None
    assert found.kind == "integer"
    assert at_path(ORDER, ("reference", "x")) is None


def test_some_shapes_have_no_form() -> None:
    assert has_form(ORDER)
    assert has_form(Shape("string"))
    assert not has_form(None)
    assert not has_form(Shape("any"))
    assert not has_form(shape_of({"type": "object", "additionalProperties": True}))
    assert has_form(shape_of({"type": "object", "additionalProperties": {"type": "string"}}))
