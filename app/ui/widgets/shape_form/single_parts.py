"""Parts for one text, number, date or choice, and for a value that may be anything."""

import re
from collections.abc import Iterable
from decimal import Decimal

from PySide6.QtWidgets import QLabel, QLineEdit

from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value, write_json
from app.desk.console.forms.shapes import Bounds, Shape
from app.desk.console.forms.typed_value import text_shown, value_typed
from app.desk.text.typed_dates import read_typed_date
from app.ui.widgets.choosing.date_field import DateField
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.form_part import Finding, Kit, Part, Place
from app.ui.widgets.shape_form.typed_text import is_free, json_mistake, shown_in_field
from app.ui.widgets.text import times
from app.ui.widgets.text.labels import set_tip

_LONG_TEXT = 200  # a text that may be as long gets several lines
_NOTE_LETTERS = 90
_DAY_LETTERS = len("2026-11-22")
_DAY_AND_TIME = re.compile(r"(.+?)(?:\s*,\s*|\s+|(?<=\d)[Tt])(\d{1,2}):(\d{2})\s*([AaPp][Mm])?", re.ASCII)
_LONGEST_MOMENT = 40  # letters


class MomentField(DateField):
    """A date field for a date with a time: a day that is chosen or typed counts from midnight.

    A day may be followed by a time: `+1 14:00`, `12/24 8:30 am`.
    """

    def text(self) -> str:
        """The moment that is meant, or the typed text if it means none; a day alone with the time of midnight."""
        text = super().text()
        if len(text) == _DAY_LETTERS and text.count("-") == 2:
            return f"{text}T00:00:00"
        return _moment_typed(text) or text


def _moment_typed(text: str) -> str:
    """`2026-11-24T14:00:00` for `+1 14:00` on the day before; empty for anything but a day with a time."""
    found = _DAY_AND_TIME.fullmatch(text.strip()) if len(text) <= _LONGEST_MOMENT else None
    day = None if found is None else read_typed_date(found[1], times.today())
    if found is None or day is None:
        return ""
    hour, minute, half = int(found[2]), int(found[3]), (found[4] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "pm") if 1 <= hour <= 12 else 24
    return f"{day.isoformat()}T{hour:02}:{minute:02}:00" if hour < 24 and minute < 60 else ""


class SinglePart(Part):
    """A part with one field: a text, a number, a date, or JSON of any kind."""

    def __init__(self, kit: Kit, shape: Shape, place: Place) -> None:
        field = _field_for(kit, shape, place)
        super().__init__(kit, shape, place, field)
        self._field: Field = field
        self._source: Value | Absent = ABSENT
        self._shown = field.text()
        self.wide = not isinstance(field.editor, QLineEdit)
        field.set_note(note_of(shape))
        set_tip(field.label, shape.description)
        field.changed.connect(self._on_changed)
        if isinstance(field.editor, QLineEdit) and shape.kind in ("string", "integer", "number"):
            kit.offer(field.editor, place.name, shape, self.take, False)

    @property
    def label(self) -> QLabel:
        return self._field.label

    def value(self) -> Value | Absent:
        """The value that was put in, as long as its text is unchanged; else that of the text."""
        text = self._field.text()
        return self._source if text == self._shown else value_typed(self.shape, text)

    def put(self, value: Value | Absent) -> None:
        self._source = value
        nested = isinstance(value, dict | list)
        self._field.set_text(write_json(value) if nested else shown_in_field(value, self.shape))  # type: ignore[arg-type]
        self._shown = self._field.text()

    def take(self, text: str) -> None:
        """Fill in a text as if it was typed."""
        self._field.put(text)

    def mistakes(self) -> Iterable[Finding]:
        text = self._field.text()
        sentence = json_mistake(text) if is_free(self.shape) and text != self._shown else ""
        return [((), sentence)] if sentence else ()

    def show_issues(self, found: list[Finding]) -> None:
        self._field.set_issue(found[0][1] if found else "")

    def show_issues_now(self) -> None:
        self._field.show_issue_now()

    def go_to(self, path: Path) -> None:
        self._field.editor.setFocus()
        self.went.emit(self._field)

    def _on_changed(self) -> None:
        self.changed.emit()


class ChosenPart(Part):
    """A part with a choice: an enumeration, or yes and no. An optional one may be left out."""

    def __init__(self, kit: Kit, shape: Shape, place: Place) -> None:
        self._values: dict[str, Value | Absent] = {"": ABSENT}
        choices = [("", words.NOT_CHOSEN if place.required else words.NOT_GIVEN)]
        for value, title in _choices(shape):
            self._values[_key(value)] = value
            choices.append((_key(value), title))
        field = ChoiceField(words.required(place.label) if place.required else place.label, choices)
        super().__init__(kit, shape, place, field)
        self._field = field
        field.set_note(note_of(shape))
        set_tip(field.label, shape.description)
        field.changed.connect(self._on_changed)

    @property
    def label(self) -> QLabel:
        return self._field.label

    def value(self) -> Value | Absent:
        return self._values[self._field.text()]

    def put(self, value: Value | Absent) -> None:
        key = "" if value is ABSENT else _key(value)
        self._values.setdefault(key, value)
        self._field.set_text(key)

    def show_issues(self, found: list[Finding]) -> None:
        self._field.set_issue(found[0][1] if found else "")

    def go_to(self, path: Path) -> None:
        self._field.editor.setFocus()
        self.went.emit(self._field)

    def _on_changed(self) -> None:
        self.changed.emit()


def _key(value: Value) -> str:
    return write_json(value, indent=None)


def _field_for(kit: Kit, shape: Shape, place: Place) -> Field:
    if shape.kind == "string" and shape.format == "date":
        return DateField(kit.theme, place.label, words.DATE_HINT)
    if shape.kind == "string" and shape.format == "date-time":
        return MomentField(kit.theme, place.label, words.MOMENT_HINT)
    longest = shape.bounds.max_length
    lines = shape.kind == "any" or (longest or 0) >= _LONG_TEXT
    return Field(place.label, required=place.required, limit=longest, hint=_hint(shape), lines=lines)


def _hint(shape: Shape) -> str:
    return "" if isinstance(shape.example, dict | list) else shown_in_field(shape.example, shape)


def _choices(shape: Shape) -> list[tuple[Value, str]]:
    if shape.enum:
        found = [(each, words.NULL if each is None else text_shown(each, shape)) for each in shape.enum]
    else:
        found = [(True, words.YES), (False, words.NO)] if shape.kind == "boolean" else []
    if (shape.nullable or shape.kind == "null") and not any(each is None for each, _ in found):
        found.append((None, words.NULL))
    return found


def note_of(shape: Shape) -> str:
    """The help below a field: the bounds, what is taken if nothing is given, the beginning of the description."""
    described = shape.description.split("\n")[0].strip()
    if len(described) > _NOTE_LETTERS:
        described = described[: _NOTE_LETTERS - 1].rstrip() + "…"
    default = "" if shape.default is ABSENT else words.left_out(shown_in_field(shape.default, shape) or words.NULL)
    parts = (words.DEPRECATED if shape.deprecated else "", _bounds(shape.bounds), default, described)
    return " ".join(part for part in parts if part)


def _bounds(bounds: Bounds) -> str:
    least, most = bounds.minimum, bounds.maximum
    if least is not None and most is not None and not bounds.above_minimum and not bounds.below_maximum:
        return words.from_to(_number(least), _number(most))
    said = []
    if least is not None:
        said.append((words.more_than if bounds.above_minimum else words.at_least)(_number(least)))
    if most is not None:
        said.append((words.less_than if bounds.below_maximum else words.at_most)(_number(most)))
    if (bounds.min_length or 0) > 1:
        said.append(words.letters_at_least(bounds.min_length or 0))
    return " ".join(said)


def _number(number: Decimal) -> str:
    return f"{number.normalize():f}"
