"""Commodities as this desk knows them, offered in the freight's cells, with what their pieces usually come to.

The usual volume and weight are filled in when the commodity and the count are there, in empty cells only, marked until
a person accepts them, and can be taken back at once. Beside a volume or weight that is not the usual one nothing is
filled in: these are not the usual pieces.
"""

from decimal import Decimal, InvalidOperation
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QLineEdit

from app.contract.draft import FreightDraft
from app.desk.desk import Desk
from app.desk.drafts.suggested_values import filled
from app.desk.known import known_data
from app.desk.known.known_data import Body
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry.form.known import Say, ask
from app.ui.widgets.choosing.suggestions import Completer, SuggestionList
from app.ui.widgets.grid.cell_editing import CellDelegate
from app.ui.widgets.grid.grid import RowsEditor

_EDIT = Qt.ItemDataRole.EditRole


class KnownFreight(QObject):
    """Completes the commodity, and fills in what is usual once a cell of it was left."""

    def __init__(self, rows: RowsEditor, tasks: Tasks, shown: SuggestionList, say: Say) -> None:
        super().__init__(rows)
        self._rows, self._tasks, self._shown, self._say = rows, tasks, shown, say
        self._desk: Desk | None = None
        self._places = {each.name: place for place, each in enumerate(rows.model.columns)}
        delegate = rows.grid.itemDelegate()
        assert isinstance(delegate, CellDelegate)
        delegate.opened.connect(self._on_opened)
        delegate.closeEditor.connect(self._on_closed)
        rows.grid.selectionModel().currentChanged.connect(self._on_current)

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
        self._look_at(left)

    def _on_closed(self) -> None:
        """A key may leave the rows for another section: the cell is closed then, and stays the current one."""
        self._look_at(self._rows.grid.currentIndex())

    def _look_at(self, left: QModelIndex) -> None:
        """Only these two ask for a guess: one that a person has emptied stays empty."""
        if left.isValid() and left.column() in (self._places["commodity"], self._places["count"]):
            self._look(left.row())

    def _look(self, row: int) -> None:
        if self._desk is None or row >= self._rows.model.rowCount():
            return
        count = _number(self._text(row, "count"))
        commodity = self._text(row, "commodity").strip()
        if commodity and count is not None:
            self._tasks.read("usual", self._fill(self._desk, row, commodity, count))

    async def _fill(self, desk: Desk, row: int, commodity: str, count: Decimal) -> None:
        try:
            usual = await known_data.usual(desk, commodity)
        except StoreError as error:
            self._say(f"What {commodity} usually comes to cannot be read. {error.sentence}", "", lambda: None)
            return
        if usual is None or row >= self._rows.model.rowCount() or self._text(row, "commodity").strip() != commodity:
            return
        values = {"volume": usual.volume_of(count), "weight": usual.weight_of(count)}
        typed = {name: self._text(row, name).strip() for name in values}
        unusual = any(text and _number(text) != _number(values[name]) for name, text in typed.items())
        fitting = {name: text for name, text in values.items() if text and not typed[name]}
        if unusual or not fitting:
            return
        before = self._rows.model.rows[row]
        after = filled(before, fitting)
        self._rows.model.change(row, 1, [after])
        for name in fitting:
            editor = self._rows.grid.indexWidget(self._rows.model.index(row, self._places[name]))
            if isinstance(editor, QLineEdit):
                editor.selectAll()  # what is typed now replaces it
        self._say(
            f"Filled in what {_plain(count)} {commodity} usually come{'s' if count == 1 else ''} to: {_words(values)}.",
            "Undo",
            partial(self._take_back, row, before, after),
        )

    def _take_back(self, row: int, before: FreightDraft, after: FreightDraft) -> None:
        rows = self._rows.model.rows
        if row < len(rows) and rows[row] == after:
            self._rows.model.change(row, 1, [before])

    def _text(self, row: int, name: str) -> str:
        return str(self._rows.model.index(row, self._places[name]).data(_EDIT))


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
