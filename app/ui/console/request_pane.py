"""The request: what is called, its parameters and its body, what is said of it before it is sent, and the button.

The pane sends nothing. `draft` is what is filled in; `show_judgement` says beside the button what would happen.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.desk.console.calls.judge_call import Judgement
from app.desk.console.calls.request_draft import JSON, RequestDraft
from app.desk.console.console_operations import ConsoleOperation
from app.desk.console.forms.check_value import Mistake
from app.desk.console.forms.exact_json import Path, path_text, write_json
from app.desk.console.forms.sample_value import sample
from app.runtime.tasks import Tasks
from app.ui.console import console_page_words as words
from app.ui.console.body_editor import BodyEditor
from app.ui.console.parameter_values import parameters_shape, record_of, texts_of
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import CONSOLE_NARROW, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, tab, with_icon
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.shape_form.known_offers import KnownOffers
from app.ui.widgets.shape_form.shape_form import ShapeForm
from app.ui.widgets.states import StateView
from app.ui.widgets.text import times
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ElidedLabel, Tone, ampersands, set_tip, set_tone, text_label, visible

_LONGEST_PATH = 34
_MODES = {"form": words.FORM, "both": words.BOTH, "json": words.JSON}


class RequestPane(QWidget):
    """`changed` fires after every change, `send_asked` and `stop_asked` at the button."""

    changed = Signal()
    send_asked = Signal()
    stop_asked = Signal()
    copy_asked = Signal(str)
    keep_asked = Signal()
    insert_asked = Signal()

    def __init__(self, theme: Theme, tasks: Tasks, offers: KnownOffers) -> None:
        super().__init__()
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.operation: ConsoleOperation | None = None
        self._judgement: Judgement | None = None
        self._mode = "both"  # what a person wants to see, where there is room for it
        self._busy = False
        self.title = text_label("", "heading", selectable=True)
        self.about = ElidedLabel("soft")
        self.parameters = ShapeForm(theme, offers, name=words.PARAMETERS)
        self.body = BodyEditor(theme, tasks, offers)
        self.nothing = text_label(words.NO_PARAMETERS, "soft", wrap=True)
        self._formats = (JSON, "")  # in which the body is sent, and the answer asked for; empty for the usual one
        self.usual_answer = JSON  # what the connection asks for everywhere
        self.verdict = text_label("", "body", wrap=True)
        self.tells = text_label("", "soft", wrap=True)
        self.first_wrong = button(words.GO_THERE, self.go_to_wrong, kind="quiet", key="F4")
        self.more = button(f"{words.MORE} ▾", self._open_menu, key="Alt+M")
        self.more.setAccessibleName(words.MORE)
        self.send = with_icon(
            button("", self._on_button, kind="primary", key="Ctrl+Return"), theme, "send", "on_accent"
        )
        self._make_modes()
        self._lay_out(theme)
        self._connect()

    def _make_modes(self) -> None:
        self.modes: dict[str, QPushButton] = {name: tab(title, name) for name, title in _MODES.items()}
        self.modes["both"].setChecked(True)
        for each in self.modes.values():
            each.toggled.connect(self._on_mode)

    def _lay_out(self, theme: Theme) -> None:
        self.body.above.addWidget(self.nothing)
        self.body.above.addWidget(self.parameters)
        self._mode_keys = holding(row(*self.modes.values()))
        first = row(self.title, None, self._mode_keys, gap=SPACE_2)
        head = holding(column(first, self.about, margin=(SPACE_3, SPACE_2, SPACE_3, SPACE_1), gap=SPACE_1))
        said = row(self.verdict, self.first_wrong, self.more, self.send, gap=SPACE_2)
        said.setStretch(0, 1)

        foot = holding(column(self.tells, said, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_2), gap=SPACE_1))
        inside = column(head, self.body, foot)
        inside.setStretch(1, 1)
        self.states = StateView(theme, holding(inside, "surface"))
        self.setLayout(column(self.states))
        self.states.show_state("search", words.CHOOSE, words.CHOOSE_SENTENCE)

    def _connect(self) -> None:
        self.parameters.changed.connect(self.changed)
        self.body.changed.connect(self.changed)
        self.body.filled.connect(self._on_filled)
        for each in (self.parameters, self.body.form):
            each.went.connect(self._make_visible)

    # The request

    def show_operation(self, operation: ConsoleOperation, draft: RequestDraft) -> None:
        """Show the form of an operation with what a draft holds."""
        self.operation, self._judgement = operation, None
        self.states.show_content()
        self.title.setText(visible(f"{operation.method} {operation.path}"))
        self.about.say(_about(operation))
        body = operation.body
        record = record_of(operation, draft.parameters)
        self.parameters.setVisible(bool(operation.parameters))
        self.nothing.setVisible(not operation.parameters and body is None)
        if operation.parameters:
            self.parameters.show_shape(parameters_shape(operation), record)
        else:
            self.parameters.show_nothing()  # a form without a field would cost the window as much as one with some
        self.body.begin(
            body.shape if body is not None else None,
            draft.body,
            _note(operation),
            has_body=body is not None,
            has_parameters=bool(operation.parameters),
        )
        self._choose_formats(draft.body_format, draft.accept)
        self._mode_keys.setVisible(self.body.has_form)
        self._fit()
        self._say(None)

    def show_nothing(self) -> None:
        """No operation is chosen."""
        self.operation, self._judgement = None, None
        self.states.show_state("search", words.CHOOSE, words.CHOOSE_SENTENCE)

    def draft(self) -> RequestDraft:
        """The request as filled in."""
        operation = self.operation
        assert operation is not None
        record = self.parameters.value()
        texts = texts_of(operation, record if isinstance(record, dict) else {})
        text = self.body.text if operation.body is not None else ""
        return RequestDraft(
            operation.key,
            texts,
            text,
            *self._formats,
        )

    def fill(self, draft: RequestDraft) -> None:
        """Fill in another draft of the same operation; the body can be undone in the editor."""
        assert self.operation is not None
        self.parameters.put(record_of(self.operation, draft.parameters))
        if self.operation.body is not None:
            self.body.put(draft.body)
        self._choose_formats(draft.body_format, draft.accept)
        self.changed.emit()

    def fill_example(self) -> None:
        """Fill in an example of the body."""
        if self.operation is not None and self.operation.body is not None:
            self.body.put(write_json(sample(self.operation.body.shape, times.today())))

    def clear(self) -> None:
        """Empty the form; undo in the editor brings the body back."""
        if self.operation is not None:
            self.fill(RequestDraft(self.operation.key))

    def focus_first(self) -> None:
        """Put the keyboard into the first field."""
        if self.operation is None:
            return
        if self.operation.parameters:
            self.parameters.go_to()
        elif self.operation.body is not None:
            self.body.focus_first()
        else:
            self.send.setFocus()

    def focus_editor(self) -> None:
        """Put the keyboard into the JSON."""
        if self.operation is not None and self.operation.body is not None:
            if self._shown_mode == "form":
                self.modes["json"].setChecked(True)
            self.body.editor.setFocus()

    def _on_filled(self) -> None:
        if self._judgement is not None:  # it was made of the text, before the form had its fields
            self.body.show_issues(self._judgement.mistakes)

    # What is said of it

    def show_judgement(self, said: Judgement) -> None:
        """Say what sending would do, and what is wrong; issues stand at their fields."""
        self.body.show_issues(said.mistakes)
        self.parameters.show_issues([Mistake((name,), each) for name, each in said.parameter_mistakes.items()])
        self._say(said)

    def _say(self, said: Judgement | None) -> None:
        self._judgement = said
        sentence, tone = self._sentence(said) if said is not None else ("", "soft")
        self.verdict.setText(visible(sentence))
        set_tone(self.verdict, tone)
        self.tells.setText(visible("" if said is None else " ".join(said.tells)))
        self.tells.setVisible(bool(self.tells.text()))
        self.first_wrong.setVisible(said is not None and bool(self._wrong_places(said)))
        self._title_button()

    def _sentence(self, said: Judgement) -> tuple[str, Tone]:
        places = self._wrong_places(said)
        if self.body.trouble is not None:
            return self.body.trouble.sentence, "bad"
        if said.stops:
            return " ".join(said.stops), "bad"
        return (words.wrong_places(len(places), places[0]), "warn") if places else (words.READY, "soft")

    def _wrong_places(self, said: Judgement) -> list[str]:
        of_parameters = [words.mistake_at(name, each) for name, each in said.parameter_mistakes.items()]
        own = self._own_mistakes()
        of_body = [words.mistake_at(path_text(each.path), each.sentence) if each.path else each.sentence
                   for each in (*own, *said.mistakes)]  # fmt: skip
        return [*of_parameters, *of_body]

    @property
    def judgement(self) -> Judgement | None:
        """The sentence that was said last."""
        return self._judgement

    def go_to_wrong(self) -> None:
        """Show all issues, and put the keyboard to the first."""
        self.parameters.show_issues_now()
        self.body.form.show_issues_now()
        said = self._judgement
        if self.body.trouble is not None:
            self.body.go_to(())
        elif said is not None and said.parameter_mistakes:
            self.parameters.go_to((next(iter(said.parameter_mistakes)),))
        elif found := self._first_path():
            self.body.go_to(found)

    @property
    def has_unreadable(self) -> bool:
        """Whether something was typed that no value could be made of, which must not be sent."""
        return bool(self._own_mistakes())

    def _own_mistakes(self) -> list[Mistake]:
        return [*self.parameters.mistakes(), *(self.body.form.mistakes() if self.body.has_form else ())]

    def _first_path(self) -> Path:
        """The mistake that stands highest in the form; members that it does not know stand last."""
        said, shape = self._judgement, self.body.shape
        own = (*self.body.form.mistakes(), *(said.mistakes if said is not None else ()))
        names = [each.name for each in shape.members] if shape is not None else []

        def place(path: Path) -> int:
            return names.index(str(path[0])) if path and path[0] in names else len(names)

        return min((each.path for each in own), key=place, default=())

    # The button

    def show_busy(self, busy: bool, sentence: str = "") -> None:
        """A call is under way, or no longer."""
        self._busy = busy
        self._title_button()
        if sentence:
            self.verdict.setText(visible(sentence))
            set_tone(self.verdict, "soft")

    def _title_button(self) -> None:
        if self.operation is None:
            return
        title = words.STOP if self._busy else _button_title(self.operation)
        self.send.setText(f" {ampersands(title)}")
        self.send.setAccessibleName(visible(title))
        set_tip(self.send, f"{title} ({shown_key('Ctrl+Return')})")

    def _on_button(self) -> None:
        (self.stop_asked if self._busy else self.send_asked).emit()

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def menu(self) -> QMenu:
        """The further actions on the request."""
        menu = QMenu(self.more)
        has_body = self.operation is not None and self.operation.body is not None
        entries: list[tuple[str, str, Callable[[], object], bool]] = [
            (words.KEEP, "Ctrl+Shift+S", self.keep_asked.emit, True),
            *((words.copy_as(each), "", partial(self.copy_asked.emit, each), True) for each in words.COPIES),
            (words.INSERT_VALUE, "Ctrl+I", self.insert_asked.emit, True),
            (words.EXAMPLE, "", self.fill_example, has_body),
            (words.CLEAR, "", self.clear, True),
        ]
        for title, key, act, possible in entries:
            shown = f"{ampersands(title)}\t{shown_key(QKeySequence(key))}" if key else ampersands(title)
            menu.addAction(shown, act).setEnabled(possible)
        self._add_formats(menu)
        return menu

    # Formats and room

    def _choose_formats(self, sent: str, asked: str) -> None:
        # The outbox sends an order as JSON, whatever a file or an earlier call says.
        outbox = self.operation is not None and self.operation.road != "call"
        self._formats = (JSON if outbox else sent or JSON, asked)
        if self.operation is not None:
            note = _note(self.operation)
            self.body.note.setText(visible(note if self._formats[0] == JSON else words.sent_as(note, self._formats[0])))

    def _take_format(self, of_body: bool, chosen: str) -> None:
        sent, asked = self._formats
        self._choose_formats(chosen if of_body else sent, asked if of_body else chosen)
        self.changed.emit()

    def _add_formats(self, menu: QMenu) -> None:
        """Add what the body can be sent as, and what the answer can be asked for in."""
        operation = self.operation
        if operation is None or operation.road != "call":
            return
        body = _formats(operation.body.formats) if operation.body is not None else ()
        for title, offered, of_body in ((words.SENT_AS, body, True), (words.ASKED_FOR, operation.accepts, False)):
            if len(offered) > 1:
                inner = menu.addMenu(title)
                for each in offered:
                    action = inner.addAction(ampersands(each), partial(self._take_format, of_body, each))
                    action.setCheckable(True)
                    action.setChecked(each == (self._formats[0] if of_body else self._formats[1] or self.usual_answer))

    @property
    def _shown_mode(self) -> str:
        """Show form and editor; where there is no room for both, the form."""
        return "form" if self._mode == "both" and self.width() < CONSOLE_NARROW else self._mode

    def _on_mode(self, on: bool) -> None:
        if on:
            self._mode = next(name for name, each in self.modes.items() if each.isChecked())
            self.body.show_mode(self._shown_mode)

    def _fit(self) -> None:
        """Show what a person wants to see, as far as there is room; with more room it comes back."""
        self.modes["both"].setVisible(self.width() >= CONSOLE_NARROW)
        shown = self.modes[self._shown_mode]
        if not shown.isChecked():
            # Setting the key calls `_on_mode`, which would take the lack of room for a person's wish.
            wanted = self._mode
            shown.setChecked(True)
            self._mode = wanted
        self.body.show_mode(self._shown_mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _make_visible(self, widget: QWidget) -> None:
        # What was opened or marked just now is laid out in the next turn only.
        QTimer.singleShot(0, widget, partial(self.body.form_scroll.ensureWidgetVisible, widget))


def _formats(offered: tuple[str, ...]) -> tuple[str, ...]:
    """The formats that can be sent: a pattern like `application/*+json` is none."""
    return tuple(each for each in offered if "*" not in each)


def _about(operation: ConsoleOperation) -> str:
    parts = (
        operation.summary or operation.description.split("\n")[0],
        words.DEPRECATED if operation.deprecated else "",
        words.WRITES if operation.writes else words.READS,
        words.scopes_needed(" / ".join(operation.scopes)) if operation.scopes else "",
        "" if operation.in_contract else words.NEW_BY_DESCRIPTION,
    )
    return " · ".join(part for part in parts if part)


def _note(operation: ConsoleOperation) -> str:
    body = operation.body
    if body is None or body.source is None or body.shape is None:
        return words.SHAPE_NOT_SAID
    return words.FROM_DESCRIPTION if body.source == "description" else words.FROM_CONTRACT


def _button_title(operation: ConsoleOperation) -> str:
    if operation.road == "submit":
        return words.SUBMIT_ORDER
    if operation.road == "cancel":
        return words.CANCEL_ORDER
    path = operation.path if len(operation.path) <= _LONGEST_PATH else f"{operation.path[: _LONGEST_PATH - 1]}…"
    title = words.button_of_write if operation.writes else words.button_of_read
    return title(operation.method, path)
