"""Blocks of cells as spreadsheets copy them: tabs between cells, line breaks between rows.

Invariant: a cell stays letter for letter. A cell with a tab, a line break or a quote is quoted, as spreadsheets do.
"""

from collections.abc import Mapping, Sequence

Block = list[list[str]]

_NEEDS_QUOTES = ("\t", "\n", "\r", '"')


def read_block(text: str) -> Block:
    """Rows of cells; a line break at the end of the text begins no further row."""
    rows: Block = [[]]
    at, end = 0, len(text)
    while at <= end:
        cell, at = _quoted(text, at) if text.startswith('"', at) else _bare(text, at)
        rows[-1].append(cell)
        if at >= end:
            break
        at, new_row = _past_separator(text, at)
        if new_row:
            if at >= end:
                break
            rows.append([])
    return rows


def write_block(rows: Sequence[Sequence[str]]) -> str:
    """The text that pastes into a spreadsheet as these cells."""
    return "\n".join("\t".join(map(_written, row)) for row in rows)


def known_columns(row: Sequence[str], names: Mapping[str, Sequence[str]]) -> list[str | None] | None:
    """The column that each cell of a header row names, None for a cell that names none; None if it is no header row.

    A header row names at least one column, no column twice, and holds no number.
    """
    found = [
        next((name for name, called in names.items() if _letters(cell) in map(_letters, called)), None) for cell in row
    ]
    named = [each for each in found if each is not None]
    if not named or len(set(named)) < len(named) or any(_letters(cell).isdecimal() for cell in row):
        return None
    return found


def _written(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(each in cell for each in _NEEDS_QUOTES) else cell


def _letters(text: str) -> str:
    """`Cu. Ft` and `cuft` are the same title."""
    return "".join(each for each in text.casefold() if each.isalnum())


def _bare(text: str, at: int) -> tuple[str, int]:
    end = min((found for each in "\t\n\r" if (found := text.find(each, at)) >= 0), default=len(text))
    return text[at:end], end


def _quoted(text: str, at: int) -> tuple[str, int]:
    """A quoted cell. A cell that only begins with a quote, and does not end with one, is a bare cell."""
    parts: list[str] = []
    start = at + 1
    while (found := text.find('"', start)) >= 0:
        parts.append(text[start:found])
        after = found + 1
        if text.startswith('"', after):
            parts.append('"')
            start = after + 1
            continue
        return ("".join(parts), after) if after >= len(text) or text[after] in "\t\r\n" else _bare(text, at)
    return _bare(text, at)


def _past_separator(text: str, at: int) -> tuple[int, bool]:
    if text[at] == "\t":
        return at + 1, False
    return at + (2 if text.startswith("\r\n", at) else 1), True
