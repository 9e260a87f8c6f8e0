"""Values against shapes: each mistake with its place and its sentence, in bounded time."""

import time
from collections.abc import Mapping

import pytest

from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.check_value import MOST, check, chosen, settled
from app.desk.console.forms.exact_json import ABSENT, Value, path_text, read_json, value_of
from app.desk.console.forms.safe_pattern import matches
from app.desk.console.forms.shapes import Shape


def shape_of(schema: Mapping[str, object]) -> Shape:
    document = value_of(schema)
    return ShapeReader(document).shape(document)


def mistakes(schema: Mapping[str, object], text: str) -> list[tuple[str, str]]:
    return [(path_text(each.path), each.sentence) for each in check(shape_of(schema), read_json(text))]


@pytest.mark.parametrize(
    ("schema", "wrong", "right", "said"),
    [
        ({"type": "string", "maxLength": 2}, '"abc"', '"ab"', "At most 2 characters; this has 3."),
        ({"type": "string", "minLength": 2}, '"a"', '"ab"', "At least 2"),
        ({"type": "string", "pattern": "^[A-Z]{2}$"}, '"a1"', '"TN"', "pattern"),
        ({"type": "string", "format": "date"}, '"2026-02-30"', '"2026-02-28"', "YYYY-MM-DD"),
        ({"type": "string", "format": "date-time"}, '"today"', '"2026-01-31T14:05:00"', "date and time"),
        ({"type": "string", "format": "date-time"}, '"2026-01-31"', '"2026-01-31T14:05:00Z"', "date and time"),
        ({"type": "string", "format": "uuid"}, '"7"', '"12345678-1234-1234-1234-123456789abc"', "UUID"),
        ({"type": "string", "format": "email"}, '"a"', '"a@b"', "e-mail"),
        ({"type": "string", "enum": ["HOME", "STORE"]}, '"home"', '"HOME"', "Must be one of HOME, STORE."),
        ({"type": "integer"}, "1.5", "2.0", "whole number"),
        ({"type": "integer", "format": "int32"}, "2147483648", "2147483647", "2147483647"),
        ({"type": "number", "minimum": 0}, "-0.1", "0", "less than 0"),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "0", "0.1", "greater than 0"),
        ({"type": "number", "exclusiveMaximum": 5}, "5", "4.9", "less than 5"),
        ({"type": "number", "multipleOf": 0.01}, "1.005", "1.05", "multiple of 0.01"),
        ({"type": "boolean"}, '"true"', "true", "true or false"),
        ({"type": "array", "minItems": 1}, "[]", "[1]", "At least 1 element"),
        ({"type": "array", "uniqueItems": True}, "[1, 1.0]", "[1, 2]", "same as an earlier"),
        ({"type": "object", "additionalProperties": False}, '{"a": 1}', "{}", "not known"),
        ({"type": "object", "required": ["a"]}, "{}", '{"a": null}', "Required"),
        ({"type": "string", "nullable": True}, "1", "null", "Must be text"),
        ({"type": ["string", "null"]}, "1", "null", "Must be text"),
        ({"type": ["string", "integer"]}, "true", "1", "Fits none"),
        ({"const": "A"}, '"B"', '"A"', "Must be A"),
    ],
)
def test_rules(schema: dict[str, object], wrong: str, right: str, said: str) -> None:
    assert said in " ".join(sentence for _, sentence in mistakes(schema, wrong))
    assert mistakes(schema, right) == []


def test_each_mistake_is_said_at_its_place() -> None:
    schema = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"count": {"type": "integer"}}}},
        },
    }
    assert mistakes(schema, '{"lines": [{"count": 1}, {"count": "x"}, 7], "unknown": 1}') == [
        ("name", "Required."),
        ("lines[1].count", "Must be a whole number."),
        ("lines[2]", "Must be a record."),
    ]


def test_an_expression_may_stand_for_any_value() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string", "maxLength": 5}}}
    assert mistakes(schema, '{"id": "{{quote.body.id}}", "note": "see {{quote.body.number}}"}') == []
    assert mistakes(schema, '{"id": "{{quote.body.id}} and more"}') != []


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert check(None, ABSENT) == ()
    assert check(Shape("any"), {"a": [None]}) == ()
    assert [each.sentence for each in check(Shape("string"), ABSENT)] == ["Required."]


PLACES = {
    "oneOf": [
        {"title": "A", "type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
        {
            "title": "B",
            "type": "object",
            "required": ["zip"],
            "properties": {"zip": {"type": "string", "maxLength": 5}},
        },
    ]
}


def test_a_choice_is_settled_by_what_fits_best() -> None:
    shape = shape_of(PLACES)
    assert [chosen(shape, read_json(text)) for text in ('{"code": "x"}', '{"zip": "38103"}', '{"zip": "381034"}')] == [
        0, 1, 1,
    ]  # fmt: skip
    assert mistakes(PLACES, '{"zip": "381034"}') == [("zip", "At most 5 characters; this has 6.")]
    assert chosen(shape, ABSENT) == 0
    found = settled(shape, read_json('{"zip": "1"}'))
    assert found is not None
    assert found.title == "B"


def test_a_discriminator_decides() -> None:
    schema = {
        "oneOf": [{"$ref": "#/d/Cat"}, {"$ref": "#/d/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/d/Cat"}},
        "d": {
            "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
            "Dog": {"type": "object", "properties": {"kind": {"type": "string"}}},
        },
    }
    shape = shape_of(schema)
    assert chosen(shape, read_json('{"kind": "Dog", "lives": 9}')) == 1
    assert chosen(shape, read_json('{"kind": "meow", "lives": "x"}')) == 0


def test_one_of_alternatives_that_say_who_they_are_not_fits_several() -> None:
    closed = {"type": "object", "additionalProperties": False, "properties": {"a": {"type": "string"}}}
    assert mistakes({"oneOf": [closed, {**closed, "title": "too"}]}, '{"a": "x"}') == [
        ("", "Fits several of the choices; it must fit one only.")
    ]
    assert mistakes({"anyOf": [closed, {**closed, "title": "too"}]}, '{"a": "x"}') == []


def test_choices_in_choices_take_no_endless_time() -> None:
    node: dict[str, object] = {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#/d/A"}}}
    schema: dict[str, object] = {
        "$ref": "#/d/A",
        "d": {"A": {"oneOf": [{**node, "title": str(number)} for number in range(4)] + [{"type": "string"}]}},
    }
    value: Value = 7  # type: ignore[assignment]
    for _ in range(50):
        value = {"x": value}
    began = time.perf_counter()
    check(shape_of(schema), value)
    assert time.perf_counter() - began < 20  # not the age of the world: four ways at each of fifty levels


def test_a_choice_that_leads_back_to_itself_fits_nothing_by_itself() -> None:
    schema = {"$ref": "#/d/A", "d": {"A": {"anyOf": [{"$ref": "#/d/A"}, {"type": "string"}]}}}
    assert mistakes(schema, '"text"') == []
    assert mistakes(schema, "1") != []


def test_there_is_an_end_of_mistakes() -> None:
    found = mistakes({"type": "array", "items": {"type": "integer"}}, str(["x"] * 3_000).replace("'", '"'))
    assert len(found) == MOST


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"^(a|aa)+$", r"a*a*a*a*b", r"(\w+\s?)*$", r"(.*)\1", "(" * 3, "x" * 999]
)
def test_a_pattern_that_could_take_long_is_not_tried(pattern: str) -> None:
    assert matches(pattern, "a" * 40 + "!") is None


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        (r"^\d{5}(-\d{4})?$", "38103-1234", True),
        (r"^\d{5}(-\d{4})?$", "3810", False),
        (r"^[A-Z]{2}$", "TN", True),
        (r"^(HOME|STORE)$", "STORE", True),
        (r"[^\]]x", "ax", True),
        (r"^\S+@\S+$", "a@b", True),
    ],
)
def test_usual_patterns_are_tried(pattern: str, text: str, fits: bool) -> None:
    assert matches(pattern, text) is fits
    assert matches(pattern, text * 2_000) is None
