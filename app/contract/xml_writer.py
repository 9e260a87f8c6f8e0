"""Records as XML: an element a property, repeated elements for a list (notes.md, "XML forms").

services.md marks the operations whose body may be XML with an X, and shows none. The order of the elements is that of
the record, and members that are null are left out, so one record always gives the same bytes.
"""

import json
import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from app.contract.codes import Format

HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_NOT_TEXT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_NAME = re.compile(r"[^\w.\-]", re.ASCII)
_BAD_START = re.compile(r"^(?=[0-9.\-]|xml)", re.IGNORECASE)


def body_in(wanted: Format, payload: bytes, root: str) -> tuple[bytes, Format]:
    """The body to send for a record of JSON, and its format: the wanted one, or JSON where XML cannot hold the record.

    XML has no control characters; JSON, which every operation takes, has. Numbers keep the digits that they have in
    the JSON. `root` is the name of the outermost element.
    """
    if wanted == "json":
        return payload, "json"
    record = json.loads(payload, parse_int=str, parse_float=str, parse_constant=str)
    return (xml_of(record, root).encode(), "xml") if fits_xml(record) else (payload, "json")


def xml_of(value: object, root: str) -> str:
    """The XML text of a value, an element a line; members that are null are left out.

    `value` is made of dict, list, bool, None and what has its text as `str`. A list at the root stands in `ArrayOf` the
    root's name. Names that XML cannot hold are written _xHHHH_, a character that it cannot hold as U+FFFD.
    """
    outer = f"ArrayOf{root}" if isinstance(value, list) else root
    lines = _lines(root, value, 1) if isinstance(value, list) else _inner(value, 1)
    inner = "\n".join(lines)
    tag = tag_of(outer)
    if isinstance(value, dict | list):
        return f"{HEAD}\n<{tag}>\n{inner}\n</{tag}>" if inner else f"{HEAD}\n<{tag}/>"
    return f"{HEAD}\n<{tag}>{_text(value)}</{tag}>"


def fits_xml(value: object) -> bool:
    """Whether XML can hold every character of the texts in a value."""
    if isinstance(value, dict | list):
        return all(fits_xml(each) for each in (value.values() if isinstance(value, dict) else value))
    return not isinstance(value, str) or _NOT_TEXT.search(value) is None


def tag_of(name: str) -> str:
    """An element name that XML allows."""
    safe = _NOT_NAME.sub(lambda found: f"_x{ord(found[0]):04X}_", name)
    return _BAD_START.sub("_", safe) or "_"


def _inner(value: object, level: int) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [line for name, each in value.items() if each is not None for line in _lines(name, each, level)]


def _lines(name: str, value: object, level: int) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _lines(name, each, level)
        return
    tag, space = tag_of(name), "  " * level
    if isinstance(value, dict):
        inner = _inner(value, level + 1)
        yield from [f"{space}<{tag}>", *inner, f"{space}</{tag}>"] if inner else [f"{space}<{tag}/>"]
    elif value is None or value == "":
        yield f"{space}<{tag}/>"
    else:
        yield f"{space}<{tag}>{_text(value)}</{tag}>"


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else "true" if value else "false"
    # A reader of XML turns a bare carriage return into a line feed; written as a number it stays.
    return escape(_NOT_TEXT.sub("\ufffd", str(value)), {"\r": "&#13;"})
