"""What a program says to a screen reader (AT-SPI over D-Bus), read and worked with the screen reader's own calls.

Invariant: nothing here knows the program. An element is known by its name and role alone, and a part of the tree that
is not visible is not there. A tree is read a generation at a time with all questions of it on the wire at once, since
one question after the other takes a second for a page of two hundred elements.

Interfaces: https://gitlab.gnome.org/GNOME/at-spi2-core, folder `xml`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.accessibility_wire import Question, Wire

ROOT = "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
REGISTRY = "org.a11y.atspi.Registry"
ATSPI = "org.a11y.atspi."
PROPERTIES = "org.freedesktop.DBus.Properties"
PATIENCE = 20.0  # seconds for a reply; a window that is busy for so long hangs
# Bits of the state, from AtspiStateType; those that anyone asks about.
_STATES = {
    4: "checked", 7: "editable", 8: "enabled", 11: "focusable", 12: "focused", 16: "modal", 23: "selected",
    25: "showing", 30: "visible", 41: "checkable", 43: "read only",
}  # fmt: skip
# A table has a child for every cell, a million of them: its cells are asked for by row and column.
_TABLES = frozenset({"table", "tree table"})
# Nothing stands in these, so nobody needs to look.
LEAVES = frozenset(
    {"label", "graphic", "image", "icon", "radio button", "check box", "list item", "tree item", "scroll bar"}
)
# A label without words may have a picture later, and Qt calls it an image then.
_LABELS = frozenset({"label", "graphic", "image", "icon", "animation"})

Ref = tuple[str, str]  # an accessible object: the program's name on the bus, and the path
Name = str | re.Pattern[str]
Roles = frozenset[str]
ANY: Roles = frozenset()
_NAMELESS = (("s", ""),)  # as the answer to the question for a name


class Refused(Exception):
    """The program answered with an error: the element is gone, or cannot do this."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to an accessible object."""

    ref: Ref
    interface: str
    method: str
    signature: str = ""
    arguments: tuple[Any, ...] = ()

    def question(self) -> Question:
        """The question as it goes over the wire."""
        bus, path = self.ref
        name = self.interface if "." in self.interface else ATSPI + self.interface
        return bus, path, name, self.method, self.signature, self.arguments


def reading(ref: Ref, interface: str, name: str) -> Call:
    """A property's value, as a question."""
    return Call(ref, PROPERTIES, "Get", "ss", (ATSPI + interface, name))


@dataclass(frozen=True, slots=True)
class Node:
    """An element of the tree at the moment of reading; `description` is empty unless it was asked for."""

    ref: Ref
    role: str
    name: str
    description: str
    states: frozenset[str]
    children: tuple["Node", ...] = field(default=(), repr=False)

    @property
    def called(self) -> str:
        """What it is for. Qt on Linux names a combo box by what is chosen in it, and its purpose is the description."""
        return self.description if self.role == "combo box" else self.name

    def walk(self) -> Iterator["Node"]:
        """This element and all elements below it, top to bottom."""
        yield self
        for each in self.children:
            yield from each.walk()

    def fits(self, name: Name, role: str) -> bool:
        """Whether it goes by this name (whole, or a pattern found in it) and role (empty: any)."""
        if role and self.role != role:
            return False
        return self.called == name if isinstance(name, str) else name.search(self.called) is not None

    def drawn(self, depth: int = 0) -> str:
        """The tree in lines, for people."""
        rest = f" ({self.description})" if self.description and self.description != self.name else ""
        states = ", ".join(sorted(self.states & {"checked", "focused", "selected", "modal"}))
        off = "" if "enabled" in self.states or self.role in ("list item", "application") else "disabled"
        notes = ", ".join(part for part in (states, off) if part)
        line = f"{'  ' * depth}{self.role} {self.name!r}{rest}{f' [{notes}]' if notes else ''}"
        return "\n".join([line, *(each.drawn(depth + 1) for each in self.children)])


class AccessibilityBus:
    """A connection to the accessibility bus at `address`."""

    def __init__(self, address: str) -> None:
        self._wire = Wire(address, PATIENCE)
        # Qt gives a path to no second element, and an element keeps its role: so it is asked for once.
        self._roles: dict[Ref, str] = {}

    def close(self) -> None:
        """Leave the bus."""
        self._wire.close()

    def ask(self, calls: Sequence[Call]) -> list[tuple[Any, ...] | None]:
        """The answers to many questions, in their order; None where the program answered with an error."""
        return self._wire.ask([each.question() for each in calls])

    def call(self, call: Call) -> tuple[Any, ...]:
        """The answer to one question. Raises Refused."""
        (answer,) = self.ask([call])
        if answer is None:
            raise Refused(f"{call.method} of {call.interface} at {call.ref[1]}")
        return answer

    def value(self, ref: Ref, interface: str, name: str) -> Any:
        """A property's value. Raises Refused."""
        return self.call(reading(ref, interface, name))[0][1]

    def program(self, process_id: int) -> Ref | None:
        """The accessible root of the program that runs as this process, if it is on the bus yet."""
        children = self.ask([Call((REGISTRY, ROOT), "Accessible", "GetChildren")])[0]
        for bus, path in children[0] if children else ():
            bus_itself = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
            answer = self.ask([Call(bus_itself, "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", (bus,))])[0]
            if answer is not None and answer[0] == process_id:
                return bus, path
        return None

    def tree(self, root: Ref, *, described: bool = False, wanted: Roles = ANY) -> Node:
        """The visible tree below `root` as it is now; what disappears while it is read is left out. Raises Refused.

        Combo boxes have their descriptions, since they are called by them, and all other elements if `described`.

        `wanted`: the roles that the test looks for. Elements of other roles have no names, and those in which nothing
        can stand are left out. A test looks at each step, and most of a page is of roles that it does not look for.
        """
        found = self._look([root], described, wanted)
        if root not in found:
            raise Refused(f"nothing at {root[1]}")
        generation = list(found)
        below: dict[Ref, list[Ref]] = {}
        while generation:
            parents = [ref for ref in generation if found[ref].role not in _TABLES | LEAVES]
            answers = self.ask([Call(ref, "Accessible", "GetChildren") for ref in parents])
            for ref, answer in zip(parents, answers, strict=True):
                below[ref] = [(bus, path) for bus, path in answer[0]] if answer else []
            seen = self._look(
                [child for ref in parents for child in below[ref] if child not in found], described, wanted
            )
            found.update(seen)
            generation = list(seen)
        return _joined(root, found, below)

    def _look(self, refs: Sequence[Ref], described: bool, wanted: Roles) -> dict[Ref, Node]:
        """The visible ones among these, without their children."""
        self._learn_roles([ref for ref in refs if ref not in self._roles])
        known = [ref for ref in refs if ref in self._roles and not (wanted and self._roles[ref] in LEAVES - wanted)]
        named = [ref for ref in known if not wanted or self._roles[ref] in wanted]
        states = self.ask([Call(ref, "Accessible", "GetState") for ref in known])
        names = dict(zip(named, self.ask([reading(ref, "Accessible", "Name") for ref in named]), strict=True))
        found: dict[Ref, Node] = {}
        for ref, state in zip(known, states, strict=True):
            name: tuple[Any, ...] | None = names.get(ref, _NAMELESS)
            if state is None or name is None:
                continue  # it went away between two questions
            bits = state[0][0] | state[0][1] << 32
            said = frozenset(word for bit, word in _STATES.items() if bits >> bit & 1)
            if "visible" in said:
                found[ref] = Node(ref, self._roles[ref], name[0][1], "", said)
            if not name[0][1] and self._roles[ref] in _LABELS:
                del self._roles[ref]
        return self._with_descriptions(found, described, wanted)

    def _learn_roles(self, refs: Sequence[Ref]) -> None:
        answers = self.ask([Call(ref, "Accessible", "GetRoleName") for ref in refs])
        self._roles |= {ref: role[0] for ref, role in zip(refs, answers, strict=True) if role is not None}

    def _with_descriptions(self, found: dict[Ref, Node], described: bool, wanted: Roles) -> dict[Ref, Node]:
        """A question less for nearly all elements: a tree of a page is a thousand questions and keeps three programs
        busy, and a test reads it at each step."""
        combos = not wanted or "combo box" in wanted
        asked = [ref for ref, node in found.items() if described or (combos and node.role == "combo box")]
        answers = self.ask([reading(ref, "Accessible", "Description") for ref in asked])
        for ref, answer in zip(asked, answers, strict=True):
            if answer is None:
                del found[ref]  # it went away meanwhile
            else:
                found[ref] = replace(found[ref], description=answer[0][1])
        return found


def _joined(ref: Ref, found: dict[Ref, Node], below: dict[Ref, list[Ref]]) -> Node:
    bare = found[ref]
    children = tuple(_joined(child, found, below) for child in below.get(ref, ()) if child in found)
    return Node(ref, bare.role, bare.name, bare.description, bare.states, children)
