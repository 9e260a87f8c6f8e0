"""XML that a person typed or received: what is wrong with it, and the same laid out.

`app.contract.xml_writer` makes XML of a value.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from app.desk.console.forms import forms_words as words

_LARGEST_LAID_OUT = 4 * 1024 * 1024  # characters
_TOKENS = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|</[^>]*>|<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>|[^<]+", re.DOTALL
)


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
