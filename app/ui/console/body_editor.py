"""The body of a request as a form and as JSON, side by side and in step.

The JSON text is the truth, since it can hold everything. What a person changes in the form is written into the text,
and can be undone there; what is typed into the text is shown in the form. Invariants: a text with a mistake leaves the
form as it was, and the form then changes nothing until the mistake is gone or a person takes the form instead. Nothing
that was typed is replaced without a way back. A long text is written and read on another thread; what the form has
changed stands in the text before anybody types there, or takes it.
"""

import asyncio
from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desk.console.forms.check_value import Mistake
from app.desk.console.forms.exact_json import ABSENT, Absent, JsonTrouble, Path, Value, read_json, write_json
from app.desk.console.forms.shapes import Shape, has_form
from app.runtime.tasks import Tasks
from app.ui.console import console_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import CONSOLE_FORM_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button
from app.ui.widgets.code.json_editor import JsonEditor
from app.ui.widgets.layout import Splitter, column, holding, row, scrolling
from app.ui.widgets.shape_form.known_offers import KnownOffers
from app.ui.widgets.shape_form.shape_form import ShapeForm
from app.ui.widgets.text.labels import text_label, visible

_FORM_AFTER_MS, _TEXT_AFTER_MS, _LONG_AFTER_MS = 60, 120, 400
_LONG = 60_000  # letters of JSON that are read on another thread


class BodyEditor(QWidget):
    """`changed` fires once a change has arrived on both sides, `filled` once a long text that was shown has."""

    changed = Signal()
    filled = Signal()

    def __init__(self, theme: Theme, tasks: Tasks, offers: KnownOffers) -> None:
        super().__init__()
        self._tasks = tasks
        self.has_body = self._has_parameters = False
        self._mode = "both"
        self._reading = False  # a long text is read for the form, which changes nothing until then
        self._unwritten = False  # the form has changed, and a long text does not say so yet
        self._untouched = False  # nobody has typed since that text was shown
        self._shape: Shape | None = None
        self._value: Value | Absent = ABSENT
        self._trouble: JsonTrouble | None = None
        self.form = ShapeForm(theme, offers, name=words.BODY)
        self.editor = JsonEditor(theme, words.JSON_EDITOR)
        self.note = text_label("", "soft", wrap=True)
        self.problem = text_label("", "error", wrap=True)
        self._paste_note = text_label("", "soft", wrap=True)
        self._go = button(words.GO_THERE, self.editor.go_to_mark, kind="quiet")
        self._take = button(words.USE_FORM, self.take_form, kind="quiet")
        self._lay_out_key = button(words.LAY_OUT, self.editor.lay_out, kind="quiet", key="Alt+L")
        self._from_form = _timer(self, _FORM_AFTER_MS, self._take_change)
        self._from_text = _timer(self, _TEXT_AFTER_MS, self._read_text)
        self._lay_out()
        self.form.changed.connect(self._on_filled_in)
        self.editor.typed.connect(self._on_typed)
        self.editor.entered.connect(self._write_now)
        self.editor.said.connect(self._say_paste)
        self.show_mode("both")

    def _lay_out(self) -> None:
        self.above = QVBoxLayout()  # for the parameters of the request
        self.above.setContentsMargins(0, 0, 0, 0)
        inner = holding(column(self.above, self.form, None, margin=(SPACE_3, SPACE_1, SPACE_1, SPACE_2)), "surface")
        self.form_scroll = scrolling(inner, "surface")
        self._trouble_line = holding(column(self.problem, row(self._go, self._take, None), margin=(SPACE_2, 0, 0, 0)))
        self._left = holding(column(self._trouble_line, self.form_scroll))
        below = row(self.note, self._lay_out_key, gap=SPACE_1)
        below.setStretch(0, 1)
        self._right = holding(column(self.editor, self._paste_note, below, margin=(SPACE_1, 0, 0, 0)))
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self._right)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        # Both get half: by their own hints the editor would leave the form no room.
        self._left.setMinimumWidth(CONSOLE_FORM_WIDTH)
        self.splitter.setSizes([CONSOLE_FORM_WIDTH] * 2)
        self.setLayout(column(self.splitter))
        self._trouble_line.hide()
        self._paste_note.hide()

    # What is shown

    def begin(self, shape: Shape | None, text: str, note: str, *, has_body: bool, has_parameters: bool = False) -> None:
        """Show the body of another request: `shape` is None where nobody says what is in it."""
        self._from_form.stop()
        self._from_text.stop()
        # A long text of the request before is still being read, and would arrive in this one's form.
        self._tasks.cancel("body")
        self._tasks.cancel("body text")
        self._unwritten = False
        self._shape, self._trouble, self._value = shape, None, ABSENT
        self._reading = self._untouched = has_body and len(text) > _LONG
        self.has_body, self._has_parameters = has_body, has_parameters
        self.note.setText(visible(note))
        self.editor.begin(text)
        self._show_trouble()
        if self._reading:
            self._tasks.read("body", self._read_long(text))
        elif has_body:
            self._value, wrong = _read(text)
            if wrong is not None:
                self._set_trouble(wrong)
        if self.has_form and shape is not None:
            self.form.show_shape(shape, self._value)
            self.form.setEnabled(self.form.isEnabled() and not self._reading)
        self.show_mode(self._mode)

    @property
    def has_form(self) -> bool:
        """Whether there is a form for the body."""
        return self.has_body and has_form(self._shape)

    def show_mode(self, mode: str) -> None:
        """Show "form", "json" or "both"; without a form the JSON, without a body the parameters."""
        self._mode = mode
        form = self.has_form and mode != "json"
        self.form.setVisible(form)
        self._left.setVisible(form or self._has_parameters or not self.has_body)
        self._right.setVisible(self.has_body and (mode != "form" or not self.has_form))

    # What it holds

    @property
    def text(self) -> str:
        """The body as it would be sent; what the form has changed right now is in it."""
        # What was typed into the text right now need not be read for that, which would take long for a long text.
        self._write_now()
        return self.editor.whole_text()

    @property
    def value(self) -> Value | Absent:
        """The value of the body; ABSENT while the text has a mistake, or there is none."""
        self.settle()
        return ABSENT if self._trouble is not None else self._value

    @property
    def shape(self) -> Shape | None:
        """The shape of the body, None where nobody says it."""
        return self._shape

    @property
    def trouble(self) -> JsonTrouble | None:
        """The mistake in the JSON; None if there is none, or the body is XML."""
        return self._trouble

    @property
    def is_xml(self) -> bool:
        """Whether what stands in the editor is XML."""
        return self.editor.whole_text().lstrip().startswith("<")

    def settle(self) -> None:
        """Bring what was typed a moment ago to the other side now."""
        self._write_now()
        if self._from_text.isActive():
            self._from_text.stop()
            self._take_text(*_read(self.editor.whole_text()))

    def put(self, text: str) -> None:
        """Fill in a text as if it was typed: it can be undone."""
        self.editor.replace_text(text)
        self.settle()

    def insert(self, text: str) -> None:
        """Insert at the cursor of the editor."""
        self.editor.insertPlainText(text)
        self.editor.setFocus()

    def take_form(self) -> None:
        """Write the form over a JSON with a mistake; undo in the editor brings that back."""
        self._trouble = None
        self._show_trouble()
        self._unwritten = True
        self._write_now()

    def show_issues(self, found: Iterable[Mistake]) -> None:
        """Show what is wrong in the form."""
        if self.has_form:
            self.form.show_issues(found)

    def go_to(self, path: Path) -> None:
        """Put the keyboard to the place of a mistake, in the form where it shows, else in the editor."""
        if self._trouble is not None:
            self.editor.go_to_mark()
        elif self.has_form and self._mode != "json":
            self.form.go_to(path)
        else:
            self.editor.setFocus()

    def focus_first(self) -> None:
        """Put the keyboard where the body is filled in."""
        if self.has_form and self._mode != "json":
            self.form.go_to()
        elif self.has_body:
            self.editor.setFocus()

    # In step

    def _on_typed(self) -> None:
        self._untouched = False
        self._paste_note.hide()
        self._from_text.start(_LONG_AFTER_MS if self._is_long else _TEXT_AFTER_MS)

    def _on_filled_in(self) -> None:
        self._unwritten = True
        self._from_form.start(_LONG_AFTER_MS if self._is_long else _FORM_AFTER_MS)

    @property
    def _is_long(self) -> bool:
        return self.editor.document().characterCount() > _LONG

    def _take_change(self) -> None:
        if self._is_long and not self._locked:
            self._value = self.form.value()
            self._tasks.read("body text", self._write_long(self._value))
        else:
            self._write_now()

    @property
    def _locked(self) -> bool:
        """Whether the form shows less than the text: writing it over the text would lose what was typed."""
        return self._trouble is not None or self._reading

    def _write_now(self) -> None:
        """Write what the form has changed into the text."""
        self._from_form.stop()
        if self._unwritten and not self._locked:
            self._value = self.form.value()
            self._put_text(_written(self._value))
        self._unwritten = False

    async def _write_long(self, value: Value | Absent) -> None:
        text = await asyncio.to_thread(_written, value)
        # Else it was written meanwhile, or the form was changed again and will be written soon.
        if self._unwritten and self._value is value and not self._from_form.isActive() and not self._locked:
            self._put_text(text)

    def _put_text(self, text: str) -> None:
        self._unwritten = False
        self.editor.set_text(text)
        self.changed.emit()

    def _read_text(self) -> None:
        if self._is_long:
            self._tasks.read("body", self._read_long(self.editor.whole_text()))
        else:
            self._take_text(*_read(self.editor.whole_text()))

    async def _read_long(self, text: str) -> None:
        found = await asyncio.to_thread(_read, text)
        if not self._from_text.isActive():  # else more was typed meanwhile
            self._take_text(*found)

    def _take_text(self, value: Value | Absent, trouble: JsonTrouble | None) -> None:
        untouched, self._reading, self._untouched = self._untouched, False, False
        if trouble is None:
            self._trouble, self._value = None, value
            self.editor.clear_mark()
            self._show_trouble()
            if self.has_form and not self.is_xml:
                self.form.put(value)
        else:
            self._set_trouble(trouble)
        # A text that nobody touched is no change: nothing is to be stored.
        (self.filled if untouched else self.changed).emit()

    def _set_trouble(self, trouble: JsonTrouble) -> None:
        self._trouble = trouble
        if trouble.line:
            self.editor.mark_wrong(trouble.line, trouble.offset)
        self._show_trouble()

    def _show_trouble(self) -> None:
        wrong, xml = self._trouble is not None, self.is_xml
        sentence = "" if self._trouble is None else words.json_wrong(self._trouble.sentence)
        self.problem.setText(visible(words.XML_TYPED if xml else sentence))
        self.form.setEnabled(not wrong and not xml)
        self._trouble_line.setVisible((wrong or xml) and self.has_form)
        self._go.setVisible(wrong)
        self.editor.setAccessibleDescription(visible(self._trouble.sentence if self._trouble is not None else ""))

    def _say_paste(self, sentence: str) -> None:
        self._paste_note.setText(sentence)
        self._paste_note.setVisible(bool(sentence))


def _timer(owner: QWidget, after: int, act: object) -> QTimer:
    made = QTimer(owner)
    made.setSingleShot(True)
    made.setInterval(after)
    made.timeout.connect(act)
    return made


def _written(value: Value | Absent) -> str:
    return "" if value is ABSENT else write_json(value)


def _read(text: str) -> tuple[Value | Absent, JsonTrouble | None]:
    """The value of a text, and its mistake. XML and an empty text have neither."""
    if not text.strip() or text.lstrip().startswith("<"):
        return ABSENT, None
    try:
        return read_json(text), None
    except JsonTrouble as trouble:
        return ABSENT, trouble
