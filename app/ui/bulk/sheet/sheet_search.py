"""Finding in the grid: the next cell that is wrong or holds a text, and all cells that hold it.

Invariant: nothing here changes a cell. A search reads from the current cell on and goes round at the end.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from app.desk.bulk.rows.cell_issues import CellIssue
from app.desk.bulk.rows.import_sheet import ImportSheet, Place

Here = tuple[int, int]  # row and column of the sheet; the column of a verdict is -1


def next_wrong(
    sheet: ImportSheet, wrong: Sequence[int], rows: Sequence[int], here: Here | None, *, forward: bool = True
) -> CellIssue | None:
    """The next issue that keeps an order from being sent, among the shown `rows`; None if there is none there.

    `wrong` are the rows with such an issue, ascending.
    """
    shown = wrong if isinstance(rows, range) else [each for each in wrong if _holds(rows, each)]
    if not shown:
        return None
    row, column = here if here is not None else (-1, 0)
    at = bisect_left(shown, row)
    order = [*shown[at:], *shown[:at]] if forward else [*reversed(shown[:at]), *reversed(shown[at:])]
    issues = _issues(sheet, row)
    later = [each for each in issues if (each.column > column) is forward and each.column != column]
    if row in shown and later:
        return later[0] if forward else later[-1]
    others = [each for each in order if each != row]
    # Back at the row where the search began, when no other row has one.
    found = _issues(sheet, others[0]) if others else issues
    return found[0] if forward else found[-1]


def _issues(sheet: ImportSheet, row: int) -> list[CellIssue]:
    """The wrong cells of a row, from left to right; what no cell holds comes first."""
    found = sheet.issues_at(row)
    return [each for column in sorted(found) for each in found[column] if each.grade == "wrong"]


def _holds(rows: Sequence[int], row: int) -> bool:
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] == row


def places_with(
    sheet: ImportSheet, text: str, rows: Sequence[int], columns: Sequence[int], *, whole: bool
) -> Iterator[Place]:
    """The cells that hold a text, without regard to case, row by row."""
    sought = text.casefold()
    for row in rows:
        for column in columns:
            cell = sheet.cell(row, column).casefold()
            if cell == sought if whole else sought in cell:
                yield row, column


def next_with(
    sheet: ImportSheet,
    text: str,
    rows: Sequence[int],
    columns: Sequence[int],
    here: Here | None,
    *,
    whole: bool,
    forward: bool,
) -> Place | None:
    """The next cell that holds a text after the current one, round the end; None if no cell does."""
    row, column = here if here is not None else (-1, -1)
    at = bisect_left(rows, row)
    onward = [*range(at, len(rows)), *range(at)] if forward else [*range(at, -1, -1), *range(len(rows) - 1, at, -1)]
    last: Place | None = None
    for place in onward:
        if place >= len(rows):
            continue
        found = [each for _, each in places_with(sheet, text, (rows[place],), columns, whole=whole)]
        ordered = found if forward else found[::-1]
        if rows[place] == row:
            beyond = [each for each in ordered if (each > column) is forward and each != column]
            last = (row, ordered[0]) if ordered else None
            if beyond:
                return row, beyond[0]
        elif ordered:
            return rows[place], ordered[0]
    return last
