"""A value as XML: an element a property, repeated elements for a list (notes.md, "XML forms"); and XML laid out."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from app.desk.console.forms import forms_words as words
from app.desk.console.forms.exact_json import Number, Value

HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_LARGEST_LAID_OUT = 4 * 1024 * 1024  # characters
_NOT_TEXT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_NAME = re.compile(r"[^\w.\-]", re.ASCII)
_BAD_START = re.compile(r"^(?=[0-9.\-]|xml)", re.IGNORECASE)
_TOKENS = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|</[^>]*>|<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>|[^<]+", re.DOTALL
)


def xml_of(value: Value, root: str) -> str:
    """The XML text of a value, an element a line; members that are null are left out.

    A list at the root stands in `ArrayOf` the root's name. Names that XML cannot hold are written _xHHHH_.
    """
    outer = f"ArrayOf{root}" if isinstance(value, list) else root
    lines = _lines(root, value, 1) if isinstance(value, list) else _inner(value, 1)
    inner = "\n".join(lines)
    tag = tag_of(outer)
    if isinstance(value, dict | list):
        return f"{HEAD}\n<{tag}>\n{inner}\n</{tag}>" if inner else f"{HEAD}\n<{tag}/>"
    return f"{HEAD}\n<{tag}>{_text(value)}</{tag}>"


def fits_xml(value: Value) -> bool:
    """Whether XML can hold every character of the texts in a value."""
    if isinstance(value, dict | list):
        return all(fits_xml(each) for each in (value.values() if isinstance(value, dict) else value))
    return not isinstance(value, str) or _NOT_TEXT.search(value) is None


def tag_of(name: str) -> str:
    """An element name that XML allows."""
    safe = _NOT_NAME.sub(lambda found: f"_x{ord(found[0]):04X}_", name)
    return _BAD_START.sub("_", safe) or "_"


def xml_trouble(text: str | bytes) -> str:
    """Why a text is no XML that can be sent, as a sentence; empty if it is."""
    if not text.strip():
        return words.XML_EMPTY
    try:
        ElementTree.fromstring(text)
    except ParseError as error:
        line, column = error.position
        return words.no_xml(line, column + 1)
    except (DefusedXmlException, RecursionError):
        return words.XML_FORBIDDEN
    except (ValueError, LookupError):
        return words.no_xml(1, 1)
    return ""


def pretty_xml(text: str) -> str:
    """The XML laid out, an element a line. The text as it is where it is no XML, or too long."""
    if len(text) > _LARGEST_LAID_OUT or xml_trouble(text.encode("utf-8", "replace")):
        return text
    return "\n".join(_laid_out(_TOKENS.findall(text)))


def _inner(value: Value, level: int) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [line for name, each in value.items() if each is not None for line in _lines(name, each, level)]


def _lines(name: str, value: Value, level: int) -> Iterator[str]:
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


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.text if isinstance(value, Number) else value if isinstance(value, str) else ""
    # A reader of XML turns a bare carriage return into a line feed; written as a number it stays.
    return escape(_NOT_TEXT.sub("\ufffd", text), {"\r": "&#13;"})


def _laid_out(tokens: list[str]) -> Iterator[str]:
    """A line for each element that holds others, one line for each that holds text alone."""
    level, line = 0, ""
    for index, token in enumerate(tokens):
        if not token.startswith("<") or token.startswith("<![CDATA["):
            line += token if token.strip() or _alone(tokens, index) else ""
            continue
        closing = token.startswith("</")
        # The text that is laid out was parsed before (`pretty_xml`), so tags are known to match.
        level -= closing
        if line and closing:
            yield line + token
            line = ""
            continue
        if line:
            yield line
        line = "  " * max(0, level) + token
        opening = not closing and not token.endswith("/>") and token[1] not in "!?"
        level += opening
        if not opening:
            yield line
            line = ""
    if line:
        yield line


def _alone(tokens: list[str], index: int) -> bool:
    """Whether a text of blanks is all that its element holds."""
    before, after = tokens[index - 1 : index], tokens[index + 1 : index + 2]
    return bool(before and after) and not before[0].startswith("</") and after[0].startswith("</")
