"""The field for a load, and below it the loads that this desk's orders named, narrowed by what is typed."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from app.desk.loads.load_orders import NamedLoad
from app.ui.loads import loads_words as words
from app.ui.theme.tokens import LOADS_WIDTH, SPACE_1
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

LONGEST = 50  # characters of a load, as a submission takes them
_LOAD = Qt.ItemDataRole.UserRole


class LoadList(QWidget):
    """`typed` carries what narrows the list, `shown` a load to show as it is kept, `asked` a load to ask about."""

    typed = Signal(str)
    shown = Signal(str)
    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(LOADS_WIDTH)
        self.field = Field(words.LOAD, limit=LONGEST, hint=words.LOAD_HINT)
        self.list = QListWidget()
        self.list.setAccessibleName(words.LOADS)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        set_list_rows(self.list)
        self.nothing = text_label("", "soft", wrap=True)
        whole = column(self.field, text_label(words.LOADS, "label"), self.list, self.nothing, gap=SPACE_1)
        whole.addStretch(0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self._quiet = False
        self.field.changed.connect(self._on_typed)
        self.field.editor.installEventFilter(self)
        self.list.currentItemChanged.connect(self._on_current)
        self.list.itemActivated.connect(self._on_activated)
        self._choice = AccessibleChoice(self.list, self._on_chosen)

    def fill(self, loads: Sequence[NamedLoad], current: str, typed: str) -> None:
        """List these loads, narrowed by what is `typed`; the one that is shown is the current one."""
        self._quiet = True
        self.list.clear()
        for each in loads:
            item = QListWidgetItem(visible(_line(each)))
            item.setData(_LOAD, each.load)
            item.setToolTip(plain_tooltip(each.load))
            self.list.addItem(item)
            if each.load == current:
                self.list.setCurrentItem(item)
        self._choice.forget()
        self._quiet = False
        self.list.setVisible(bool(loads))
        self.nothing.setText("" if loads else words.NO_MATCHING_LOAD if typed.strip() else words.NO_LOADS)

    def show_load(self, load: str) -> None:
        """Put a load into the field without counting it as typed."""
        self.field.set_text(load)

    def _on_typed(self) -> None:
        self.typed.emit(self.field.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._ask_typed()
                return True
            if event.key() == Qt.Key.Key_Down and self.list.count():
                self.list.setFocus()
                self.list.setCurrentRow(max(self.list.currentRow(), 0))
                return True
        return super().eventFilter(watched, event)

    def _ask_typed(self) -> None:
        load = self.field.text().strip()
        if len(load) > LONGEST:
            self.field.set_notice(words.too_long(LONGEST, len(load)))
        elif load:
            self.asked.emit(load)

    def _on_current(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if item is not None and not self._quiet:
            self.shown.emit(item.data(_LOAD))

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.asked.emit(item.data(_LOAD))

    def _on_chosen(self, index: object) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.asked.emit(item.data(_LOAD))


def _line(load: NamedLoad) -> str:
    return load.load if load.asked_at is None else f"{load.load} · {words.items(load.items)}"
