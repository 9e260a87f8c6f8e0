"""A form for a value of any shape. It knows no page, no operation and no network.

How to use it, on a page that has a `desk` and `tasks`:

    offers = KnownOffers(theme, page, tasks)        # what this desk knows; `take_desk` with the page's
    form = ShapeForm(theme, offers)                 # goes into a `scrolling(form)`; `went` says what has to be in sight
    form.show_shape(shape, value)                   # `typed_value.blank(shape)`, a template's value, or an earlier one
    form.changed.connect(…)                         # a person has changed something: ask for `value()` then
    form.show_issues(check(shape, form.value()))    # after each change; a field shows its issue once it was left
    form.show_issues_now(); form.go_to(path)        # when a person wants to send what is not right yet

`value()` gives members that are unknown, numbers and texts back exactly as they were put, unless a person has changed
them. What was typed and means nothing (`{"a": ` where anything may stand) is in `mistakes()`; it must not be sent.
State goes one way: `show_shape` and `put` never fire `changed`.
"""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.console.forms.check_value import Mistake
from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.shapes import Shape
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.layout import column
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.alternatives_part import AlternativesPart
from app.ui.widgets.shape_form.building import Building
from app.ui.widgets.shape_form.form_part import Filler, Kit, Part, Place
from app.ui.widgets.shape_form.known_offers import KnownOffers
from app.ui.widgets.shape_form.list_part import ListPart
from app.ui.widgets.shape_form.record_part import RecordPart
from app.ui.widgets.shape_form.rows_part import RowsPart, cells_of
from app.ui.widgets.shape_form.single_parts import ChosenPart, SinglePart
from app.ui.widgets.shape_form.typed_text import is_single


class ShapeForm(QWidget):
    """See the module. `built` fires once all fields of a large form are there."""

    changed = Signal()
    went = Signal(QWidget)
    built = Signal()

    def __init__(
        self, theme: Theme, offers: KnownOffers | None = None, *, name: str = words.FORM_NAME, columns: int = 2
    ) -> None:
        super().__init__()
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self._offers = offers
        self._name = name
        self._building = Building(self)
        self._building.done.connect(self.built)
        self._kit = Kit(theme, make_part, self._offer, self._building.add, columns)
        self._root: Part | None = None
        self._room = column(margin=(0, 0, SPACE_2, 0))
        whole = column(self._room, None)
        self.setLayout(whole)

    @property
    def root(self) -> Part | None:
        """The part of the whole value; None before a shape was shown."""
        return self._root

    @property
    def building(self) -> bool:
        """Whether fields are still being made. All functions work meanwhile."""
        return self._building.busy

    def show_shape(self, shape: Shape, value: Value | Absent = ABSENT) -> None:
        """Show the form of this shape with a value, in place of the form of before."""
        self.show_nothing()
        self._building.begin()
        self._root = make_part(self._kit, shape, Place(self._name if is_single(shape) else "", ""))
        self._room.addWidget(self._root.widget)
        self._root.changed.connect(self.changed)
        self._root.went.connect(self.went)
        self._root.put(value)

    def show_nothing(self) -> None:
        """Take the form of before away."""
        if self._root is not None:
            self._root.widget.hide()
            self._root.widget.deleteLater()
            self._root = None
        if self._offers is not None:
            self._offers.close()
        self._building.drop()

    def value(self) -> Value | Absent:
        """The value as it stands, ABSENT if there is none."""
        return ABSENT if self._root is None else self._root.value()

    def put(self, value: Value | Absent) -> None:
        """Show another value of the same shape."""
        if self._root is not None:
            self._root.put(value)

    def mistakes(self) -> tuple[Mistake, ...]:
        """The typed texts of which no value could be made."""
        found: Iterable[tuple[Path, str]] = () if self._root is None else self._root.mistakes()
        return tuple(Mistake(path, sentence) for path, sentence in found)

    def show_issues(self, found: Iterable[Mistake]) -> None:
        """Show what is wrong, each at its place; nothing else is wrong."""
        if self._root is not None:
            own = [*found, *self.mistakes()]
            self._root.show_issues([(each.path, each.sentence) for each in own])

    def show_issues_now(self) -> None:
        """Show issues also where the keyboard never was: a person wants to send this."""
        if self._root is not None:
            self._root.show_issues_now()

    def go_to(self, path: Path = ()) -> None:
        """Put the keyboard to the place of a value; to the first field for the whole."""
        if self._root is not None:
            self._root.go_to(path)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # A Tab that comes before all fields are there must find the next one, and not leave the form.
        if self.building:
            self.finish()
        return super().focusNextPrevChild(forward)

    def finish(self) -> None:
        """Make all fields now."""
        self._building.finish()

    def _offer(self, editor: QLineEdit, name: str, shape: Shape, fill: Filler, in_grid: bool) -> None:
        if self._offers is not None:
            self._offers.attach(editor, name, shape, fill, in_grid=in_grid)


def make_part(kit: Kit, shape: Shape, place: Place) -> Part:
    """The part for a shape."""
    if shape.enum or shape.kind in ("boolean", "null"):
        return ChosenPart(kit, shape, place)
    if shape.kind == "object":
        return RecordPart(kit, shape, place)
    if shape.kind == "array":
        return RowsPart(kit, shape, place) if cells_of(shape.element) else ListPart(kit, shape, place)
    if shape.kind == "choice":
        return AlternativesPart(kit, shape, place)
    return SinglePart(kit, shape, place)
