"""Writes a draft from the form back into the cells of its order.

Invariant: after the change the cells make the same draft, but for what `left` names. A value without a cell gets a
column of its own; the parts of a cell that holds several values are written as one.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from app.contract.draft import OrderDraft
from app.desk.bulk.mapping.cell_forms import write_number
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.order_fields import BY_PATH, LINES
from app.desk.bulk.rows.build_order import KEYS, Built, list_of, rows_of_constants

Place = tuple[int, int]
Added = tuple[str, str, int]


class DraftCells:
    """The cells of one order, and how a draft is written into them. `width` is the number of columns there are."""

    def __init__(
        self, mapping: ColumnMapping, rows: Sequence[tuple[str, ...]], width: int, built: Built, order: Sequence[int]
    ) -> None:
        self._mapping, self._rows, self._width = mapping, rows, width
        self._built, self._order = built, order
        self._texts: dict[Place, str] = {}
        self._added: list[Added] = []

    def written(self, draft: OrderDraft) -> tuple[dict[Place, str], tuple[Added, ...]]:
        """The texts by cell, and the columns that are added behind the last one."""
        self._texts, self._added = {}, []
        for path, field in BY_PATH.items():
            if not field.line:
                self._write_once(path, str(value_at(draft, path)))
        for line in LINES:
            if not self._same_rows(draft, line) and not self._is_parted(draft, line):
                self._write_lines(draft, line)
        return self._texts, tuple(self._added)

    def left(self, draft: OrderDraft) -> tuple[str, ...]:
        """The paths that no cell can say: where the draft is empty and a constant is not, and where a key of a list
        would be read as several keys, so that the list stays as the file has it."""
        empty = [path for path in BY_PATH if not BY_PATH[path].line and not str(value_at(draft, path)).strip()]
        again = [line for line in rows_of_constants(self._mapping) if not list_of(draft, line)]
        parted = [f"{line}.{KEYS[line]}" for line in LINES if self._is_parted(draft, line)]
        return (*(path for path in empty if self._mapping.constants.get(path, "").strip()), *again, *parted)

    def _write_once(self, path: str, value: str) -> None:
        if value == str(value_at(self._built.draft, path)):
            return
        if path not in self._built.places and not value:
            return
        place = self._built.places.get(path) or (self._order[0], self._new_column(path, 0))
        for row in self._order:
            # The other rows of the order may say the same, or nothing.
            if row == place[0] or (place[1] < self._width and self._rows[row][place[1]].strip()):
                self._texts[row, place[1]] = value

    def _same_rows(self, draft: OrderDraft, line: str) -> bool:
        names = [path.rpartition(".")[2] for path, each in BY_PATH.items() if each.line == line]

        def plain(of: OrderDraft) -> list[list[str]]:
            return [[getattr(row, name) for name in names] for row in list_of(of, line)]

        return plain(draft) == plain(self._built.draft)

    def _is_parted(self, draft: OrderDraft, line: str) -> bool:
        """Whether a list was changed and has a key that its cell would be divided at."""
        signs = set(self._mapping.separators)
        parted = any(signs.intersection(getattr(row, KEYS[line])) for row in list_of(draft, line))
        return parted and not self._same_rows(draft, line)

    def _write_lines(self, draft: OrderDraft, line: str) -> None:
        """Write a list anew: into the groups of each row in turn, then into further groups of the first row."""
        # All cells of the list are emptied first: a row that a person deleted in the form leaves its cells blank.
        slots = self._slots(line)
        for slot in slots:
            for column in slot[1].values():
                self._texts[slot[0], column] = ""
        wanted = list_of(draft, line)
        group = max((use.group for use in self._mapping.columns if self._is_of(use.path, line)), default=-1)
        while len(slots) < len(wanted):
            group += 1
            slots.append((self._order[0], {}, group))
        for row, (at, columns, number) in zip(wanted, slots, strict=False):
            self._write_line(line, row, at, columns, number)

    def _write_line(self, line: str, row: Any, at: int, columns: dict[str, int], number: int) -> None:
        for path, field in BY_PATH.items():
            if field.line != line:
                continue
            name = path.rpartition(".")[2]
            value = str(getattr(row, name))
            if field.shape == "number":
                value = write_number(value, self._mapping.decimal)
            if name in columns:
                self._texts[at, columns[name]] = value
            elif value and value != self._constant(line, number, name):
                self._texts[at, self._new_column(path, number)] = value

    def _constant(self, line: str, number: int, name: str) -> str:
        constants = self._mapping.constants
        return constants.get(f"{line}[{number}].{name}") or constants.get(f"{line}.{name}", "")

    def _slots(self, line: str) -> list[tuple[int, dict[str, int], int]]:
        """Where rows of the list can stand: for each row and group the columns by the name of their field."""
        groups: dict[int, dict[str, int]] = defaultdict(dict)
        for column, use in enumerate(self._mapping.columns):
            if self._is_of(use.path, line):
                groups[use.group][use.path.rpartition(".")[2]] = column
        return [(row, groups[number], number) for row in self._order for number in sorted(groups)]

    def _is_of(self, path: str, line: str) -> bool:
        return bool(path) and BY_PATH[path].line == line

    def _new_column(self, path: str, group: int) -> int:
        for at, (_, known, number) in enumerate(self._added):
            if (known, number) == (path, group):
                return self._width + at
        title = BY_PATH[path].title
        self._added.append((f"{title} {group + 1}" if group else title, path, group))
        return self._width + len(self._added) - 1


def value_at(draft: OrderDraft, path: str) -> str:
    """The text of a field that an order has once."""
    value: Any = draft
    for name in path.split("."):
        value = getattr(value, name)
    return str(value)
