"""The model of the orders table: the count of a query, and the pages of orders near the screen.

The rows of a page that is missing are empty until the page comes. The store sorts and filters. A few rows of the outbox
stand before the orders; they are inserted and removed one by one, so that the view keeps its place.

It is no `PagedModel`, although both stand on `LoadedPages`: here columns change with the view, and the place of an
order is not its row.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.orders import orders_words as words
from app.ui.orders.table.column_list import Line, OrderColumn, changed_words, key_of
from app.ui.widgets.lists.loaded_pages import PAGE, LoadedPages
from app.ui.widgets.text.labels import plain_tooltip

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_SHOWN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


class OrdersModel(QAbstractTableModel):
    """`wanted` carries the number of a page that is needed."""

    wanted = Signal(int)

    def __init__(self, columns: tuple[OrderColumn, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self._count = 0
        self._top: list[OutboxLine] = []
        self.changing: Mapping[str, Sequence[str]] = {}  # by reference: who of the team has that order in the form
        self._pages = LoadedPages[OrderLine]()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._top) + self._count

    @property
    def outbox_count(self) -> int:
        """How many rows of the outbox stand before the orders."""
        return len(self._top)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # A screen reader may still ask for a column of the view before, which had more of them.
        if orientation == Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.columns[section].title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole:
            line = self.line(index.row())
            if line is None:
                return None
            spoken = column.spoken(line)
            more = [changed_words(line), self.changing_words(line)] if index.column() == 0 else []
            return ". ".join(filter(None, (spoken or column.text(line), *more))) if any(more) else spoken or None
        if role not in _SHOWN:
            return None
        line = self.line(index.row())
        if line is None:
            return ""
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(line)
        told = (column.exact(line), column.missing(line), changed_words(line), self.changing_words(line))
        return plain_tooltip("\n".join(part for part in told if part))

    def show_changing(self, changing: Mapping[str, Sequence[str]]) -> None:
        """Mark the orders that others of the team have in their form: people by reference."""
        if changing != self.changing:
            self.changing = changing
            self._tell_changed(0, self.rowCount())

    def changing_words(self, line: Line) -> str:
        """Who else is changing an order now; empty if nobody is."""
        people = self.changing.get(line.crn, ()) if self.changing and isinstance(line, OrderLine) and line.crn else ()
        return words.is_changing(people) if people else ""

    @property
    def pages(self) -> Mapping[int, Sequence[OrderLine]]:
        """The loaded pages by number."""
        return self._pages.by_number

    def line(self, at: int) -> Line | None:
        """The write or order in row `at`; None while its page is loading."""
        if at < len(self._top):
            return self._top[at]
        place = at - len(self._top)
        found = self._pages.row(place)
        if found is None and self._pages.ask(place // PAGE):
            self.wanted.emit(place // PAGE)
        return found

    def page_at(self, row: int) -> int:
        """The page of orders that a row belongs to; the first for rows of the outbox."""
        return max(row - len(self._top), 0) // PAGE

    def replace(self, columns: tuple[OrderColumn, ...], count: int, pages: Mapping[int, Sequence[OrderLine]]) -> None:
        """Show another result. If columns and count stay, the view keeps its place and its selection."""
        same_shape = columns is self.columns and count == self._count
        if not same_shape:
            self.beginResetModel()
        self.columns, self._count = columns, count
        self._pages.replace(pages)
        if not same_shape:
            self.endResetModel()
        else:
            self._tell_changed(len(self._top), count)

    def show_columns(self, columns: tuple[OrderColumn, ...]) -> None:
        """Show the same rows in other columns."""
        self.beginResetModel()
        self.columns = columns
        self.endResetModel()

    def put(self, page: int, rows: Sequence[OrderLine]) -> None:
        """Take a page that was asked for."""
        before = self.pages.get(page, ())
        if not self._pages.put(page, rows):
            return
        same = len(before) if rows[: len(before)] == before else 0  # rows that were there already are not painted again
        first = page * PAGE
        self._tell_changed(len(self._top) + first + same, min(len(rows), self._count - first) - same)

    def put_outbox_rows(self, lines: Sequence[OutboxLine]) -> None:
        """Show these rows of the outbox before the orders."""
        wanted = [key_of(each) for each in lines]
        stay = set(wanted)
        kept = [key for each in self._top if (key := key_of(each)) in stay]
        if kept != [key for key in wanted if key in set(kept)]:
            stay = set()  # the order of the rows has changed: replace all of them
        gone = [at for at, each in enumerate(self._top) if key_of(each) not in stay]
        # From the end, so that the places before a removed run stay right.
        for first, last in reversed(_runs(gone)):
            self.beginRemoveRows(_NOWHERE, first, last)
            del self._top[first : last + 1]
            self.endRemoveRows()
        kept = [key_of(each) for each in self._top]
        came = [at for at, key in enumerate(wanted) if key not in set(kept)]
        for first, last in _runs(came):
            self.beginInsertRows(_NOWHERE, first, last)
            self._top[first:first] = lines[first : last + 1]
            self.endInsertRows()
        # While many orders are sent, the rows are read a few times a second, and few have changed: to paint all of them
        # takes most of a frame.
        changed = [at for at, (before, now) in enumerate(zip(self._top, lines, strict=True)) if before != now]
        self._top = list(lines)
        if changed:
            self._tell_changed(changed[0], changed[-1] - changed[0] + 1)

    def _tell_changed(self, first: int, count: int) -> None:
        if count > 0:
            self.dataChanged.emit(self.index(first, 0), self.index(first + count - 1, len(self.columns) - 1))

    def row_of(self, key: int) -> int | None:
        """The row of an order or a write (see `key_of`), if it is loaded."""
        return self.rows_of({key}).get(key)

    def unmark(self, numbers: Collection[int]) -> None:
        """Remove the marks of changes from these orders."""
        for page, rows in list(self.pages.items()):
            if any(line.changed and line.number in numbers for line in rows):
                first = len(self._top) + page * PAGE
                without = [line._replace(changed="") if line.number in numbers else line for line in rows]
                self._pages.put(page, without)
                self._tell_changed(first, len(rows))

    def rows_of(self, keys: Collection[int]) -> dict[int, int]:
        """The rows of these keys, as far as they are loaded."""
        if not keys:
            return {}
        return {key: row for row, line in self.loaded_rows() if (key := key_of(line)) in keys}

    def loaded_rows(self) -> Iterator[tuple[int, Line]]:
        """Every loaded row with its order or write, from top to bottom."""
        yield from enumerate(self._top)
        yield from ((len(self._top) + place, line) for place, line in self._pages.rows())


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending places as spans: first and last of each run without a gap."""
    found: list[tuple[int, int]] = []
    for each in places:
        if found and found[-1][1] == each - 1:
            found[-1] = (found[-1][0], each)
        else:
            found.append((each, each))
    return found
