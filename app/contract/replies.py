"""Readers of replies whose shape services.md leaves open, as tolerant as notes.md asks.

Invariants: no reader raises on odd input, and a status counts for an order only if the reply itself names the
reference. A problem record of any kind becomes words; a status record of any shape becomes a status or none.
"""

import json
import math
import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.contract.codes import ManagementStatus
from app.contract.xml_records import read_record, text_of

# By letters alone: a service may write "OutForDelivery" or "out_for_delivery".
_STATUS_BY_LETTERS = {re.sub("[^a-z]", "", each.value.lower()): each for each in ManagementStatus}
_NUMBER_KEYS = {"systemnumber", "ordernumber"}
_STATUS_KEYS = {"status", "orderstatus", "currentstatus", "statusdescription"}
_REFERENCE_KEYS = {
    "orderreferencenumber",
    "orderreference",
    "customerreferencenumber",
    "customerreference",
    "referencenumber",
    "reference",
    "crn",
}
_ORDER_KEYS = _REFERENCE_KEYS - {
    "referencenumber",
    "reference",
}  # these two may be the call's own
_SUCCESS_KEYS = {"success", "succeeded", "successful", "issuccess", "issuccessful", "ok"}
_ERROR_KEYS = {"error", "errors", "validationerrors"}
_CODE_KEYS = {"status", "statuscode", "httpstatus", "httpstatuscode"}
# Free text of people: "Received" in a remark is no status.
_FREE_TEXT_KEYS = re.compile("remark|note|comment|instruction|message|detail|description")
_MARKUP = re.compile("</[a-z]|<!doctype|<html", re.IGNORECASE)
_LONGEST_TEXT = 2_000
_BLANKS = re.compile(r"[ \t\r\n]+")  # str.split would remove control characters too, unseen


@dataclass(frozen=True, slots=True)
class TokenReply:
    """A granted token: its lifetime in seconds (0 when unsaid), and its scopes (None when unsaid)."""

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
        """The provider's own words in one line, empty if there are none."""
        parts = [self.title, self.detail]
        parts += [f"{path}: {' '.join(words)}" if path else " ".join(words) for path, words in self.errors.items()]
        return _BLANKS.sub(" ", " ".join(parts)).strip(" ")[:_LONGEST_TEXT]


@dataclass(frozen=True, slots=True)
class StatusReading:
    """An order status reply, as far as it could be read.

    `mentions_reference`: the reply names the reference, so its status is about that order. Otherwise the reply proves
    nothing (trap 2). `found` is False if the service said that there is no such order. That is `definite` if the
    service said so by its HTTP status or in words: an empty answer may come from a proxy.
    """

    status: ManagementStatus | None
    mentions_reference: bool
    system_number: int | None
    found: bool
    raw: str
    definite: bool = False


def read_token(body: bytes) -> TokenReply | None:
    """The token in a token reply, None if it holds none."""
    data = decode(body)
    if not isinstance(data, Mapping):
        return None
    token = data.get("access_token")
    if not isinstance(token, str) or re.fullmatch("[!-~]+", token) is None:  # what can stand in a header
        return None
    granted = _granted(data.get("scope")) or _granted(data.get("scopes"))
    return TokenReply(token, _seconds(data.get("expires_in")), granted)


def _seconds(life: object) -> float:
    try:
        seconds = float(life) if isinstance(life, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def _granted(value: object) -> frozenset[str] | None:
    texts = value if isinstance(value, list) else [value]
    return frozenset(scope for each in texts if isinstance(each, str) for scope in each.split()) or None


def read_problem(body: bytes, content_type: str | None = None) -> Problem:
    """The problem record in an error body: JSON or XML whatever its media type says, else plain text, else nothing."""
    data = decode(body)
    if isinstance(data, Mapping):
        return _problem_of(data)
    if isinstance(data, str):
        return Problem(detail=data[:_LONGEST_TEXT])
    text = text_of(body).strip()
    if text == "null" or "html" in (content_type or "").lower() or _MARKUP.search(text):  # nothing, or no words
        return Problem()
    return Problem(detail=text[:_LONGEST_TEXT])


def _problem_of(data: Mapping[str, object]) -> Problem:
    by_name = {str(key).lower(): value for key, value in data.items()}
    code = str(by_name.get("status"))
    return Problem(
        title=_first_words(by_name, "title", "error", "message"),
        detail=_first_words(by_name, "detail", "error_description"),
        status=int(code) if re.fullmatch("[1-9][0-9]{2}", code) else None,
        errors=_errors(by_name.get("errors")),
    )


def _first_words(data: Mapping[str, object], *names: str) -> str:
    return next((words for name in names if (words := _words(data.get(name)))), "")


def _words(value: object) -> str:
    if value is None or isinstance(value, str):
        return (value or "")[:_LONGEST_TEXT]
    try:
        return json.dumps(value, ensure_ascii=False)[:_LONGEST_TEXT]
    except RecursionError:  # nested almost as deeply as can be decoded at all
        return ""


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
    """The status in an order status reply, and whether the reply is about the order with this reference.

    Of several records in a list, the one that names the order is read.
    """
    data = decode(body)
    raw = text_of(body)
    # A bare word may be the whole answer (notes.md, "Readings").
    if data is None and (text := raw.strip()) != "null":
        data = text
    told = [list(_leaves(record)) for record in (data if isinstance(data, list) else [data])]
    own = next((pairs for pairs in told if _speaks_of(pairs, reference.strip(), system_number)), None)
    pairs = [pair for each in told for pair in each] if own is None else own
    number = next((number for pair in pairs if (number := _number_at(*pair)) is not None), None)
    return StatusReading(_status_in(pairs), own is not None, number, found=bool(pairs), raw=raw)


def another_order(body: bytes, reference: str) -> str:
    """Another reference that a reply names instead of this one; empty if it names none."""
    data = decode(body)
    named = [str(value).strip() for key, value in _leaves(data) if key in _ORDER_KEYS]
    own = re.compile(rf"(?<![^\W_])0*{re.escape(_bare(reference))}(?![^\W_])")  # with what a service may put around it
    return "" if any(own.search(_bare(each)) for each in named) else next(iter(named), "")


def alike(raw: str, reference: str) -> str:
    """A reference in the reply that a service may take for this one; empty if there is none.

    The two differ only in case, spaces, leading zeros, or in how their letters are encoded.
    """
    named = (str(value).strip() for key, value in _leaves(_decode_text(raw)) if key in _REFERENCE_KEYS)
    return next((each for each in named if each != reference.strip() and _bare(each) == _bare(reference)), "")


def _bare(reference: str) -> str:
    """A reference without the characters that a service may write in another way."""
    return "".join(unicodedata.normalize("NFKC", reference).split()).casefold().lstrip("0")


def says_it_failed(body: bytes) -> bool:
    """Whether the record of a result says in words that the operation failed."""
    data = decode(body)
    record = data[0] if isinstance(data, list) and len(data) == 1 else data
    if not isinstance(record, Mapping):
        return False
    by_name = {re.sub("[^a-z]", "", str(key).lower()): value for key, value in record.items()}
    return (
        any(str(by_name[name]).strip().lower() == "false" for name in _SUCCESS_KEYS & by_name.keys())
        or any(_is_trouble(by_name[name]) for name in _ERROR_KEYS & by_name.keys())
        or any(re.fullmatch("[45][0-9]{2}", str(by_name[name])) for name in _CODE_KEYS & by_name.keys())
    )


def _is_trouble(value: object) -> bool:
    return bool(value) and str(value).strip().lower() not in ("", "0", "false", "none", "null", "no", "ok")


def _status_in(pairs: list[tuple[str, object]]) -> ManagementStatus | None:
    """The status under a key of that name, else one anywhere but in free text."""
    named = [value for key, value in pairs if key in _STATUS_KEYS]
    others = [value for key, value in pairs if not _FREE_TEXT_KEYS.search(key)]
    for value in named + others:
        letters = re.sub(r"[\s_.-]", "", value.lower()) if isinstance(value, str) else ""
        if letters in _STATUS_BY_LETTERS:
            return _STATUS_BY_LETTERS[letters]
    return None


def _speaks_of(pairs: list[tuple[str, object]], reference: str, system_number: int | None) -> bool:
    """Whether a record names the order: under a key for references if it has one, else anywhere."""
    if system_number is not None and any(_number_at(*pair) == system_number for pair in pairs):
        return True
    named = [pair for pair in pairs if pair[0] in _REFERENCE_KEYS]
    return bool(reference) and any(_is_reference(*pair, reference) for pair in named or pairs)


def _is_reference(key: str, value: object, reference: str) -> bool:
    """A reference of digits may equal some other order's system number, so that is no place to find it."""
    return _number_at(key, value) is None and not isinstance(value, bool) and str(value).strip() == reference


def _number_at(key: str, value: object) -> int | None:
    digits = str(value).strip() if key in _NUMBER_KEYS else ""
    return int(digits) if re.fullmatch("[0-9]{1,18}", digits) else None


def _leaves(value: object) -> Iterator[tuple[str, object]]:
    """Every scalar of a decoded reply, with its key reduced to letters and digits in lower case."""
    # A queue and no recursion: what a service nests as deeply as JSON can be decoded would exceed Python's own limit
    # here.
    pending = deque([("", value)])
    while pending:
        name, each = pending.popleft()
        if isinstance(each, Mapping):
            pending.extend((re.sub("[^a-z0-9]", "", str(inner).lower()), part) for inner, part in each.items())
        elif isinstance(each, list):
            pending.extend((name, part) for part in each)
        elif each is not None and each != "":
            yield name, each


def decode(body: bytes) -> object:
    """A body as JSON-like data, from JSON or XML; None when it is neither, or is empty."""
    return _decode_text(text_of(body))


def _decode_text(whole: str) -> object:
    text = whole.strip()
    if not text:
        return None
    if text.startswith("<"):
        return read_record(text)
    try:
        return with_whole_characters(json.loads(text), text)
    except (ValueError, RecursionError):
        return None


def with_whole_characters(value: object, text: str) -> object:
    """`value`, decoded from the JSON `text`, with half characters replaced: nothing can store those."""
    # Only an escape can stand for half a character: the text itself was decoded from UTF-8.
    if "\\ud" not in text and "\\uD" not in text:
        return value
    units = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
    return json.loads(units.decode("utf-16-le", "replace"))
