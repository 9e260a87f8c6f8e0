"""The dialog of columns: which are shown, in which order, and how wide.

Invariants: every change shows in the table at once, all of it can be done by keys, and the dialog blocks nothing.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.orders.table.arrangement import Arrangement, Placed, hidden, moved, names_of, resized, shown
from app.ui.orders.table.column_list import ALL_COLUMNS, BY_NAME, GROUPS
from app.ui.theme.tokens import COLUMN_STEP, COLUMNS_DIALOG_SIZE, SPACE_1, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button, shortcut
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import text_label

_NAME = Qt.ItemDataRole.UserRole


class _List(QListWidget):
    """`moved` and `widened` carry places and steps; `left_above` says that Up was pressed on the first line."""

    moved = Signal(int)
    left_above = Signal()
    widened = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _STEPS:
            by, across = _STEPS[Qt.Key(key)]
            (self.widened if across else self.moved).emit(by)
        elif key == Qt.Key.Key_Up and not event.modifiers() and self.currentRow() <= 1:
            self.left_above.emit()
        else:
            super().keyPressEvent(event)


_STEPS = {
    Qt.Key.Key_Up: (-1, False),
    Qt.Key.Key_Down: (1, False),
    Qt.Key.Key_Left: (-1, True),
    Qt.Key.Key_Right: (1, True),
}


class ColumnsDialog(QDialog):
    """Lists the shown columns in their order, then the hidden ones by group.

    The search field matches titles and groups; its words may come in any order.
    """

    def __init__(
        self,
        parent: QWidget,
        put: Callable[[Arrangement], object],
        reset: Callable[[], object],
        sort: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Columns"))
        resize_within_screen(self, *COLUMNS_DIALOG_SIZE)
        self._put, self._sort = put, sort
        self._arrangement: Arrangement = ()
        self.sought = QLineEdit()
        self.sought.setAccessibleName(words.FIND_COLUMN)
        self.sought.setPlaceholderText(words.FIND_COLUMN)
        self.sought.textChanged.connect(self._fill)
        self.list = _List()
        self.list.setAccessibleName(translate("Columns"))
        set_list_rows(self.list)
        self.list.itemChanged.connect(self._on_ticked)
        self.list.moved.connect(self.move_by)
        self.list.left_above.connect(self.sought.setFocus)
        self.list.widened.connect(self.widen_by)
        self.list.currentItemChanged.connect(self._on_current)
        self.nothing = text_label(words.NO_COLUMN, "soft")
        self.width_label = text_label("", "soft")
        self.buttons = [
            button(translate("Up"), self._up, tip="Alt+Up"),
            button(translate("Down"), self._down, tip="Alt+Down"),
            button(translate("Narrower"), self._narrower, tip="Alt+Left"),
            button(translate("Wider"), self._wider, tip="Alt+Right"),
            button(translate("Sort"), self._on_sort, key="Alt+S"),
        ]
        shortcut(self, "Ctrl+F", self.sought.setFocus)
        usual = button(words.RESET_COLUMNS, reset)
        close = button(translate("Close"), self.accept)
        lines = column(
            text_label(translate("Columns"), "title"),
            self.sought,
            self.list,
            self.nothing,
            self.width_label,
            row(*self.buttons, None, gap=SPACE_1),
            text_label(words.COLUMNS_HELP, "label", wrap=True),
            row(usual, None, close),
            margin=SPACE_4,
            gap=SPACE_2,
        )
        self.setLayout(lines)
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Down and Enter lead from the search field to the highlighted column.
        down = event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if down and self.sought.hasFocus():
            if self.list.count():
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def show_arrangement(self, arrangement: Arrangement) -> None:
        """Show another arrangement; the current column stays current."""
        self._arrangement = arrangement
        self._fill()

    @property
    def current(self) -> str:
        """The name of the current column; empty for none."""
        item = self.list.currentItem()
        return str(item.data(_NAME) or "") if item is not None else ""

    def _fill(self) -> None:
        here, typed = self.current, self.sought.text().casefold().split()
        names = names_of(self._arrangement)
        # Adding an item with a mark, and choosing the current row, look like a person's ticks and moves.
        self.list.blockSignals(True)
        self.list.clear()
        self._add(translate("Shown"), [(name, _called(name)) for name in names], typed, ticked=True)
        for group in GROUPS:
            others = [each for each in ALL_COLUMNS if each.group == group and each.name not in names]
            self._add(group, [(each.name, each.title) for each in others], typed, ticked=False)
        places = {self.list.item(at).data(_NAME): at for at in range(self.list.count())}
        if places:
            self.list.setCurrentRow(places.get(here, 1))  # the first line is a heading
        self.list.blockSignals(False)
        self.nothing.setVisible(not places)
        self._on_current()

    def _add(self, heading: str, some: list[tuple[str, str]], typed: list[str], *, ticked: bool) -> None:
        found = [(name, called) for name, called in some if all(word in _called(name).casefold() for word in typed)]
        if found:
            self.list.addItem(_heading(heading))
            for name, called in found:
                self.list.addItem(_item(name, called, ticked=ticked))

    def _on_current(self) -> None:
        placed = next((each for each in self._arrangement if each.name == self.current), None)
        shown = _place_and_width(placed, len(self._arrangement), self._arrangement)
        self.width_label.setText(shown if self.current else "")
        for each in self.buttons[:4]:
            each.setEnabled(placed is not None)
        self.buttons[4].setEnabled(bool(self.current))

    def _on_ticked(self, item: QListWidgetItem) -> None:
        name, on = str(item.data(_NAME)), item.checkState() == Qt.CheckState.Checked
        after = shown(self._arrangement, name) if on else hidden(self._arrangement, name)
        if after == self._arrangement:  # the last column cannot be hidden
            self._fill()
        else:
            self._put(after)

    def move_by(self, places: int) -> None:
        """Move the current column by so many places."""
        self._put(moved(self._arrangement, self.current, places))

    def widen_by(self, steps: int) -> None:
        """Make the current column wider by so many steps, or narrower if negative."""
        width = dict(self._arrangement).get(self.current)
        if width is not None:
            self._put(resized(self._arrangement, self.current, width + steps * COLUMN_STEP))

    def _up(self) -> None:
        self.move_by(-1)

    def _down(self) -> None:
        self.move_by(1)

    def _narrower(self) -> None:
        self.widen_by(-1)

    def _wider(self) -> None:
        self.widen_by(1)

    def _on_sort(self) -> None:
        if self.current:
            self._sort(self.current)


def _called(name: str) -> str:
    """`Facility code  ·  Facility`: title and group. Columns of the order itself have no group."""
    found = BY_NAME[name]
    plain = found.group in ("Order", found.title)
    return found.title if plain else f"{found.title}  ·  {found.group}"


def _heading(group: str) -> QListWidgetItem:
    """The heading of a group, which cannot become current."""
    item = QListWidgetItem(group)
    font = item.font()
    font.setBold(True)
    item.setFont(font)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


def _item(name: str, called: str, *, ticked: bool) -> QListWidgetItem:
    item = QListWidgetItem(called)
    item.setData(_NAME, name)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
    return item


def _place_and_width(placed: Placed | None, count: int, arrangement: Arrangement) -> str:
    if placed is None:
        return words.COLUMN_HIDDEN
    return words.column_standing(arrangement.index(placed) + 1, count, placed.width)
