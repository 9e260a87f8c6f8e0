"""JSON in which nothing is lost: the order of members, unknown members, and every number as it was typed.

A `Value` is a dict, list, str, bool or None as in `json`, and a `Number` for a number. So 12.50 stays 12.50, and an id
of thirty digits keeps all of them. What cannot be read raises `JsonTrouble`, which says where.
"""

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Final, Literal, TypeAlias

from app.desk.console.forms import forms_words as words

MOST_DEPTH = 64  # no record is nested so deep, and walking a value may then recurse


class _Nothing(Enum):
    ABSENT = "absent"


Absent: TypeAlias = Literal[_Nothing.ABSENT]
ABSENT: Final = _Nothing.ABSENT  # there is no value at this place
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number by its JSON text."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def exact(self) -> Decimal:
        """Its value. A number with an exponent of many digits has none that fits: then it is infinite."""
        return _decimal(self.text)

    @property
    def whole(self) -> bool:
        """Whether it has no fraction, however it is written."""
        exact = self.exact
        # `to_integral_value` of 1E+999999 would make a number of a million digits; so large a number has no fraction
        # anyway.
        return exact.is_finite() and (exact == 0 or exact.adjusted() > 10_000 or exact == exact.to_integral_value())


Value: TypeAlias = dict[str, "Value"] | list["Value"] | str | bool | Number | None
Path: TypeAlias = tuple[str | int, ...]


class JsonTrouble(ValueError):
    """A text that is no JSON. `line` and `column` count from 1, `offset` from 0; 0, 0 and -1: no place is known."""

    def __init__(self, sentence: str, line: int = 0, column: int = 0, offset: int = -1) -> None:
        super().__init__(sentence)
        self.sentence, self.line, self.column, self.offset = sentence, line, column, offset


def read_json(text: str | bytes, *, doubled: bool = False) -> Value:
    """The value that a JSON text means. Raises JsonTrouble, also for a name twice in a record unless `doubled`."""
    decoded = _text_of(text)
    try:
        found: Value = json.loads(
            decoded,
            parse_int=Number,
            parse_float=Number,
            # Python reads NaN and Infinity, which JSON does not have.
            parse_constant=_no_constant,
            object_pairs_hook=_last_of_each if doubled else _record,
        )
    except json.JSONDecodeError as error:
        trouble = JsonTrouble(_said_of(error, decoded), error.lineno, error.colno, error.pos)
    except RecursionError:
        trouble = JsonTrouble(words.TOO_DEEP)
    else:
        # Python's own limit depends on the stack at this moment; a fixed depth gives the same answer everywhere.
        if depth_of(found) > MOST_DEPTH:
            raise JsonTrouble(words.TOO_DEEP)
        return found
    # Outside of the handlers, so that the library's error, which holds the whole text, is no context of ours.
    raise trouble


def write_json(value: Value, *, indent: int | None = 2) -> str:
    """The JSON text of a value: members in their order, numbers as typed. `indent` None: all on one line."""
    pieces: list[str] = []
    _write(pieces, value, indent, 0)
    return "".join(pieces)


def number_of(text: str) -> Number | None:
    """The number that a typed text is, exactly as typed; None if JSON has no such number."""
    stripped = text.strip()
    return Number(stripped) if _NUMBER.fullmatch(stripped) else None


def value_of(plain: object) -> Value:
    """A value made of what `json.loads` gives: numbers become `Number`s. Anything else becomes its text."""
    if plain is None or isinstance(plain, bool | str | Number):
        return plain
    if isinstance(plain, int | float | Decimal):
        return Number(json.dumps(plain) if isinstance(plain, int | float) else str(plain))
    if isinstance(plain, dict):
        return {str(name): value_of(each) for name, each in plain.items()}
    if isinstance(plain, list | tuple):
        return [value_of(each) for each in plain]
    return str(plain)


def same(one: Value | Absent, other: Value | Absent) -> bool:
    """Whether two values mean the same: members in any order, 1.0 as 1."""
    if isinstance(one, Number) and isinstance(other, Number):
        return one.text == other.text or (one.exact == other.exact and one.exact.is_finite())
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(each, other[name]) for name, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    # By type: `True == 1` in Python, and true is no number in JSON.
    return type(one) is type(other) and one == other


def depth_of(value: Value) -> int:
    """How many records and lists are nested in one another. Does not recurse."""
    deepest = 0
    level: list[dict[str, Value] | list[Value]] = [value] if isinstance(value, dict | list) else []
    while level:
        deepest += 1
        parts = (part for each in level for part in (each.values() if isinstance(each, dict) else each))
        level = [part for part in parts if isinstance(part, dict | list)]
    return deepest


def path_text(path: Path) -> str:
    """A path as people write it: `freightDetails[0].count`, and `["a name"]` for a name that is no word."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


_quoted = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make an encoder for each text
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except ArithmeticError:
        return Decimal("Infinity")


def _text_of(text: str | bytes) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode(json.detect_encoding(text)).removeprefix("\ufeff")
    except UnicodeDecodeError:
        pass
    raise JsonTrouble(words.NOT_TEXT)


def _no_constant(name: str) -> Value:
    raise JsonTrouble(words.no_such_number(name))


def _last_of_each(pairs: list[tuple[str, Value]]) -> Value:
    # A function of Python, and not `dict` itself: it lets other threads run between two records. Without it the
    # library's scanner stops the window for as long as it reads.
    return dict(pairs)


def _record(pairs: list[tuple[str, Value]]) -> Value:
    record = dict(pairs)
    if len(record) != len(pairs):
        seen = set[str]()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise JsonTrouble(words.twice(twice))
    return record


def _said_of(error: json.JSONDecodeError, text: str) -> str:
    if not text.strip():
        return words.EMPTY
    if error.pos >= len(text.rstrip()):
        return words.ends_early(error.lineno)
    return words.wrong_at(error.lineno, error.colno, text[error.pos : error.pos + 1])


def _write(pieces: list[str], value: Value, indent: int | None, level: int) -> None:
    """Append the pieces of a value's text."""
    if isinstance(value, Number):
        pieces.append(value.text)
    elif isinstance(value, dict) and value:
        colon, gap = (":" if indent is None else ": "), _break(indent, level + 1)
        before = "{" + gap
        for name, each in value.items():
            pieces.append(f"{before}{_quoted(name)}{colon}")
            _write(pieces, each, indent, level + 1)
            before = "," + gap
        pieces.append(_break(indent, level) + "}")
    elif isinstance(value, list) and value:
        gap = _break(indent, level + 1)
        before = "[" + gap
        for each in value:
            pieces.append(before)
            _write(pieces, each, indent, level + 1)
            before = "," + gap
        pieces.append(_break(indent, level) + "]")
    else:
        pieces.append(_quoted(value) if isinstance(value, str) else json.dumps(value))


def _break(indent: int | None, level: int) -> str:
    return "" if indent is None else "\n" + " " * (indent * level)
