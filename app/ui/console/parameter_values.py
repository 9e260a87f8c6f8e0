"""The parameters of an operation as one record for a form, and as the texts that a draft holds. Pure functions.

Invariant: a draft that is shown and read back is the same draft, as far as its operation knows the parameters.
"""

from app.desk.console.console_operations import ConsoleOperation, ConsoleParameter
from app.desk.console.forms.exact_json import ABSENT, JsonTrouble, Value, read_json, write_json
from app.desk.console.forms.shapes import Member, Parts, Shape, shape_of_parts
from app.desk.console.forms.typed_value import text_shown, value_typed

Texts = tuple[tuple[str, str], ...]


def parameters_shape(operation: ConsoleOperation) -> Shape:
    """The record of an operation's parameters."""
    members = tuple(Member(each.name, each.shape, each.required) for each in operation.parameters)
    return shape_of_parts("object", Parts(members))


def texts_of(operation: ConsoleOperation, record: Value) -> Texts:
    """The texts of a record of parameters, in the order of the operation."""
    held = record if isinstance(record, dict) else {}
    return tuple((each.name, text) for each in operation.parameters for text in _texts(each, held.get(each.name)))


def record_of(operation: ConsoleOperation, texts: Texts) -> dict[str, Value]:
    """The record of the texts of a draft; those of no parameter of the operation are left out."""
    record: dict[str, Value] = {}
    for each in operation.parameters:
        given = [text for name, text in texts if name == each.name]
        value = _value(each, given) if given else ABSENT
        if value is not ABSENT:
            record[each.name] = value
    return record


def _texts(parameter: ConsoleParameter, value: Value) -> list[str]:
    if value is None:
        return []
    if parameter.as_json and not isinstance(value, str):
        return [write_json(value, indent=None)]
    if isinstance(value, list):
        parts = [text_shown(each) for each in value]
        return parts if parameter.repeated else [",".join(parts)]
    return [text_shown(value)]


def _value(parameter: ConsoleParameter, given: list[str]) -> Value:
    if parameter.as_json:
        try:
            return read_json(given[0])
        except JsonTrouble:
            return given[0]
    if parameter.shape.kind == "array":
        parts = given if parameter.repeated else given[0].split(",")
        return [_typed(parameter.shape.element, each) for each in parts]
    return _typed(parameter.shape, given[0])


def _typed(shape: Shape | None, text: str) -> Value:
    found = value_typed(shape, text)
    return "" if found is ABSENT else found
