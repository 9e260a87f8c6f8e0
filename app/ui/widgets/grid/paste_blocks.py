"""Pasting a block of cells onto rows: which cells become what. No widgets here, only rows and columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.desk.text.pasted_cells import Block, known_columns, read_block
from app.ui.widgets.field import MOST_LETTERS
from app.ui.widgets.grid.grid_model import RowColumn

# Four times the largest order. More than that was not meant, and would be checked for many seconds.
_MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Pasting:
    """The rows `count` from the current one on become `rows`; `words` say what was done, or why nothing was."""

    rows: tuple[Any, ...]
    count: int
    words: str


def paste(
    text: str, columns: Sequence[RowColumn], rows: Sequence[Any], at: int, place: int, make: Callable[[], Any]
) -> Pasting:
    """Put a block on `rows` from the cell (`at`, `place`) on; rows that are missing are made."""
    block = _without_empty_end(read_block(text))
    if not block:
        return Pasting((), 0, "There is nothing to paste.")
    if len(block) > _MOST_ROWS:
        return Pasting((), 0, f"Nothing was pasted: {len(block):,} rows are more than {_MOST_ROWS:,} at once.")
    if any(len(cell) > MOST_LETTERS for cells in block for cell in cells):
        return Pasting((), 0, f"Nothing was pasted: a cell holds more than {MOST_LETTERS:,} characters.")
    wide = max(map(_filled, block))
    names = {each.name: (each.title, each.name, *each.called) for each in columns}
    header = known_columns(block[0], names) if len(block) > 1 else None
    if header is not None:
        titles = [*block[0], *[""] * (wide - len(header))]
        named = [*header, *[None] * (wide - len(header))]
        return _put(block[1:], named, rows[at:], make, _left_out(titles, named))
    fitting = [each.name for each in columns[place:]]
    if wide > len(fitting):
        fit = "1 fits" if len(fitting) == 1 else f"{len(fitting)} fit"
        return Pasting((), 0, f"Nothing was pasted: the block is {wide} columns wide, and {fit} from this cell on.")
    return _put(block, fitting, rows[at:], make, "")


def _put(
    block: Block, names: Sequence[str | None], below: Sequence[Any], make: Callable[[], Any], left_out: str
) -> Pasting:
    made = []
    for number, cells in enumerate(block):
        row = below[number] if number < len(below) else make()
        made.append(replace(row, **{name: cell for name, cell in zip(names, cells, strict=False) if name}))
    count = min(len(block), len(below))
    words = f"{len(block):,} row{'s' if len(block) > 1 else ''} pasted. Ctrl+Z takes that back.{left_out}"
    return Pasting(tuple(made), count, words)


def _filled(cells: Sequence[str]) -> int:
    """How wide a row is up to its last cell that holds something."""
    return next((place for place in range(len(cells), 0, -1) if cells[place - 1]), 0)


def _without_empty_end(block: Block) -> Block:
    end = len(block)
    while end and not any(block[end - 1]):
        end -= 1
    return block[:end]


def _left_out(header: Sequence[str], names: Sequence[str | None]) -> str:
    """What had no column is said, never dropped in silence."""
    unknown = [cell.strip() or "without a title" for cell, name in zip(header, names, strict=True) if name is None]
    return f" Left out, as no column is called so: {', '.join(unknown)}." if unknown else ""
