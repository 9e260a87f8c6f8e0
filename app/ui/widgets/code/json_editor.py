"""An editor for JSON with line numbers, the mark of a mistake, and indentation as one types."""

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent

from app.desk.console.forms.exact_json import JsonTrouble, read_json, write_json
from app.ui.theme.theme import Theme
from app.ui.widgets.code import code_words as words
from app.ui.widgets.code.code_view import LONGEST_LINE, CodeView

MOST_TYPED = 4_000_000  # letters
_OPENING, _CLOSING, _INDENT = "{[", "}]", "  "
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class JsonEditor(CodeView):
    """`typed` fires when a person has changed the text, `said` carries a sentence about a paste, empty for none.
    `entered` fires before the keyboard is here, `left` once it is elsewhere.

    Tab goes to the next field, as in every other field; Enter keeps the indentation.
    """

    typed = Signal()
    said = Signal(str)
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self._setting = False
        self.textChanged.connect(self._on_changed)

    def set_text(self, text: str) -> None:
        """Show a text. That is no typing, but it can be undone as such."""
        self._setting = True
        try:
            self.replace_text(text)
        finally:
            self._setting = False

    def begin(self, text: str) -> None:
        """Show the text of something else: what was before cannot be brought back by undo."""
        self._setting = True
        try:
            self.setPlainText(text)
        finally:
            self._setting = False
        self.clear_mark()

    def lay_out(self) -> None:
        """Lay the text out with an indentation of two; a text that is no JSON stays."""
        try:
            self.replace_text(write_json(read_json(self.whole_text())))
        except JsonTrouble:
            return

    def insertFromMimeData(self, source: QMimeData) -> None:
        text, sentence = _pasted(source.text())
        self.said.emit(sentence)
        if text:
            self.insertPlainText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            self._break_line()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.entered.emit()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def _break_line(self) -> None:
        cursor = self.textCursor()
        line, at = cursor.block().text(), cursor.positionInBlock()
        indent = line[: len(line) - len(line.lstrip(" "))][:at]
        before, after = line[:at].rstrip()[-1:], line[at:].lstrip()[:1]
        inner = indent + _INDENT if before and before in _OPENING else indent
        # One step for Ctrl+Z.
        cursor.beginEditBlock()
        cursor.insertText(f"\n{inner}")
        if before and before in _OPENING and after and after in _CLOSING:
            stay = cursor.position()
            cursor.insertText(f"\n{indent}")
            cursor.setPosition(stay)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _on_changed(self) -> None:
        if not self._setting:
            self.typed.emit()


def _pasted(text: str) -> tuple[str, str]:
    """The text that replaces a pasted text, and the sentence about it."""
    if len(text) > MOST_TYPED:
        return "", words.too_long_to_paste(MOST_TYPED)
    if max(map(len, text.split("\n")), default=0) <= LONGEST_LINE:
        return text, ""
    try:
        laid_out = write_json(read_json(text))
    except JsonTrouble:
        return "", words.line_too_long(LONGEST_LINE)
    if max(map(len, laid_out.split("\n"))) > LONGEST_LINE:
        return "", words.line_too_long(LONGEST_LINE)
    return laid_out, words.LAID_OUT
