"""Values as XML, XML laid out, and examples of shapes."""

from datetime import date
from xml.etree import ElementTree

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from app.contract.xml_writer import tag_of, xml_of
from app.desk.console.description.contract_shapes import body_shape
from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.check_value import check
from app.desk.console.forms.exact_json import Number, Value, read_json, value_of, write_json
from app.desk.console.forms.sample_value import sample
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.xml_text import pretty_xml, xml_trouble

TODAY = date(2026, 11, 22)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.text(max_size=8) | st.integers().map(lambda each: Number(str(each))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.text(max_size=6))
def test_whatever_the_value_its_xml_can_be_read(value: Value, root: str) -> None:
    text = xml_of(value, root)
    assert xml_trouble(text.encode()) == ""
    laid_out = pretty_xml(text)
    one, other = fromstring(text.encode()), fromstring(laid_out.encode())
    assert [each.tag for each in one.iter()] == [each.tag for each in other.iter()]
    leaves = [each.text or "" for each in one.iter() if len(each) == 0]
    assert leaves == [each.text or "" for each in other.iter() if len(each) == 0]


def test_an_element_a_property_and_a_list_repeats_its_element() -> None:
    value = read_json('{"ref": "A&B", "lines": [{"n": 1.50}, {"n": 2}], "none": null, "empty": {}, "flag": false}')
    assert xml_of(value, "Order").splitlines()[1:] == [
        "<Order>",
        "  <ref>A&amp;B</ref>",
        "  <lines>",
        "    <n>1.50</n>",
        "  </lines>",
        "  <lines>",
        "    <n>2</n>",
        "  </lines>",
        "  <empty/>",
        "  <flag>false</flag>",
        "</Order>",
    ]
    assert xml_of(["a", "b"], "Row").splitlines()[1:] == [
        "<ArrayOfRow>",
        "  <Row>a</Row>",
        "  <Row>b</Row>",
        "</ArrayOfRow>",
    ]
    assert [tag_of(name) for name in ("a b", "1a", "xmlNode", "", "é")] == [
        "a_x0020_b",
        "_1a",
        "_xmlNode",
        "_",
        "_x00E9_",
    ]


@pytest.mark.parametrize(
    ("text", "laid_out"),
    [
        ("<a><b>1</b><c/></a>", "<a>\n  <b>1</b>\n  <c/>\n</a>"),
        ("<?xml version='1.0'?><a> x </a>", "<?xml version='1.0'?>\n<a> x </a>"),
        ("<a>\n   <b>  </b>\n</a>", "<a>\n  <b>  </b>\n</a>"),
        (
            "<n:a xmlns:n='u' k='>'><!-- > --><b><![CDATA[<x>]]></b></n:a>",
            "<n:a xmlns:n='u' k='>'>\n  <!-- > -->\n  <b><![CDATA[<x>]]></b>\n</n:a>",
        ),
        ("<a>", "<a>"),
        ("no xml", "no xml"),
    ],
)
def test_xml_is_laid_out_and_says_the_same(text: str, laid_out: str) -> None:
    assert pretty_xml(text) == laid_out


@pytest.mark.parametrize("text", ["", "<a>", "<a></b>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "\x00"])
def test_what_is_no_xml_is_said(text: str) -> None:
    assert xml_trouble(text).endswith(".")


def test_examples_fit_their_shapes() -> None:
    order = sample(body_shape("order submission request"), TODAY)
    assert check(body_shape("order submission request"), order) == ()
    assert isinstance(order, dict)
    assert order["shipDate"] == "2026-11-22"
    assert ElementTree.fromstring(xml_of(order, "Order")).tag == "Order"  # noqa: S314 (our own text)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "number", "minimum": 5, "exclusiveMinimum": True},
        {"type": "integer", "maximum": -2},
        {"type": "number", "multipleOf": 0.25},
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 12},
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "uuid"},
        {"type": "array", "minItems": 1, "items": {"enum": ["A"]}},
        {"oneOf": [{"type": "boolean"}, {"type": "string"}]},
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "id": {"readOnly": True}}},
    ],
)
def test_examples_of_single_shapes_fit(schema: dict[str, object]) -> None:
    document = value_of(schema)
    shape = ShapeReader(document).shape(document)
    assert check(shape, sample(shape, TODAY)) == ()


def test_an_example_of_a_circle_ends() -> None:
    document = value_of(
        {
            "$ref": "#/d/N",
            "d": {
                "N": {
                    "type": "object",
                    "required": ["a", "b"],
                    "properties": {"a": {"$ref": "#/d/N"}, "b": {"$ref": "#/d/N"}},
                }
            },
        }
    )
    assert len(write_json(sample(ShapeReader(document).shape(document), TODAY))) < 100_000
    assert sample(None, TODAY) is None
    assert sample(Shape("any"), TODAY) == {}
    assert sample(Shape("any", example=Number("7")), TODAY) == Number("7")
