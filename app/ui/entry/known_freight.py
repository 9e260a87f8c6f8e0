"""Commodities as this desk knows them, offered in the freight's cells, with what their pieces usually come to.

The usual volume and weight are filled in when the commodity and the count are there, in empty cells only, and can be
taken back at once.
"""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QLineEdit

from app.desk import memory
from app.desk.desk import Desk
from app.desk.memory import Body
from app.runtime.tasks import Tasks
from app.store.errors import StoreError
from app.ui.entry.known import Say, ask
from app.ui.widgets.cells import CellDelegate
from app.ui.widgets.offers import Completer, OfferList
from app.ui.widgets.rows import RowsEditor

_EDIT = Qt.ItemDataRole.EditRole


class KnownFreight(QObject):
    """Completes the commodity, and fills in what is usual once a cell of it was left."""

    def __init__(self, rows: RowsEditor, tasks: Tasks, shown: OfferList, say: Say) -> None:
        super().__init__(rows)
        self._rows, self._tasks, self._shown, self._say = rows, tasks, shown, say
        self._desk: Desk | None = None
        self._places = {each.name: place for place, each in enumerate(rows.model.columns)}
        self._filled: dict[int, dict[str, str]] = {}  # by row, what was filled in last
        delegate = rows.grid.itemDelegate()
        assert isinstance(delegate, CellDelegate)
        delegate.opened.connect(self._on_opened)
        delegate.closeEditor.connect(self._on_closed)
        rows.grid.selectionModel().currentChanged.connect(self._on_current)
        for signal in (rows.model.rowsInserted, rows.model.rowsRemoved, rows.model.modelReset):
            signal.connect(self._forget_filled)

    def take_desk(self, desk: Desk) -> None:
        """Offer what is known at this desk."""
        self._desk = desk

    def _on_opened(self, editor: QLineEdit, _row: int, place: int) -> None:
        if place == self._places["commodity"]:
            made = Completer(editor, self._shown, in_grid=True)
            made.wanted.connect(partial(self._on_wanted, made))
            made.taken.connect(partial(self._on_taken, editor))

    def _on_wanted(self, asked: Completer, text: str) -> None:
        if self._desk is not None:
            self._tasks.read("known", ask(self._desk, asked, "commodity", text))

    def _on_taken(self, editor: QLineEdit, body: Body, _by_tab: bool) -> None:
        editor.setText(body["code"])

    def _on_current(self, _now: QModelIndex, left: QModelIndex) -> None:
        if left.isValid() and left.column() in (self._places["commodity"], self._places["count"]):
            self._look(left.row())

    def _on_closed(self) -> None:
        """A key may leave the rows for another section: the cell is closed then, and stays the current one."""
        here = self._rows.grid.currentIndex()
        if here.isValid():
            self._look(here.row())

    def _look(self, row: int) -> None:
        if self._desk is None or row >= self._rows.model.rowCount():
            return
        count = _number(self._text(row, "count"))
        commodity = self._text(row, "commodity").strip()
        if commodity and count is not None:
            self._tasks.read("usual", self._fill(self._desk, row, commodity, count))

    async def _fill(self, desk: Desk, row: int, commodity: str, count: Decimal) -> None:
        try:
            usual = await memory.usual(desk, commodity)
        except StoreError as error:
            self._say(f"What {commodity} usually comes to cannot be read. {error.sentence}", "", lambda: None)
            return
        if usual is None or row >= self._rows.model.rowCount() or self._text(row, "commodity").strip() != commodity:
            return
        last = self._filled.get(row, {})
        values = {"volume": usual.volume_of(count), "weight": usual.weight_of(count)}
        fitting = {
            name: text
            for name, text in values.items()
            if text and self._text(row, name) != text and self._text(row, name) in ("", last.get(name))
        }
        if not fitting:
            return
        before = {name: self._text(row, name) for name in fitting}
        self._put(row, fitting)
        self._filled[row] = last | fitting
        self._say(
            f"Filled in what {_plain(count)} {commodity} usually come{'s' if count == 1 else ''} to: {_words(values)}.",
            "Undo",
            self._way_back(row, before, fitting),
        )

    def _way_back(self, row: int, before: dict[str, str], after: dict[str, str]) -> Callable[[], None]:
        def take_back() -> None:
            if row < self._rows.model.rowCount():
                standing = {name: text for name, text in before.items() if self._text(row, name) == after[name]}
                self._put(row, standing)

        return take_back

    def _put(self, row: int, texts: dict[str, str]) -> None:
        model, grid = self._rows.model, self._rows.grid
        for name, text in texts.items():
            at = model.index(row, self._places[name])
            model.setData(at, text)
            editor = grid.indexWidget(at)
            if isinstance(editor, QLineEdit):
                editor.selectAll()  # what is typed now replaces it

    def _text(self, row: int, name: str) -> str:
        return str(self._rows.model.index(row, self._places[name]).data(_EDIT))

    def _forget_filled(self) -> None:
        self._filled = {}


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and 0 < number < Decimal(10) ** 9 else None


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _words(values: dict[str, str]) -> str:
    units = {"volume": "cu ft", "weight": "lb"}
    return " and ".join(f"{text} {units[name]}" for name, text in values.items() if text)
