"""A mapping: which column is which field of an order, and how cells are written.

Invariant: a mapping is data. As a record it knows columns by title, and by the place among columns of one title, so it
fits another file with the same titles whatever their order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.desk.bulk.order_fields import BY_PATH, letters

Decimal = Literal[".", ",", ""]
DateOrder = Literal["ymd", "mdy", "dmy", ""]
RowsOf = Literal["one", "several"]
How = Literal["name", "content", "remembered", "person"]
SEPARATORS = ";|\n"


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """The use of a column: the `path` of an `OrderField`, empty for a column that is not used.

    `group` counts the repeated columns of a list from 0: `Commodity 2` is group 1. `how` says how it was matched.
    """

    path: str = ""
    group: int = 0
    how: How = "person"


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """`columns` has one use for each column of the table, in its order.

    `constants` are values by path for cells that are blank or columns that are missing; those of lists count for every
    row of the list, or for one group as `otherReferenceNumbers[0].type`. `translations` are values by path:
    `{"deliveryType": {"home delivery": "HOME"}}`, found without regard to case. `decimal` and `dates` are empty while
    the file leaves them open: cells that could mean two things have an issue then. `rows`: whether several rows with
    one reference are one order. `separators` are the signs that part several values in one cell.
    """

    columns: tuple[ColumnUse, ...]
    constants: Mapping[str, str] = field(default_factory=dict)
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    decimal: Decimal = ""
    dates: DateOrder = ""
    rows: RowsOf = "one"
    separators: str = SEPARATORS
    name: str = ""  # the name under which it is kept; empty for one without

    def uses(self, path: str) -> bool:
        """Whether a column holds this field."""
        return any(each.path == path for each in self.columns)


def to_record(mapping: ColumnMapping, titles: Sequence[str]) -> dict[str, Any]:
    """The mapping as JSON-able data. Columns of the same title are told apart by their order."""
    columns = [
        {"title": title, "nth": nth, "path": use.path, "group": use.group}
        for (title, nth), use in zip(numbered(titles), mapping.columns, strict=False)
        if use.path
    ]
    return {
        "columns": columns,
        "constants": dict(mapping.constants),
        "translations": {path: dict(values) for path, values in mapping.translations.items()},
        "decimal": mapping.decimal,
        "dates": mapping.dates,
        "rows": mapping.rows,
        "separators": mapping.separators,
    }


def from_record(record: Mapping[str, Any], titles: Sequence[str], name: str = "") -> ColumnMapping:
    """The mapping of a record for a table with these titles. What cannot be read of the record is left out."""
    known: dict[tuple[str, int], ColumnUse] = {}
    for each in record.get("columns") or ():
        if isinstance(each, Mapping) and each.get("path") in BY_PATH:
            group = each.get("group")
            use = ColumnUse(str(each["path"]), group if isinstance(group, int) and group >= 0 else 0, "remembered")
            known[letters(str(each.get("title"))), int(each.get("nth") or 0)] = use
    keyed = numbered(titles)
    # By title, not by place: a file of next week may have its columns in another order.
    columns = tuple(known.get((letters(title), nth), ColumnUse()) for title, nth in keyed)
    translations = record.get("translations")
    return ColumnMapping(
        columns,
        _texts(record.get("constants")),
        {str(path): _texts(values) for path, values in translations.items()}
        if isinstance(translations, Mapping)
        else {},
        _one_of(record.get("decimal"), (".", ",", ""), ""),
        _one_of(record.get("dates"), ("ymd", "mdy", "dmy", ""), ""),
        _one_of(record.get("rows"), ("one", "several"), "one"),
        str(record.get("separators", SEPARATORS)),
        name,
    )


def numbered(titles: Sequence[str]) -> list[tuple[str, int]]:
    """Each title with its place among the columns of the same title."""
    seen: Counter[str] = Counter()
    found = []
    for title in titles:
        found.append((title, seen[letters(title)]))
        seen[letters(title)] += 1
    return found


def _texts(value: object) -> dict[str, str]:
    return {str(key): str(text) for key, text in value.items()} if isinstance(value, Mapping) else {}


def _one_of(value: object, choices: tuple[Any, ...], otherwise: Any) -> Any:
    return value if value in choices else otherwise
