"""The form: fields and rows bound to the paths of a draft. It knows nothing of saving or sending.

Invariant: the draft and the form hold the same strings, so `draft` and `load` are exact inverses.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QSizePolicy, QWidget

from app.contract.check import DraftCheck, Findings, field_of, rows_of
from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft, ReferenceDraft
from app.contract.order_rules import BARCODES, FREIGHT, LOAD_NUMBER, REFERENCES, Issue, issue_at
from app.contract.typed_fields import LIMITS, RULES
from app.desk.drafts import suggested_values
from app.desk.drafts.date_order import date_doubts
from app.desk.text.typed_dates import meant_instead
from app.ui.entry import entry_words
from app.ui.entry.form.field_notes import DATES, doubt_of, note_for
from app.ui.entry.form.layout_data import (
    DATE_HINT,
    DELIVERY_CHOICES,
    FACILITY_CHOICES,
    LABELS,
    ROW_COLUMNS,
    ROW_WORDS,
    SCAN,
    SECTIONS,
    FieldPlan,
    SectionPlan,
)
from app.ui.entry.scan.scan_panel import ScanPanel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FIELD_MIN_WIDTH, FORM_TWO_COLUMNS, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.choosing.date_field import DateField
from app.ui.widgets.field import AlignedLabels, ChoiceField, Field
from app.ui.widgets.grid.grid import RowsEditor
from app.ui.widgets.grid.grid_model import FILLED
from app.ui.widgets.layout import column, row
from app.ui.widgets.text import times
from app.ui.widgets.text.labels import text_label

_SIXTHS = 6
_BEGINNING = tuple(plan.title for plan in SECTIONS[:2])  # stay on the left where the form has two columns
_CONSIGNEE = "consignee.consigneeName"  # fields that were filled in with a consignee go with this name


class _Value(Protocol):
    editor: Any

    def text(self) -> str: ...
    def set_text(self, text: str) -> None: ...
    def put(self, text: str) -> None: ...
    def set_issue(self, sentence: str) -> None: ...
    def set_notice(self, sentence: str) -> None: ...
    def show_issue_now(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Fill:
    """Fields that were changed in one step: by path, the text before and the text after."""

    before: Mapping[str, str]
    after: Mapping[str, str]

    @property
    def replaced(self) -> list[str]:
        """The paths of fields that held another text before."""
        return [path for path, text in self.before.items() if text.strip()]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What a look at known values found of a text: a sentence for its field, and whether it looks mistyped."""

    sentence: str = ""
    mistyped: bool = False


class OrderForm(QWidget):
    """Six sections. `changed` fires at every keystroke."""

    changed = Signal()
    went = Signal(QWidget)  # the keyboard went to this widget, which has to be in sight

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self.fields: dict[str, _Value] = {}
        self.lists: dict[str, RowsEditor] = {}
        self._makers: dict[str, Callable[[], Any]] = {
            FREIGHT: FreightDraft,
            BARCODES: self._new_barcode,
            REFERENCES: ReferenceDraft,
        }
        self._filled: set[str] = set()  # paths of fields that the program filled in and nobody has accepted
        self._filled_for = ""  # the name of the consignee that they belong to
        self._looked_up: dict[str, tuple[str, LookedUp]] = {}  # by path: a text, and the answer about that text
        self._check = DraftCheck()
        self._scan: ScanPanel | None = None
        self.sections: dict[str, QFrame] = {plan.title: self._section(plan) for plan in SECTIONS}
        self._left = column(*self.sections.values(), None, gap=SPACE_3)
        self._right = column(None, gap=SPACE_3)
        both = row(self._left, self._right, margin=(0, 0, SPACE_2, SPACE_4), gap=0)
        both.setStretch(0, 1)
        self._both = both
        self.setLayout(both)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(two=event.size().width() >= FORM_TWO_COLUMNS)

    def _arrange(self, *, two: bool) -> None:
        """Put freight and what follows beside the consignee where there is room. Tab goes down the left side first."""
        if two == (self._right.count() > 1):
            return
        later = [each for title, each in self.sections.items() if title not in _BEGINNING]
        onto = self._right if two else self._left
        for each in later:
            onto.insertWidget(onto.count() - 1, each)  # before the room that is left
        self._both.setStretch(1, int(two))
        self._both.setSpacing(SPACE_3 if two else 0)

    def _section(self, plan: SectionPlan) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        card.setAccessibleName(plan.title)
        inside = column(
            text_label(plan.title, "heading"),
            self._grid(plan),
            margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_2),
            gap=SPACE_1,
        )
        if plan.rows:
            rows = self._rows(plan.rows)
            if plan.rows == BARCODES:
                inside.addWidget(self._scanning(rows))
            inside.addWidget(rows)
        card.setLayout(inside)
        return card

    def _grid(self, plan: SectionPlan) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_1)
        for sixth in range(_SIXTHS):
            grid.setColumnStretch(sixth, 1)
        for at, line in enumerate(plan.lines):
            place, labels = 0, []
            for each in line:
                made = self._field(each)
                labels.append(made.label)
                # By its hints Qt would make columns of unlike widths where large text leaves little room.
                made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
                grid.addWidget(made, at, place, 1, each.share, Qt.AlignmentFlag.AlignTop)
                place += each.share
            AlignedLabels(labels, self)
        return grid

    def _field(self, plan: FieldPlan) -> Field | ChoiceField:
        made: Field | ChoiceField
        match plan.kind:
            case "delivery":
                made = ChoiceField(plan.label, DELIVERY_CHOICES)
            case "facility":
                made = ChoiceField(plan.label, FACILITY_CHOICES)
            case "date":
                made = DateField(self._theme, plan.label, DATE_HINT)
            case _:
                made = Field(
                    plan.label,
                    required=plan.path in RULES and RULES[plan.path].required,
                    limit=LIMITS.get(plan.path),
                    hint=plan.hint,
                    lines=plan.kind == "lines",
                )
        if isinstance(made, ChoiceField):
            made.editor.setMinimumWidth(FIELD_MIN_WIDTH)  # as narrow as a field, where large text leaves little room
        made.changed.connect(partial(self._on_field, plan.path))
        made.changed.connect(self.changed)
        if isinstance(made, Field):
            made.changed.connect(partial(self._note, plan.path, made))
            if isinstance(made.editor, QLineEdit):
                made.editor.editingFinished.connect(partial(self._note, plan.path, made))
        if isinstance(made, DateField):
            made.settled.connect(partial(self._note, plan.path, made))
        self.fields[plan.path] = made
        return made

    def _note(self, path: str, field: Field) -> None:
        typed = field.editor.text() if isinstance(field.editor, QLineEdit) else field.text()
        left = not field.editor.hasFocus()
        doubt = self._doubt_of(path, typed) if left else ""
        note = note_for(path, typed, times.today(), doubt)
        field.set_note(note, doubtful=bool(note) and note == doubt)
        if path in DATES:
            self._note_date_order()

    def _doubt_of(self, path: str, typed: str, *, mistyped: bool = False) -> str:
        """The sentence of a doubt about `typed`, empty for none; with `mistyped` only one that it looks mistyped."""
        about, found = self._looked_up.get(path, ("", LookedUp()))
        said = typed.strip() == about and (found.mistyped or not mistyped)
        return doubt_of(path, typed) or (found.sentence if said else "")

    def set_looked_up(self, path: str, about: str, found: LookedUp) -> None:
        """Show what a look at known values found of a field. It stands as long as the field has the text `about`."""
        self._looked_up[path] = (about.strip(), found)
        field = self.fields[path]
        assert isinstance(field, Field)
        self._note(path, field)

    def _note_date_order(self) -> None:
        """Say at a date that it lies before the one of an earlier step, once the keyboard has left it."""
        if not all(path in self.fields for path in DATES):
            return  # the form is being made
        doubts = date_doubts({path: self.fields[path].text() for path in DATES}, times.today())
        for path in DATES:
            field = self.fields[path]
            assert isinstance(field, DateField)
            assert isinstance(field.editor, QLineEdit)
            plain = note_for(path, field.editor.text(), times.today())
            doubtful = path in doubts and not field.editor.hasFocus()
            field.set_note(doubts[path] if doubtful else plain, doubtful=doubtful)

    def _rows(self, path: str) -> RowsEditor:
        name, add_words = ROW_WORDS[path]
        made = RowsEditor(
            self._theme, name, ROW_COLUMNS[path], add_words, self._makers[path],
            settle=suggested_values.settle if path == FREIGHT else None,
            explain=suggested_values.explain if path == FREIGHT else None,
        )  # fmt: skip
        made.changed.connect(self.changed)
        self.lists[path] = made
        return made

    def _scanning(self, barcodes: RowsEditor) -> ScanPanel:
        self._scan = ScanPanel(self._theme, self.lists[FREIGHT], barcodes)
        self._scan.waiting.connect(self.changed)
        self._scan.field.entered.connect(self._show_scanning)
        load = self.fields[LOAD_NUMBER].editor
        # A load number is scanned too, and a scanner ends in Enter: the barcodes come next.
        load.returnPressed.connect(self._scan.field.setFocus)
        return self._scan

    def _show_scanning(self) -> None:
        self.went.emit(self.scan)

    def _new_barcode(self) -> BarcodeDraft:
        return BarcodeDraft() if self._scan is None else self._scan.new_row()

    @property
    def scan(self) -> ScanPanel:
        """The panel in which barcodes are scanned."""
        assert self._scan is not None
        return self._scan

    def draft(self) -> OrderDraft:
        """The form's content, exactly. The rows are the form's own objects: nobody writes into them."""
        draft = OrderDraft(
            freightDetails=self.lists[FREIGHT].rows(),
            barcoding=BarcodingDraft("", self.lists[BARCODES].rows()),
            otherReferenceNumbers=self.lists[REFERENCES].rows(),
            filled=" ".join(sorted(self._filled)),
        )
        for path, each in self.fields.items():
            record, name = _place(draft, path)
            setattr(record, name, each.text())
        return draft

    def load(self, draft: OrderDraft) -> None:
        """Show a draft. Does not count as typing."""
        self._filled_for = draft.consignee.consigneeName
        self._filled = {path for path in draft.filled.split() if path in self.fields}
        for path, each in self.fields.items():
            each.set_text(getattr(*_place(draft, path)))
        for path, editor in self.lists.items():
            editor.load(rows_of(draft, path))
        for path, each in self.fields.items():
            if isinstance(each, Field):
                self._note(path, each)
        self._show_filled()
        self.scan.forget()

    def check(self, *, blank_rows_too: bool = True) -> Findings:
        """Check the form's content and show every issue beside its field.

        Without `blank_rows_too`, rows of which none was typed into show nothing: they are still to come.
        """
        found = self._check.check(self.draft())
        if self.scan.pending:
            issue = Issue(SCAN, entry_words.CODE_WAITS)
            found = replace(found, fields=[*found.fields, issue], count=found.count + 1)
        # Reversed, so that of several issues of one field the first one is shown.
        sentences = {issue.path: issue.sentence for issue in reversed(found.fields)}
        for path in DATES:
            if path in sentences and (meant := meant_instead(self.fields[path].text(), times.today())) is not None:
                sentences[path] = entry_words.did_you_mean(meant)
        for path, each in self.fields.items():
            each.set_issue(sentences.get(path, ""))
        for path, editor in self.lists.items():
            blank = self._makers[path]()
            if blank_rows_too or any(each != blank for each in editor.model.rows):
                editor.set_issues(found.rows[path], sentences.get(path, ""))
            else:
                editor.set_issues([()] * len(editor.model.rows))
        self.scan.refresh()
        return found

    def leave_out_blank_rows(self) -> None:
        """Take out rows into which nobody has typed, such as Enter on the last row leaves. A list keeps one row."""
        for path, editor in self.lists.items():
            blank, rows = self._makers[path](), editor.model.rows
            kept = [each for each in rows if each != blank]
            if kept and len(kept) < len(rows):
                editor.model.change(0, len(rows), kept)

    def doubts(self, but: Collection[str] = ()) -> list[str]:
        """Values that look mistyped, each with its field. The provider states no rule for them, so they may be sent.

        Those of the paths in `but` are left out.
        """
        fields = [(path, each.text()) for path, each in self.fields.items() if path not in but]
        found = {path: self._doubt_of(path, text, mistyped=True) for path, text in fields}
        found |= date_doubts({path: self.fields[path].text() for path in DATES}, times.today())
        return [entry_words.issue_line(LABELS[path], words) for path, words in found.items() if words]

    # Values that the program fills in

    def mark_filled(self, values: Iterable[str]) -> None:
        """The program filled in these fields, for the consignee whose name is in the form."""
        self._filled |= set(values)
        self._filled_for = self.fields[_CONSIGNEE].text()
        self._show_filled()
        self.changed.emit()

    def is_filled(self, path: str) -> bool:
        """Whether the program filled in a field and nobody has accepted it."""
        return path in self._filled

    def filled_in(self) -> list[str]:
        """The values that the program filled in and nobody has accepted, each with its field."""
        fields = [
            entry_words.field_value(LABELS[path], self.fields[path].text()) for path in LABELS if path in self._filled
        ]
        return [*fields, *suggested_values.guesses(self.lists[FREIGHT].model.rows)]

    def accept(self, paths: Iterable[str]) -> None:
        """Count the content of these fields as typed."""
        self._filled -= set(paths)
        self._show_filled()

    def accept_all(self) -> None:
        """Count everything that the program filled in as typed."""
        self.accept(list(self._filled))
        freight = self.lists[FREIGHT].model
        if any(row.filled for row in freight.rows):
            freight.change(0, len(freight.rows), suggested_values.accept_rows(freight.rows))
        self.changed.emit()

    def _on_field(self, path: str) -> None:
        """A typed value is no guess any more. Values that belong to another consignee go once the name differs."""
        if path in self._filled:
            self.accept([path])
        if path == _CONSIGNEE and self._filled and self.fields[path].text().strip() != self._filled_for.strip():
            gone, self._filled = self._filled, set()
            for each in gone:
                self.fields[each].put("")
            self._show_filled()

    def _show_filled(self) -> None:
        for path, each in self.fields.items():
            if isinstance(each, Field):
                words = entry_words.filled_in_for(FILLED, self._filled_for.strip())
                each.set_filled(words if path in self._filled else "")

    def fill(self, values: Mapping[str, str]) -> Fill:
        """Put these texts into their fields as if they were typed, in one step that `undo_fill` undoes."""
        before = {path: self.fields[path].text() for path in values}
        changed = {path: text for path, text in values.items() if before[path] != text}
        for path, text in changed.items():
            self.fields[path].put(text)
        return Fill({path: before[path] for path in changed}, changed)

    def undo_fill(self, fill: Fill) -> None:
        """Undo a fill in the fields that still hold it; a field that was typed into since keeps its text."""
        # Accepted first: putting back the consignee's name would empty the fields that belong to the name.
        self.accept(fill.after)
        for path, text in fill.before.items():
            if self.fields[path].text() == fill.after[path]:
                self.fields[path].put(text)

    def show_all_issues(self) -> None:
        """Show the issues of unvisited fields too."""
        for each in self.fields.values():
            each.show_issue_now()

    def show_provider_words(self, words: Mapping[str, str]) -> list[str]:
        """Show the provider's words beside the fields that they name. Returns the paths that no field has.

        Services also write paths as `Consignee.City` or `$.consignee.city`.
        """
        by_letters = {path.lower(): each for path, each in self.fields.items()}
        left = []
        for path, sentence in words.items():
            each = by_letters.get(path.lower().removeprefix("$."))
            if each is None:
                left.append(path)
            else:
                each.set_notice(sentence)
        return left

    def go_to_first(self, named: Iterable[str]) -> None:
        """Put the keyboard into the first field that is named, by paths as a provider writes them."""
        letters = {path.lower().removeprefix("$.") for path in named}
        path = next((path for path in self.fields if path.lower() in letters), "")
        if path:
            self.go_to(path)

    def go_to(self, path: str) -> None:
        """Put the keyboard into the field, or the cell, at this path."""
        each = self.fields.get(path)
        if each is not None or path == SCAN:
            editor = self.scan.field if each is None else each.editor
            editor.setFocus(Qt.FocusReason.TabFocusReason)  # Qt selects the text then, so typing replaces it
            self.went.emit(editor)
            return
        for rows_path, rows in self.lists.items():
            place = _cell(rows_path, path)
            if place is not None:
                names = [col.name for col in rows.model.columns]
                rows.go_to(place[0], names.index(place[1]))
                self.went.emit(rows)
            elif path == rows_path:
                rows.grid.setFocus()
                self.went.emit(rows)

    def go_to_section(self, title: str) -> None:
        """Put the keyboard into the section's first field, or its first row.

        The barcodes begin at the scan field: a scan must not land in the load number.
        """
        plan = next(each for each in SECTIONS if each.title == title)
        if plan.rows == BARCODES:
            self.go_to(SCAN)
        elif plan.lines:
            self.go_to(plan.lines[0][0].path)
        else:
            model = self.lists[plan.rows].model
            self.go_to(f"{plan.rows}[0].{model.columns[0].name}" if model.rows else plan.rows)


def in_form_order(found: Findings) -> Iterator[Issue]:
    """The issues from the top of the form to its bottom."""
    by_path: dict[str, list[Issue]] = {}
    for issue in found.fields:
        by_path.setdefault(issue.path, []).append(issue)
    for section in SECTIONS:
        for path in [plan.path for line in section.lines for plan in line]:
            yield from by_path.get(path, [])
        if section.rows == BARCODES:
            yield from by_path.get(SCAN, [])
        if section.rows:
            yield from by_path.get(section.rows, [])
            # Called at every key: thousands of rows are walked through only if one of them has an issue.
            if any(found.rows[section.rows]):
                wrong = [(at, issues) for at, issues in enumerate(found.rows[section.rows]) if issues]
                yield from (issue_at(section.rows, at, each) for at, issues in wrong for each in issues)


def issue_place(path: str) -> str:
    """The place of an issue in words: `Freight lines, row 2, Count`."""
    if path in LABELS:
        return LABELS[path]
    for rows_path, (words, _) in ROW_WORDS.items():
        if path == rows_path:
            return words
        place = _cell(rows_path, path)
        if place is not None:
            return entry_words.row_place(words, place[0] + 1, LABELS.get(field_of(path), place[1]))
    return path


def _cell(rows_path: str, path: str) -> tuple[int, str] | None:
    """`freightDetails[3].count` below `freightDetails` → (3, "count")."""
    if not path.startswith(f"{rows_path}["):
        return None
    index, _, name = path.removeprefix(f"{rows_path}[").partition("].")
    return (int(index), name) if index.isdecimal() and name else None


def _place(draft: OrderDraft, path: str) -> tuple[Any, str]:
    """The record that holds a field, and the field's name in it."""
    *parents, name = path.split(".")
    record: Any = draft
    for parent in parents:
        record = getattr(record, parent)
    return record, name
