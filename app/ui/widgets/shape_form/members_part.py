"""The members of a record that have no name in its shape: rows of a name and a value."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from app.contract.order_rules import Issue
from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.typed_value import value_typed
from app.ui.theme.tokens import NAME_COLUMN
from app.ui.widgets.grid.grid import RowColumn, RowsEditor
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.folded_part import FoldedPart
from app.ui.widgets.shape_form.form_part import Finding
from app.ui.widgets.shape_form.typed_text import is_free, json_mistake, shown_in_field

_COLUMNS = (
    RowColumn("name", words.NAME, NAME_COLUMN, called=("Member", "Field", "Key")),
    RowColumn("text", words.VALUE, called=("Text",)),
)
_OF_NAMES = (words.NAMED_TWICE, words.NAME_MISSING)


@dataclass(frozen=True, slots=True)
class _Row:
    name: str = ""
    text: str = ""
    source: Value | Absent = ABSENT


class MembersPart(FoldedPart):
    """`members` are the rows as a record. A name that stands twice counts with its last value."""

    def make_body(self) -> QWidget:
        self.rows = RowsEditor(self.kit.theme, self.place.label or words.FORM_NAME, _COLUMNS, words.ADD_ROW, _Row)
        self.rows.changed.connect(self._on_changed)
        return self.rows

    def members(self) -> dict[str, Value]:
        """The members as they stand."""
        found = self.value()
        return found if isinstance(found, dict) else {}

    def put(self, value: Value | Absent) -> None:
        # No members are as good as none given: the rows open once there is one, or a person wants one.
        super().put(ABSENT if value == {} else value)

    def fits(self, value: Value | Absent) -> bool:
        return isinstance(value, dict)

    def empty(self) -> Value:
        return {}

    def show_value(self, value: Value) -> None:
        assert isinstance(value, dict)
        self.rows.load([_Row(name, self._shown(each), each) for name, each in value.items()])

    def body_value(self) -> Value | Absent:
        found: dict[str, Value] = {}
        for row in self.rows.rows():
            # A row that nobody has changed gives back its very value: its text may not tell a number from a text.
            value = row.source if row.text == self._shown(row.source) else value_typed(self.shape, row.text)
            if row.name:
                found[row.name] = "" if value is ABSENT else value
        return found

    def add(self) -> None:
        """Open the rows, with one to type into."""
        super().add()
        if not self.rows.rows():
            self.rows.add_row()

    def mistakes(self) -> Iterable[Finding]:
        return [((self.rows.rows()[at].name,), said) for at, said in self._row_mistakes()] if self.is_open else ()

    def show_inner(self, found: list[Finding]) -> None:
        names = [each.name for each in self.rows.rows()]
        issues: list[tuple[Issue, ...]] = [() for _ in names]
        general = []
        for path, sentence in found:
            if path[0] in names:
                issues[names.index(str(path[0]))] += (Issue("text", sentence),)
            else:
                general.append(sentence)
        for at, sentence in self._row_mistakes():
            if not any(each.sentence == sentence for each in issues[at]):
                issues[at] += (Issue("name" if sentence in _OF_NAMES else "text", sentence),)
        self.rows.set_issues(issues, " ".join(general))

    def enter(self, path: Path) -> None:
        names = [each.name for each in self.rows.rows()]
        if path and path[0] in names:
            self.rows.go_to(names.index(str(path[0])), 1)
        elif names:
            self.rows.go_to(0, 0)
        else:
            self.rows.grid.setFocus()
        self.went.emit(self.rows)

    def _shown(self, value: Value | Absent) -> str:
        return shown_in_field(value, self.shape)

    def _on_changed(self) -> None:
        self.show_issues([])
        self.changed.emit()

    def _row_mistakes(self) -> list[tuple[int, str]]:
        rows, found = self.rows.rows(), []
        for at, row in enumerate(rows):
            if not row.name and row.text:
                found.append((at, words.NAME_MISSING))
            elif row.name and any(each.name == row.name for each in rows[:at]):
                found.append((at, words.NAMED_TWICE))
            elif is_free(self.shape) and row.text != self._shown(row.source) and (said := json_mistake(row.text)):
                found.append((at, said))
        return found
