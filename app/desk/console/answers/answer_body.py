"""The contents of an answer's body, worked out once: for the tree, the tables, the text and the search."""

import re
from dataclasses import dataclass
from typing import Literal

from app.contract.xml_records import PLAIN, read_records
from app.desk.console.answers import answers_words as words
from app.desk.console.forms.exact_json import JsonTrouble, Value, read_json, value_of, write_json
from app.desk.console.forms.xml_text import pretty_xml

BodyKind = Literal["empty", "json", "xml", "problem", "text", "picture", "bytes"]
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]{1,40})", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
# By the first bytes: what the rest of the program shows as a picture or a document.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", ".jpg"),
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"RIFF", ".webp"),
    (b"%PDF-", ".pdf"),
    (b"PK\x03\x04", ".zip"),
)
_PICTURES = frozenset({".jpg", ".png", ".webp"})
_HEX_SHOWN = 4_096  # bytes
_A_LINE = 16


@dataclass(frozen=True, slots=True)
class AnswerBody:
    """A body as it can be shown.

    `value` is the record in JSON or XML, where `has_value`; `text` is laid out for reading; `trouble` says why a body
    is not what its content type says. `suffix` is that of a file it is saved as.
    """

    kind: BodyKind
    text: str = ""
    value: Value = None
    has_value: bool = False
    trouble: str = ""
    suffix: str = ".txt"


def read_body(body: bytes, content_type: str) -> AnswerBody:
    """Find out what a body is. For a thread where the body is large."""
    if not body.strip():
        return AnswerBody("empty")
    # The first bytes before the content type: a picture often comes as `application/octet-stream`.
    suffix = _signed(body)
    if suffix:
        return AnswerBody("picture" if suffix in _PICTURES else "bytes", _hexadecimal(body), suffix=suffix)
    text = _decoded(body, content_type)
    if text is None:
        return AnswerBody("bytes", _hexadecimal(body), trouble=_trouble(content_type), suffix=".bin")
    kind = content_type.lower()
    # The first sign before the content type, too: a proxy's page of HTML comes under the name of JSON now and then.
    begins = text.lstrip("\ufeff \t\r\n")[:1]
    if begins == "<":
        return _xml(body, text, kind)
    if begins in {"{", "["} or "json" in kind:
        return _json(text, kind)
    return _plain(text, kind)


def _json(text: str, kind: str) -> AnswerBody:
    try:
        # `doubled`: an answer with a name twice is shown with the last value, as most readers take it, and not refused.
        value = read_json(text, doubled=True)
    except JsonTrouble as error:
        said = "json" in kind
        return AnswerBody("text", text, trouble=f"{words.NOT_JSON} {error.sentence}" if said else "")
    problem = "/problem+" in kind
    return AnswerBody("problem" if problem else "json", write_json(value), value, True, suffix=".json")


def _xml(body: bytes, text: str, kind: str) -> AnswerBody:
    # As a list where the outermost element is one: a path into the answer is then the same as in JSON.
    found = read_records(body, PLAIN)
    page = "html" in kind or re.match(r"\s*<(!doctype\s+html|html)", text, re.IGNORECASE)
    if page or found is None:
        said = "xml" in kind and not page
        return AnswerBody("text", text, trouble=words.NOT_XML if said else "", suffix=".html" if page else ".txt")
    if found == "":
        found = {}  # a record of which nothing is said
    problem = "/problem+" in kind
    return AnswerBody("problem" if problem else "xml", pretty_xml(text), value_of(found), True, suffix=".xml")


def _plain(text: str, kind: str) -> AnswerBody:
    """Plain words; JSON of a single value is sent as text/plain too."""
    try:
        value = read_json(text)
    except JsonTrouble:
        return AnswerBody("text", text, trouble=words.NOT_XML if "xml" in kind else "")
    return AnswerBody("json", text, value, True, suffix=".json")


def _decoded(body: bytes, content_type: str) -> str | None:
    """The text of a body; None if it is none."""
    said = _CHARSET.search(content_type)
    for charset in dict.fromkeys([said[1] if said else "utf-8", "utf-8", *_marked(body)]):
        try:
            text = body.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
        # Latin-1 decodes any bytes; control characters tell that they were no text.
        if not _CONTROLS.search(text):
            return text
    return None


def _marked(body: bytes) -> list[str]:
    return ["utf-16"] if body[:2] in {b"\xff\xfe", b"\xfe\xff"} else []


def _signed(body: bytes) -> str:
    found = next((suffix for start, suffix in _SIGNATURES if body.startswith(start)), "")
    # RIFF is also the beginning of WAV and AVI.
    return "" if found == ".webp" and body[8:12] != b"WEBP" else found


def _trouble(content_type: str) -> str:
    kind = content_type.lower()
    return words.NOT_TEXT if any(each in kind for each in ("json", "xml", "text/")) else ""


def _hexadecimal(body: bytes) -> str:
    """The first bytes as hexadecimal figures and as characters, as such bytes are usually shown."""
    lines = []
    for start in range(0, min(len(body), _HEX_SHOWN), _A_LINE):
        part = body[start : start + _A_LINE]
        shown = "".join(chr(each) if 32 <= each < 127 else "." for each in part)
        lines.append(f"{start:08x}  {part.hex(' '):<{_A_LINE * 3}} {shown}")
    return "\n".join([*lines, *(["…"] if len(body) > _HEX_SHOWN else [])])
