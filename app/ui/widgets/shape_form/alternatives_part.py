"""A value that is one of several kinds: a choice of the kind, and the form of the one that is chosen.

Invariant: what was typed into one alternative is there again when a person comes back to it.
"""

from collections.abc import Iterable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desk.console.forms.check_value import chosen
from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import blank
from app.ui.theme.tokens import SPACE_1
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import column, holding
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.folded_part import FoldedPart
from app.ui.widgets.shape_form.form_part import Finding, Part, Place


class AlternativesPart(FoldedPart):
    """The members that two alternatives share are carried over when a person chooses the other one."""

    def make_body(self) -> QWidget:
        titles = [(str(at), _title(at, each)) for at, each in enumerate(self.shape.alternatives)]
        self._choice = ChoiceField(words.ALTERNATIVE, titles)
        self._choice.changed.connect(self._on_chosen)
        self._left: dict[int, Value | Absent] = {}  # what stood in the alternatives that were left
        self._at = -1
        self._part: Part | None = None
        self._room: QVBoxLayout = column()
        return holding(column(self._choice, self._room, gap=SPACE_1))

    def fits(self, value: Value | Absent) -> bool:
        """Whether there is a value to choose an alternative for: null needs none where the shape allows it."""
        return value is not ABSENT and (value is not None or not self.shape.nullable) and bool(self.shape.alternatives)

    def empty(self) -> Value:
        first = self.shape.alternatives[0] if self.shape.alternatives else self.shape
        made = blank(first)
        if made is not ABSENT:
            return made
        return {"object": {}, "array": []}.get(first.kind, "")  # type: ignore[return-value]

    def show_value(self, value: Value) -> None:
        at = chosen(self.shape, value)
        self._choice.set_text(str(at))
        self._show(at)
        assert self._part is not None
        self._part.put(value)
        self._choice.set_note(self.shape.alternatives[at].description.split("\n")[0])

    def body_value(self) -> Value | Absent:
        return ABSENT if self._part is None else self._part.value()

    def mistakes(self) -> Iterable[Finding]:
        return self._part.mistakes() if self.is_open and self._part is not None else ()

    def show_inner(self, found: list[Finding]) -> None:
        if self._part is not None:
            self._part.show_issues(found)

    def show_issues_now(self) -> None:
        if self.is_open and self._part is not None:
            self._part.show_issues_now()

    def enter(self, path: Path) -> None:
        if path and self._part is not None:
            self._part.go_to(path)
        else:
            self._choice.editor.setFocus()
            self.went.emit(self._choice)

    def _on_chosen(self) -> None:
        at = int(self._choice.text())
        before = self.body_value()
        self._left[self._at] = before
        wanted = self.shape.alternatives[at]
        # What was typed there before comes first; members are carried only into an alternative that is new to the
        # person.
        now = self._left[at] if at in self._left else _carried(before, wanted)
        self._show(at)
        assert self._part is not None
        self._part.put(self._named(now, wanted))
        self._choice.set_note(wanted.description.split("\n")[0])
        self.changed.emit()

    def _named(self, value: Value | Absent, wanted: Shape) -> Value | Absent:
        """The value with the member by which alternatives are told apart, where only one value is right."""
        member = wanted.member(self.shape.choose_by) if self.shape.choose_by else None
        if member is None or len(member.shape.enum) != 1 or not isinstance(value, dict):
            return value
        return {**value, member.name: member.shape.enum[0]}

    def _show(self, at: int) -> None:
        if at == self._at:
            return
        if self._part is not None:
            self._part.widget.hide()
            # Later: the change comes from a signal of a widget inside it.
            self._part.widget.deleteLater()
        place = Place(self.place.name, "", True, self.place.depth + 1)
        self._part, self._at = self.kit.make(self.kit, self.shape.alternatives[at], place), at
        self._room.addWidget(self._part.widget)
        self._part.changed.connect(self.changed)
        self._part.went.connect(self.went)


def _carried(before: Value | Absent, wanted: Shape) -> Value | Absent:
    """A new value of another kind, with the members of the former one that it has too."""
    made = blank(wanted)
    if isinstance(before, dict) and (isinstance(made, dict) or wanted.kind == "object"):
        fresh = made if isinstance(made, dict) else {}
        return fresh | {name: value for name, value in before.items() if wanted.member(name) is not None}
    return made


def _title(at: int, shape: Shape) -> str:
    return shape.title or shape.name or words.alternative(at + 1, words.kind_of(shape.kind))
