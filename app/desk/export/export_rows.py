"""The rows of an export: columns as data, and the cells of each order of a query."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.desk.export.spreadsheet_cells import Value
from app.desk.files.stoppable_work import Progress
from app.store.cache.order_cursor import Cursor
from app.store.cache.order_rows import OrderLine


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column as it is written: its title, how a row is read, and how wide it is, in characters."""

    title: str
    read: Callable[[OrderLine], Value]
    width: int = 16


def cells(found: Cursor, columns: Sequence[ExportColumn], progress: Progress) -> Iterator[list[Value]]:
    """The cells of each order. Raises `Stopped`."""
    for line in found.lines():
        progress.checkpoint()
        yield [column.read(line) for column in columns]


def counting(rows: Iterator[list[Value]], progress: Progress, total: int) -> Iterator[list[Value]]:
    """Pass the rows through, and count each in `progress` as it is taken."""
    progress.total = total
    for row in rows:
        yield row
        progress.done += 1
