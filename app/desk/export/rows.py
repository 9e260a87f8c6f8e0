"""What is exported: which columns, and the orders of a query from first to last while others go on writing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import apsw

from app.desk.aside import Progress
from app.desk.export.cells import Value
from app.store.cache_cursor import order_numbers, orders_of
from app.store.cache_rows import OrderLine, OrderQuery

_AT_A_TIME = 200  # some milliseconds of reading


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column as it is written: its title, how a row is read, and how wide it is, in characters."""

    title: str
    read: Callable[[OrderLine], Value]
    width: int = 16


class Lines:
    """The orders of a query. Which, and in which order, is settled when this is made; `gone` counts those that were not
    known any more when their turn came."""

    def __init__(self, c: apsw.Connection, query: OrderQuery) -> None:
        self._c, self._query = c, query
        self._numbers = order_numbers(c, query)
        self.gone = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def read(self, progress: Progress) -> Iterator[OrderLine]:
        """Each as it is when its turn comes."""
        for first in range(0, len(self._numbers), _AT_A_TIME):
            some = self._numbers[first : first + _AT_A_TIME]
            lines = orders_of(self._c, self._query, some)
            self.gone += len(some) - len(lines)
            for line in lines:
                progress.look()
                yield line

    def cells(self, columns: Sequence[ExportColumn], progress: Progress) -> Iterator[list[Value]]:
        """Their cells; counts them in `progress`."""
        progress.total = len(self)
        for line in self.read(progress):
            yield [column.read(line) for column in columns]
            progress.done += 1
