"""A part with a heading that can be folded: what is optional is left out until a person adds it.

Invariant: a value of another kind than the form is for stays as it is, and the heading says so.
"""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value, write_json
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import blank
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.layout import column, row
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.form_part import Finding, Kit, Part, Place
from app.ui.widgets.text.labels import set_tip, text_label, visible

DEEPEST = 4  # below that a required record is opened by a person: it may require its own kind, without end
_SHOWN_LETTERS = 60


class FoldedPart(Part):
    """A heading, and a body that is made when it is first opened. Without a label there is only the body."""

    wide = True

    def __init__(self, kit: Kit, shape: Shape, place: Place) -> None:
        super().__init__(kit, shape, place, QWidget())
        self._source: Value | Absent = ABSENT  # what was put last
        self._before: Value | Absent = ABSENT  # what a person has removed
        self._body: QWidget | None = None
        self._heading = text_label(self._title(), "strong", wrap=True)
        set_tip(self._heading, shape.description)
        self._said = text_label("", "error", wrap=True)
        self._said.hide()
        called = place.label or place.name or words.VALUE
        add = words.add(called)
        self._add = with_icon(button(add, self.add, kind="quiet"), kit.theme, "plus")
        self._remove = icon_button(kit.theme, "trash-2", words.REMOVE.format(label=called), self.remove)
        self._remove.setProperty("tight", True)
        self._add.hide()
        self._remove.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        self._inner: QVBoxLayout = column(margin=(SPACE_3 if self.place.label else 0, 0, 0, 0))
        head = row(self._heading, self._add, self._remove, gap=SPACE_1)
        head.setStretch(0, 1)
        whole = column(head, self._said, self._inner, gap=SPACE_1)
        if self.place.label:
            whole.setContentsMargins(0, SPACE_1, 0, SPACE_2)
        self.widget.setLayout(whole)

    def _title(self) -> str:
        if not self.place.label:
            return ""
        return words.required(self.place.label) if self.place.required else self.place.label

    def _say_title(self, title: str) -> None:
        self._heading.setText(visible(title))
        self._heading.setVisible(bool(title))

    # What a kind of part says

    def make_body(self) -> QWidget:
        """The widget below the heading, made once."""
        raise NotImplementedError

    def fits(self, value: Value | Absent) -> bool:
        """Whether the body can show this value."""
        raise NotImplementedError

    def show_value(self, value: Value) -> None:
        """Show a value that fits in the body, which is there."""
        raise NotImplementedError

    def body_value(self) -> Value | Absent:
        """The value of the body, which is there."""
        raise NotImplementedError

    def empty(self) -> Value:
        """The first value of a part that was just added."""
        raise NotImplementedError

    def show_inner(self, found: list[Finding]) -> None:
        """Show issues in the body, which is there. None of the paths is empty."""
        raise NotImplementedError

    def enter(self, path: Path) -> None:
        """Put the keyboard into the body, which is there."""
        raise NotImplementedError

    # What is the same for all

    @property
    def is_open(self) -> bool:
        """Whether the body shows."""
        return self._body is not None and not self._body.isHidden()

    def value(self) -> Value | Absent:
        """The value of the open body; folded, the value as it was put in."""
        return self.body_value() if self.is_open else self._source

    def put(self, value: Value | Absent) -> None:
        self._source = value
        # A required record opens by itself, so that its fields are seen; `DEEPEST` ends a shape that requires its own
        # kind.
        must = value is ABSENT and self.place.required and self.place.depth < DEEPEST
        if must or self.fits(value):
            self._unfold(self.empty() if value is ABSENT else value)
        else:
            self._fold()

    def add(self) -> None:
        """Open it with what stood in it before it was removed, else with an empty value."""
        before = self._before if self.fits(self._before) else blank(self.shape)
        self._source = before if self.fits(before) else self.empty()
        self._unfold(self._source)  # type: ignore[arg-type]
        self.changed.emit()
        self.go_to(())

    def remove(self) -> None:
        """Leave it out; `add` brings back what stood in it."""
        self._before, self._source = self.value(), ABSENT
        self._fold()
        self.changed.emit()
        self._add.setFocus()

    def show_issues(self, found: list[Finding]) -> None:
        """Show the issues of this part at its head, and those within at their places; folded, all at its head."""
        own = [sentence for path, sentence in found if not path or not self.is_open]
        self._said.setText(visible(" ".join(own)))
        self._said.setVisible(bool(own))
        if self.is_open:
            self.show_inner([each for each in found if each[0]])

    def go_to(self, path: Path) -> None:
        """Unfold as far as the place needs, and give it the keyboard."""
        if not self.is_open and path:
            self._unfold(self._source if self.fits(self._source) else self.empty())  # type: ignore[arg-type]
        if self.is_open:
            self.enter(path)
        else:
            self._add.setFocus()
            self.went.emit(self.widget)

    def _unfold(self, value: Value) -> None:
        if self._body is None:
            self._body = self.make_body()
            self._inner.addWidget(self._body)
        self._body.show()
        self.show_value(value)
        self._say_title(self._title())
        self._add.hide()
        self._remove.setVisible(not self.place.required and bool(self.place.label))

    def _fold(self) -> None:
        if self._body is not None:
            self._body.hide()
        odd = self._source is not ABSENT and self._source is not None
        self._say_title(words.other_kind(self.place.label or words.VALUE, self._short()) if odd else self._title())
        self._add.setVisible(not odd)
        self._remove.setVisible(odd)

    def _short(self) -> str:
        text = "" if self._source is ABSENT else write_json(self._source, indent=None)
        return text if len(text) <= _SHOWN_LETTERS else text[: _SHOWN_LETTERS - 1] + "…"
