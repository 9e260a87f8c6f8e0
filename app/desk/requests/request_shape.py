"""The shape of a quote or truck, from the provider's own description; rows of names and values where it gives none."""

from dataclasses import dataclass
from datetime import datetime

from app.desk.console.console_operations import operations
from app.desk.console.description import description_keeping
from app.desk.console.description.description_keeping import KeptDescription
from app.desk.console.forms.shapes import ANY, Parts, Shape, has_form, shape_of_parts
from app.desk.desk import Desk

OPEN_RECORD = shape_of_parts("object", Parts(others=ANY))


@dataclass(frozen=True, slots=True)
class RequestShape:
    """`described`: the provider says what is in it. `at`: when it was fetched; `trouble`: why not anew."""

    shape: Shape
    described: bool
    at: datetime | None = None
    trouble: str = ""


async def kept_shape(desk: Desk, operation: str) -> RequestShape:
    """The shape as last described, without asking."""
    return _shape(await description_keeping.kept(desk), operation)


async def fetched_shape(desk: Desk, operation: str) -> RequestShape:
    """The shape as the provider describes it now, or as it was last described, with the trouble."""
    return _shape(await description_keeping.fetch(desk), operation)


def _shape(kept: KeptDescription, operation: str) -> RequestShape:
    found = next((each for each in operations(kept.description) if each.name == operation), None)
    shape = None if found is None or found.body is None else found.body.shape
    if shape is None or not has_form(shape):
        return RequestShape(OPEN_RECORD, described=False, at=kept.fetched_at, trouble=kept.trouble)
    return RequestShape(shape, described=True, at=kept.fetched_at, trouble=kept.trouble)
