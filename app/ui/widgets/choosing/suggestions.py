"""Suggestions in a list below a field.

The focus stays in the field: Down and Up choose, Enter or Tab takes the chosen suggestion, Escape closes the list.
Ctrl+Space opens it again, and so does Down where that key has no other use. Invariant: nothing is taken without a
choice. Until then Enter and Tab keep their usual meaning, so a scanner's Enter takes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import OFFER_WIDTH, SPACE_1, SPACE_2
from app.ui.widgets import widget_words as words
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.line_list import Line, LineList
from app.ui.widgets.text.labels import announce, text_label, visible

_SHOWN = 8
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One suggestion: its text, a detail that tells it from others, and the value that `taken` carries."""

    text: str
    detail: str
    value: object


class SuggestionList(QFrame):
    """The list of a page, shared by its fields; it shows for one `Completer` at a time."""

    def __init__(self, theme: Theme, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        page.installEventFilter(self)
        self.setObjectName("offers")
        self.setAccessibleName(words.SUGGESTIONS_NAME)
        self._owner: Completer | None = None
        self.list = LineList(theme, words.SUGGESTIONS_NAME, _SHOWN)
        self.list.taken.connect(self._take)
        self.sentence = text_label("", "label", wrap=True)
        self.setLayout(column(self.list, row(SPACE_1, self.sentence, SPACE_1), margin=SPACE_1, gap=SPACE_1))
        self.hide()

    @property
    def shown_texts(self) -> list[str]:
        """The suggestions as a screen reader says them; empty while the list is closed."""
        return [] if self.isHidden() else self.list.words

    @property
    def sentence_shown(self) -> str:
        """The sentence below the suggestions; empty while the list is closed."""
        return "" if self.isHidden() else self.sentence.text()

    def show_for(self, owner: "Completer", offers: Sequence[Suggestion], sentence: str) -> None:
        """Show suggestions below the owner's field, or a sentence that says why there are none."""
        self._owner = owner
        self.list.fill([Line(each.text, each.detail, each) for each in offers])
        self.sentence.setText(visible(sentence) or words.SUGGESTIONS_HELP)
        self._place(owner)
        self.show()
        self.raise_()
        announce(self, sentence or f"{words.suggestions_known(len(offers))} {words.SUGGESTIONS_HELP}")

    def close_for(self, owner: "Completer") -> None:
        """Close the list if it shows for this owner."""
        if self._owner is owner:
            self.close_list()

    def close_list(self) -> None:
        """Close the list, whichever field it shows for."""
        self._owner = None
        self.hide()

    def belongs_to(self, owner: "Completer") -> bool:
        """Whether the list shows for this owner."""
        return self._owner is owner and not self.isHidden()

    def step(self, by: int) -> None:
        """Choose the next or the previous suggestion; before the first one nothing is chosen."""
        line = self.list.step(by, first=-1)
        if line is not None:
            announce(self, line.read)

    @property
    def chosen(self) -> Suggestion | None:
        """The chosen suggestion, if there is one."""
        line = self.list.chosen
        return line.value if line is not None and isinstance(line.value, Suggestion) else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._page and event.type() == QEvent.Type.Resize and self._owner is not None:
            QTimer.singleShot(0, self, self._place_again)  # after the layout has moved the fields
        return super().eventFilter(watched, event)

    def _place_again(self) -> None:
        if self._owner is not None:
            self._place(self._owner)

    def _take(self, line: Line) -> None:
        if self._owner is not None and isinstance(line.value, Suggestion):
            self._owner.take(line.value)

    def _place(self, owner: "Completer") -> None:
        page, beside = self._page, owner.place()
        width = min(max(beside.width(), OFFER_WIDTH), page.width() - 2 * SPACE_2)
        self.setFixedWidth(width)
        sentence_height = self.sentence.heightForWidth(width - 2 * SPACE_2)
        height = (self.list.height() + SPACE_1 if self.list.count() else 0) + sentence_height + 2 * SPACE_1
        top = owner.editor.mapTo(page, beside.topLeft())
        below, above = top.y() + beside.height(), top.y() - height
        y = above if below + height > page.height() and above >= 0 else below
        self.setGeometry(min(top.x(), page.width() - width - SPACE_2), y, width, height)


class Completer(QObject):
    """Connects a field with the list. `wanted` carries the typed text; the receiver answers with `offer`.

    `taken` carries the value, and whether Tab took it. After Tab the focus moves on, unless a receiver of `taken` has
    moved it already.
    """

    wanted = Signal(str)
    taken = Signal(object, bool)

    def __init__(
        self,
        editor: QLineEdit | QPlainTextEdit,
        shown: SuggestionList,
        shortest: int = 1,
        *,
        in_grid: bool = False,
        goes_on: bool = False,
    ) -> None:
        super().__init__(editor)
        self.editor, self._shown, self._shortest = editor, shown, shortest
        self._in_grid = in_grid  # in a grid, Down goes to the next row; above a table, to its rows
        self._goes_on = goes_on  # a suggestion completes a part of the text, so Tab stays in the field
        self._asked: str | None = None
        self._busy = False
        editor.installEventFilter(self)
        if isinstance(editor, QLineEdit):
            editor.textChanged.connect(self._on_text)

    def typed(self) -> str:
        """The text that suggestions are for."""
        assert isinstance(self.editor, QLineEdit)
        return self.editor.text()

    def place(self) -> QRect:
        """Where in the editor the list opens: below this, or above it."""
        return self.editor.rect()

    def offer(self, text: str, offers: Sequence[Suggestion], sentence: str = "") -> None:
        """Show the suggestions for `text`, unless another text was typed since. Without any, the list closes."""
        if not self.waits_for(text):
            return
        if offers or sentence:
            self._shown.show_for(self, offers, sentence)
        else:
            self._shown.close_for(self)

    def waits_for(self, text: str) -> bool:
        """Whether an answer for `text` is still wanted."""
        return text == self._asked and self.editor.hasFocus()

    def show(self, offers: Sequence[Suggestion], sentence: str) -> None:
        """Show suggestions whatever is typed, while the field has the focus."""
        if self.editor.hasFocus():
            self._asked = self.typed()
            self._shown.show_for(self, offers, sentence)

    def open(self) -> None:
        """Ask for suggestions, also for an empty field."""
        self._asked = self.typed()
        self.wanted.emit(self._asked)

    def take(self, offer: Suggestion, *, by_tab: bool = False) -> None:
        """Take a suggestion and close the list."""
        self._shown.close_for(self)
        self._asked = None
        self._busy = True  # the receiver fills in the field, which is not typing
        try:
            self.taken.emit(offer.value, by_tab)
        finally:
            self._busy = False

    def close(self) -> None:
        """Close the list, and ignore answers that are still on their way."""
        self._asked = None
        self._shown.close_for(self)

    def _on_text(self, text: str) -> None:
        if self._busy or not self.editor.hasFocus():
            return
        if len(text.strip()) >= self._shortest:
            self.open()
        else:
            self.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.close()
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._is_ours(event):
                event.accept()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._is_ours(event):
            return self._on_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        key = event.key()
        if not self._shown.belongs_to(self):
            if key == Qt.Key.Key_Space:
                return event.modifiers() == Qt.KeyboardModifier.ControlModifier
            return key == Qt.Key.Key_Down and event.modifiers() in _PLAIN and not self._in_grid
        if event.modifiers() not in _PLAIN:
            return False
        return key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape) or (
            key in _TAKING and self._shown.chosen is not None
        )

    def _on_key(self, key: Qt.Key) -> bool:
        """Handle a key of the list; True if the field must not see it."""
        if not self._shown.belongs_to(self):
            self.open()
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif key in _TAKING:
            chosen = self._shown.chosen
            assert chosen is not None
            self.take(chosen, by_tab=key == Qt.Key.Key_Tab)
            return key != Qt.Key.Key_Tab or self._goes_on or not self.editor.hasFocus()
        else:
            self._shown.step(1 if key == Qt.Key.Key_Down else -1)
        return True
