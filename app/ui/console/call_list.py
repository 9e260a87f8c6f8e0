"""The list of past calls: searched, shown again, compared, forgotten. Rows come by the page as one scrolls."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.desk.console.calls.call_history import PastCall
from app.ui.console import console_page_words as words
from app.ui.console.answer_models import TextRowsModel
from app.ui.console.search_field import search_field
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, shortcut
from app.ui.widgets.layout import column
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.row_table import CellLook, RowDelegate, RowTable, set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text import times
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_SEARCH_MS = 200
_FITTED = 2  # the first columns, which are as wide as their texts; the last one has the rest
_WRONG = 400
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
PAGE = 100


class CallsModel(TextRowsModel):
    """Calls, newest first; `wanted` asks for those before the last one."""

    wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(words.COLUMNS_OF_HISTORY, parent)
        self.calls: list[PastCall] = []
        self._more = False

    def show_calls(self, calls: Sequence[PastCall], *, more: bool) -> None:
        """Show these; `more`: there may be earlier ones."""
        self.calls, self._more = list(calls), more
        self.show_rows([_cells(each) for each in calls])

    def add_calls(self, calls: Sequence[PastCall], *, more: bool) -> None:
        """Show these below."""
        self._more = more
        if calls:
            self.beginInsertRows(QModelIndex(), len(self.calls), len(self.calls) + len(calls) - 1)
            self.calls += calls
            self.rows = [*self.rows, *(_cells(each) for each in calls)]
            self.endInsertRows()

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._more

    def fetchMore(self, parent: Index) -> None:
        self._more = False  # until the answer is there
        self.wanted.emit()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole:
            each = self.calls[index.row()]
            lines = (f"{each.at:%Y-%m-%d %H:%M:%S}", f"{each.method} {each.target}", each.sentence)
            return plain_tooltip("\n".join(line for line in lines if line))
        return super().data(index, role)


class CallsDelegate(RowDelegate):
    """The answer in its colour; its number and word carry the meaning."""

    def look(self, index: Index) -> CellLook:
        model = index.model()
        assert isinstance(model, CallsModel)
        if index.column() == 1:
            return CellLook(_ink(model.calls[index.row()]))
        if index.column() == 0:
            return CellLook("ink_soft")
        # Where there is no room for method and query, the path alone tells one call from another.
        path = visible(model.calls[index.row()].target.partition("?")[0].strip("/"))
        return CellLook(elide=Qt.TextElideMode.ElideMiddle, short=path)


class CallList(QWidget):
    """`shown` carries the call to show, `compared` the one to compare with the one before, `forgotten` one to delete.

    `searched` asks for calls that hold the text; `more_wanted` for those before the last. In the search, Down goes to
    the calls and Enter shows the first.
    """

    shown = Signal(object)
    compared = Signal(object)
    forgotten = Signal(object)
    all_forgotten = Signal()
    searched = Signal(str)
    more_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.search = search_field(words.FIND_CALL)
        self.model = CallsModel(self)
        self.model.wanted.connect(self.more_wanted)
        self.table = RowTable()
        self.table.setModel(self.model)
        set_up_rows(self.table, theme, words.HISTORY, CallsDelegate, ())
        for each in (self.model.modelReset, self.model.rowsInserted):
            each.connect(self._fit_columns)
        self.table.activated.connect(self._on_activated)
        self.table.clicked.connect(self._on_activated)
        AccessibleChoice(self.table, self._on_activated)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        made = shortcut(self.table, "Delete", self._forget)
        made.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.states = StateView(theme, self.table)
        self.compare_key = button(words.COMPARE_CALL, self._compare, kind="quiet", key="Alt+C")
        self.forget_key = button(words.FORGET_ALL, self.all_forgotten.emit, kind="quiet")
        foot = column(self.compare_key, self.forget_key)
        self.setLayout(column(self.search, self.states, foot, margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1), gap=SPACE_1))
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_SEARCH_MS)
        self._later.timeout.connect(self._search)
        self.search.textChanged.connect(self._later.start)
        self.search.installEventFilter(self)
        self._down_waits: bool | None = None  # a key in the search waits for the calls; True to show the first
        self.show_calls((), more=False)

    def show_calls(self, calls: Sequence[PastCall], *, more: bool) -> None:
        """Show these, or say that there is none."""
        self.model.show_calls(calls, more=more)
        for each in (self.compare_key, self.forget_key):
            each.setEnabled(bool(calls))
        if calls:
            self.states.show_content()
        elif self.search.text():
            self.states.show_state("search", words.NO_CALL_FOUND, words.NO_CALL_FOUND_SENTENCE)
        else:
            self.states.show_state("clock", words.NO_CALLS, words.NO_CALLS_SENTENCE)
        waits, self._down_waits = self._down_waits, None
        if waits is not None and self.search.hasFocus():
            self._go_down(show=waits)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = Qt.Key(event.key())
            if key in (Qt.Key.Key_Down, *_ENTER):
                self._go_down(show=key in _ENTER)
                return True
        return super().eventFilter(watched, event)

    def _go_down(self, *, show: bool) -> None:
        """Go to the first call, or show it."""
        if self._later.isActive():  # the calls are not yet those that the text asks for: `show_calls` goes on
            self._later.stop()
            self._down_waits = show
            self._search()
        elif self.model.calls:
            first = self.model.index(0, 0)
            self.table.setCurrentIndex(first)
            if show:
                self._on_activated(first)
            else:
                self.table.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_columns()

    def _fit_columns(self) -> None:
        """Give the first columns the width of their texts: a time that is cut off says nothing."""
        header, metrics = self.table.horizontalHeader(), self.table.fontMetrics()
        for place in range(_FITTED):
            texts = {cells[place] for cells in self.model.rows}
            widest = max((metrics.horizontalAdvance(each) for each in texts), default=0)
            # What the delegate leaves free beside a text.
            room = SPACE_2 + (SPACE_2 if place else SPACE_3)
            self.table.setColumnWidth(place, max(widest + room, header.sectionSizeHint(place)))

    def current(self) -> PastCall | None:
        """The call that is chosen; the newest if none is."""
        at = self.table.currentIndex().row()
        calls = self.model.calls
        return calls[at] if 0 <= at < len(calls) else calls[0] if calls else None

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.model.calls):
            self.shown.emit(self.model.calls[index.row()])

    def _compare(self) -> None:
        if (call := self.current()) is not None:
            self.compared.emit(call)

    def _forget(self) -> None:
        at = self.table.currentIndex().row()
        if 0 <= at < len(self.model.calls):
            self.forgotten.emit(self.model.calls[at])

    def _open_menu(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if not index.isValid():
            return
        menu = QMenu(self.table)
        for title, act in (
            (words.SHOW_CALL, self._show_current),
            (words.COMPARE_CALL, self._compare),
            (words.FORGET_CALL, self._forget),
        ):
            menu.addAction(title, act)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.table.viewport().mapToGlobal(at))

    def _show_current(self) -> None:
        self._on_activated(self.table.currentIndex())

    def _search(self) -> None:
        self.searched.emit(self.search.text().strip())


def _ink(call: PastCall) -> str:
    if call.write_id is not None:
        return "ink_soft"
    if call.in_doubt:
        return "warn"
    return "good" if 0 < call.status < _WRONG else "bad"


def _status(call: PastCall) -> str:
    if call.write_id is not None:
        return words.OUTBOX
    if call.in_doubt:
        return words.IN_DOUBT
    return str(call.status) if call.status else words.NO_ANSWER


def _cells(call: PastCall) -> tuple[str, str, str]:
    status = _status(call)
    # The tooltip has day and time of each: here is room for the path.
    when = f"{call.at:%H:%M}" if call.at.date() == times.today() else f"{call.at.day} {call.at:%b}"
    return when, status, visible(f"{call.method} {call.target}")
