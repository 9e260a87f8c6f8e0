"""The shape of a value: what kind it is, and what it must be like.

A `Shape` is a node of a graph that may lead back to itself: a record may hold records of its own kind. So the parts of
a shape (`members`, `element`, `others`, `alternatives`) are worked out when they are first asked for, and whoever walks
shapes walks along a value or stops at a depth of his own.

Shapes compare by identity. They are never changed after they are made.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal

from app.desk.console.forms.exact_json import ABSENT, Absent, Value

Kind = Literal["object", "array", "string", "integer", "number", "boolean", "null", "choice", "any"]
Source = Literal["description", "contract"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a value; None where there is none. Lengths are in characters."""

    minimum: Decimal | None = None
    maximum: Decimal | None = None
    above_minimum: bool = False  # the minimum itself is not allowed
    below_maximum: bool = False  # the maximum itself is not allowed
    multiple_of: Decimal | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str = ""
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool = False
    min_members: int | None = None
    max_members: int | None = None


NO_BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class Member:
    """A named part of a record."""

    name: str
    shape: "Shape"
    required: bool = False
    read_only: bool = False  # the provider sets it: not asked for in a form


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a shape, see `Shape`."""

    members: tuple[Member, ...] = ()
    others: "Shape | None" = None
    element: "Shape | None" = None
    alternatives: tuple["Shape", ...] = ()


NO_PARTS = Parts()


@dataclass(eq=False)
class Shape:
    """The form that a value must have.

    `kind` "choice" has `alternatives`, of which a value fits one (`exclusive`: exactly one). `choose_by` names the
    member that tells which, where the description says so; `choices` gives the name of the alternative for a value of
    it. "any" may be anything: a form offers the JSON editor for it.
    `enum` holds the allowed values, empty for no limit. `notes` say what of the description was not understood.
    `name` is the record's own name in the description, also the name of its element in XML.
    """

    kind: Kind
    name: str = ""
    title: str = ""
    description: str = ""
    format: str = ""
    enum: tuple[Value, ...] = ()
    default: Value | Absent = ABSENT
    example: Value | Absent = ABSENT
    nullable: bool = False
    deprecated: bool = False
    bounds: Bounds = NO_BOUNDS
    exclusive: bool = False
    choose_by: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    open_parts: Callable[[], Parts] | None = field(default=None, repr=False)

    @cached_property
    def _parts(self) -> Parts:
        return self.open_parts() if self.open_parts is not None else NO_PARTS

    @property
    def members(self) -> tuple[Member, ...]:
        """The named parts of a record, in the order of the description."""
        return self._parts.members

    @property
    def others(self) -> "Shape | None":
        """The shape of a record's members that have no name here; None if there may be none."""
        return self._parts.others

    @property
    def element(self) -> "Shape | None":
        """The shape of each element of a list."""
        return self._parts.element

    @property
    def alternatives(self) -> tuple["Shape", ...]:
        """The options of a choice."""
        return self._parts.alternatives

    def member(self, name: str) -> Member | None:
        """The member with this name."""
        return next((each for each in self.members if each.name == name), None)


ANY = Shape("any")


def shape_of_parts(kind: Kind, parts: Parts, **facts: object) -> Shape:
    """A shape whose parts are at hand."""
    return Shape(kind, open_parts=lambda: parts, **facts)  # type: ignore[arg-type]


def has_form(shape: Shape | None) -> bool:
    """Whether a form can show anything of this shape beyond one JSON editor."""
    if shape is None or shape.kind == "any":
        return False
    if shape.kind == "object":
        return bool(shape.members) or (shape.others is not None and shape.others.kind != "any")
    return True


def at_path(shape: Shape | None, path: tuple[str | int, ...]) -> Shape | None:
    """The shape at a place of a value, through members, elements and others; None where nothing is said of it.

    Does not look into the alternatives of a choice: which one is meant depends on the value (`check_value.chosen`).
    """
    for step in path:
        if shape is None:
            return None
        if isinstance(step, int):
            shape = shape.element
        else:
            named = shape.member(step)
            shape = named.shape if named is not None else shape.others
    return shape
