"""Descriptions in all three dialects, read into operations and shapes."""

import json
import time

import pytest

from app.contract.operations import OPERATIONS_BY_NAME
from app.desk.console.description.contract_shapes import body_shape, parameter_shape
from app.desk.console.description.read_description import DescriptionTrouble, read_description
from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.exact_json import ABSENT, Number, Value, value_of
from app.desk.console.forms.shapes import Shape

Schema = dict[str, object]


def shape_of(schema: object) -> Shape:
    document = value_of(schema)
    return ShapeReader(document).shape(document)


def member(shape: Shape, name: str) -> Shape:
    found = shape.member(name)
    assert found is not None, name
    return found.shape


def text_of(**more: object) -> bytes:
    return json.dumps({"openapi": "3.0.1", "info": {"title": "T", "version": "v1"}, **more}).encode()


# Shapes


def test_kinds_facts_and_bounds() -> None:
    shape = shape_of(
        {
            "type": "object",
            "title": "Line",
            "description": "One line.",
            "required": ["count", "not described"],
            "additionalProperties": False,
            "properties": {
                "count": {"type": "integer", "format": "int32", "minimum": 1, "default": 2, "example": 5},
                "id": {"type": "string", "readOnly": True, "deprecated": True},
            },
        }
    )
    assert (shape.kind, shape.title, shape.description, shape.others) == ("object", "Line", "One line.", None)
    assert [(each.name, each.required, each.read_only) for each in shape.members] == [
        ("count", True, False),
        ("id", False, True),
        ("not described", True, False),
    ]
    count = member(shape, "count")
    assert (count.kind, count.format, count.default, count.example) == ("integer", "int32", Number("2"), Number("5"))
    assert count.bounds.minimum == 1
    assert count.bounds.maximum is None
    assert member(shape, "id").deprecated


def test_null_is_said_in_four_ways() -> None:
    for schema in (
        {"type": "string", "nullable": True, "maxLength": 3},
        {"type": ["string", "null"], "maxLength": 3},
        {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
        {"oneOf": [{"type": "string", "maxLength": 3}, {"enum": [None]}]},
    ):
        shape = shape_of(schema)
        assert (shape.kind, shape.nullable, shape.bounds.max_length) == ("string", True, 3), schema


def test_bounds_of_both_dialects() -> None:
    old, new = {"minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}
    for schema in (old, new):
        bounds = shape_of({"type": "number", **schema}).bounds
        assert bounds.minimum == 0
        assert bounds.above_minimum
    both = shape_of({"allOf": [{"minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 20}], "type": "number"}).bounds
    assert both.minimum == 3
    assert both.maximum == 9


def test_all_of_is_one_record() -> None:
    shape = shape_of(
        {
            "allOf": [{"$ref": "#/d/Base"}, {"properties": {"own": {"type": "string"}}, "required": ["own"]}],
            "d": {"Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
        }
    )
    assert [(each.name, each.required) for each in shape.members] == [("id", True), ("own", True)]
    same_name = shape_of(
        {"allOf": [{"properties": {"a": {"maxLength": 9}}}, {"properties": {"a": {"type": "string", "maxLength": 5}}}]}
    )
    assert (member(same_name, "a").kind, member(same_name, "a").bounds.max_length) == ("string", 5)


def test_choices_keep_what_all_of_their_ways_share() -> None:
    shape = shape_of(
        {
            "type": "object",
            "properties": {"common": {"type": "string"}},
            "oneOf": [{"title": "A", "properties": {"a": {"type": "string"}}}, {"$ref": "#/d/B"}],
            "d": {"B": {"properties": {"b": {"type": "string"}}}},
        }
    )
    assert (shape.kind, shape.exclusive) == ("choice", True)
    assert [[each.name for each in way.members] for way in shape.alternatives] == [["common", "a"], ["common", "b"]]
    assert [way.name for way in shape.alternatives] == ["", "B"]


def test_numbers_of_two_kinds_are_one() -> None:
    shape = shape_of({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "number", "minimum": 0}]})
    assert shape.kind == "number"
    assert shape.bounds.minimum == 0


def test_several_kinds_are_a_choice() -> None:
    shape = shape_of({"type": ["string", "integer", "null"], "maxLength": 3})
    assert (shape.kind, shape.nullable) == ("choice", True)
    assert [(each.kind, each.bounds.max_length) for each in shape.alternatives] == [("string", 3), ("integer", 3)]


def test_a_circle_stays_a_circle() -> None:
    document = value_of(
        {
            "$ref": "#/d/Node",
            "d": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/d/Node"}, "all": {"$ref": "#/d/Many"}},
                  }, "Many": {"type": "array", "items": {"$ref": "#/d/Node"}}},
        }
    )  # fmt: skip
    shape = ShapeReader(document).shape(document)
    first = member(shape, "next")
    second = member(first, "next")
    assert member(second, "next") is second
    assert member(shape, "all").element is not None


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/nowhere"},
        {"$ref": "https://example.com/x.json"},
        {"allOf": [{"$ref": "#"}]},
        {"oneOf": [{"$ref": "#"}]},
        {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        {"type": "nonsense", "required": 7, "properties": [1], "enum": {}, "minimum": "x", "items": 3},
        True,
        False,
        None,
        [],
        "text",
    ],
)
def test_what_cannot_be_read_is_of_any_kind(schema: object) -> None:
    shape = shape_of(schema)
    assert shape.kind in {"any", "object", "array", "choice"}
    assert isinstance(shape.members, tuple)
    assert isinstance(shape.alternatives, tuple)


def test_a_reference_that_leads_nowhere_is_said() -> None:
    assert "#/nowhere" in shape_of({"$ref": "#/nowhere"}).notes[0]
    assert "outside" in shape_of({"$ref": "other.json#/x"}).notes[0]


def test_an_escaped_reference_is_followed() -> None:
    shape = shape_of({"$ref": "#/d/a~1b~0c%20d", "d": {"a/b~c d": {"type": "boolean"}}})
    assert (shape.kind, shape.name) == ("boolean", "a/b~c d")


def test_a_thousand_ways_to_combine_end() -> None:
    names = [f"S{number}" for number in range(300)]
    schemas: Schema = {
        name: {
            "allOf": [{"$ref": f"#/d/{names[(at * 7 + step) % 300]}"} for step in (1, 2, 3)],
            "properties": {f"p{step}": {"$ref": f"#/d/{names[(at + step) % 300]}"} for step in range(5)},
        }
        for at, name in enumerate(names)
    }
    document = value_of({"$ref": "#/d/S0", "d": schemas})
    reader = ShapeReader(document)
    waiting, seen, began = [reader.shape(document)], 0, time.perf_counter()
    while waiting and seen < 3_000:
        shape = waiting.pop()
        seen += 1
        waiting += [each.shape for each in shape.members][:20]
    assert time.perf_counter() - began < 20


# Operations


def test_operations_of_3_0() -> None:
    description = read_description(
        text_of(
            servers=[{"url": "https://example.com/OrderManagementApi/"}],
            security=[{"o": ["global"]}],
            paths={
                "/Order/{id}": {
                    "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                    "post": {
                        "operationId": "Submit",
                        "tags": ["Order"],
                        "summary": "Submits.",
                        "security": [{"o": ["orders"]}],
                        "parameters": [
                            {"$ref": "#/components/parameters/Filter"},
                            {"name": "tags", "in": "query", "explode": False, "schema": {"type": "array"}},
                            {
                                "name": "request",
                                "in": "query",
                                "content": {"application/json": {"schema": {"type": "object"}}},
                            },
                        ],
                        "requestBody": {
                            "required": True,
                            "content": {
                                "text/xml": {"schema": {"type": "object"}},
                                "application/json": {"schema": {"$ref": "#/components/schemas/Order"}},
                            },
                        },
                        "responses": {
                            "200": {"description": "Success", "content": {"application/json": {}}},
                            "4XX": {},
                        },
                    },
                    "get": {"responses": {}},
                }
            },
            components={
                "parameters": {"Filter": {"name": "filter", "in": "query", "schema": {"type": "string"}}},
                "schemas": {"Order": {"type": "object", "properties": {"ref": {"type": "string"}}}},
            },
        )
    )
    assert (description.dialect, description.title, description.notes) == ("3.0.1", "T", ())
    get, post = description.operations
    assert (get.method, get.path, get.scopes) == ("GET", "/OrderManagementApi/Order/{id}", ("global",))
    assert (post.name, post.group, post.summary, post.scopes) == ("Submit", "Order", "Submits.", ("orders",))
    assert [(each.name, each.place, each.required, each.repeated, each.as_json) for each in post.parameters] == [
        ("filter", "query", False, True, False),
        ("tags", "query", False, False, False),
        ("request", "query", False, True, True),
        ("id", "path", True, True, False),
    ]
    assert post.body is not None
    assert post.body.shape is not None
    assert (post.body.formats, post.body.shape.name) == (("text/xml", "application/json"), "Order")
    assert [(each.status, each.formats) for each in post.answers] == [("200", ("application/json",)), ("4XX", ())]


def test_operations_of_2() -> None:
    text = json.dumps(
        {
            "swagger": "2.0",
            "basePath": "/OrderManagementApi",
            "consumes": ["application/json", "application/xml"],
            "produces": ["application/json"],
            "paths": {
                "/Order/submit": {
                    "post": {
                        "parameters": [
                            {"in": "body", "name": "order", "required": True, "schema": {"$ref": "#/definitions/O"}},
                            {"in": "query", "name": "ids", "type": "array", "items": {"type": "integer"}},
                            {"in": "query", "name": "kind", "type": "string", "enum": ["A", "B"], "required": True},
                        ],
                        "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/O"}}},
                    }
                },
                "/Upload": {
                    "post": {
                        "consumes": ["application/x-www-form-urlencoded"],
                        "parameters": [{"in": "formData", "name": "note", "type": "string", "required": True}],
                        "responses": {},
                    }
                },
            },
            "definitions": {"O": {"type": "object", "properties": {"r": {"type": "string", "x-nullable": True}}}},
        }
    ).encode()
    submit, upload = read_description(text).operations
    assert submit.body is not None
    assert submit.body.shape is not None
    assert submit.body.formats == ("application/json", "application/xml")
    assert member(submit.body.shape, "r").nullable
    ids, kind = submit.parameters
    assert (ids.shape.kind, ids.repeated, kind.shape.enum, kind.required) == ("array", False, ("A", "B"), True)
    assert submit.answers[0].shape is not None
    assert upload.body is not None
    assert upload.body.shape is not None
    assert [(each.name, each.required) for each in upload.body.shape.members] == [("note", True)]
    assert upload.body.formats == ("application/x-www-form-urlencoded",)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"<html>", b'{"openapi": 3}', b"\xff\xfe\x00", b'{"openapi":'])
def test_what_is_no_description_is_refused_with_a_sentence(text: bytes) -> None:
    with pytest.raises(DescriptionTrouble) as trouble:
        read_description(text)
    assert trouble.value.sentence.endswith(".")


def test_of_a_broken_description_the_rest_is_read() -> None:
    description = read_description(
        text_of(
            openapi="9.1",
            paths={
                "/a": {
                    "get": 7,
                    "post": {"parameters": "x", "requestBody": [], "responses": [], "security": {}, "tags": 1},
                },
                "b": {"get": {}},
                "/c": {"$ref": "#/paths/~1c"},
                "/d": {"$ref": "#/paths/~1a"},
            },
            servers=[{"url": "http://[bad"}],
        )
    )
    assert [(each.method, each.path) for each in description.operations] == [("POST", "/a"), ("POST", "/d")]
    assert any("9.1" in each for each in description.notes)
    assert any("GET /a" in each for each in description.notes)


def test_a_description_of_two_hundred_operations_is_read_soon() -> None:
    schemas = {f"S{n}": {"type": "object", "properties": {f"p{m}": {"$ref": f"#/components/schemas/S{(n + m) % 200}"} for m in range(10)}} for n in range(200)}  # fmt: skip  # noqa: E501
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S1"}}}}
    paths = {f"/op{n}": {"post": {"requestBody": body, "responses": {}}} for n in range(200)}
    assert len(read_description(text_of(paths=paths, components={"schemas": schemas})).operations) == 200


# The contract's own shapes


def test_the_order_submission_has_the_rules_of_the_contract() -> None:
    shape = body_shape("order submission request")
    assert shape is not None
    assert shape.others is None
    assert {each.name for each in shape.members if each.required} == {
        "orderReferenceNumber",
        "useConsigneeAddressToDetermineFaclityCode",
        "consignee",
        "freightDetails",
    }
    assert member(shape, "orderReferenceNumber").bounds.max_length == 30
    assert member(shape, "deliveryType").enum == ("HOME", "STORE", "BUILD")
    assert member(shape, "shipDate").format == "date"
    assert member(member(shape, "consignee"), "city").bounds.max_length == 18
    line = member(shape, "freightDetails").element
    assert line is not None
    count = member(line, "count")
    assert (count.kind, count.bounds.above_minimum) == ("number", True)
    assert count.bounds.minimum == 0
    barcodes = member(member(shape, "barcoding"), "barcodeItemDetails")
    assert (barcodes.kind, barcodes.nullable) == ("array", True)
    assert all(not each.shape.title and each.shape.default in (ABSENT, None) for each in shape.members)


def test_other_bodies_and_parameters() -> None:
    cancellation = body_shape("cancellation request")
    assert cancellation is not None
    assert [each.name for each in cancellation.members] == ["orderReferenceNumber"]
    assert body_shape("quote submission request") is None
    kinds = {each.name: parameter_shape(each) for each in OPERATIONS_BY_NAME["open_orders"].parameters}
    assert (kinds["IncludePOs"].kind, kinds["StartDate"].format) == ("boolean", "date-time")


def test_what_is_not_described_is_a_value_too() -> None:
    value: Value = value_of({"type": "object"})
    assert ShapeReader(value).shape(value).kind == "object"


@pytest.mark.parametrize(
    ("prefix", "path"),
    [("Api", "/Api/a"), ("/Api/", "/Api/a"), ("/", "/a"), ("\ud800", "/a"), ("/A b", "/a"), ("/x?y", "/a")],
)
def test_what_stands_before_all_paths_is_a_path_or_left_out(prefix: str, path: str) -> None:
    text = {"swagger": "2.0", "basePath": prefix, "paths": {"/a": {"get": {}}, "/\ud800": {"get": {}}}}
    description = read_description(json.dumps(text).encode())
    assert [each.path for each in description.operations] == [path]
    assert any("no path" in each for each in description.notes) == (path == "/a" and prefix != "/")
