"""Pasting a block of cells into rows, without widgets.

Invariant: a block is pasted whole or not at all. Columns without a place are named in the sentence, never dropped
silently.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.desk.text.pasted_cells import Block, known_columns, read_block
from app.ui.widgets import widget_words as words
from app.ui.widgets.field import MOST_LETTERS
from app.ui.widgets.grid.grid_model import RowColumn

# Four times the largest order. More rows are a mistake, and checking them would take many seconds.
_MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Pasting:
    """The result: `count` rows from the current one on become `rows`. `sentence` says so, or why nothing was pasted."""

    rows: tuple[Any, ...]
    count: int
    sentence: str


def paste(
    text: str, columns: Sequence[RowColumn], rows: Sequence[Any], at: int, place: int, make: Callable[[], Any]
) -> Pasting:
    """Paste the block `text` from the cell (`at`, `place`) on; `make` returns rows beyond the last."""
    block = _without_empty_end(read_block(text))
    if not block:
        return Pasting((), 0, words.NOTHING_TO_PASTE)
    if len(block) > _MOST_ROWS:
        return Pasting((), 0, words.too_many_rows(len(block), _MOST_ROWS))
    if any(len(cell) > MOST_LETTERS for cells in block for cell in cells):
        return Pasting((), 0, words.cell_too_long(MOST_LETTERS))
    wide = max(map(_filled, block))
    names = {each.name: (each.title, each.name, *each.called) for each in columns}
    header = known_columns(block[0], names) if len(block) > 1 else None
    if header is not None:
        titles = [*block[0], *[""] * (wide - len(header))]
        named = [*header, *[None] * (wide - len(header))]
        return _put(block[1:], named, rows[at:], make, _left_out(titles, named))
    fitting = [each.name for each in columns[place:]]
    if wide > len(fitting):
        return Pasting((), 0, words.block_too_wide(wide, len(fitting)))
    return _put(block, fitting, rows[at:], make, "")


def _put(
    block: Block, names: Sequence[str | None], below: Sequence[Any], make: Callable[[], Any], left_out: str
) -> Pasting:
    made = []
    for number, cells in enumerate(block):
        row = below[number] if number < len(below) else make()
        made.append(replace(row, **{name: cell for name, cell in zip(names, cells, strict=False) if name}))
    count = min(len(block), len(below))
    pasted = words.rows_pasted(len(block))
    return Pasting(tuple(made), count, f"{pasted} {left_out}" if left_out else pasted)


def _filled(cells: Sequence[str]) -> int:
    """The width of a row up to its last cell that is not empty."""
    return next((place for place in range(len(cells), 0, -1) if cells[place - 1]), 0)


def _without_empty_end(block: Block) -> Block:
    end = len(block)
    while end and not any(block[end - 1]):
        end -= 1
    return block[:end]


def _left_out(header: Sequence[str], names: Sequence[str | None]) -> str:
    unknown = [cell.strip() or words.WITHOUT_TITLE for cell, name in zip(header, names, strict=True) if name is None]
    return words.columns_left_out(", ".join(unknown)) if unknown else ""
