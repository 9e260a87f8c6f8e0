"""Suggests known commodities in the freight's cells, and fills in the usual volume and weight of their pieces.

Volume and weight are filled in once the commodity and the count are there, in empty cells only. They stay marked until
a person accepts them, and one step undoes them. A line with an unusual volume or weight is of other pieces than usual,
so nothing is filled in there.
"""

from decimal import Decimal, InvalidOperation
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit

from app.contract.draft import FreightDraft
from app.desk.desk import Desk
from app.desk.drafts import drafts_words
from app.desk.drafts.suggested_values import filled
from app.desk.known import known_data
from app.desk.known.known_data import Body
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.entry import entry_words
from app.ui.widgets.choosing.known_suggestions import ask
from app.ui.widgets.choosing.suggestions import Completer, SuggestionList
from app.ui.widgets.grid.cell_editing import CellDelegate
from app.ui.widgets.grid.grid import RowsEditor

_EDIT = Qt.ItemDataRole.EditRole


class FreightSuggestions(QObject):
    """Completes the commodity, and fills in volume and weight once the commodity or the count was left."""

    filled_in = Signal(str, object)  # a sentence about the fill, and the function that undoes it (None if nothing was)

    def __init__(self, rows: RowsEditor, tasks: Tasks, shown: SuggestionList) -> None:
        super().__init__(rows)
        self._rows, self._tasks, self._shown = rows, tasks, shown
        self._desk: Desk | None = None
        self._places = {each.name: place for place, each in enumerate(rows.model.columns)}
        delegate = rows.grid.itemDelegate()
        assert isinstance(delegate, CellDelegate)
        delegate.opened.connect(self._on_opened)
        delegate.closeEditor.connect(self._on_closed)
        rows.grid.selectionModel().currentChanged.connect(self._on_current)

    def take_desk(self, desk: Desk) -> None:
        """Suggest the commodities that are known at this desk."""
        self._desk = desk

    def _on_opened(self, editor: QLineEdit, _row: int, place: int) -> None:
        if place == self._places["commodity"]:
            made = Completer(editor, self._shown, in_grid=True)
            made.wanted.connect(partial(self._on_wanted, made))
            made.taken.connect(partial(self._on_taken, editor))

    def _on_wanted(self, completer: Completer, text: str) -> None:
        if self._desk is not None:
            self._tasks.read("known", ask(self._desk, completer, "commodity", text))

    def _on_taken(self, editor: QLineEdit, body: Body, _by_tab: bool) -> None:
        editor.setText(body["code"])

    def _on_current(self, _now: QModelIndex, left: QModelIndex) -> None:
        self._on_left(left)

    def _on_closed(self) -> None:
        """A shortcut may lead to another section: then the editor closes, and its cell stays the current one."""
        self._on_left(self._rows.grid.currentIndex())

    def _on_left(self, left: QModelIndex) -> None:
        """Only these two columns cause a guess: a volume or weight that a person has emptied stays empty."""
        if left.isValid() and left.column() in (self._places["commodity"], self._places["count"]):
            self._guess(left.row())

    def _guess(self, row: int) -> None:
        if self._desk is None or row >= self._rows.model.rowCount():
            return
        count = _number(self._text(row, "count"))
        commodity = self._text(row, "commodity").strip()
        if commodity and count is not None:
            # By its line: the next line may be left before this one is answered, and a read takes the place of its
            # namesake.
            self._tasks.read(f"usual {row}", self._fill(self._desk, row, commodity, count))

    async def _fill(self, desk: Desk, row: int, commodity: str, count: Decimal) -> None:
        try:
            usual = await known_data.usual(desk, commodity)
        except StoreError as error:
            self.filled_in.emit(entry_words.usual_unreadable(commodity, error.sentence), None)
            return
        # The rows may have changed while the cache was read.
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
                editor.selectAll()  # so that the next key replaces the guess
        words = drafts_words.volume_and_weight(values["volume"], values["weight"])
        sentence = entry_words.filled_in_usual(_plain(count), commodity, words)
        self.filled_in.emit(sentence, partial(self._undo_fill, row, before, after))

    def _undo_fill(self, row: int, before: FreightDraft, after: FreightDraft) -> None:
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
