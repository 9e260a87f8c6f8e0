"""An example of a value that fits a shape: to begin with, and to show what the provider expects."""

import json
from datetime import date
from decimal import Decimal

from app.desk.console.forms.exact_json import ABSENT, Number, Value
from app.desk.console.forms.forms_words import SAMPLE_TEXT
from app.desk.console.forms.shapes import Member, Shape

_DEEPEST = 5
_MOST_PARTS = 300
_MADE = {
    "date-time": "T08:00:00",
    "time": "08:00:00",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "email": "name@example.com",
    "uri": "https://example.com/",
    "byte": "",
}


def sample(shape: Shape | None, today: date) -> Value:
    """An example: the description's own where it has one, else one made from kinds, bounds and allowed values."""
    return _Sampler(today).make(shape, 0)


class _Sampler:
    """Makes one example, of so many parts at most."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._left = _MOST_PARTS

    def make(self, shape: Shape | None, depth: int) -> Value:
        self._left -= 1
        if shape is None:
            return None
        # What the description itself gives, the most telling first.
        for given in (shape.example, shape.default, *shape.enum[:1]):
            if given is not ABSENT:
                return given
        match shape.kind:
            case "object":
                return {each.name: self.make(each.shape, depth + 1) for each in self._shown(shape, depth)}
            case "array":
                return self._list(shape, depth)
            case "choice":
                return self.make(shape.alternatives[0], depth + 1) if shape.alternatives and depth < _DEEPEST else None
            case "boolean":
                return True
            case "integer" | "number":
                return _number(shape)
            case "string":
                return self._text(shape)
            case _:
                return {} if shape.kind == "any" else None

    def _shown(self, shape: Shape, depth: int) -> list[Member]:
        """All members near the root; deeper only what is required, and nothing once it is enough."""
        if self._left <= 0 or depth > 2 * _DEEPEST:
            return []
        written = [each for each in shape.members if not each.read_only]
        return written if depth < _DEEPEST else [each for each in written if each.required]

    def _list(self, shape: Shape, depth: int) -> Value:
        if self._left <= 0 or depth >= _DEEPEST:
            return []
        return [self.make(shape.element, depth + 1)]

    def _text(self, shape: Shape) -> str:
        day = self._today.isoformat()
        made = day if shape.format == "date" else _MADE.get(shape.format, shape.title or SAMPLE_TEXT)
        if shape.format == "date-time":
            made = day + made
        least, most = shape.bounds.min_length or 0, shape.bounds.max_length
        return made.ljust(min(least, 1_000), "x")[:most]


def _number(shape: Shape) -> Number:
    bounds = shape.bounds
    # 1 where the bounds allow it, as the most harmless count; else the bound next to it.
    made = Decimal(1)
    if bounds.minimum is not None and made <= bounds.minimum:
        made = bounds.minimum + (1 if bounds.above_minimum else 0)
    if bounds.maximum is not None and made >= bounds.maximum:
        made = bounds.maximum - (1 if bounds.below_maximum else 0)
    if bounds.multiple_of:
        made = bounds.multiple_of
    # `Decimal` writes some numbers in ways that JSON does not read.
    text = str(made)
    return Number(text if _is_json(text) else "1")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
