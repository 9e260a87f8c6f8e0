"""Between the text in a field and a value, beside `desk/console/forms/typed_value`. Pure functions."""

from app.desk.console.forms.exact_json import ABSENT, Absent, JsonTrouble, Value, read_json
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import text_shown
from app.ui.widgets.shape_form import shape_form_words as words

_SINGLE = ("string", "integer", "number", "boolean", "null")
_BEGINS_JSON = ("{", "[", '"')


def is_single(shape: Shape) -> bool:
    """Whether a value of this shape is one text, number or choice."""
    return shape.kind in _SINGLE or bool(shape.enum)


def is_free(shape: Shape) -> bool:
    """Whether anything may stand here."""
    return shape.kind == "any" and not shape.enum


def shown_in_field(value: Value | Absent, shape: Shape) -> str:
    """The text of a value in a field; empty for null too, which `value` keeps while nobody changes it."""
    if value is ABSENT or (value is None and not is_free(shape)):
        return ""
    return text_shown(value, shape)


def json_mistake(text: str) -> str:
    """Why a text that begins like JSON is none; empty for every other text."""
    if not text.strip().startswith(_BEGINS_JSON):
        return ""
    try:
        read_json(text)
    except JsonTrouble as trouble:
        return words.not_json(trouble.sentence)
    return ""
