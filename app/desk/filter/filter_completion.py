"""What can stand at a place of a typed filter: names of filters, and the values that orders have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.attention_rules import RULES
from app.desk.filter.clause_words import TITLES
from app.desk.filter.filter_language import ALONE, LISTS, NAMES, STANDINGS, quoted
from app.store.cache.schema.conditions import FIELDS

MOST = 12
_DAYS = ("today", "yesterday", "tomorrow", "today..+7", "-7..today", "none", "any")
_OFTEN = ("list", "status", "facility", "scheduled", "late", "has", "is", "zip", "delivery", "requested", "imported")


@dataclass(frozen=True, slots=True)
class Completion:
    """`typed` goes in the place of the text from `start` to the cursor; `words` say what it means."""

    start: int
    typed: str
    words: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cursor is: the name before the colon ("" while a name is typed), and what is typed of the value."""

    start: int
    name: str
    typed: str
    minus: str


def place_at(typed: str, cursor: int) -> Place:
    """What the piece of the filter that ends at the cursor asks for."""
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
    """What can stand at the cursor, the likeliest first.

    `values_of` gives the values that orders have of a field of the store, with how many, the most frequent first;
    of fields whose values this program knows it is not asked. Of values that are codes, `names` are what people call
    them by: either is found.
    """
    place = place_at(typed, cursor)
    if not place.name:
        return _names(place)
    field, counts = NAMES[place.name], dict[str, str]()
    if field == "is":
        found = [(word, TITLES[name]) for word, name in STANDINGS.items()]
    elif field in ("received", "delivered"):
        found = [("yes", "yes"), ("no", "no"), *((day, "") for day in _DAYS)]
    elif field in FIELDS and FIELDS[field].kind == "date":
        found = [(day, "") for day in _DAYS]
    elif field in ("late", "over"):
        found = [(days, f"by {days} days or more") for days in ("2", "3", "7")]
    elif field == "has":
        found = [("any", "any document"), ("none", "no document"), *_known(FOLDER_TYPE_WORDS)]
    elif field == "state":
        found = _known(ORDER_STATE_WORDS)
    elif field == "list":
        found = list(LISTS.items())
    elif field == "attention":
        found = [(rule.name, rule.title) for rule in RULES]
    else:
        counts = {value: f"{count:,}" for value, count in values_of(field) if value}
        found = [(value, names.get(value, "")) for value in counts]
    fitting = [(value, words) for value, words in found if _fits(place, value, words)][:MOST]
    return [
        Completion(place.start, quoted(value), " · ".join(filter(None, (words, counts.get(value)))))
        for value, words in fitting
    ]


def _names(place: Place) -> list[Completion]:
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
    """Where the piece begins that the text ends in: after the last blank outside quotes."""
    start, inside = 0, False
    for at, letter in enumerate(before):
        if letter == '"':
            inside = not inside
        elif letter.isspace() and not inside:
            start = at + 1
    return start
