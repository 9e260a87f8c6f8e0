"""Shapes that the contract itself gives: order submission, cancellation, and the parameters of the listing.

The rules are read off the models of `contract/submission`, so none is written down twice.
"""

from functools import cache
from typing import Any

from app.contract.operations import Parameter
from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.exact_json import value_of
from app.desk.console.forms.shapes import Shape

_BODIES = {
    "order submission request": "OrderSubmission",
    "cancellation request": "Cancellation",
}
_PARAMETERS = {
    "string": Shape("string"),
    "integer": Shape("integer"),
    "boolean": Shape("boolean"),
    "date": Shape("string", format="date"),
    "datetime": Shape("string", format="date-time"),
    "object": Shape("any"),
}


@cache
def body_shape(record: str) -> Shape | None:
    """The shape of a body by the listing's name of it, None where services.md does not show it."""
    name = _BODIES.get(record)
    if name is None:
        return None
    from app.contract import submission  # pydantic is imported after the first paint

    # pydantic's own schema of the model, read by the code that reads the provider's.
    schema = getattr(submission, name).model_json_schema()
    document = value_of(_without_titles(schema))
    return ShapeReader(document).shape(document)


def parameter_shape(parameter: Parameter) -> Shape:
    """The shape of a parameter of the listing."""
    return _PARAMETERS[parameter.kind]


def _without_titles(schema: Any) -> Any:
    """The models' titles are their names once more, in another spelling."""
    if isinstance(schema, list):
        return [_without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _without_titles(each) for key, each in part.items()}
        if name in {"properties", "$defs"}
        else _without_titles(part)
        for name, part in schema.items()
        if name != "title"
    }
