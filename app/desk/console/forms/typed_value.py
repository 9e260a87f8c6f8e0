"""Typed text of a form as a change of the value that the form and the JSON editor share.

The value is the one truth of both. Every function returns a new value and leaves the old one as it is, so a form can
keep earlier values for undo. What is typed is never lost: a text that is no number stays in the value as a text, and
`check_value` says what is wrong with it.
"""

from app.desk.console.forms.check_value import check, settled
from app.desk.console.forms.exact_json import (
    ABSENT,
    Absent,
    JsonTrouble,
    Number,
    Path,
    Value,
    number_of,
    read_json,
    write_json,
)
from app.desk.console.forms.shapes import Shape, at_path

_DEEPEST_BLANK = 6
_FLAGS: dict[str, Value] = {"true": True, "false": False}


def value_typed(shape: Shape | None, text: str) -> Value | Absent:
    """The value of what is typed into one field. An empty field is ABSENT.

    A number as typed for a shape of numbers, true or false for one of these, null only where it is one of the allowed
    values; a text in every other case, also where the shape wants something else. Where nothing is said of a value, a
    text that is JSON is what it means.
    """
    if text == "":
        return ABSENT
    # By its shown text: a list of choices may hold numbers, which a person picks and does not type.
    for allowed in shape.enum if shape is not None else ():
        if text_shown(allowed, shape) == text:
            return allowed
    match shape.kind if shape is not None else "any":
        case "number" | "integer":
            return number_of(text) or text
        case "boolean":
            return _FLAGS.get(text.strip().lower(), text)
        case "null":
            return None if text.strip() == "null" else text
        case "string":
            return text
        case "choice":
            return _typed_for_one(shape, text)
        case _:
            return _as_json(text)


def text_shown(value: Value | Absent, shape: Shape | None = None) -> str:
    """The text in a field of this shape; `value_typed` makes the value of it again. A record or a list as JSON.

    A text that would be read as something else where nothing is said of its kind is shown in quotes.
    """
    if value is ABSENT:
        return ""
    if isinstance(value, str):
        free = shape is None or shape.kind in {"any", "object", "array"}
        # Without the quotes, "12" typed back would be the number 12.
        return write_json(value) if free and (value == "" or _as_json(value) != value) else value
    return value.text if isinstance(value, Number) else write_json(value, indent=None)


def get(value: Value | Absent, path: Path) -> Value | Absent:
    """The value at a place; ABSENT where there is none."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step, ABSENT)
        elif isinstance(step, int) and isinstance(value, list):
            value = value[step] if -len(value) <= step < len(value) else ABSENT
        else:
            return ABSENT
    return value


def put(value: Value | Absent, path: Path, new: Value | Absent, shape: Shape | None = None) -> Value | Absent:
    """The value with `new` at a place; ABSENT takes a member or an element away.

    Records and lists on the way are made where they are missing, or where something of another kind stands. A new
    member stands where `shape` (of the whole value) has it, after the last member that comes before it there; one that
    the shape does not know stands last. A record or list that becomes empty by this is taken away too, unless it is an
    element of a list or the whole value.
    """
    if not path:
        return new
    step, rest, shape = path[0], path[1:], settled(shape, value)
    if isinstance(step, int):
        return _put_element(value, step, rest, new, shape)
    return _put_member(value, step, rest, new, shape)


def add_element(value: Value | Absent, path: Path, shape: Shape | None = None, at: int | None = None) -> Value:
    """The value with one more element in the list at `path`, at the end or at an index; made by `blank`."""
    held = get(value, path)
    elements = list(held) if isinstance(held, list) else []
    made = blank(at_path(shape, (*path, 0)))
    elements.insert(len(elements) if at is None else at, "" if made is ABSENT else made)
    return _kept(put(value, path, elements, shape))


def move_element(value: Value, path: Path, index: int, to: int) -> Value:
    """The value with an element of the list at `path` moved to another index."""
    held = get(value, path)
    if not isinstance(held, list) or not 0 <= index < len(held):
        return value
    elements = list(held)
    elements.insert(to, elements.pop(index))
    return _kept(put(value, path, elements))


def blank(shape: Shape | None, depth: int = 0) -> Value | Absent:
    """The first value of a new part of this shape: its default, its only allowed value, a record of its required parts.

    ABSENT for a single value that is to be typed. Stops at a depth where a shape requires its own kind.
    """
    if shape is None or depth > _DEEPEST_BLANK:
        return ABSENT
    if shape.default is not ABSENT:
        return shape.default
    if len(shape.enum) == 1:
        return shape.enum[0]
    match shape.kind:
        case "object":
            parts = {each.name: blank(each.shape, depth + 1) for each in shape.members if each.required}
            return {name: part for name, part in parts.items() if part is not ABSENT}
        case "array":
            made = blank(shape.element, depth + 1)
            return [] if made is ABSENT or not shape.bounds.min_items else [made]
        case "choice":
            return blank(shape.alternatives[0], depth + 1) if shape.alternatives else ABSENT
        case _:
            return ABSENT


def _typed_for_one(shape: Shape | None, text: str) -> Value:
    # The first alternative that the text fits. One that is a choice itself would be tried without end.
    for each in shape.alternatives if shape is not None else ():
        typed = value_typed(each, text) if each.kind != "choice" else text
        if typed is not ABSENT and not check(each, typed):
            return typed
    return text


def _as_json(text: str) -> Value:
    try:
        return read_json(text)
    except JsonTrouble:
        return text


def _put_element(value: Value | Absent, index: int, rest: Path, new: Value | Absent, shape: Shape | None) -> Value:
    elements = list(value) if isinstance(value, list) else []
    there = index < len(elements)
    changed = put(elements[index] if there else ABSENT, rest, new, at_path(shape, (0,)))
    if changed is ABSENT:
        if there and not rest:
            del elements[index]
        elif there:
            # An element keeps its place when its last part goes: the elements behind it must not move up under a
            # person's hands.
            elements[index] = {} if isinstance(rest[0], str) else []
    elif there:
        elements[index] = changed
    else:
        elements.append(changed)
    return elements


def _put_member(
    value: Value | Absent, name: str, rest: Path, new: Value | Absent, shape: Shape | None
) -> dict[str, Value]:
    record = dict(value) if isinstance(value, dict) else {}
    changed = put(record.get(name, ABSENT), rest, new, at_path(shape, (name,)))
    # A record goes with its last member, so that a form that was emptied sends no empty records; one that a person has
    # made empty (`rest` is empty then) stays.
    emptied = bool(rest) and new is ABSENT and (changed == {} or changed == [])
    if changed is ABSENT or emptied:
        record.pop(name, None)
        return record
    if name in record:
        record[name] = changed
        return record
    # The order of the shape, not of typing: the same form gives the same text, and two requests can be compared.
    before = _names_before(shape, name)
    place = (
        len(record) if before is None else max((at for at, each in enumerate(record, 1) if each in before), default=0)
    )
    pairs = list(record.items())
    return dict([*pairs[:place], (name, changed), *pairs[place:]])


def _names_before(shape: Shape | None, name: str) -> set[str] | None:
    """The names that come before this one in the shape; None if the shape does not know it."""
    names = [each.name for each in shape.members] if shape is not None else []
    return set(names[: names.index(name)]) if name in names else None


def _kept(value: Value | Absent) -> Value:
    return {} if value is ABSENT else value
