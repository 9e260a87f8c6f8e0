"""The panel of a filter chip: values with counts, days, or a field to type in.

Invariant: a choice filters at once. Escape closes the panel, and so does a click or the focus outside of it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.translation import translate
from app.ui.theme.theme import SIZES
from app.ui.theme.tokens import CHIP_PANEL_WIDTH, LIST_ROW_HEIGHT, SPACE_2
from app.ui.widgets import widget_words as words
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.chip import Chip
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_VALUE = Qt.ItemDataRole.UserRole
_LINES = 10


class ChipPanel(QFrame):
    """`chosen` carries the typed values, and whether they are negated; `over` comes once, when the panel closes."""

    chosen = Signal(object, bool)
    over = Signal()

    def __init__(self, beside: QWidget, chip: Chip, values: Sequence[str], *, negated: bool) -> None:
        super().__init__(beside.window())
        self._beside, self._chip = beside, chip
        self._values = list(values)
        self._over = False
        self.setObjectName("floating")
        self.setAutoFillBackground(True)
        self.setAccessibleName(words.filter_by(chip.title))
        self.setFixedWidth(CHIP_PANEL_WIDTH)
        self.negated = QCheckBox(words.NOT_THESE if chip.kind in ("values", "some") else words.NOT_THIS)
        self.negated.setChecked(negated)
        self.negated.toggled.connect(self._tell)
        self.sought = QLineEdit()
        self.sought.setPlaceholderText(chip.hint or words.find_in(chip.title))
        self.sought.setAccessibleName(chip.hint or words.find_in(chip.title))
        self.sought.textChanged.connect(self._on_sought)
        self.sought.returnPressed.connect(self._on_typed)
        self.list = QListWidget()
        self.list.setAccessibleName(chip.title)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.itemChanged.connect(self._on_ticked)
        self.list.itemActivated.connect(self._on_activated)
        set_list_rows(self.list)
        AccessibleChoice(self.list, self._on_tree)
        self.note = text_label("", "label", wrap=True)
        clear = button(translate("Clear"), self._clear)
        self.setLayout(
            column(
                row(text_label(chip.title, "strong"), None, self.negated),
                self.sought,
                self.list,
                self.note,
                row(None, clear),
                margin=SPACE_2,
                gap=SPACE_2,
            )
        )
        self.sought.setVisible(chip.kind == "values" or bool(chip.hint))
        self._options: list[tuple[str, str, int | None]] = [(value, title, None) for value, title in chip.options]
        self._fill()

    def offer(self, counts: Sequence[tuple[str, int]], names: Mapping[str, str] = MappingProxyType({})) -> None:
        """Show how many orders have each value, most frequent first; `names` explain values that are codes."""
        if self._chip.kind == "values":
            shown = {value: f"{value} {names[value]}" if value in names else value for value, _ in counts}
            self._options = [(value, shown[value], count) for value, count in counts if value]
            known = {value for value, _, _ in self._options}
            self._options += [(value, value, 0) for value in self._values if value not in known]
        elif self._chip.kind == "some":
            found = {value.lower(): count for value, count in counts}
            self._options = [(value, title, found.get(value, 0)) for value, title, _ in self._options]
        self._fill()

    def open(self) -> None:
        """Show the panel below its chip, with the focus in it."""
        self._place()
        self.show()
        self.raise_()
        (self.sought if not self.list.count() else self.list).setFocus(Qt.FocusReason.PopupFocusReason)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        # On the application, because a click on a widget that takes no focus must close the panel too.
        application.installEventFilter(self)

    def close_now(self) -> None:
        """Close the panel."""
        if self._over:
            return
        self._over = True
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.disconnect(self._on_focus)
        application.removeEventFilter(self)
        self.over.emit()
        # Hidden at once and deleted later: this may run inside an event of the panel's own.
        self.hide()
        self.deleteLater()

    def _fill(self) -> None:
        typed = self.sought.text().strip().casefold() if self._chip.kind == "values" else ""
        here = self.list.currentRow()
        # An item that is added with its mark would count as ticked.
        self.list.blockSignals(True)
        self.list.clear()
        for value, title, count in self._options:
            if typed in title.casefold():
                self.list.addItem(_item(value, title, count, ticked=value.lower() in self._lower()))
        self.list.setCurrentRow(min(max(here, 0), self.list.count() - 1))
        self.list.blockSignals(False)
        self.list.setVisible(bool(self._options))
        self.list.setFixedHeight(min(max(self.list.count(), 1), _LINES) * SIZES.scaled(LIST_ROW_HEIGHT) + 2)
        self.adjustSize()
        if self.isVisible():
            self._place()

    def _lower(self) -> list[str]:
        return [value.lower() for value in self._values]

    def _on_ticked(self, item: QListWidgetItem) -> None:
        value = str(item.data(_VALUE))
        on = item.checkState() == Qt.CheckState.Checked
        if self._chip.kind == "one":
            self._values = [value] if on else []
        else:
            self._values = [each for each in self._values if each.lower() != value.lower()] + ([value] if on else [])
        # Later: this slot runs inside a signal of the list, and filling deletes the item that sent it.
        QTimer.singleShot(0, self, self._fill)
        self._tell()

    def _on_activated(self, item: QListWidgetItem) -> None:
        """Choose this value only, and close the panel."""
        self._values = [str(item.data(_VALUE))]
        self._tell()
        self._leave()

    def _on_tree(self, index: QModelIndex) -> None:
        """Toggle the value that was selected through the accessibility tree."""
        item = self.list.item(index.row())
        checked = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked)

    def _on_sought(self) -> None:
        if self._chip.kind == "values":
            self._fill()

    def _on_typed(self) -> None:
        typed = self.sought.text().strip()
        if self._chip.kind == "values":
            if self.list.count():
                self._on_activated(self.list.item(0))
            return
        if typed:
            self._values = [typed]
            self._tell()

    def say(self, problem: str) -> None:
        """Show what is wrong with the typed text; empty if nothing is."""
        self.note.setText(visible(problem))
        self.adjustSize()

    def _clear(self) -> None:
        self._values = []
        self.sought.clear()
        self._fill()
        self._tell()

    def _tell(self) -> None:
        self.chosen.emit(tuple(self._values), self.negated.isChecked())

    def _leave(self) -> None:
        self._beside.setFocus()
        self.close_now()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() == Qt.Key.Key_Down and self.sought.hasFocus() and self.list.count():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and not self._is_ours(watched):
            self.close_now()
        return False

    def _is_ours(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self or self.isAncestorOf(widget))

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not self._is_ours(now):
            self.close_now()

    def _place(self) -> None:
        window = self.window() if self.parentWidget() is None else self.parentWidget()
        assert window is not None
        below = self._beside.mapTo(window, QPoint(0, self._beside.height()))
        x = max(min(below.x(), window.width() - self.width() - SPACE_2), 0)
        y = max(min(below.y(), window.height() - self.height() - SPACE_2), 0)
        self.move(x, y)


def _item(value: str, title: str, count: int | None, *, ticked: bool) -> QListWidgetItem:
    item = QListWidgetItem(visible(title if count is None else f"{title}  {count:,}"))
    item.setData(_VALUE, value)
    item.setToolTip(plain_tooltip(title))
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
    return item
