"""A file of rows and columns as it was read: its cells as texts, and how the file was understood.

Invariant: a cell is the text that the file holds. A number or date of a workbook is written in one fixed form (`12.5`,
`2026-12-01`), and `Table.kind_of` says that the cell was no text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

MOST_ROWS = 100_000
MOST_COLUMNS = 1_000
MOST_CELL = 32_767  # characters, as in a spreadsheet
NO_HEADER = -1

Source = Literal["text", "workbook", "pasted"]
Topic = Literal["encoding", "separator", "sheet", "header", "decimal", "dates", "columns", "rows"]
# What a cell was in the workbook; a text file has texts only.
CellKind = Literal["text", "number", "date", "moment", "flag", "error"]

KINDS: dict[int, CellKind] = {
    ord("t"): "text",
    ord("n"): "number",
    ord("d"): "date",
    ord("m"): "moment",
    ord("b"): "flag",
    ord("e"): "error",
}


class FileTrouble(Exception):
    """The file was not read; `sentence` says why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a file is to be read. None means: find it out.

    `encoding` is one of `text_files.ENCODINGS`; `separator` one character; `sheet` the name of a sheet; `header_row`
    the place of the titles among the rows of the sheet, counted from 0, or `NO_HEADER`.
    """

    encoding: str | None = None
    separator: str | None = None
    sheet: str | None = None
    header_row: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about the file as a whole. `sure` is False where it was guessed, so that a person should look."""

    topic: Topic
    sentence: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class RowNote:
    """A fault or doubt about a row as it was read, and the column where a person sees it."""

    column: int
    sentence: str
    grade: Literal["wrong", "doubt"] = "wrong"


@dataclass(slots=True)
class Table:
    """The rows of one sheet below its titles.

    `rows` are as long as `titles`. `numbers` are the numbers of the rows in the file, from 1, as a spreadsheet shows
    them. `kinds` holds for each row one letter a cell (see `KINDS`), or nothing if all cells are texts. `read_with` has
    no None but for what the kind of file does not have. `guessed` is the encoding that is guessed for the file,
    whatever it was read with; empty where the file proves its encoding, or has none.
    """

    name: str
    source: Source
    digest: str  # SHA-256 of the file's bytes, in hexadecimal
    titles: tuple[str, ...]
    rows: list[tuple[str, ...]]
    numbers: Sequence[int]
    kinds: list[bytes]
    read_with: ReadOptions = field(default_factory=ReadOptions)
    guessed: str = ""
    sheets: tuple[str, ...] = ()
    above: tuple[tuple[str, ...], ...] = ()  # the first rows as they stand, for choosing the row of titles
    findings: tuple[Finding, ...] = ()
    notes: dict[int, RowNote] = field(default_factory=dict)  # by row

    def kind_of(self, row: int, column: int) -> CellKind:
        """The cell as it was in the file."""
        kinds = self.kinds[row]
        return KINDS[kinds[column]] if column < len(kinds) else "text"
