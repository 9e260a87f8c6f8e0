"""Records as XML and back."""

import pytest
from defusedxml import ElementTree
from hypothesis import given
from hypothesis import strategies as st

from app.practice.web.xml_form import BadXml, element, read_xml, tag_of

NONE: frozenset[str] = frozenset()
LEAVES = st.text() | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


def test_an_element_is_a_property_and_a_list_repeats_it() -> None:
    record = {"a": 1, "b": ["x", "y"], "c": {"d": True}, "e": None, "f": "", "g": []}
    assert element("r", record) == "<r><a>1</a><b>x</b><b>y</b><c><d>true</d></c><f/></r>"


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_anything_can_be_written_and_is_xml(record: dict[str, object]) -> None:
    assert ElementTree.fromstring(element("r", record)).tag == "r"


@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\ufffe\uffff")))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert read_xml(f"<r><a>{element('b', text)}</a></r>".encode(), NONE) == {"a": {"b": text}}


def test_a_list_is_a_list_even_of_one() -> None:
    assert read_xml(b"<r><a>1</a><b>2</b></r>", frozenset({"a"})) == {"a": ["1"], "b": "2"}
    assert read_xml(b"<r><b>1</b><b>2</b><b>3</b></r>", NONE) == {"b": ["1", "2", "3"]}


def test_an_empty_root_is_an_empty_record() -> None:
    assert read_xml(b"<r/>", NONE) == {}
    assert read_xml(b"<r>x</r>", NONE) == "x"


def test_nil_and_namespaces_and_comments() -> None:
    body = b"""<r xmlns="urn:x" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
      <!-- a remark --><a i:nil="true"/><b/></r>"""
    assert read_xml(body, NONE) == {"a": None, "b": ""}


@pytest.mark.parametrize(
    "body", [b"", b"x", b"<a></b>", b"<a>" * 80 + b"</a>" * 80, b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>']
)
def test_what_is_no_honest_xml_is_refused(body: bytes) -> None:
    with pytest.raises(BadXml):
        read_xml(body, NONE)


@pytest.mark.parametrize(
    ("name", "tag"), [("City", "City"), ("a b", "a_x0020_b"), ("1st", "_1st"), ("", "_"), ("xmlThing", "_xmlThing")]
)
def test_a_name_becomes_one_that_xml_allows(name: str, tag: str) -> None:
    assert tag_of(name) == tag
