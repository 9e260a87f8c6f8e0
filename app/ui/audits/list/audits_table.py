"""The table of audits: whole rows are selected; sorting is asked of the store."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent

from app.store.cache.audits.audit_rows import AuditLine
from app.translation import translate
from app.ui.audits.audit_columns import COLUMNS
from app.ui.audits.list.audits_model import AuditDelegate, AuditsModel
from app.ui.theme.theme import SIZES, Theme
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.loaded_pages import PAGE
from app.ui.widgets.lists.row_table import RowTable, set_up_rows

_YIELDING = next(place for place, each in enumerate(COLUMNS) if each.sort == "vendor")
_YIELDING_LEAST, _MARKS_LEAST = 96, 110  # px: the vendor gives way, so that the marks are seen in a narrow window


class AuditsTable(RowTable):
    """`sort_asked` names a store column; `typed` begins a filter."""

    sort_asked = Signal(str)
    typed = Signal(str)
    opened = Signal(QModelIndex)  # by a double click, Enter, or through the accessibility tree

    def __init__(self, theme: Theme, model: AuditsModel) -> None:
        super().__init__()
        self._audits = model
        self.setModel(model)
        set_up_rows(self, theme, translate("Audits"), AuditDelegate, [each.width for each in COLUMNS], several=True)
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._on_header)
        self.activated.connect(self.opened)
        self._choice = AccessibleChoice(self, self.opened.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        others = sum(each.width for place, each in enumerate(COLUMNS) if place != _YIELDING)
        rest = event.size().width() - others - _MARKS_LEAST
        self.setColumnWidth(_YIELDING, min(max(rest, _YIELDING_LEAST), COLUMNS[_YIELDING].width))

    def show_sort(self, name: str, descending: bool) -> None:
        """Mark the column that the rows are sorted by."""
        place = next(at for at, each in enumerate(COLUMNS) if each.sort == name)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicatorShown(True)
        self.horizontalHeader().setSortIndicator(place, order)

    def pages_on_screen(self) -> list[int]:
        """The pages that the visible rows belong to."""
        first = max(self.rowAt(0), 0)
        return list(range(first // PAGE, (first + self.viewport().height() // SIZES.row_height) // PAGE + 1))

    def chosen(self) -> list[AuditLine]:
        """The selected audits from top to bottom, as far as they are loaded."""
        rows = sorted(each.row() for each in self.selectionModel().selectedRows())
        return [line for at in rows if (line := self._audits.line(at)) is not None]

    def stand_on(self, number: int) -> None:
        """Select the row of an audit without scrolling; nothing happens unless it is loaded."""
        at = self._audits.row_of(number)
        if at is None:
            return
        self.setAutoScroll(False)
        self.select_row(at)
        self.setAutoScroll(True)

    def select_row(self, at: int) -> None:
        """Select this row alone; nothing happens where there is no such row."""
        if not 0 <= at < self._audits.rowCount():
            return
        # An explicit command: QTableView.selectRow looks at the keys that are held, and with Shift may select nothing.
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(self._audits.index(at, 0), flags)
        self._choice.forget()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._choice.forget()  # Qt makes the first row the current one then

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        if not event.modifiers() & ~plain and event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)
            self._choice.forget()  # a row that keys have reached is not opened by that

    def _on_header(self, place: int) -> None:
        if place < len(COLUMNS):
            self.sort_asked.emit(COLUMNS[place].sort)
