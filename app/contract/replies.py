"""Replies whose shape services.md leaves open, read as tolerantly as notes.md asks.

Nothing here raises on odd input: a problem record of any kind becomes words, a status record of any shape becomes a
status or none, and a status counts for an order only where the reference asked for stands in the reply itself.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from app.contract.codes import ManagementStatus

_STATUS_BY_LETTERS = {re.sub("[^a-z]", "", each.value.lower()): each for each in ManagementStatus}
_NUMBER_KEYS = {"systemnumber", "ordernumber"}
_STATUS_KEYS = {"status", "orderstatus", "statusdescription"}
_LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class TokenReply:
    """A granted token: its lifetime in seconds, and its scopes where the reply says them."""

    access_token: str = field(repr=False)
    expires_in: float
    granted: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem record: words for people, and the provider's words by field path where it gives them."""

    title: str = ""
    detail: str = ""
    status: int | None = None
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def sentence(self) -> str:
        """The provider's own words in one line, empty when it said nothing."""
        parts = [self.title, self.detail]
        parts += [f"{path}: {' '.join(words)}" if path else " ".join(words) for path, words in self.errors.items()]
        return " ".join(part.strip() for part in parts if part.strip())


@dataclass(frozen=True, slots=True)
class StatusReading:
    """What an order status reply says.

    `mentions_reference`: the reference asked for stands in the reply, so the status speaks of that order; otherwise
    the reply proves nothing (trap 2). `found` is False when the service said that there is no such order.
    """

    status: ManagementStatus | None
    mentions_reference: bool
    system_number: int | None
    found: bool
    raw: str


def read_token(body: bytes) -> TokenReply | None:
    """The token in a token reply, or None when there is none in it."""
    data = decode(body)
    if not isinstance(data, Mapping):
        return None
    token, life = data.get("access_token"), data.get("expires_in")
    if not isinstance(token, str) or not token or not token.isascii() or any(each <= " " for each in token):
        return None
    try:
        seconds = float(life) if isinstance(life, str | int | float) else 0.0
    except ValueError:
        seconds = 0.0
    return TokenReply(token, seconds, _granted(data.get("scope", data.get("scopes"))))


def _granted(value: object) -> frozenset[str] | None:
    if isinstance(value, str):
        return frozenset(value.split())
    if isinstance(value, list):
        return frozenset(each for each in value if isinstance(each, str))
    return None


def read_problem(body: bytes, content_type: str | None = None) -> Problem:
    """The problem record in an error body: JSON or XML whatever its media type says, else plain text, else nothing."""
    data = decode(body)
    if isinstance(data, Mapping):
        return _problem_of(data)
    if isinstance(data, str):
        return Problem(detail=data[:_LONGEST_TEXT])
    text = "" if "html" in (content_type or "").lower() else body.decode("utf-8", "replace").strip()
    return Problem(detail=text[:_LONGEST_TEXT])


def _problem_of(data: Mapping[str, object]) -> Problem:
    by_name = {str(key).lower(): value for key, value in data.items()}
    code = by_name.get("status")
    title = by_name.get("title", by_name.get("error", by_name.get("message", "")))
    detail = by_name.get("detail", by_name.get("error_description", ""))
    return Problem(
        title=_words(title),
        detail=_words(detail),
        status=int(code) if isinstance(code, int | str) and str(code).isdecimal() else None,
        errors=_errors(by_name.get("errors")),
    )


def _words(value: object) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text[:_LONGEST_TEXT]


def _errors(value: object) -> dict[str, tuple[str, ...]]:
    if isinstance(value, list):
        value = {"": value}
    if not isinstance(value, Mapping):
        return {}
    return {
        str(path): tuple(_words(each) for each in (words if isinstance(words, list) else [words]))
        for path, words in value.items()
    }


def read_status(body: bytes, reference: str = "", *, system_number: int | None = None) -> StatusReading:
    """The status in an order status reply, and whether the reply speaks of the order that was asked for."""
    data = decode(body)
    raw = body.decode("utf-8", "replace")
    pairs = list(_leaves(raw.strip() if data is None and raw.strip() else data))
    status = _status_in(pairs)
    number = next((number for key, value in pairs if (number := _number_at(key, value)) is not None), None)
    mentions = any(_names_order(key, value, reference.strip(), system_number) for key, value in pairs)
    return StatusReading(status, mentions, number, found=bool(pairs), raw=raw)


def _status_in(pairs: list[tuple[str, object]]) -> ManagementStatus | None:
    """A status under a key that is named so, else any status anywhere (a remark may happen to say "Received")."""
    named = [value for key, value in pairs if key in _STATUS_KEYS]
    for value in named + [value for _, value in pairs]:
        found = _STATUS_BY_LETTERS.get(re.sub("[^a-z]", "", value.lower())) if isinstance(value, str) else None
        if found is not None:
            return found
    return None


def _names_order(key: str, value: object, reference: str, system_number: int | None) -> bool:
    """A reference of digits may equal some other order's system number, so that is no place to find it."""
    if key in _NUMBER_KEYS:
        return system_number is not None and _number_at(key, value) == system_number
    return bool(reference) and not isinstance(value, bool) and str(value).strip() == reference


def _number_at(key: str, value: object) -> int | None:
    if key not in _NUMBER_KEYS or isinstance(value, bool):
        return None
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else None


def _leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Every scalar of a decoded reply with the lower-case name it stands under."""
    pending = [(key, value)]
    while pending:
        name, each = pending.pop(0)
        if isinstance(each, Mapping):
            pending.extend((str(inner).lower(), part) for inner, part in each.items())
        elif isinstance(each, list):
            pending.extend((name, part) for part in each)
        elif each is not None and each != "":
            yield name, each


def decode(body: bytes) -> object:
    """A body as JSON-like data, from JSON or XML; None when it is neither, or is empty."""
    text = body.decode("utf-8-sig", "replace").strip()
    if not text:
        return None
    if text.startswith("<"):
        return _decode_xml(text)
    try:
        return with_whole_characters(json.loads(text), text)
    except (ValueError, RecursionError):
        return None


def with_whole_characters(value: object, text: str) -> object:
    """`value`, decoded from the JSON `text`, with half characters replaced: nothing can store those."""
    if "\\ud" not in text and "\\uD" not in text:
        return value
    units = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
    return json.loads(units.decode("utf-16-le", "replace"))


def _decode_xml(text: str) -> object:
    try:
        return _element(ElementTree.fromstring(text))
    except (ParseError, DefusedXmlException, RecursionError, ValueError):
        return None


def _element(element: Element) -> object:
    """An element a property; repeated elements become a list (notes.md, "XML forms")."""
    if len(element) == 0:
        return (element.text or "").strip()
    record: dict[str, object] = {}
    for child in element:
        name, value = child.tag.rpartition("}")[2], _element(child)
        known = record.get(name)
        record[name] = [*known, value] if isinstance(known, list) else value if known is None else [known, value]
    return record
