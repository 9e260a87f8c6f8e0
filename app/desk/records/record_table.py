"""Records of any shape as a table: columns from the data, cells as text, sorting, search.

Invariants: nothing of a record is lost unseen. A field is a column, or a part of a cell, or counted in `left_out`.
Names and values stay as the provider wrote them; only the titles are put into words.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.desk.export.spreadsheet_cells import Value, written
from app.store.sqlite.search_text import plain

MOST_COLUMNS = 120
_DEEPEST = 4  # levels of nested objects that become columns; what lies deeper is JSON in its cell
# At most 15 digits, which a float holds exactly; no leading zero, since a postal code is not a number.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?")
# Between words: signs, before a capital behind a small letter, before the last of some capitals, around digits.
_BETWEEN = re.compile(
    r"[\W_]+|(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=[0-9])|(?<=[0-9])(?=[^\W\d_])"
)
_NO_NAME = "·"

Record = Mapping[str, object]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordColumn:
    """A field of the records: its `path`, its title in words, and its name as the provider writes it.

    `right`: all its values are numbers. `counts`: they are numbers, or texts that read as numbers, and sort as such.
    """

    path: Path
    title: str
    name: str
    right: bool = False
    counts: bool = False


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Records and their columns. `left_out`: how many more fields there are."""

    columns: tuple[RecordColumn, ...] = ()
    records: tuple[Record, ...] = ()
    left_out: int = 0


def table_of(records: Iterable[Record]) -> RecordTable:
    """The records as a table, with columns in the order in which their fields first appear."""
    rows = tuple(unwrapped(list(records)))
    kinds: dict[Path, _Kind] = {}
    for record in rows:
        for path, value in _fields(record):
            kinds.setdefault(path, _Kind()).see(value)
    columns = tuple(_column(path, kind) for path, kind in kinds.items())
    return RecordTable(columns[:MOST_COLUMNS], rows, max(len(columns) - MOST_COLUMNS, 0))


def unwrapped(records: list[Record]) -> list[Record]:
    """The records of an answer that is one object around its only list of records; each keeps the object's other
    fields. Any other answer stays as it is."""
    if len(records) != 1:
        return records
    lists = {name: value for name, value in records[0].items() if _is_records(value)}
    if len(lists) != 1:
        return records
    ((name, inner),) = lists.items()
    around = {key: value for key, value in records[0].items() if key != name}
    assert isinstance(inner, list)
    return [{**around, **each} for each in inner]


def _is_records(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


@dataclass(slots=True)
class _Kind:
    """The kind that all values of a field have."""

    numbers: bool = True
    read_as_numbers: bool = True
    seen: bool = False

    def see(self, value: object) -> None:
        if value is None or value == "":
            return
        self.seen = True
        is_number = _is_number(value)
        self.numbers = self.numbers and is_number
        reads = is_number or (isinstance(value, str) and _NUMBER.fullmatch(value.strip()) is not None)
        self.read_as_numbers = self.read_as_numbers and reads


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _fields(record: Record, above: Path = ()) -> Iterator[tuple[Path, object]]:
    for name, value in record.items():
        path = (*above, str(name))
        if isinstance(value, Mapping) and value and len(path) < _DEEPEST:
            yield from _fields(value, path)
        else:
            yield path, value


def _column(path: Path, kind: _Kind) -> RecordColumn:
    return RecordColumn(
        path, title_of(path), ".".join(path), kind.seen and kind.numbers, kind.seen and kind.read_as_numbers
    )


def title_of(path: Path) -> str:
    """`Order reference number` for `orderReferenceNumber`, `Item · Code` for `Code` within `Item`."""
    return " · ".join(_words(name) for name in path)


def _words(name: str) -> str:
    parts = [part for part in _BETWEEN.split(name) if part]
    if not parts:
        return name.strip() or _NO_NAME
    words = [part if len(part) > 1 and part.isupper() else part.lower() for part in parts]
    first = words[0]
    return " ".join([first[:1].upper() + first[1:], *words[1:]])


def value_at(record: Record, path: Path) -> object:
    """The value of a field as it came; None if the record does not have it."""
    found: object = record
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def cell(record: Record, column: RecordColumn) -> Value:
    """The value of a cell: a number or a text as it came; what is neither as JSON."""
    value = value_at(record, column.path)
    if value is None or isinstance(value, str | bool) or _is_number(value):
        return value  # type: ignore[return-value]
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return ", ".join(written(each) for each in value)
    return _json(value) if value else ""


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # nested almost as deeply as can be read at all
        return "…"


def cell_words(record: Record, column: RecordColumn) -> str:
    """A cell as text on screen, on one line."""
    return " ".join(written(cell(record, column)).split())


def in_order(records: Sequence[Record], column: RecordColumn, *, descending: bool) -> list[Record]:
    """The records by one column; those without a value come last either way, and equal ones stay in their order."""
    filled = [each for each in records if cell(each, column) not in (None, "")]
    empty = [each for each in records if cell(each, column) in (None, "")]
    return [*sorted(filled, key=lambda each: _rank(each, column), reverse=descending), *empty]


def _rank(record: Record, column: RecordColumn) -> tuple[float, str]:
    value = cell(record, column)
    if column.counts:
        return float(str(value)), ""
    return 0.0, plain(written(value))


def matching(table: RecordTable, text: str) -> list[Record]:
    """The records in which every word of `text` stands somewhere, in any case of letters."""
    wanted = plain(text).split()
    if not wanted:
        return list(table.records)
    return [each for each in table.records if _holds(each, table, wanted)]


def _holds(record: Record, table: RecordTable, wanted: Sequence[str]) -> bool:
    whole = plain("\n".join(cell_words(record, column) for column in table.columns))
    return all(word in whole for word in wanted)
