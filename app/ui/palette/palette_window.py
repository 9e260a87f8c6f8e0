"""The palette: one line to type in, and the matching commands below.

The focus stays in the line: Up and Down choose, Enter runs the command, Escape closes. Invariant: the palette opens
with an empty line, so that the same keys always do the same.
"""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget
from shiboken6 import Shiboken

from app.runtime.tasks import Tasks
from app.ui.palette import palette_words as words
from app.ui.palette.commands import Command, matching
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PALETTE_WIDTH, SPACE_1, SPACE_2, SPACE_5
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.line_list import Line, LineList
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import announce, text_label, visible

_SHOWN = 12
_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -_SHOWN + 1,
    Qt.Key.Key_PageDown: _SHOWN - 1,
}


class CommandSource(Protocol):
    """Provides the commands of the palette."""

    def commands(self) -> Sequence[Command]:
        """The commands that are known at once."""

    async def read_more(self) -> Sequence[Command]:
        """The commands that have to be read from the store."""

    async def find(self, text: str) -> Sequence[Command]:
        """A command for each order that contains `text`."""

    def about(self, text: str) -> Sequence[Command]:
        """Commands for the text itself."""


class Palette(QFrame):
    """Floats over `window`."""

    def __init__(self, window: QWidget, theme: Theme, tasks: Tasks, source: CommandSource) -> None:
        super().__init__(window)
        self._window, self._tasks, self._source = window, tasks, source
        self._commands: Sequence[Command] = ()
        self._found: Sequence[Command] = ()
        self._before: QWidget | None = None
        self._moved = False  # a person has chosen a line with the arrow keys
        self._due = False  # Enter was pressed before all matches had come
        self.setObjectName("floating")
        self.setAutoFillBackground(True)
        self.setAccessibleName(words.SEARCH_OR_COMMAND)
        self.line = QLineEdit()
        self.line.setAccessibleName(words.SEARCH_OR_COMMAND)
        self.line.setPlaceholderText(words.HINT)
        self.line.textChanged.connect(self._on_typed)
        self.line.installEventFilter(self)
        self.list = LineList(theme, words.MATCHES_NAME, _SHOWN)
        self.list.taken.connect(self._take)
        self.sentence = text_label("", "label")
        self.setLayout(column(self.line, self.list, row(SPACE_1, self.sentence, SPACE_1), margin=SPACE_2, gap=SPACE_2))
        window.installEventFilter(self)
        self.hide()

    @property
    def shown_texts(self) -> list[str]:
        """The matches as a screen reader says them."""
        return self.list.words

    def open(self) -> None:
        """Open the palette with an empty line that has the focus."""
        self._before = self._window.focusWidget()
        self._commands = self._source.commands()
        self._found = ()
        self._moved = self._due = False
        # Emptying the line would begin a search; the commands are filled in just below.
        self.line.blockSignals(True)
        self.line.clear()
        self.line.blockSignals(False)
        self._fill()
        self._place()
        self.show()
        self._tasks.read("palette more", self._learn())
        self.raise_()
        self.line.setFocus()

    def close_palette(self) -> None:
        """Close the palette; the focus returns to where it was."""
        if not self.isHidden():
            self._tasks.cancel("palette")
            self._tasks.cancel("palette more")
            self.hide()
            # The editor of a grid's cell ends when it loses the focus, so the former widget may be deleted by now.
            if self._before is not None and Shiboken.isValid(self._before):
                self._before.setFocus()

    def _on_typed(self, text: str) -> None:
        self._tasks.cancel("palette")
        self._moved = self._due = False
        if text.strip():
            self._tasks.read("palette", self._search(text))
        else:
            self._found = ()
        self._fill()

    async def _learn(self) -> None:
        more = await self._source.read_more()
        if not self.isHidden():
            self._commands = [*self._commands, *more]
            self._came(last=not self._tasks.running("palette"))

    async def _search(self, text: str) -> None:
        found = await self._source.find(text.strip())
        if text == self.line.text() and not self.isHidden():
            self._found = found
            self._came(last=not self._tasks.running("palette more"))

    def _came(self, *, last: bool) -> None:
        self._fill()
        if self._due and last:
            self._do_chosen()

    def _fill(self) -> None:
        """List orders first, since a typed number means an order. A chosen line stays chosen if it matches."""
        chosen, text = self._chosen() if self._moved else None, self.line.text().strip()
        matches = [*self._found, *matching(text, self._commands), *(self._source.about(text) if text else ())]
        self.list.fill([_line(each) for each in matches])
        self.list.setCurrentRow((matches.index(chosen) if chosen in matches else 0) if matches else -1)
        self._say()
        self._place()

    def _say(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self.sentence.setText(words.NO_MATCH)
        else:
            self.sentence.setText(visible(chosen.why_not) or words.HELP)

    def _chosen(self) -> Command | None:
        line = self.list.chosen
        return line.value if line is not None and isinstance(line.value, Command) else None

    def _step(self, by: int) -> None:
        line = self.list.step(by)
        if line is not None:
            self._moved = True
            self._say()
            # The focus stays in the line, so a screen reader would not say the chosen command by itself.
            announce(self, line.read)

    def _take(self, line: Line) -> None:
        if isinstance(line.value, Command):
            self._do(line.value)

    def _do_chosen(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._do(chosen)

    def _do(self, command: Command) -> None:
        if command.why_not:
            self._say()
            return
        self.close_palette()
        command.act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        if watched is not self.line:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FocusOut and self._window.isActiveWindow():
            self.hide()  # a person has gone on elsewhere in the window
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _on_key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in _STEPS:
            self._step(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Orders may still be loading, and come first: a number and Enter mean that order.
            self._due = not self._moved and any(map(self._tasks.running, ("palette", "palette more")))
            if not self._due:
                self._do_chosen()
        else:
            return key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        return True

    def _place(self) -> None:
        window = self._window
        width = min(PALETTE_WIDTH, window.width() - 2 * SPACE_5)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((window.width() - width) // 2, SPACE_5 * 2)


def _line(command: Command) -> Line:
    return Line(command.title, command.detail, command, shown_key(command.key), bool(command.why_not), command.colour)
