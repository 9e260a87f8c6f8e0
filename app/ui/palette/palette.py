"""The palette's window: one line to type in, and what fits below it.

The keyboard stays in the line: Up and Down choose, Enter does it, Escape closes. What was last typed is gone the next
time, so that the same few keys always do the same.
"""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.runtime.tasks import Tasks
from app.ui.palette.commands import Command, fitting
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PALETTE_WIDTH, ROW_HEIGHT, SPACE_1, SPACE_2, SPACE_3, SPACE_5
from app.ui.widgets.labels import plain_tooltip, text_label, visible
from app.ui.widgets.layout import column, row
from app.ui.widgets.tree_choice import TreeChoice

_SHOWN = 12
_COMMAND = Qt.ItemDataRole.UserRole
_STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -_SHOWN + 1,
    Qt.Key.Key_PageDown: _SHOWN - 1,
}
Index = QModelIndex | QPersistentModelIndex


class Offering(Protocol):
    """Where the palette has what it offers from."""

    def commands(self) -> Sequence[Command]:
        """What can be done now."""

    async def find(self, text: str) -> Sequence[Command]:
        """The orders that a text means."""

    def about(self, text: str) -> Sequence[Command]:
        """What can be done with the text itself."""


class Palette(QFrame):
    """It lies over the window it belongs to."""

    def __init__(self, window: QWidget, theme: Theme, tasks: Tasks, offering: Offering) -> None:
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
        self.list = QListWidget()
        self.list.setAccessibleName("What fits")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_Line(theme, self.list))
        self.list.itemClicked.connect(self._on_item)
        TreeChoice(self.list, self._on_index)
        self.sentence = text_label("", "label")
        self.setLayout(column(self.line, self.list, row(SPACE_1, self.sentence, SPACE_1), margin=SPACE_2, gap=SPACE_2))
        window.installEventFilter(self)
        self.hide()

    @property
    def offered(self) -> list[str]:
        """What is offered now, as it is read."""
        return [self.list.item(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(self.list.count())]

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
        self.raise_()
        self.line.setFocus()

    def close_palette(self) -> None:
        """Close it; the keyboard goes back to where it was."""
        if not self.isHidden():
            self._tasks.cancel("palette")
            self.hide()
            if self._before is not None:
                self._before.setFocus()

    def _on_typed(self, text: str) -> None:
        self._tasks.cancel("palette")
        self._moved = self._due = False
        if text.strip():
            self._tasks.read("palette", self._search(text))
        else:
            self._found = ()
        self._fill()

    async def _search(self, text: str) -> None:
        found = await self._offering.find(text.strip())
        if text == self.line.text() and not self.isHidden():
            self._found = found
            self._fill()
            if self._due:
                self._do_chosen()

    def _fill(self) -> None:
        """Orders first: whoever types a number means one. A line that was chosen stays so if it still fits."""
        chosen, text = self._chosen() if self._moved else None, self.line.text().strip()
        fits = [*self._found, *fitting(text, self._commands), *(self._offering.about(text) if text else ())]
        self.list.clear()
        for each in fits:
            self.list.addItem(_item(each))
        here = fits.index(chosen) if chosen in fits and self.list.count() else 0
        self.list.setCurrentRow(here if fits else -1)
        self.list.setVisible(bool(fits))
        self.list.setFixedHeight(min(len(fits), _SHOWN) * ROW_HEIGHT + 2)
        self._say()
        self._place()

    def _say(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self.sentence.setText("Nothing fits.")
        else:
            self.sentence.setText(visible(chosen.why_not) or "Up and Down choose · Enter does it · Esc closes")

    def _chosen(self) -> Command | None:
        item = self.list.currentItem()
        found = None if item is None else item.data(_COMMAND)
        return found if isinstance(found, Command) else None

    def _step(self, by: int) -> None:
        count = self.list.count()
        if count:
            self._moved = True
            self.list.setCurrentRow(min(max(self.list.currentRow() + by, 0), count - 1))
            self._say()
            if QAccessible.isActive():  # the keyboard is in the line: what is chosen has to be told
                words = self.list.currentItem().data(Qt.ItemDataRole.AccessibleTextRole)
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _on_item(self, item: QListWidgetItem) -> None:
        found = item.data(_COMMAND)
        if isinstance(found, Command):
            self._do(found)

    def _on_index(self, index: QModelIndex) -> None:
        self._on_item(self.list.itemFromIndex(index))

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
            self._due = not self._moved and self._tasks.running("palette")
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


def _item(command: Command) -> QListWidgetItem:
    item = QListWidgetItem(visible(command.words))
    item.setData(_COMMAND, command)
    read = ", ".join(part for part in (command.words, command.detail, shown_key(command.key)) if part)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, visible(read))
    item.setToolTip(plain_tooltip(" · ".join(part for part in (command.words, command.detail) if part)))
    if command.why_not:
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item


def shown_key(key: str) -> str:
    """A key as this system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""


class _Line(QStyledItemDelegate):
    """Paints what can be done, softly beside it what it is about, and its key at the end."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        command = index.data(_COMMAND)
        assert isinstance(command, Command)
        metrics, room = option.fontMetrics, option.rect.adjusted(SPACE_2, 0, -SPACE_2, 0)
        key, soft = shown_key(command.key), self._theme.colour("ink_soft")
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.save()
        painter.setFont(option.font)
        painter.setPen(soft)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, key)
        room = room.adjusted(0, 0, -(metrics.horizontalAdvance(key) + SPACE_3 if key else 0), 0)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(soft if command.why_not else option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(room, side, shown)
        beside = QRect(room)
        beside.setLeft(room.left() + metrics.horizontalAdvance(shown) + SPACE_3)
        if beside.width() > SPACE_5:
            painter.setPen(soft)
            detail = visible(command.detail)
            painter.drawText(beside, side, metrics.elidedText(detail, Qt.TextElideMode.ElideRight, beside.width()))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW_HEIGHT)
