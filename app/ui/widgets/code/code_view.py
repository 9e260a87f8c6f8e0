"""A text in a fixed font with line numbers. Long texts are filled in piece by piece, long lines are broken.

Of a text of many megabytes the beginning is shown.

Invariants: setting a text changes only the part that differs, as one step of undo, so the cursor and what was typed
before stay. The window never waits for a text, however long it is.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import BODY_PX, SPACE_1, SPACE_2, TINT_ALPHA
from app.ui.widgets.code import code_words as words
from app.ui.widgets.text.labels import visible

# Qt lays out a whole line at once, and one of a million letters for minutes.
LONGEST_LINE = 4_000
MOST_SHOWN = 4_000_000  # letters: Qt needs many times as much memory for a text that is laid out
_LINES_AT_ONCE, _LETTERS_AT_ONCE = 400, 60_000
_MOST_PLACES = 2_000


@dataclass(frozen=True, slots=True)
class TextLines:
    """A text as lines that can be laid out.

    `broken` counts the lines that are shown over several. `shown` of the `whole` letters of the text are in the lines.
    """

    lines: tuple[str, ...]
    broken: int
    shown: int
    whole: int


def text_lines(text: str) -> TextLines:
    """The lines of a text, no more than `MOST_SHOWN`. For a thread where the text is long."""
    lines: list[str] = []
    count = 0
    for each in text[:MOST_SHOWN].split("\n"):
        shown = visible(each.rstrip("\r"))
        count += len(shown) > LONGEST_LINE
        # By places: what is left of a line of megabytes must not be copied for each piece of it.
        for start in range(0, len(shown) or 1, LONGEST_LINE):
            piece, more = shown[start : start + LONGEST_LINE], start + LONGEST_LINE < len(shown)
            lines.append(piece + words.LINE_BROKEN if more else piece)
    return TextLines(tuple(lines), count, min(len(text), MOST_SHOWN), len(text))


class CodeView(QPlainTextEdit):
    """`filled` fires once the whole text stands there; `lines` is what `show_text` or `show_lines` was given."""

    filled = Signal()

    def __init__(self, theme: Theme, name: str, *, read_only: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self.setReadOnly(read_only)
        if read_only:  # so that the keyboard can go through the text
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
            )
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(BODY_PX)
        self.setFont(font)
        self.setProperty("code", True)
        self._gutter = _Gutter(self)
        self.lines = text_lines("")
        self._next = 0  # the first of these lines that does not stand there yet
        self._wrong_line = -1
        self._places: list[tuple[int, int]] = []
        self._place = -1
        self._mark: tuple[int, int] | None = None
        self._filling = QTimer(self)
        self._filling.setSingleShot(True)
        self._filling.timeout.connect(self._fill_some)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_gutter)
        theme.changed.connect(self._paint_marks)
        self._make_room()

    def whole_text(self) -> str:
        """The text as it stands, with line feeds. (Qt's `toPlainText` turns non-breaking spaces into plain ones.)"""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    # For reading

    def show_text(self, text: str) -> None:
        """Show a text from its beginning: what the screen shows at once, the rest in the next turns."""
        self.show_lines(text_lines(text))

    def show_lines(self, lines: TextLines) -> None:
        """Show the lines of a text, which another thread may have made."""
        self._filling.stop()
        self._places, self._place, self._mark, self._wrong_line = [], -1, None, -1
        self.lines, self._next = lines, 0
        self.setPlainText("\n".join(self._take_some()))
        self._paint_marks()
        self._go_on()

    @property
    def is_filling(self) -> bool:
        """Whether the text is not all there yet."""
        return self._next < len(self.lines.lines)

    def _fill_some(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n" + "\n".join(self._take_some()))
        self._go_on()

    def _take_some(self) -> list[str]:
        """The next lines, as many as are laid out in a moment."""
        some: list[str] = []
        letters = 0
        while self.is_filling and len(some) < _LINES_AT_ONCE and letters < _LETTERS_AT_ONCE:
            some.append(self.lines.lines[self._next])
            letters += len(some[-1])
            self._next += 1
        return some

    def _go_on(self) -> None:
        if self.is_filling:
            self._filling.start()
        else:
            self.filled.emit()

    # For writing

    def replace_text(self, text: str) -> None:
        """Make this the text by changing the part that differs, as one step of undo."""
        before = self.whole_text()
        if before == text:
            return
        start = _common(before, text)
        tail = _common(before[start:][::-1], text[start:][::-1])
        cursor = QTextCursor(self.document())
        cursor.setPosition(_utf16(before[:start]))
        cursor.setPosition(_utf16(before[: len(before) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[start : len(text) - tail])

    def mark_wrong(self, line: int, offset: int = -1) -> None:
        """Mark a mistake: its line, counted from 1, and the place in the text, -1 if it is not known."""
        self._wrong_line = line - 1
        self._mark = None if offset < 0 else (_utf16(self.whole_text()[:offset]), 1)
        self._paint_marks()

    def clear_mark(self) -> None:
        """Remove the mark of a mistake."""
        if self._wrong_line >= 0 or self._mark is not None:
            self._wrong_line, self._mark = -1, None
            self._paint_marks()

    def go_to_mark(self) -> None:
        """Put the keyboard to the mistake."""
        cursor = QTextCursor(self.document().findBlockByNumber(max(self._wrong_line, 0)))
        if self._mark is not None:
            cursor.setPosition(min(self._mark[0], self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus()

    # Finding

    def find_all(self, text: str) -> int:
        """Find all places of a text, letters of either case; returns how many, at most some thousand."""
        self._places, self._place = [], -1
        whole, wanted = self.whole_text().lower(), text.lower()
        at = done = units = 0  # `units` is the length up to `done` as Qt counts it
        while wanted and (at := whole.find(wanted, at)) >= 0 and len(self._places) < _MOST_PLACES:
            units, done = units + _utf16(whole[done:at]), at
            self._places.append((units, _utf16(wanted)))
            at += len(wanted)
        self._paint_marks()
        return len(self._places)

    def show_place(self, place: int) -> None:
        """Show one of the places that were found."""
        self._place = place
        if 0 <= place < len(self._places):
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._places[place][0])
            self.setTextCursor(cursor)
            self.centerCursor()
        self._paint_marks()

    def _paint_marks(self) -> None:
        marks = []
        shown = range(max(self._place - 200, 0), min(max(self._place, 0) + 200, len(self._places)))
        for place in shown:
            colour = self._theme.colour("accent" if place == self._place else "warn")
            marks.append(self._marked(*self._places[place], colour, strong=place == self._place))
        if self._mark is not None:
            marks.append(self._marked(*self._mark, self._theme.colour("bad"), strong=True))
        self.setExtraSelections(marks)
        self._gutter.update()

    def _marked(self, start: int, length: int, colour: QColor, *, strong: bool) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        end = self.document().characterCount() - 1
        made.cursor = QTextCursor(self.document())
        made.cursor.setPosition(min(start, end))
        made.cursor.setPosition(min(start + length, end), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        tint = QColor(colour)
        tint.setAlpha(TINT_ALPHA * (3 if strong else 2))
        form.setBackground(tint)
        if strong:
            form.setUnderlineColor(colour)
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        made.format = form
        return made

    # The line numbers

    @property
    def gutter_width(self) -> int:
        """The width of the numbers."""
        digits = max(len(str(self.blockCount())), 2)
        return 2 * SPACE_2 + self.fontMetrics().horizontalAdvance("9") * digits

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter_width, 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.topLeft(), QSize(self.gutter_width, inside.height())))

    def _scroll_gutter(self, rect: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Paint the numbers of the lines in sight; that of the mistake with a sign."""
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), self._theme.colour("raised"))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
        height = round(self.blockBoundingRect(block).height())
        width = self._gutter.width()
        while block.isValid() and top <= event.rect().bottom():
            wrong = block.blockNumber() == self._wrong_line
            if block.isVisible() and top + height >= event.rect().top():
                painter.setPen(self._theme.colour("bad" if wrong else "ink_soft"))
                box = QRect(0, top, width - SPACE_2, height)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
                if wrong:
                    painter.drawText(QPoint(SPACE_1, top + self.fontMetrics().ascent()), "✕")
            block = block.next()
            top += height
        painter.end()


class _Gutter(QWidget):
    """The numbers beside the text. Painted by the view, which knows its lines."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self) -> QSize:
        return QSize(self._view.gutter_width, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(event)


def _common(one: str, other: str) -> int:
    """How many letters two texts begin with alike. Halves what is compared, so that long texts are quick."""
    least, most = 0, min(len(one), len(other))
    if one[:most] == other[:most]:
        return most
    while most - least > 1:
        middle = (least + most) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle
    return least + (least < most and one[least : least + 1] == other[least : least + 1])


def _utf16(text: str) -> int:
    """The length of a text as Qt counts it: a letter beyond the first plane is two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
