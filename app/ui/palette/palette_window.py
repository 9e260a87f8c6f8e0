"""The palette's window: one line to type in, and what fits below it.

The keyboard stays in the line: Up and Down choose, Enter does it, Escape closes. What was last typed is gone the next
time, so that the same few keys always do the same.
"""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget
from shiboken6 import Shiboken

from app.runtime.tasks import Tasks
from app.ui.palette.commands import Command, fitting
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
    """Where the palette has what it offers from."""

    def commands(self) -> Sequence[Command]:
        """What can be done now."""

    async def more(self) -> Sequence[Command]:
        """What else can be done, as far as it has to be read first."""

    async def find(self, text: str) -> Sequence[Command]:
        """The orders that a text means."""

    def about(self, text: str) -> Sequence[Command]:
        """What can be done with the text itself."""


class Palette(QFrame):
    """It lies over the window it belongs to."""

    def __init__(self, window: QWidget, theme: Theme, tasks: Tasks, offering: CommandSource) -> None:
        super().__init__(window)
        self._window, self._tasks, self._offering = window, tasks, offering
        self._commands: Sequence[Command] = ()
        self._found: Sequence[Command] = ()
        self._before: QWidget | None = None
        self._moved = False  # a person has chosen another line than the first
        self._due = False  # Enter was pressed before all had come that fits
        self.setObjectName("floating")
        self.setAutoFillBackground(True)
        self.setAccessibleName("Search or command")
        self.line = QLineEdit()
        self.line.setAccessibleName("Search or command")
        self.line.setPlaceholderText("An order by any number or name, an action, a page, a view")
        self.line.textChanged.connect(self._on_typed)
        self.line.installEventFilter(self)
        self.list = LineList(theme, "What fits", _SHOWN)
        self.list.taken.connect(self._take)
        self.sentence = text_label("", "label")
        self.setLayout(column(self.line, self.list, row(SPACE_1, self.sentence, SPACE_1), margin=SPACE_2, gap=SPACE_2))
        window.installEventFilter(self)
        self.hide()

    @property
    def offered(self) -> list[str]:
        """What is offered now, as it is read."""
        return self.list.words

    def open(self) -> None:
        """Show it, empty, with the keyboard in it."""
        self._before = self._window.focusWidget()
        self._commands = self._offering.commands()
        self._found = ()
        self._moved = self._due = False
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
        """Close it; the keyboard goes back to where it was."""
        if not self.isHidden():
            self._tasks.cancel("palette")
            self._tasks.cancel("palette more")
            self.hide()
            # An open cell of a grid ends when the keyboard leaves it: what had the keyboard may be deleted by now.
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
        more = await self._offering.more()
        if not self.isHidden():
            self._commands = [*self._commands, *more]
            self._came(last=not self._tasks.running("palette"))

    async def _search(self, text: str) -> None:
        found = await self._offering.find(text.strip())
        if text == self.line.text() and not self.isHidden():
            self._found = found
            self._came(last=not self._tasks.running("palette more"))

    def _came(self, *, last: bool) -> None:
        self._fill()
        if self._due and last:
            self._do_chosen()

    def _fill(self) -> None:
        """Orders first: whoever types a number means one. A line that was chosen stays so if it still fits."""
        chosen, text = self._chosen() if self._moved else None, self.line.text().strip()
        fits = [*self._found, *fitting(text, self._commands), *(self._offering.about(text) if text else ())]
        self.list.fill([_line(each) for each in fits])
        self.list.setCurrentRow((fits.index(chosen) if chosen in fits else 0) if fits else -1)
        self._say()
        self._place()

    def _say(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self.sentence.setText("Nothing fits.")
        else:
            self.sentence.setText(visible(chosen.why_not) or "Up and Down choose · Enter does it · Esc closes")

    def _chosen(self) -> Command | None:
        line = self.list.chosen
        return line.value if line is not None and isinstance(line.value, Command) else None

    def _step(self, by: int) -> None:
        line = self.list.step(by)
        if line is not None:
            self._moved = True
            self._say()
            announce(self, line.read)  # the keyboard is in the line above: what is chosen has to be told

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
            self.hide()  # somebody has gone on with something else
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _on_key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in _STEPS:
            self._step(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # What comes first may still be on its way: whoever types a number and Enter means that order.
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
    return Line(command.words, command.detail, command, shown_key(command.key), off=bool(command.why_not))
