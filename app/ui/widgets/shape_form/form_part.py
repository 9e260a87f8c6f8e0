"""The base of every part of a form, and the context that all parts of one form share.

Invariant: nothing is lost between `put` and `value`. A part that nobody has changed gives back the very value that it
was given, also one that its shape does not allow.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.console.forms.exact_json import Absent, Path, Value
from app.desk.console.forms.shapes import Shape
from app.ui.theme.theme import Theme

Finding = tuple[Path, str]  # where, from the part on, and a sentence


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part stands: the name of its value on the wire, its label, and how deep in the form."""

    name: str = ""
    label: str = ""
    required: bool = True
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Kit:
    """The context that the parts of one form share.

    `make` makes the part for a shape. `offer` completes an editor with what is known under a name; the last argument
    says whether the editor is a cell. `build` runs a generator that makes a part's widgets, some now and the rest soon.
    `columns` is how many fields stand side by side.
    """

    theme: Theme
    make: "Callable[[Kit, Shape, Place], Part]"
    offer: "Callable[[QLineEdit, str, Shape, Filler, bool], object]"
    build: Callable[[QObject, Generator[None, None, None]], None]
    columns: int = 2


Filler = Callable[[str], object]  # fills in a text that was taken


class Part(QObject):
    """One value of a form. `changed` fires when a person has changed it, `went` when the keyboard was sent to a widget.

    `wide`: the widget takes the whole width of the form.
    """

    changed = Signal()
    went = Signal(QWidget)
    wide = False

    def __init__(self, kit: Kit, shape: Shape, place: Place, widget: QWidget) -> None:
        super().__init__(widget)
        self.kit, self.shape, self.place, self.widget = kit, shape, place, widget

    @property
    def label(self) -> Any:
        """The label above the field, for fields that stand side by side; None where there is none."""
        return None

    def value(self) -> Value | Absent:
        """The value as it stands, ABSENT if there is none."""
        raise NotImplementedError

    def put(self, value: Value | Absent) -> None:
        """Show a value. That is no change by a person, so `changed` does not fire."""
        raise NotImplementedError

    def mistakes(self) -> Iterable[Finding]:
        """The typed texts of which no value could be made."""
        return ()

    def show_issues(self, found: list[Finding]) -> None:
        """Show what is wrong, each sentence at the place it is about; nothing else is wrong."""
        raise NotImplementedError

    def show_issues_now(self) -> None:
        """Show issues also where the keyboard never was."""

    def go_to(self, path: Path) -> None:
        """Put the keyboard to a place of this value, opening what is folded on the way."""
        raise NotImplementedError
