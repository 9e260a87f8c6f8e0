"""A table of records with a search line above it. Its columns come from the data; a click on a title sorts.

Keys in the table: Enter opens a row, Ctrl+C copies the selected rows as a table, typing begins a search.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

from app.desk.export.spreadsheet_cells import clipboard_table
from app.desk.export.table_file import TableFile
from app.desk.files.stoppable_work import Progress
from app.desk.records.record_files import write_records
from app.desk.records.record_table import Record, RecordTable, cell
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets import widget_words as words
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.row_table import RowTable, set_up_rows
from app.ui.widgets.records.records_model import RecordDelegate, RecordsModel
from app.ui.widgets.states import StateView
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import ampersands, text_label, visible

_NARROWEST, _WIDEST, _PADDING = 64, 300, 28
_MEASURED = 60  # rows that a width is measured by
EXPORT_KEY = "Ctrl+Shift+E"

Action = tuple[
    str, str, Callable[[Record], object], Callable[[Record], bool]
]  # title, key, act, whether it is possible


class RecordRows(RowTable):
    """The rows alone; `opened` carries the record of a row, `typed` a character that begins a search."""

    opened = Signal(object)
    typed = Signal(str)
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.records = RecordsModel(self)
        self.setModel(self.records)
        set_up_rows(self, theme, name, RecordDelegate, (), several=True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self.menu_asked)
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSectionsMovable(True)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.sectionClicked.connect(self._on_header)
        self.activated.connect(self._open)
        self._choice = AccessibleChoice(self, self._on_chosen)

    def show_table(self, table: RecordTable) -> None:
        """Show these records; widths follow the texts where the columns are others than before."""
        anew = [each.name for each in table.columns] != [each.name for each in self.records.table.columns]
        self.records.show_table(table)
        if anew:
            self._measure()
        self._show_sort()

    def _measure(self) -> None:
        metrics, model = self.fontMetrics(), self.records
        for place, each in enumerate(model.table.columns):
            texts = [each.title] + [
                str(model.data(model.index(at, place)) or "") for at in range(min(model.rowCount(), _MEASURED))
            ]
            width = max(metrics.horizontalAdvance(text) for text in texts) + _PADDING
            self.setColumnWidth(place, min(max(width, _NARROWEST), _WIDEST))

    def selected(self) -> list[Record]:
        """The records of the selected rows, from top to bottom."""
        return [self.records.rows[each.row()] for each in sorted(
            self.selectionModel().selectedRows(), key=lambda each: each.row()
        )]  # fmt: skip

    def current(self) -> Record | None:
        """The record of the current row."""
        at = self.currentIndex().row()
        return self.records.rows[at] if 0 <= at < len(self.records.rows) else None

    def select_first(self) -> None:
        """Select the first row if none is selected. That opens nothing, also while a screen reader listens."""
        if not self.selectionModel().hasSelection() and self.records.rows:
            # An explicit command: QTableView.selectRow looks at the keys that are held.
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(self.records.index(0, 0), flags)
        self._choice.forget()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._choice.forget()  # Qt makes the first row the current one then

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif not event.modifiers() & ~plain and event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)
            self._choice.forget()  # a row that keys have reached is not opened by that

    def copy(self) -> None:
        """Copy the selected rows as a table that pastes into a spreadsheet."""
        chosen, columns = self.selected(), self.records.table.columns
        if not chosen:
            return
        table = clipboard_table(
            [each.title for each in columns], ([cell(each, at) for at in columns] for each in chosen)
        )
        found = QMimeData()
        found.setText(table.text)
        found.setHtml(table.html)
        QApplication.clipboard().setMimeData(found)

    def _open(self) -> None:
        record = self.current()
        if record is not None:
            self.opened.emit(record)

    def _on_chosen(self, _index: QModelIndex) -> None:
        self._open()

    def _on_header(self, place: int) -> None:
        model = self.records
        again = model.sorted_place == place and not model.descending
        model.sort(place, Qt.SortOrder.DescendingOrder if again else Qt.SortOrder.AscendingOrder)
        self._show_sort()

    def _show_sort(self) -> None:
        place, header = self.records.sorted_place, self.horizontalHeader()
        header.setSortIndicatorShown(place is not None)
        if place is not None:
            down = self.records.descending
            header.setSortIndicator(place, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)


class RecordsView(QWidget):
    """Search line, count and rows, or a state in place of the rows. `row_actions` stand in the menu of a row."""

    opened = Signal(object)

    def __init__(self, theme: Theme, name: str, *, search: str = "") -> None:
        super().__init__()
        self._name = name
        self.row_actions: Sequence[Action] = ()
        self.rows = RecordRows(theme, name)
        self.states = StateView(theme, self.rows)
        self.filter = QLineEdit()
        self.filter.setAccessibleName(search or words.search_in(name))
        self.filter.setPlaceholderText(search or words.search_in(name))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_words)
        self.filter.returnPressed.connect(self.into_rows)
        down = shortcut(self.filter, "Down", self.into_rows)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.count_label = text_label("", "soft")
        head = row(self.filter, self.count_label, gap=SPACE_2)
        head.setStretch(0, 1)
        self._searching = holding(head)
        whole = column(self._searching, self.states, gap=SPACE_1)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.rows.opened.connect(self.opened)
        self.rows.typed.connect(self._begin_search)
        self.rows.menu_asked.connect(self._open_menu)

    @property
    def table(self) -> RecordTable:
        """The table on screen."""
        return self.rows.records.table

    def show_table(self, table: RecordTable) -> None:
        """Show these records."""
        self.rows.show_table(table)
        self.states.show_content()
        self._say_count()

    def show_state(
        self, icon: str, heading: str, sentence: str = "", action: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Show why there are no rows."""
        self.rows.show_table(RecordTable())
        self.states.show_state(icon, heading, sentence, action, act)
        self._say_count()

    def into_rows(self) -> None:
        """Put the keyboard on the rows."""
        self.rows.setFocus()
        self.rows.select_first()

    def _begin_search(self, text: str) -> None:
        self.filter.setFocus()
        self.filter.insert(text)

    def _on_words(self, typed: str) -> None:
        self.rows.records.search(typed)
        self._say_count()

    def _say_count(self) -> None:
        shown, all_, left_out = len(self.rows.records.rows), len(self.table.records), self.table.left_out
        self.count_label.setText(words.rows_shown(shown, all_, left_out))
        self._searching.setVisible(bool(all_))

    def _open_menu(self, at: QPoint) -> None:
        record = self.rows.current()
        if record is None:
            return
        menu = self.menu(record)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.rows.viewport().mapToGlobal(at))

    def menu(self, record: Record) -> QMenu:
        """The menu of a row."""
        menu = QMenu(self.rows)
        for title, key, act, possible in self.row_actions:
            shown = f"{ampersands(title)}\t{shown_key(key)}" if key else ampersands(title)
            menu.addAction(shown, partial(act, record)).setEnabled(possible(record))
        if self.row_actions:
            menu.addSeparator()
        menu.addAction(f"{words.COPY_AS_TABLE}\t{shown_key('Ctrl+C')}", self.rows.copy)
        for each in self.table.columns:
            text = str(cell(record, each) or "")
            if text:
                copied = partial(QApplication.clipboard().setText, text)
                menu.addAction(words.copy_value(ampersands(each.title)), copied)
        return menu

    def export_job(self, title: str, file_name: str, sheet: str) -> FileJob:
        """The job that writes the rows as they are shown: their columns, order and search."""
        rows, columns = list(self.rows.records.rows), self.table.columns

        async def write(chosen: Chosen, progress: Progress) -> FileResult:
            wanted = TableFile(chosen.target, table_kind(chosen), sheet, chosen.replace)
            done = await write_records(rows, columns, wanted, progress)
            return FileResult(
                words.records_written(done.records, visible(chosen.target.name), done.cut),
                "warn" if done.cut else "good",
            )

        return FileJob(title, file_name, (XLSX, *CSVS), write, _progress_words)


def _progress_words(progress: Progress) -> str:
    return words.writing_records(progress.done, progress.total)
