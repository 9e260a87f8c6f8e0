"""A provider's description as plain records."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from app.desk.console.forms.shapes import Shape

Place = Literal["query", "path", "header", "cookie"]


@dataclass(frozen=True, slots=True)
class DescribedParameter:
    """One parameter of an operation. `as_json`: a record that goes as JSON in one value; `repeated`: a list goes as
    several of the same name, otherwise with commas between."""

    name: str
    place: Place
    shape: Shape
    required: bool = False
    description: str = ""
    deprecated: bool = False
    as_json: bool = False
    repeated: bool = True


@dataclass(frozen=True, slots=True)
class DescribedBody:
    """The body of a request: its shape (None: not said) and the media types it may have."""

    shape: Shape | None
    formats: tuple[str, ...]
    required: bool = False
    description: str = ""


@dataclass(frozen=True)
class DescribedAnswer:
    """An answer that an operation announces; `status` as the description writes it: "200", "4XX", "default".

    Its shape is read when somebody asks for it: a description announces five answers for each body.
    """

    status: str
    description: str = ""
    formats: tuple[str, ...] = ()
    open_shape: Callable[[], Shape | None] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def shape(self) -> Shape | None:
        """The shape of its body; None where that is not said."""
        return None if self.open_shape is None else self.open_shape()


@dataclass(frozen=True, slots=True)
class DescribedOperation:
    """One operation. `path` is the description's own, with what its server address puts before it."""

    method: str
    path: str
    name: str = ""  # operationId
    group: str = ""  # its first tag
    summary: str = ""
    description: str = ""
    deprecated: bool = False
    scopes: tuple[str, ...] = ()
    parameters: tuple[DescribedParameter, ...] = ()
    body: DescribedBody | None = None
    answers: tuple[DescribedAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """A description as far as it could be read. `notes` say what could not, each in a sentence."""

    dialect: str  # "2.0", "3.0.1", "3.1.0"
    title: str = ""
    version: str = ""
    operations: tuple[DescribedOperation, ...] = ()
    notes: tuple[str, ...] = ()
