"""Replies in XML as the same data that their JSON would be.

services.md lists XML among the formats of each reply and shows none, so every usual form is read: an element is a
property, whatever its namespace and place; a list is an element that is repeated (notes.md, "XML forms"), or one
element around its items, as the serialisers of .NET write it; `nil` is null; an empty list is an empty element. XML
knows text only: `INFORMATION` says which properties are numbers, flags and lists.

Invariants: no entity and no external reference is read. Nothing here is deeper than `DEEPEST` or larger
than `largest`.
"""

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

# Deeper nesting would exhaust the stack of a recursive function.
DEEPEST = 100
LARGEST = 4 * 1024 * 1024  # characters of one record
LIST_OF = "ArrayOf"  # how the name of a list begins, as the serialisers of .NET write it
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?")
# XML allows neither of these, and serialisers write them nonetheless: a lone mark must not cost a whole list.
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,10}));")
_LONGEST_REFERENCE = 14
_DECLARED = re.compile(rb"""<\?xml[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9._\-]{1,40})["']""")


class NotXml(ValueError):
    """The text is no XML, or more than anybody would send."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The known names of records: the names of properties that are numbers and flags, and for each list the names that
    only a record of it has, so that one record and an element around records can be told apart. `bare`: text without
    the space around it."""

    numbers: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    lists: Mapping[str, frozenset[str]] = field(default_factory=dict)
    bare: bool = False


PLAIN = Shape(bare=True)
# services.md, "Order information service objects".
INFORMATION = Shape(
    numbers=frozenset({"OrderNumber", "Count", "auditId", "auditScore", "auditDate"}),
    flags=frozenset({"IsReceived", "IsDelivered"}),
    lists={
        "PO": frozenset(),
        "Notes": frozenset({"Text", "CreatedDate"}),
        "Commodities": frozenset({"CommodityCode", "Description", "Count"}),
        "ProofOfDelivery": frozenset({"Filename", "Url", "CreatedDate", "Folder"}),
    },
)


@dataclass(slots=True)
class _Open:
    """An element that has not ended."""

    name: str
    nil: bool
    text: list[str] = field(default_factory=list)
    children: list[tuple[str, object]] = field(default_factory=list)


class Records:
    """The parser's target: hands each child of the root to `take`, or keeps them for `root`."""

    def __init__(self, shape: Shape, take: Callable[[object], None] | None = None, largest: int = LARGEST) -> None:
        self._shape, self._take, self._largest = shape, take, largest
        self._open: list[_Open] = []
        self._size = 0
        self.root = ""  # the name of the outermost element
        self.value: object = None  # of the outermost element, once it has ended
        self.listed: object = None  # the value, as a list where that element is one
        self.complete = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition("}")[2]
        if len(self._open) == 1:
            self._size = 0
        if len(self._open) >= DEEPEST:
            raise NotXml
        self._grow(len(name))
        self._open.append(_Open(name, attributes.get(_NIL, "").strip() in ("true", "1")))
        self.root = self.root or name

    def data(self, text: str) -> None:
        """Text within an element."""
        self._grow(len(text))
        if self._open:
            self._open[-1].text.append(text)

    def _grow(self, by: int) -> None:
        self._size += by
        if self._size > self._largest:
            raise NotXml

    def end(self, _tag: str) -> None:
        """An element ends."""
        ended = self._open.pop()
        value = _value(ended, self._shape)
        if not self._open:
            self.value, self.listed, self.complete = value, _listed(ended, value), True
        # Handed over and not kept: a list may be longer than the memory that it should take.
        elif len(self._open) == 1 and self._take is not None:
            self._take(value)
        else:
            self._open[-1].children.append((ended.name, value))

    def close(self) -> None:
        """The text has ended."""


def _value(ended: _Open, shape: Shape) -> object:
    if ended.name in shape.lists:
        return _items(ended, shape)
    if ended.nil:
        return None
    return _record(ended.children, shape) if ended.children else _typed(ended, shape)


def _typed(ended: _Open, shape: Shape) -> object:
    text = "".join(ended.text)
    bare = text.strip()
    if ended.name in shape.numbers:
        if not bare:
            return None
        return int(bare) if _WHOLE.fullmatch(bare) else float(bare) if _NUMBER.fullmatch(bare) else bare
    if ended.name in shape.flags:
        return {"true": True, "1": True, "false": False, "0": False, "": None}.get(bare.lower(), bare)
    return bare if shape.bare or not bare else text


def _items(ended: _Open, shape: Shape) -> list[object]:
    """The items that this element stands for: those within it, else itself."""
    if ended.nil:
        return []
    if not ended.children:
        text = "".join(ended.text)
        return [text] if text.strip() else []
    names = {name for name, _ in ended.children}
    if len(names) == 1 and not names & shape.lists[ended.name]:
        found: list[object] = []
        for _, value in ended.children:
            found += value if isinstance(value, list) else [value]
        return [each for each in found if each is not None and each != ""]
    return [_record(ended.children, shape)]


def _record(children: list[tuple[str, object]], shape: Shape) -> dict[str, object]:
    record: dict[str, object] = {}
    repeated: set[str] = set()
    for name, value in children:
        if name not in record:
            record[name] = value
            continue
        held = record[name]
        if name in shape.lists and isinstance(held, list) and isinstance(value, list):
            held += value
        elif name in repeated and isinstance(held, list):
            held.append(value)
        else:
            record[name] = [held, value]
            repeated.add(name)
    return record


def _listed(ended: _Open, value: object) -> object:
    """A list where the root is one: by its name, or because all it holds are records of one name."""
    if ended.nil:
        return None
    names = {name for name, _ in ended.children}
    alike = len(names) == 1 and all(isinstance(each, dict) for _, each in ended.children)
    if alike or ended.name.startswith(LIST_OF):
        return [each for _, each in ended.children]
    return value


def read_record(body: bytes | str, shape: Shape = PLAIN) -> object:
    """A whole reply, or its text, as one value; None where it is no XML."""
    found = _parsed(body, shape)
    return None if found is None else found.value


def read_records(body: bytes, shape: Shape = INFORMATION) -> object:
    """A whole reply as a list where the outermost element is one, else as one value; None where it is no XML."""
    found = _parsed(body, shape)
    return None if found is None else found.listed


def is_well_formed(body: bytes | str) -> bool:
    """Whether a whole reply is XML, nothing of it missing."""
    return _parsed(body, PLAIN) is not None


def _parsed(body: bytes | str, shape: Shape) -> "Records | None":
    records = Records(shape)
    text = text_of(body) if isinstance(body, bytes) else body
    try:
        XmlText(records).feed(text.strip(), last=True)
    except NotXml:
        return None
    return records if records.complete else None


class XmlText:
    """Parses text that comes in pieces. Raises NotXml."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._parser = XMLParser(target=records)
        self._held = ""

    def feed(self, text: str, *, last: bool = False) -> None:
        """More text; `last` when nothing will follow it."""
        text, self._held = self._held + text, ""
        # A piece may end in the middle of a reference such as `&#13;`: its beginning waits for the rest.
        cut = text.rfind("&", -_LONGEST_REFERENCE)
        if not last and cut >= 0 and ";" not in text[cut:]:
            text, self._held = text[:cut], text[cut:]
        try:
            self._parser.feed(_REFERENCE.sub(_allowed, _NOT_TEXT.sub("\ufffd", text)))
        except (ParseError, DefusedXmlException, ValueError, RecursionError):
            broken = True
        else:
            broken = False
        if broken:
            raise NotXml


def _allowed(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    within = code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
    return found[0] if within else "\ufffd"


def text_of(body: bytes) -> str:
    """The text of a whole reply. A byte that fits no character becomes a visible mark."""
    return decoder_of(body).decode(body, True)


def decoder_of(beginning: bytes) -> codecs.IncrementalDecoder:
    """The decoder for a text that begins so. A byte that fits no character becomes a visible mark."""
    return codecs.getincrementaldecoder(encoding_of(beginning))("replace")


def encoding_of(beginning: bytes) -> str:
    """The encoding of a text that begins so: by its mark, or by its XML declaration, else UTF-8."""
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    found = _DECLARED.match(beginning)
    name = "" if found is None else found[1].decode()
    return name if name and _has_plain_letters(name) else "utf-8-sig"


def _has_plain_letters(name: str) -> bool:
    """Whether a declaration that was read byte by byte can be in the encoding of this name.

    Whatever it says, it is in no UTF-16 or UTF-32. Some codecs of Python are for no text, and some cannot mark bytes.
    """
    try:
        codec = codecs.lookup(name)
        plain = b"<?xml".decode(name, "replace") == "<?xml"
    except (LookupError, UnicodeError):
        return False
    return plain and codec.incrementaldecoder is not None and "escape" not in codec.name
