"""What is known and fits, in a list below the field one types in. Nothing is taken unless a person takes it.

The keyboard stays in the field: Down and Up choose, Enter or Tab takes what is chosen, Escape closes the list.
Ctrl+Space opens it again, and so does Down where it has nothing else to do. With nothing chosen Enter and Tab do what
they always do, so a scanner's Enter takes nothing. The list floats over the form, so nothing moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import OFFER_WIDTH, SPACE_1, SPACE_2
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.line_list import Line, LineList
from app.ui.widgets.text.labels import announce, text_label, visible

_SHOWN = 8
_HELP = "Down chooses · Enter or Tab takes it · Esc closes"
_TAKING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One line: what it is, what tells it from others, and the value handed back when it is taken."""

    text: str
    detail: str
    value: object


class SuggestionList(QFrame):
    """The one list of a page; it belongs to whichever field is typed in."""

    def __init__(self, theme: Theme, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        page.installEventFilter(self)
        self.setObjectName("offers")
        self.setAccessibleName("Known and fitting")
        self._owner: Completer | None = None
        self.list = LineList(theme, "Known and fitting", _SHOWN)
        self.list.taken.connect(self._take)
        self.sentence = text_label("", "label", wrap=True)
        self.setLayout(column(self.list, row(SPACE_1, self.sentence, SPACE_1), margin=SPACE_1, gap=SPACE_1))
        self.hide()

    @property
    def offers(self) -> list[str]:
        """What is offered now, as it is read; empty while the list is closed."""
        return [] if self.isHidden() else self.list.words

    @property
    def sentence_shown(self) -> str:
        """The sentence in place of offers; empty while the list is closed."""
        return "" if self.isHidden() else self.sentence.text()

    def show_for(self, owner: "Completer", offers: Sequence[Suggestion], sentence: str) -> None:
        """Offer these below the owner's field, or say why there is nothing."""
        self._owner = owner
        self.list.fill([Line(each.text, each.detail, each) for each in offers])
        self.sentence.setText(visible(sentence) or _HELP)
        self._place(owner.editor)
        self.show()
        self.raise_()
        announce(self, sentence or f"{len(offers)} known. {_HELP}")

    def close_for(self, owner: "Completer") -> None:
        """Close the list if it is this owner's."""
        if self._owner is owner:
            self.close_list()

    def close_list(self) -> None:
        """Close it, whosever it is."""
        self._owner = None
        self.hide()

    def belongs_to(self, owner: "Completer") -> bool:
        """Whether the list is open for this owner."""
        return self._owner is owner and not self.isHidden()

    def step(self, by: int) -> None:
        """Choose the next or the one before; before the first nothing is chosen."""
        line = self.list.step(by, first=-1)
        if line is not None:
            announce(self, line.read)

    @property
    def chosen(self) -> Suggestion | None:
        """The offer that is chosen, if one is."""
        line = self.list.chosen
        return line.value if line is not None and isinstance(line.value, Suggestion) else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._page and event.type() == QEvent.Type.Resize and self._owner is not None:
            QTimer.singleShot(0, self, self._place_again)  # once the fields have their new places
        return super().eventFilter(watched, event)

    def _place_again(self) -> None:
        if self._owner is not None:
            self._place(self._owner.editor)

    def _take(self, line: Line) -> None:
        if self._owner is not None and isinstance(line.value, Suggestion):
            self._owner.take(line.value)

    def _place(self, editor: QWidget) -> None:
        page = self._page
        width = min(max(editor.width(), OFFER_WIDTH), page.width() - 2 * SPACE_2)
        self.setFixedWidth(width)
        said = self.sentence.heightForWidth(width - 2 * SPACE_2)
        height = (self.list.height() + SPACE_1 if self.list.count() else 0) + said + 2 * SPACE_1
        below = editor.mapTo(page, QPoint(0, editor.height()))
        above = below.y() - editor.height() - height
        y = above if below.y() + height > page.height() and above >= 0 else below.y()
        self.setGeometry(min(below.x(), page.width() - width - SPACE_2), y, width, height)


class Completer(QObject):
    """Ties a field to the list. `wanted` asks what fits the text; answer with `offer` or `say`.

    `taken` hands over the value that was taken, and whether it was by Tab: then the keyboard goes on, to where Tab goes
    unless whoever fills the form has put it elsewhere.
    """

    wanted = Signal(str)
    taken = Signal(object, bool)

    def __init__(
        self,
        editor: QLineEdit,
        shown: SuggestionList,
        shortest: int = 1,
        *,
        in_grid: bool = False,
        goes_on: bool = False,
    ) -> None:
        super().__init__(editor)
        self.editor, self._shown, self._shortest = editor, shown, shortest
        self._in_grid = in_grid  # there Down goes to the next row
        self._goes_on = goes_on  # what is taken is a part of the text: Tab leaves the keyboard here
        self._asked: str | None = None
        self._busy = False
        editor.installEventFilter(self)
        editor.textChanged.connect(self._on_text)

    def offer(self, text: str, offers: Sequence[Suggestion], sentence: str = "") -> None:
        """Offer these for `text`, unless something else is asked by now. With nothing to offer the list closes."""
        if not self.waits_for(text):
            return
        if offers or sentence:
            self._shown.show_for(self, offers, sentence)
        else:
            self._shown.close_for(self)

    def waits_for(self, text: str) -> bool:
        """Whether what fits `text` is still wanted."""
        return text == self._asked and self.editor.hasFocus()

    def show(self, offers: Sequence[Suggestion], sentence: str) -> None:
        """Offer these, whatever is typed, while the keyboard is in the field."""
        if self.editor.hasFocus():
            self._asked = self.editor.text()
            self._shown.show_for(self, offers, sentence)

    def open(self) -> None:
        """Ask, also for an empty field."""
        self._asked = self.editor.text()
        self.wanted.emit(self._asked)

    def take(self, offer: Suggestion, *, by_tab: bool = False) -> None:
        """This one was taken."""
        self._shown.close_for(self)
        self._asked = None
        self._busy = True  # what is filled in now is no typing
        try:
            self.taken.emit(offer.value, by_tab)
        finally:
            self._busy = False

    def close(self) -> None:
        """Close the list, and take no late answer."""
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
        """Whether the key was ours to the end."""
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
