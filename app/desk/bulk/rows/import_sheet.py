"""The rows of an import: the orders they make, the issues on their cells, and corrections.

Invariants: the file's own text of a cell is never lost (`original`). An order is checked by `contract/check` and by
nothing else. Every change of cells is an `Edit`, which can be undone and done again.

`ImportSheet` is changed by one thread at a time; a window reads it at any time. `check_all` belongs on a thread
(`stoppable_work.in_thread`); the rest takes milliseconds for a change of some hundred cells.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.contract.check import DraftCheck, check_draft
from app.contract.draft import TRUE, OrderDraft
from app.contract.order_rules import FACILITY_CODE, REFERENCE, Issue
from app.contract.submission import OrderSubmission
from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import CellKind, Table
from app.desk.bulk.mapping.column_mapping import ColumnMapping, ColumnUse
from app.desk.bulk.order_fields import BY_PATH, LINES, title_of
from app.desk.bulk.rows.build_order import Built, OrderPlan
from app.desk.bulk.rows.cell_issues import NO_COLUMN, CellIssue
from app.desk.bulk.rows.cell_reading import TYPED
from app.desk.bulk.rows.draft_cells import DraftCells
from app.desk.drafts.date_order import STEPS, date_doubts
from app.desk.files.stoppable_work import Progress
from app.desk.known.known_facilities import FacilityDoubt, KnownFacilities

NO_FACILITIES = KnownFacilities()
Place = tuple[int, int]  # row and column in the sheet, from 0
AddedColumn = tuple[str, str, int]  # title, path, group


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of cells, as data. `added` are columns that the change adds at the right end."""

    before: Mapping[Place, str]
    after: Mapping[Place, str]
    added: tuple[AddedColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class FileOrder:
    """An order of the file. `key` is its first row, by which everything about it is kept; `rows` are all its rows."""

    key: int
    rows: tuple[int, ...]
    reference: str
    issues: tuple[CellIssue, ...] = ()

    @property
    def wrong(self) -> int:
        """How many issues keep it from being sent."""
        return sum(each.grade == "wrong" for each in self.issues)


class ImportSheet:
    """A table, its mapping, the orders it makes, and what was corrected."""

    def __init__(self, table: Table, mapping: ColumnMapping, facilities: KnownFacilities = NO_FACILITIES) -> None:
        self.table = table
        self.mapping = mapping
        self.facilities = facilities  # a code that is none of them is doubted
        self.orders: dict[int, FileOrder] = {}  # by key, in the order of the file; filled by `check_all`
        self.rows: list[tuple[str, ...]] = list(table.rows)  # the cells as they are now
        self._titles: list[str] = list(table.titles)
        self._kinds: list[bytes] = list(table.kinds)
        self._originals: dict[Place, str] = {}
        self._order_of: list[int] = []  # the key of the order of each row
        self._check = DraftCheck()
        self._plan = OrderPlan(mapping)

    # Reading

    @property
    def titles(self) -> Sequence[str]:
        """The titles of the columns, with those that were added."""
        return self._titles

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def cell(self, row: int, column: int) -> str:
        """The text of a cell as it is now."""
        return self.rows[row][column]

    def original(self, row: int, column: int) -> str | None:
        """The file's own text of a cell that was corrected; None for a cell that is as in the file."""
        return self._originals.get((row, column))

    def kind_of(self, row: int, column: int) -> CellKind:
        """The cell as it was in the file; a corrected cell is text."""
        if (row, column) in self._originals or column >= len(self.table.titles):
            return "text"
        return self.table.kind_of(row, column)

    def kinds(self, row: int) -> str:
        """The letters of the kinds of a row's cells (`file_tables.KINDS`), empty where all are texts."""
        return self._kinds[row].replace(b"p", b"t").decode("ascii")

    def order_of(self, row: int) -> FileOrder | None:
        """The order that a row is part of; None before `check_all`."""
        return self.orders.get(self._order_of[row]) if row < len(self._order_of) else None

    def issues_at(self, row: int) -> Mapping[int, Sequence[CellIssue]]:
        """The issues of a row by column, `NO_COLUMN` among them."""
        order = self.order_of(row)
        found: dict[int, list[CellIssue]] = defaultdict(list)
        for each in () if order is None else order.issues:
            if each.row == row:
                found[each.column].append(each)
        return found

    def draft(self, key: int) -> OrderDraft:
        """An order as the form shows it."""
        return self._build(self.orders[key].rows).draft

    def submission(self, key: int) -> OrderSubmission | None:
        """The submission for an order; None if it has issues that forbid it, or is no order any more."""
        order = self.orders.get(key)
        if order is None or order.wrong:
            return None
        found = check_draft(self._build(order.rows).draft)
        return found if isinstance(found, OrderSubmission) else None

    # Checking

    def check_all(self, progress: Progress) -> None:
        """Make the orders and check them all. Raises `Stopped`."""
        grouped = self._group()
        progress.total, progress.done = len(grouped), 0
        orders = {}
        for rows in grouped:
            orders[rows[0]] = self._checked(rows)
            progress.done += 1
            progress.checkpoint()
        self._take(orders)

    def know(self, facilities: KnownFacilities) -> None:
        """Doubt codes by these facilities from now on. Verdicts stay true: a doubt keeps no order from being sent."""
        self.facilities = facilities
        for key, order in list(self.orders.items()):
            self.orders[key] = self._checked(order.rows)

    def set_mapping(self, mapping: ColumnMapping) -> None:
        """Map the columns in another way. `check_all` is to be called after it."""
        added = tuple(ColumnUse() for _ in range(len(self._titles) - len(mapping.columns)))
        self.mapping = replace(mapping, columns=mapping.columns + added)
        self._plan = OrderPlan(self.mapping)

    def _take(self, orders: dict[int, FileOrder]) -> None:
        by_row = [0] * len(self.rows)
        for key, order in orders.items():
            for row in order.rows:
                by_row[row] = key
        self.orders, self._order_of = orders, by_row

    def _group(self) -> list[tuple[int, ...]]:
        """The rows of each order, in the order of the file."""
        at = self._reference_column()
        if self.mapping.rows == "one" or at < 0:
            return [(row,) for row in range(len(self.rows))]
        found: dict[object, list[int]] = {}
        last: list[int] | None = None
        for row, cells in enumerate(self.rows):
            reference = cells[at].strip()
            if not reference and last is not None and self._plan.is_line_only(cells):
                last.append(row)
                continue
            # A row without a reference is an order of its own: its check says what is missing.
            last = found.setdefault(reference or row, [])
            last.append(row)
        return [tuple(rows) for rows in found.values()]

    def _reference_column(self) -> int:
        return next((at for at, use in enumerate(self.mapping.columns) if use.path == REFERENCE), -1)

    def _build(self, rows: Sequence[int], *, places: bool = False) -> Built:
        return self._plan.build([(row, self.rows[row], self._kinds[row]) for row in rows], places=places)

    def _checked(self, rows: tuple[int, ...]) -> FileOrder:
        # Without places first: they are needed for issues alone, and most orders have none.
        built = self._build(rows)
        found = self._check.check(built.draft)
        reference = built.draft.orderReferenceNumber.strip()
        notes = [row for row in rows if row in self.table.notes] if self.table.notes else []
        twice = len(rows) > 1 and len({self.rows[row] for row in rows}) < len(rows)
        doubts = date_doubts({path: getattr(built.draft, path) for path in STEPS}, date.today())
        facility = self._facility_doubt(built)
        if not (found.count or built.issues or notes or twice or doubts or facility):
            return FileOrder(rows[0], rows, reference)
        built = self._build(rows, places=True)
        issues = [*self._notes(notes), *(self._repeated_rows(rows) if twice else ()), *built.issues]
        # A cell that could not be read has its sentence already; that the check misses its value would be a second one.
        told = {each.path for each in built.issues if each.grade == "wrong"}
        issues += [self._placed(each, built, rows[0]) for each in found.issues() if each.path not in told]
        for path, sentence in doubts.items():
            placed = self._placed(Issue(path, sentence), built, rows[0])
            issues.append(replace(placed, sentence=sentence, grade="doubt", rule=f"date order {path}"))
        if facility is not None:
            placed = self._placed(Issue(FACILITY_CODE, facility.sentence), built, rows[0])
            # A rule for each code: what one of them stands for mends no other.
            rule = f"facility {built.draft.providerFacilityCode.strip()}"
            issues.append(replace(placed, grade="doubt", rule=rule, proposal=facility.proposal))
        return FileOrder(rows[0], rows, reference, tuple(issues))

    def _facility_doubt(self, built: Built) -> FacilityDoubt | None:
        """The doubt about the facility; none where the address determines it, or where its cell has a sentence."""
        draft = built.draft
        if draft.useConsigneeAddressToDetermineFaclityCode == TRUE:
            return None
        doubt = self.facilities.doubt(draft.providerFacilityCode)
        told = doubt is not None and any(each.path == FACILITY_CODE for each in built.issues)
        return None if told else doubt

    def _notes(self, rows: Iterable[int]) -> Iterable[CellIssue]:
        for row in rows:
            note = self.table.notes[row]
            # A corrected row is as a person wants it.
            if not any((row, column) in self._originals for column in range(len(self._titles))):
                column = min(note.column, len(self._titles) - 1)
                yield CellIssue(row, column, "", note.sentence, note.grade, rule="row")

    def _repeated_rows(self, rows: Sequence[int]) -> Iterable[CellIssue]:
        first: dict[tuple[str, ...], int] = {}
        for row in rows:
            before = first.setdefault(self.rows[row], row)
            if before != row:
                said = words.same_row(self.number(before))
                yield CellIssue(row, NO_COLUMN, "", said, "doubt", rule="same row", other=before)

    def _placed(self, issue: Issue, built: Built, first: int) -> CellIssue:
        """An issue of the check on its cell; a missing part is said at its neighbour, the rest at the first row."""
        path = issue.path
        place = built.places.get(path)
        if place is None and path in LINES:
            place = next((cell for key, cell in built.places.items() if key.startswith(f"{path}:")), None)
        sentence = issue.sentence
        if place is None:
            place = built.places.get(path.rpartition(".")[0]) if "]" in path else None
            sentence = words.about_field(title_of(path), sentence)
        row, column = place or (first, NO_COLUMN)
        return CellIssue(row, column, path, sentence, rule=f"check {issue.sentence}")

    def number(self, row: int) -> int:
        """The number of a row in the file, as a spreadsheet shows it."""
        return self.table.numbers[row]

    # Corrections: `apply` and `undo` return the keys of the orders whose verdict is to be found anew

    def apply(self, edit: Edit) -> frozenset[int]:
        """Make a change, and check the orders that it touches."""
        for title, path, group in edit.added:
            self._add_column(title, ColumnUse(path, group))
        if edit.added:
            self._plan = OrderPlan(self.mapping)
        return self._put(edit.after)

    def undo(self, edit: Edit) -> frozenset[int]:
        """Take the change that was made last back."""
        width = len(self._titles) - len(edit.added)
        changed = {place: text for place, text in edit.before.items() if place[1] < width}
        if edit.added:
            self._drop_columns(len(edit.added))
            self._plan = OrderPlan(self.mapping)
        return self._put(changed, {row for row, _ in edit.before})

    def set_cells(self, texts: Mapping[Place, str]) -> Edit:
        """The change that gives these cells these texts, for `apply`. Cells that say so already are left out."""
        after = {place: text for place, text in texts.items() if self.rows[place[0]][place[1]] != text}
        return Edit({(row, column): self.rows[row][column] for row, column in after}, after)

    def fill_down(self, places: Iterable[Place]) -> Edit:
        """The change that gives the cells of each column the text of the topmost of them."""
        top: dict[int, str] = {}
        chosen = sorted(places)
        for row, column in chosen:
            top.setdefault(column, self.rows[row][column])
        return self.set_cells({place: top[place[1]] for place in chosen})

    def replace(self, places: Iterable[Place], find: str | re.Pattern[str], by: str, *, whole: bool = False) -> Edit:
        """The change that replaces a text in these cells, without regard to case; `whole`: only cells that are it.

        `by` is put in as it stands; with a pattern it may hold the pattern's groups. Raises `re.error`.
        """
        pattern = re.compile(re.escape(find), re.IGNORECASE) if isinstance(find, str) else find
        put: str | re.Pattern[str] = by if isinstance(find, re.Pattern) else by.replace("\\", r"\\")
        changed = {}
        for row, column in places:
            text = self.rows[row][column]
            if not whole or pattern.fullmatch(text.strip()):
                changed[row, column] = pattern.sub(str(put), text.strip() if whole else text)
        return self.set_cells(changed)

    def mend_alike(self, issue: CellIssue) -> Edit:
        """The change that puts the proposals of all issues of the same rule and column into their cells."""
        return self.set_cells(
            {
                (each.row, each.column): each.proposal
                for order in self.orders.values()
                for each in order.issues
                if each.proposal and (each.rule, each.column) == (issue.rule, issue.column) and each.column != NO_COLUMN
            }
        )

    def add_column(self, path: str, text: str = "", group: int = 0) -> Edit:
        """The change that adds a column for a field, with this text in each row."""
        column = len(self._titles)
        places = [(row, column) for row in range(len(self.rows))] if text else []
        return Edit(dict.fromkeys(places, ""), dict.fromkeys(places, text), ((BY_PATH[path].title, path, group),))

    def put_draft(self, key: int, draft: OrderDraft) -> tuple[Edit, tuple[str, ...]]:
        """The change that makes the cells say what a draft from the form says, adding columns where there are none.

        Also the paths that it cannot make so: a value that was cleared, and that a constant gives again; a key of a
        list that its cell would be divided at.
        """
        order = self.orders[key]
        built = self._build(order.rows, places=True)
        cells = DraftCells(self.mapping, self.rows, len(self._titles), built, order.rows)
        texts, added = cells.written(draft)
        known = {place: text for place, text in texts.items() if place[1] < len(self._titles)}
        new = {place: text for place, text in texts.items() if place[1] >= len(self._titles)}
        edit = self.set_cells(known)
        after = {**edit.after, **new}
        return Edit({**edit.before, **dict.fromkeys(new, "")}, after, added), cells.left(draft)

    def _add_column(self, title: str, use: ColumnUse) -> None:
        self._titles.append(title)
        self.mapping = replace(self.mapping, columns=(*self.mapping.columns, use))
        self.rows[:] = [(*cells, "") for cells in self.rows]

    def _drop_columns(self, count: int) -> None:
        width = len(self._titles) - count
        del self._titles[width:]
        self.mapping = replace(self.mapping, columns=self.mapping.columns[:width])
        self.rows[:] = [cells[:width] for cells in self.rows]
        self._kinds[:] = [kinds[:width] for kinds in self._kinds]
        self._originals = {place: text for place, text in self._originals.items() if place[1] < width}

    def _put(self, texts: Mapping[Place, str], also: Iterable[int] = ()) -> frozenset[int]:
        by_row: dict[int, dict[int, str]] = defaultdict(dict)
        for (row, column), text in texts.items():
            by_row[row][column] = text
        for row, changes in by_row.items():
            self._change_row(row, changes)
        return self._recheck({*by_row, *also}, {column for _, column in texts})

    def _change_row(self, row: int, changes: Mapping[int, str]) -> None:
        cells = list(self.rows[row])
        for column, text in changes.items():
            first = self._originals.setdefault((row, column), cells[column])
            cells[column] = text
            # Typed back to the file's own text: the cell counts as never corrected.
            if text == first:
                del self._originals[row, column]
        self.rows[row] = tuple(cells)
        self._kinds[row] = self._kinds_of(row, len(cells))

    def _kinds_of(self, row: int, width: int) -> bytes:
        """The kinds of a row, with corrected cells as typed by a person."""
        typed = [column for column in range(width) if (row, column) in self._originals]
        if not typed:
            return self.table.kinds[row]
        kinds = bytearray(self.table.kinds[row].ljust(width, b"t"))
        for column in typed:
            kinds[column] = TYPED
        return bytes(kinds)

    def _recheck(self, rows: Iterable[int], columns: Iterable[int]) -> frozenset[int]:
        """Check the orders of these rows anew; with another reference a row goes from one order to another."""
        touched, at = set(rows), self._reference_column()
        before = {self._order_of[row] for row in touched}
        # A row without a reference belongs to the order above it, so filling or clearing other cells may move it.
        bare = at >= 0 and not all(self.rows[row][at].strip() for row in touched)
        if self.mapping.rows == "one" or not (bare or at in columns):
            for key in before:
                self.orders[key] = self._checked(self.orders[key].rows)
            return frozenset(before)
        orders: dict[int, FileOrder] = {}
        changed = set()
        for members in self._group():
            old = self.orders.get(members[0])
            # Orders with the same rows keep their check: one cell of a large file must not check the whole file.
            if old is not None and old.rows == members and not touched.intersection(members):
                orders[members[0]] = old
            else:
                orders[members[0]] = self._checked(members)
                changed.add(members[0])
        self._take(orders)
        return frozenset(changed | before)
