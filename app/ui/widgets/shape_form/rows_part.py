"""A list of flat records, or of single values, as a grid: rows are added, moved, duplicated, pasted and undone there.

Invariants: a cell that nobody has changed keeps its value exactly, and so do members of a row that have no column. A
row is replaced where it changes, so the value of every other row is known: a list of thousands costs little at each
change.
"""

from dataclasses import dataclass, field, make_dataclass
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from app.contract.order_rules import Issue
from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import value_typed
from app.ui.theme.tokens import NUMBER_COLUMN
from app.ui.widgets.grid.cell_editing import CellDelegate
from app.ui.widgets.grid.grid import RowColumn, RowsEditor
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.folded_part import FoldedPart
from app.ui.widgets.shape_form.form_part import Finding
from app.ui.widgets.shape_form.typed_text import is_single, shown_in_field

MOST_COLUMNS = 12
_ALONE = ""  # the name of the one column of a list of single values


@dataclass(frozen=True, slots=True)
class Cell:
    """A column as the value has it: the member's name, empty for a list of single values, and its shape."""

    name: str
    shape: Shape


def cells_of(element: Shape | None) -> tuple[Cell, ...]:
    """The columns of a list whose elements a grid can show; none for others."""
    if element is None:
        return ()
    if is_single(element):
        return (Cell(_ALONE, element),)
    members = [each for each in element.members if not each.read_only]
    flat = element.kind == "object" and 0 < len(members) <= MOST_COLUMNS and all(is_single(m.shape) for m in members)
    return tuple(Cell(each.name, each.shape) for each in members) if flat else ()


class RowsPart(FoldedPart):
    """Wholly empty rows are no elements."""

    def make_body(self) -> QWidget:
        self._cells = cells_of(self.shape.element)
        columns = tuple(_column(at, each, self.shape.element) for at, each in enumerate(self._cells))
        self._names = {each.name: column.name for each, column in zip(self._cells, columns, strict=True)}
        texts = [(each.name, str, field(default="")) for each in columns]
        self._known: dict[int, tuple[Any, Value | Absent]] = {}  # by the row's identity: the row and its value
        self._row = make_dataclass("FormRow", [*texts, ("source", object, field(default=ABSENT))])
        self.rows = RowsEditor(self.kit.theme, self.place.label or words.FORM_NAME, columns, words.ADD_ROW, self._row)
        self.rows.changed.connect(self.changed)
        delegate = self.rows.grid.itemDelegate()
        assert isinstance(delegate, CellDelegate)
        delegate.opened.connect(self._on_opened)
        return self.rows

    def fits(self, value: Value | Absent) -> bool:
        """Whether the value is a list whose elements can stand in rows of cells."""
        alone = len(cells_of(self.shape.element)) == 1 and cells_of(self.shape.element)[0].name == _ALONE
        return isinstance(value, list) and all(
            not isinstance(each, dict | list) if alone else isinstance(each, dict) for each in value
        )

    def empty(self) -> Value:
        return []

    def show_value(self, value: Value) -> None:
        assert isinstance(value, list)
        self._elements()  # to know the values of the rows that stand there
        before = self.rows.rows()
        shown = [self._row_for(before[at] if at < len(before) else None, each) for at, each in enumerate(value)]
        self.rows.load(shown)

    def body_value(self) -> Value | Absent:
        return [value for _, value in self._elements()]

    def add(self) -> None:
        """Open the rows, with one to type into."""
        super().add()
        if not self.rows.rows():
            self.rows.add_row()

    def show_inner(self, found: list[Finding]) -> None:
        places = [at for at, _ in self._elements()]
        issues: list[tuple[Issue, ...]] = [() for _ in self.rows.rows()]
        general = []
        for path, sentence in found:
            at = path[0]
            name = self._names.get(str(path[1]) if len(path) > 1 else _ALONE)
            if isinstance(at, int) and at < len(places) and name is not None:
                issues[places[at]] += (Issue(name, sentence),)
            else:
                general.append(sentence)
        self.rows.set_issues(issues, " ".join(general))

    def enter(self, path: Path) -> None:
        places = [at for at, _ in self._elements()]
        at = path[0] if path and isinstance(path[0], int) and path[0] < len(places) else None
        if at is not None:
            name = self._names.get(str(path[1]) if len(path) > 1 else _ALONE, "")
            columns = [each.name for each in self.rows.model.columns]
            self.rows.go_to(places[at], columns.index(name) if name in columns else 0)
        elif self.rows.rows():
            self.rows.go_to(0, 0)
        else:
            self.rows.grid.setFocus()
        self.went.emit(self.rows)

    def _row_for(self, before: Any, value: Value) -> Any:
        """The row that shows a value: the one at its place, if that shows just this."""
        _, shown = self._known.get(id(before), (None, ABSENT))
        if isinstance(value, dict):
            alike = isinstance(shown, dict) and value == shown and list(value) == list(shown)
        else:
            alike = type(value) is type(shown) and value == shown
        return before if alike else self._row_of(value)

    def _row_of(self, value: Value) -> Any:
        held = value if isinstance(value, dict) else {_ALONE: value}
        texts = {
            self._names[each.name]: shown_in_field(held.get(each.name, ABSENT), each.shape) for each in self._cells
        }
        return self._row(**texts, source=value)

    def _elements(self) -> list[tuple[int, Value]]:
        """The rows that are elements, each with its place in the grid."""
        rows, known = self.rows.rows(), self._known
        # The row stands beside its value, so that no other one can get its identity meanwhile.
        self._known = {id(row): known.get(id(row)) or (row, self._value_of(row)) for row in rows}
        return [(at, value) for at, row in enumerate(rows) if (value := self._known[id(row)][1]) is not ABSENT]

    def _value_of(self, row: Any) -> Value | Absent:
        if self._cells[0].name == _ALONE:
            return _cell_value(row.source, getattr(row, self._names[_ALONE]), self._cells[0].shape)
        before = row.source if isinstance(row.source, dict) else {}
        now = dict(before)
        for cell in self._cells:
            value = _cell_value(before.get(cell.name, ABSENT), getattr(row, self._names[cell.name]), cell.shape)
            if value is ABSENT:
                now.pop(cell.name, None)
            else:
                now[cell.name] = value
        return now if now or row.source is not ABSENT else ABSENT

    def _on_opened(self, editor: QLineEdit, _row: int, place: int) -> None:
        cell = self._cells[place]
        self.kit.offer(editor, cell.name or self.place.name, cell.shape, _Filling(editor), True)


class _Filling:
    """Fills a cell's editor with what was taken. (A method of the part would not know which editor.)"""

    def __init__(self, editor: QLineEdit) -> None:
        self._editor = editor

    def __call__(self, text: str) -> None:
        self._editor.setText(text)


def _cell_value(before: Value | Absent, text: str, shape: Shape) -> Value | Absent:
    return before if text == shown_in_field(before, shape) else value_typed(shape, text)


def _column(at: int, cell: Cell, element: Shape | None) -> RowColumn:
    member = element.member(cell.name) if element is not None and cell.name else None
    title = cell.shape.title or (words.in_words(cell.name) if cell.name else words.VALUE)
    if member is not None and member.required:
        title = words.required(title)
    number = cell.shape.kind in ("integer", "number")
    width = NUMBER_COLUMN if number else 0
    return RowColumn(f"c{at}", title, width, number, cell.shape.bounds.max_length, called=(cell.name,))
