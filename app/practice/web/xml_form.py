"""Records as XML and back: an element a property, repeated elements for a list (notes.md, "XML forms").

A name that XML cannot hold is written with `_xHHHH_` for each such character.
"""

import re
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

HEAD = '<?xml version="1.0" encoding="utf-8"?>'
# Deeper nesting would exhaust the stack of a recursive function.
_DEEPEST = 60
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_NOT_TEXT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_NAME = re.compile(r"[^A-Za-z0-9_.\-]")
_BAD_START = re.compile(r"^(?=[0-9.\-]|[xX][mM][lL])")


class BadXml(ValueError):
    """The body is no XML, or XML of a kind that nobody needs."""


def element(name: str, value: object) -> str:
    """A value as XML: a record's null properties are left out, a list repeats its element."""
    if isinstance(value, list | tuple):
        return "".join(element(name, each) for each in value)
    tag = tag_of(name)
    if value is None:
        return f"<{tag}/>"
    if isinstance(value, dict):
        inner = "".join(element(str(key), each) for key, each in value.items() if each is not None)
    elif isinstance(value, bool):
        inner = "true" if value else "false"
    else:
        inner = escape(_NOT_TEXT.sub("\ufffd", str(value)), {"\r": "&#13;"})
    return f"<{tag}>{inner}</{tag}>" if inner else f"<{tag}/>"


WRAPPED_HEAD = (
    'xmlns="http://schemas.datacontract.org/2004/07/Provider.Models" '
    'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:a="http://schemas.microsoft.com/2003/10/Serialization/Arrays"'
)


def wrapped(name: str, value: object, space: str = "") -> str:
    """A value as the serialisers of .NET write it: properties in the order of their names, null as an element with
    `nil`, a list as one element around its items. `space` are the namespaces of the outermost element.
    """
    tag = tag_of(name)
    start = f"<{tag} {space}>" if space else f"<{tag}>"
    if value is None:
        return f'<{tag} i:nil="true"/>'
    if isinstance(value, list | tuple):
        inner = "".join(
            wrapped(_item_name(name), each) if isinstance(each, dict) else _text_item(each) for each in value
        )
    elif isinstance(value, dict):
        inner = "".join(wrapped(str(key), value[key]) for key in sorted(value, key=str))
    else:
        return start + element(name, value)[len(tag) + 2 :] if value not in ("", None) else f"<{tag}/>"
    return f"{start}{inner}</{tag}>"


def _item_name(name: str) -> str:
    """The class of the items of a list: the list's name without its plural."""
    return {"Commodities": "Commodity"}.get(name, name[:-1] if name.endswith("s") else name)


def _text_item(value: object) -> str:
    return f"<a:string>{escape(_NOT_TEXT.sub(chr(0xFFFD), str(value)))}</a:string>"


def tag_of(name: str) -> str:
    """An element name that XML allows."""
    safe = _NOT_NAME.sub(lambda found: f"_x{ord(found[0]):04X}_", name)
    return _BAD_START.sub("_", safe) or "_"


def list_name(name: str) -> str:
    """The root element of a list of records."""
    return f"ArrayOf{name}"


def read_xml(body: bytes, lists: frozenset[str]) -> object:
    """A record from XML. Elements named in `lists` become lists even when there is one.

    An empty root is an empty record. Raises BadXml.
    """
    try:
        root = ElementTree.fromstring(body)
    except (ParseError, DefusedXmlException, ValueError, LookupError, RecursionError) as error:
        raise BadXml(f"The body is not XML that can be read: {type(error).__name__}.") from error
    value = _read(root, lists, 0)
    return {} if value == "" else value


def _read(node: Element, lists: frozenset[str], depth: int) -> object:
    if depth > _DEEPEST:
        raise BadXml("The body is nested too deeply.")
    if node.get(_NIL) in {"true", "1"}:
        return None
    if len(node) == 0:
        return node.text or ""
    record: dict[str, object] = {}
    for child in node:
        name, value = child.tag.rpartition("}")[2], _read(child, lists, depth + 1)
        held = record.get(name)
        if isinstance(held, list):
            held.append(value)
        elif name in record:
            record[name] = [held, value]
        else:
            record[name] = [value] if name in lists else value
    return record
