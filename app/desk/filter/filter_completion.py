"""Completes a typed filter: names of fields, and the values that orders have.

Invariant: what a completion types, `filter_language.parse` understands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter import filter_words
from app.desk.filter.filter_language import ALONE, NAMES, STANDINGS, quoted, written_value
from app.desk.filter.filter_words import LISTS, TITLES
from app.desk.reasons.reason_rules import FILTER_RULES
from app.store.cache.schema.conditions import ANY, FIELDS, STEPS

MOST = 12
_DAYS = ("today", "yesterday", "tomorrow", "today..+7", "-7..today", "none", "any")
_PAST_DAYS = ("today", "yesterday", "-7..today", "any")
_OFTEN = (
    "list",
    "status",
    "facility",
    "scheduled",
    "late",
    "why",
    "changed",
    "has",
    "is",
    "zip",
    "delivery",
    "requested",
    "imported",
)


@dataclass(frozen=True, slots=True)
class Completion:
    """`typed` replaces the text from `start` to the cursor; `words` say what it means."""

    start: int
    typed: str
    words: str


@dataclass(frozen=True, slots=True)
class Place:
    """The piece at the cursor: the name before its colon ("" while a name is typed), and the value typed so far."""

    start: int
    name: str
    typed: str
    minus: str


def place_at(typed: str, cursor: int) -> Place:
    """The piece of a typed filter that ends at the cursor."""
    before = typed[:cursor]
    start = _start_of_piece(before)
    piece = before[start:]
    minus = "-" if piece.startswith("-") else ""
    name, colon, value = piece.removeprefix("-").partition(":")
    if not colon or name.lower() not in NAMES:
        return Place(start, "", piece.removeprefix("-"), minus)
    last = value.rpartition(",")[2]
    return Place(cursor - len(last), name.lower(), last.replace('"', ""), minus)


def complete(
    typed: str,
    cursor: int,
    values_of: Callable[[str], Sequence[tuple[str, int]]],
    names: Mapping[str, str] = MappingProxyType({}),
) -> list[Completion]:
    """The completions at the cursor, the likeliest first.

    `values_of` gives the values of a field that orders have, with their counts, the most frequent first; it is not
    called for fields whose values are fixed. `names` are what people call codes: a code is completed from either.
    """
    place = place_at(typed, cursor)
    if not place.name:
        return _names(place)
    field, counts, write = NAMES[place.name], dict[str, str](), quoted
    found = _fixed_values(field)
    if found is None:
        write = written_value
        counts = {value: f"{count:,}" for value, count in values_of(field) if value}
        found = [(value, names.get(value, "")) for value in counts]
    fitting = [(value, words) for value, words in found if _fits(place, value, words)][:MOST]
    return [
        Completion(place.start, write(value), " · ".join(filter(None, (words, counts.get(value)))))
        for value, words in fitting
    ]


def _fixed_values(field: str) -> list[tuple[str, str]] | None:
    """The values of a field that are the same for all orders, each with its words; None if they are the orders' own."""
    days = [(day, "") for day in _DAYS]
    if field == "is":
        return [(word, TITLES[name]) for word, name in STANDINGS.items()]
    if field in ("received", "delivered"):
        return [("yes", filter_words.YES), ("no", filter_words.NO), *days]
    if field in FIELDS and FIELDS[field].kind == "date":
        return days
    if field in ("late", "over"):
        return [(str(number), filter_words.days_or_more(number)) for number in (2, 3, 7)]
    if field in STEPS:
        taken = [(str(number), filter_words.days_taken(str(number), "")) for number in (3, 7)]
        return [(ANY, filter_words.days_taken("", "")), *taken]
    if field == "has":
        return [("any", filter_words.ANY_DOCUMENT), ("none", filter_words.NO_DOCUMENT), *_known(FOLDER_TYPE_WORDS)]
    if field == "state":
        return _known(ORDER_STATE_WORDS)
    if field == "list":
        return list(LISTS.items())
    if field == "changed_on":
        return [*((day, "") for day in _PAST_DAYS), *filter_words.CHANGES.items()]
    return [(rule.name, rule.title) for rule in FILTER_RULES] if field == "attention" else None


def _names(place: Place) -> list[Completion]:
    # The frequent names before all others: a few letters fit many names, and the list is short.
    first = [*_OFTEN, *(name for name in NAMES if name not in _OFTEN)]
    text = place.typed.lower()
    return [
        Completion(place.start, f"{place.minus}{name}{'' if name in ALONE else ':'}", _title(name))
        for name in first
        if text and name.startswith(text) and name != text
    ][:MOST]


def _title(name: str) -> str:
    if name == "is":
        return ", ".join(STANDINGS)
    return TITLES[NAMES[name]]


def _fits(place: Place, value: str, words: str) -> bool:
    text = place.typed.lower()
    return value.lower() != text and (value.lower().startswith(text) or words.lower().startswith(text))


def _known(words: dict[str, str]) -> list[tuple[str, str]]:
    return [(code.lower(), word) for code, word in words.items()]


def _start_of_piece(before: str) -> int:
    """Where the last piece of a text begins: after the last blank outside quotes."""
    start, inside = 0, False
    for at, letter in enumerate(before):
        if letter == '"':
            inside = not inside
        elif letter.isspace() and not inside:
            start = at + 1
    return start
