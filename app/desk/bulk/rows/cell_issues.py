"""The issues and doubts of a cell."""

from dataclasses import dataclass
from typing import Literal

NO_COLUMN = -1
Grade = Literal["wrong", "doubt"]


@dataclass(frozen=True, slots=True)
class CellIssue:
    """A sentence on a cell. A `wrong` one keeps the order from being sent; a `doubt` does not.

    `row` and `column` are places in the sheet; `column` is `NO_COLUMN` for what no cell holds: a required field without
    a column, or an order as a whole. `path` is that of the field with row indexes. `proposal` is a text that mends the
    cell, empty if there is none; `rule` is the same for issues of one sort, so that one answer can mend all alike.
    `other` is another row that the sentence names, -1 if it names none.
    """

    row: int
    column: int
    path: str
    sentence: str
    grade: Grade = "wrong"
    proposal: str = ""
    rule: str = ""
    other: int = -1
