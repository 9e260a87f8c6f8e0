"""Checks a value against a shape: a sentence for each mistake, with the path of its cause.

A check ends in bounded time: it walks the value, never the shape, takes at most `_MOST_STEPS` steps, says at most
`MOST` mistakes, and does not try a pattern that could take long. An expression (`{{name.body.id}}`) may stand for a
value of any kind.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from app.desk.console.forms import forms_words as words
from app.desk.console.forms.exact_json import ABSENT, Absent, Number, Path, Value, same, write_json
from app.desk.console.forms.safe_pattern import matches
from app.desk.console.forms.shapes import Bounds, Shape

MOST = 200
_MOST_STEPS = 50_000  # a page checks at every key: some tenths of a second at most
_MOST_UNIQUE = 5_000  # elements that are compared with each other
EXPRESSION = re.compile(r"\{\{[^{}]*\}\}")
_SHOWN_CHOICES = 12
_DEEPEST_CHOICE = 6  # choices in one another, of one value
_MOST_NESTED = 300  # counts of such choices in one check
_MOST_COUNTED = 80  # values in one another
_NEVER = MOST + 1  # mistakes: it does not fit at all
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RANGES = {"int32": 2**31, "int64": 2**63}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A fault at a place. `path` is that of the member that is missing, where one is missing."""

    path: Path
    sentence: str


def check(shape: Shape | None, value: Value | Absent) -> tuple[Mistake, ...]:
    """All mistakes, in the order of the value, at most `MOST`. Where no shape is known there is none."""
    if shape is None:
        return ()
    if value is ABSENT:
        return (Mistake((), words.REQUIRED),)
    return tuple(_Check().first(shape, value, MOST))


def chosen(shape: Shape, value: Value | Absent) -> int:
    """Which alternative of a choice a value is meant as: the one it fits, else the one with the fewest mistakes.

    The member named by `choose_by` decides where it names one. 0 where nothing tells.
    """
    return _Check().chosen(shape, value)


def settled(shape: Shape | None, value: Value | Absent) -> Shape | None:
    """The shape that a value is meant to have: of a choice the chosen alternative, every other shape itself."""
    return None if shape is None else _Check().settled(shape, value)


class _Check:
    """One check. Whether a value fits a shape is found out once, or choices in choices would take for ever."""

    def __init__(self) -> None:
        self._steps = _MOST_STEPS
        self._found: dict[tuple[int, int], int] = {}
        self._counted: list[int] = []  # ids of the values whose mistakes are being counted, from the outside in
        self._nested = _MOST_NESTED

    def first(self, shape: Shape, value: Value, most: int) -> list[Mistake]:
        """The first mistakes."""
        found = []
        for each in self._walk(shape, value, ()):
            found.append(each)
            if len(found) >= most:
                break
        return found

    def chosen(self, shape: Shape, value: Value | Absent) -> int:
        if value is ABSENT or not shape.alternatives:
            return 0
        # The member that tells is certain; counting mistakes is a guess, and costs a check of every alternative.
        named = self._named(shape, value)
        if named is not None:
            return named
        ranks = [(self._count(each, value), -_known_names(each, value)) for each in shape.alternatives]
        return ranks.index(min(ranks))

    def settled(self, shape: Shape, value: Value | Absent) -> Shape:
        """The alternative that is meant, through choices in choices; a choice where they lead in a circle."""
        for _ in range(_DEEPEST_CHOICE):
            if shape.kind != "choice" or not shape.alternatives:
                break
            shape = shape.alternatives[self.chosen(shape, value)]
        return shape

    def _named(self, shape: Shape, value: Value) -> int | None:
        said = value.get(shape.choose_by) if shape.choose_by and isinstance(value, dict) else None
        if not isinstance(said, str):
            return None
        name = dict(shape.choices).get(said, said)
        names = [each.name for each in shape.alternatives]
        return names.index(name) if name in names else None

    def _count(self, shape: Shape, value: Value) -> int:
        """How many mistakes a value has as this shape; one of another kind counts as more than any other.

        Where choices lead into further choices for too long, nobody knows, and no mistake is claimed.
        """
        key = (id(shape), id(value))
        if key not in self._found:
            # The same value once more within its own count: a choice led into another one without a step into the
            # value.
            level = self._counted.count(id(value))
            self._nested -= level > 0
            if level >= _DEEPEST_CHOICE or len(self._counted) >= _MOST_COUNTED or self._nested < 0:
                return 0
            self._found[key] = _NEVER  # a choice that leads back to itself is no way to fit
            self._counted.append(id(value))
            mistakes = self.first(shape, value, MOST)
            self._counted.pop()
            # A mistake at the root of a single value means another kind: one such mistake outweighs many inside a
            # record.
            wrong_kind = any(not each.path for each in mistakes) and not isinstance(value, dict)
            self._found[key] = _NEVER if wrong_kind else len(mistakes)
        return self._found[key]

    def _walk(self, shape: Shape, value: Value, path: Path) -> Iterator[Mistake]:
        self._steps -= 1
        if self._steps < 0:
            return
        # Before `enum`: a nullable shape with a list of values often leaves null out of the list.
        if value is None and (shape.nullable or shape.kind in {"null", "any"}):
            return
        # Its value is not known before the answer is looked up, so nothing can be said of it.
        if isinstance(value, str) and EXPRESSION.fullmatch(value.strip()):
            return
        if shape.enum and not any(same(value, each) for each in shape.enum):
            yield Mistake(path, _one_of(shape.enum))
            return
        match shape.kind:
            case "choice":
                yield from self._choice(shape, value, path)
            case "object":
                yield from self._record(shape, value, path)
            case "array":
                yield from self._list(shape, value, path)
            case _:
                yield from (Mistake(path, sentence) for sentence in _single(shape, value))

    def _choice(self, shape: Shape, value: Value, path: Path) -> Iterator[Mistake]:
        if not shape.alternatives:
            return
        counts = [self._count(each, value) for each in shape.alternatives]
        fitting = counts.count(0)
        # Descriptions say "exactly one" lightly. A mistake is claimed only where the alternatives can be told apart.
        if shape.exclusive and fitting > 1 and not shape.choose_by and not _may_overlap(shape):
            yield Mistake(path, words.FITS_SEVERAL)
        if fitting:
            return
        best = self.settled(shape, value)
        if min(counts) >= _NEVER or best.kind == "choice":
            yield Mistake(path, words.NOTHING_FITS)
        else:
            yield from self._walk(best, value, path)

    def _record(self, shape: Shape, value: Value, path: Path) -> Iterator[Mistake]:
        if not isinstance(value, dict):
            yield Mistake(path, words.RECORD)
            return
        known = {each.name: each for each in shape.members}
        for member in shape.members:
            # The provider itself sets a member that is only read; an answer has it, a request does not.
            if member.required and not member.read_only and member.name not in value:
                yield Mistake((*path, member.name), words.REQUIRED)
        for name, each in value.items():
            inner = known[name].shape if name in known else shape.others
            if inner is None:
                yield Mistake((*path, name), words.NOT_KNOWN)
            else:
                yield from self._walk(inner, each, (*path, name))
        least, most = shape.bounds.min_members, shape.bounds.max_members
        if least is not None and len(value) < least:
            yield Mistake(path, words.too_few_members(least))
        if most is not None and len(value) > most:
            yield Mistake(path, words.too_many_members(most))

    def _list(self, shape: Shape, value: Value, path: Path) -> Iterator[Mistake]:
        if not isinstance(value, list):
            yield Mistake(path, words.LIST)
            return
        bounds = shape.bounds
        if bounds.min_items is not None and len(value) < bounds.min_items:
            yield Mistake(path, words.too_few(bounds.min_items))
        if bounds.max_items is not None and len(value) > bounds.max_items:
            yield Mistake(path, words.too_many(bounds.max_items))
        if bounds.unique_items:
            yield from (Mistake((*path, index), words.TWICE_IN_LIST) for index in _repeated(value))
        if shape.element is not None:
            for index, each in enumerate(value):
                yield from self._walk(shape.element, each, (*path, index))


def _known_names(shape: Shape, value: Value) -> int:
    """How many members of a record a shape knows."""
    return sum(each.name in value for each in shape.members) if isinstance(value, dict) else 0


def _may_overlap(shape: Shape) -> bool:
    """Whether descriptions say "exactly one" of alternatives that cannot be told apart, as many do of open records."""
    return any(each.kind == "any" or (each.kind == "object" and each.others is not None) for each in shape.alternatives)


def _repeated(value: list[Value]) -> list[int]:
    """The indexes of elements that stand earlier already."""
    seen, again = set[str](), []
    for index, each in enumerate(value[:_MOST_UNIQUE]):
        text = _canonical(each)
        if text in seen:
            again.append(index)
        seen.add(text)
    return again


def _canonical(value: Value) -> str:
    """A text by which equal values are recognised, however they are written."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{_canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, Number):
        exact = value.exact
        # 1.0 and 1 are one text. `normalize` rounds beyond 28 digits, so a longer number is compared as it is written.
        return str(exact.normalize()) if exact.is_finite() and abs(exact.adjusted()) < 30 else value.text
    return write_json(value)


def _one_of(allowed: tuple[Value, ...]) -> str:
    shown = [each if isinstance(each, str) else write_json(each, indent=None) for each in allowed]
    if len(shown) == 1:
        return words.must_be(shown[0])
    more = ", …" if len(shown) > _SHOWN_CHOICES else ""
    return words.one_of(", ".join(shown[:_SHOWN_CHOICES]) + more)


def _single(shape: Shape, value: Value) -> list[str]:
    """The faults of a value that has no parts."""
    match shape.kind:
        case "string":
            return _text(shape, value) if isinstance(value, str) else [words.TEXT]
        case "boolean":
            return [] if isinstance(value, bool) else [words.FLAG]
        case "null":
            return [] if value is None else [words.NULL]
        case "integer" | "number":
            return _number(shape, value) if isinstance(value, Number) else [_not_a_number(shape)]
        case _:
            return []


def _not_a_number(shape: Shape) -> str:
    return words.WHOLE if shape.kind == "integer" else words.NUMBER


def _text(shape: Shape, text: str) -> list[str]:
    bounds, found = shape.bounds, []
    # Length and pattern of the text that leaves are unknown until the expression is replaced.
    if EXPRESSION.search(text):
        return []
    if bounds.min_length is not None and len(text) < bounds.min_length:
        found.append(words.too_short(bounds.min_length, len(text)) if text else words.REQUIRED)
    if bounds.max_length is not None and len(text) > bounds.max_length:
        found.append(words.too_long(bounds.max_length, len(text)))
    if bounds.pattern and matches(bounds.pattern, text) is False:
        found.append(words.other_pattern(bounds.pattern))
    trouble = _FORMATS[shape.format](text) if shape.format in _FORMATS else ""
    return [*found, trouble] if trouble else found


def _number(shape: Shape, number: Number) -> list[str]:
    if shape.kind == "integer" and not number.whole:
        return [words.WHOLE]
    exact, bounds = number.exact, shape.bounds
    found = [*_outside(exact, bounds)]
    most = _RANGES.get(shape.format)
    if most is not None and shape.kind == "integer" and not found:
        found += [words.at_most(most - 1)] if exact >= most else [words.at_least(-most)] if exact < -most else []
    if bounds.multiple_of and not _is_multiple(exact, bounds.multiple_of):
        found.append(words.multiple_of(bounds.multiple_of))
    return found


def _outside(exact: Decimal, bounds: Bounds) -> Iterator[str]:
    least, most = bounds.minimum, bounds.maximum
    if least is not None and (exact < least or (bounds.above_minimum and exact == least)):
        yield words.above(least) if bounds.above_minimum else words.at_least(least)
    if most is not None and (exact > most or (bounds.below_maximum and exact == most)):
        yield words.below(most) if bounds.below_maximum else words.at_most(most)


def _is_multiple(exact: Decimal, step: Decimal) -> bool:
    try:
        return exact % step == 0
    except ArithmeticError:  # more digits than can be divided exactly: nothing is said of it
        return True


def _day_trouble(text: str) -> str:
    return "" if _DAY.fullmatch(text) and _reads(date.fromisoformat, text) else words.DATE


def _moment_trouble(text: str) -> str:
    plain = text.upper().replace("Z", "+00:00")
    return "" if _MOMENT.fullmatch(text) and _reads(datetime.fromisoformat, plain) else words.MOMENT


def _time_trouble(text: str) -> str:
    return "" if _reads(time.fromisoformat, text.upper().replace("Z", "+00:00")) else words.TIME


def _base64_trouble(text: str) -> str:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return words.NOT_BASE64
    return ""


def _reads(reader: object, text: str) -> bool:
    try:
        reader(text)  # type: ignore[operator]
    except ValueError:
        return False
    return True


_FORMATS = {
    "date": _day_trouble,
    "date-time": _moment_trouble,
    "time": _time_trouble,
    "uuid": lambda text: "" if _UUID.fullmatch(text) else words.UUID,
    "email": lambda text: "" if _EMAIL.fullmatch(text) else words.EMAIL,
    "byte": _base64_trouble,
}
