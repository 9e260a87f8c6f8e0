"""All operations of both services, by service and group, with a search above them.

Enter or Down in the search goes to the first operation that is left; typing in the tree goes back to the search.
Invariant: operations that come by themselves, as the provider's description does, move nothing that a person looks at:
the line they stand on, what is folded, and what is in sight.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeView, QWidget

from app.desk.console.console_operations import ConsoleOperation, matching
from app.ui.console import console_page_words as words
from app.ui.console.search_field import search_field
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.layout import column
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
Line = tuple[str, str, str]  # service, group and operation; of a group's line the operation is empty


@dataclass(eq=False, slots=True)
class _Group:
    service: str
    title: str
    operations: list[ConsoleOperation] = field(default_factory=list)


class OperationsModel(QAbstractItemModel):
    """Groups with their operations below them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: list[_Group] = []

    def show_operations(self, found: Iterable[ConsoleOperation]) -> None:
        """Show these, in their order."""
        self.beginResetModel()
        groups: dict[tuple[str, str], _Group] = {}
        for each in found:
            key = (each.service, each.group)
            groups.setdefault(key, _Group(*key)).operations.append(each)
        self.groups = list(groups.values())
        self.endResetModel()

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not parent.isValid():
            return self.createIndex(row, column, 0) if row < len(self.groups) else QModelIndex()
        # The id of an operation's index is the place of its group, counted from 1.
        return self.createIndex(row, column, parent.row() + 1)

    def parent(self, index: Index = _NOWHERE) -> Any:
        group = int(index.internalId()) if index.isValid() else 0
        return self.createIndex(group - 1, 0, 0) if group else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self.groups)
        return 0 if parent.internalId() else len(self.groups[parent.row()].operations)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    def operation(self, index: Index) -> ConsoleOperation | None:
        """The operation of a line; None of a group."""
        group = int(index.internalId()) if index.isValid() else 0
        return self.groups[group - 1].operations[index.row()] if group else None

    def place_of(self, key: str) -> QModelIndex:
        """The line of an operation, an invalid one if it is not shown."""
        for at, group in enumerate(self.groups):
            for row, each in enumerate(group.operations):
                if each.key == key:
                    return self.createIndex(row, 0, at + 1)
        return QModelIndex()

    def line(self, index: Index) -> Line | None:
        """The key of a line, which stays when other operations come; None of no line."""
        if not index.isValid():
            return None
        operation = self.operation(index)
        group = self.groups[index.row() if operation is None else int(index.internalId()) - 1]
        return group.service, group.title, operation.key if operation is not None else ""

    def place_of_line(self, line: Line | None) -> QModelIndex:
        """Where a line stands now, an invalid place if it is gone."""
        if line is None:
            return QModelIndex()
        if line[2]:
            return self.place_of(line[2])
        rows = (row for row, group in enumerate(self.groups) if (group.service, group.title) == line[:2])
        return self.index(next(rows, len(self.groups)), 0)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        each = self.operation(index)
        if each is None:
            return self._group_data(self.groups[index.row()], role)
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(f"{each.method} {_short_path(each)}")
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip("\n".join(part for part in (f"{each.method} {each.path}", each.summary) if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            how = ", ".join(
                part
                for part in (
                    words.WRITES if each.writes else words.READS,
                    words.DEPRECATED if each.deprecated else "",
                    "" if each.in_contract else words.NEW_BY_DESCRIPTION,
                )
                if part
            )
            return visible(words.operation_read(each.method, each.path, each.summary or each.name, how))
        return None

    def _group_data(self, group: _Group, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(group.title)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            service = words.SERVICES.get(group.service, group.service)
            said = words.group_read(group.title, service, len(group.operations))
            return plain_tooltip(said) if role == Qt.ItemDataRole.ToolTipRole else visible(said)
        return None


class OperationsTree(QWidget):
    """`chosen` carries the operation to show; `entered` fires when a person wants to fill it in."""

    chosen = Signal(object)
    entered = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._all: Sequence[ConsoleOperation] = ()
        self._key = ""
        self._enter_waits = False  # Enter was pressed in the search before there was any operation
        self.search = search_field(words.FIND_OPERATION)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._on_searched)
        self.model = OperationsModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(words.OPERATIONS)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        set_list_rows(self.tree)
        self.tree.installEventFilter(self)
        self.tree.selectionModel().currentChanged.connect(self._on_current)
        self.tree.activated.connect(self._on_activated)
        AccessibleChoice(self.tree, self._on_activated)
        self.states = StateView(theme, self.tree)
        self.setLayout(column(self.search, self.states, margin=(SPACE_2, SPACE_1, SPACE_2, 0), gap=SPACE_1))

    @property
    def operations(self) -> Sequence[ConsoleOperation]:
        """All operations, those too that the search leaves out."""
        return self._all

    def show_operations(self, found: Sequence[ConsoleOperation]) -> None:
        """Show other operations; the search, what is chosen, and what a person looks at stay."""
        first = not self._all
        here, top = self.model.line(self.tree.currentIndex()), self.model.line(self.tree.indexAt(QPoint(0, 0)))
        folded = [self.model.line(each) for each in self._group_lines() if not self.tree.isExpanded(each)]
        self._all = found
        self._fill()
        if first:
            self._enter_now()
            return
        stands = self.model.place_of_line(here)
        if stands.isValid() and stands != self.tree.currentIndex():
            self.tree.setCurrentIndex(stands)
        # After the line that is stood on: going to a line opens its group and brings it into sight.
        for each in folded:
            self.tree.collapse(self.model.place_of_line(each))
        in_sight = self.model.place_of_line(top)
        if in_sight.isValid():
            self.tree.scrollTo(in_sight, QTreeView.ScrollHint.PositionAtTop)

    def choose(self, key: str) -> None:
        """Choose an operation, also one that the search leaves out."""
        if key != self._key:
            self._key = key
            if not self.model.place_of(key).isValid():
                self.search.clear()
            self._stand_on_chosen()

    def choose_nothing(self) -> None:
        """The operation that was chosen is no longer shown, and can be chosen again."""
        self._key = ""
        self.tree.setCurrentIndex(QModelIndex())

    @property
    def in_use(self) -> bool:
        """Whether a person is looking for an operation: something is typed, or the keyboard stands on a line."""
        return bool(self.search.text()) or (self.tree.hasFocus() and self.tree.currentIndex().isValid())

    def focus_search(self) -> None:
        """Put the keyboard into the search."""
        self.search.setFocus()
        self.search.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if watched is self.search:
                return self._on_search_key(event)
            if watched is self.tree and self._typed_on(event):
                return True
        return super().eventFilter(watched, event)

    def _on_search_key(self, event: QKeyEvent) -> bool:
        self._enter_waits = event.key() in _ENTER and not self._all
        if event.key() in _ENTER or event.key() == Qt.Key.Key_Down:
            first = self._first()
            if first.isValid():
                self.tree.setCurrentIndex(first)
                if event.key() in _ENTER:
                    self.entered.emit()
                else:
                    self.tree.setFocus()
            return True
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            return True
        return False

    def _enter_now(self) -> None:
        """Do what Enter asked for while there was no operation yet, unless the person has gone elsewhere."""
        waits, self._enter_waits = self._enter_waits, False
        first = self._first()
        if waits and first.isValid() and self.window().focusWidget() is self.search:
            self.tree.setCurrentIndex(first)
            self.entered.emit()

    def _group_lines(self) -> list[QModelIndex]:
        return [self.model.index(row, 0) for row in range(self.model.rowCount())]

    def _typed_on(self, event: QKeyEvent) -> bool:
        """A letter typed in the tree goes on in the search."""
        text = event.text()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if event.key() in _ENTER:
            self._on_activated(self.tree.currentIndex())
            return True
        if not plain or not text.strip() or not text.isprintable():
            return False
        self.search.setFocus()
        self.search.setText(text)
        return True

    def _first(self) -> QModelIndex:
        """The line to go to: the operation that was typed out, else the one that is chosen, else the first."""
        typed = self.search.text().strip().casefold()
        exact = next((each for group in self.model.groups for each in group.operations if typed in _titles(each)), None)
        here = self.model.place_of(exact.key if exact is not None else "" if typed else self._key)
        if here.isValid():
            return here
        return self.model.index(0, 0, self.model.index(0, 0)) if self.model.groups else QModelIndex()

    def _on_searched(self) -> None:
        self._fill()

    def _fill(self) -> None:
        typed = self.search.text().strip()
        found = matching(tuple(self._all), typed) if typed else self._all
        self.model.show_operations(found)
        self.tree.expandAll()
        self._stand_on_chosen()
        if found or not self._all:
            self.states.show_content()
        else:
            self.states.show_state("search", words.NO_OPERATION, words.NO_OPERATION_SENTENCE)

    def _stand_on_chosen(self) -> None:
        place = self.model.place_of(self._key)
        if place.isValid():
            self.tree.setCurrentIndex(place)
            self.tree.scrollTo(place)

    def _on_current(self, current: QModelIndex) -> None:
        each = self.model.operation(current)
        if each is not None and each.key != self._key:
            self._key = each.key
            self.chosen.emit(each)

    def _on_activated(self, index: QModelIndex) -> None:
        if self.model.operation(index) is None:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))
            return
        self._on_current(index)
        self.entered.emit()


def _short_path(each: ConsoleOperation) -> str:
    """The path without the group that stands above it."""
    first, _, rest = each.path.lstrip("/").partition("/")
    return f"/{rest}" if rest and first.casefold() == each.group.casefold() else each.path


def _titles(each: ConsoleOperation) -> tuple[str, ...]:
    """The text by which a search finds exactly this operation."""
    return tuple(title.casefold() for title in (f"{each.method} {each.path}", each.path, each.name))
