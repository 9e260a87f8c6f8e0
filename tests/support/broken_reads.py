"""Reads of a connection that something happens to at a chosen statement, or after a chosen row of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import apsw


@dataclass(slots=True)
class Place:
    """Before a statement begins (`row` 0), or once it has given so many rows. Both are counted; statements from 0."""

    statement: int
    row: int = 0
    reached: bool = False


@contextmanager
def happening(c: apsw.Connection, place: Place, act: Callable[[], None]) -> Iterator[None]:
    """Call `act`, on the connection's thread, when the statements inside reach the place. `act` may raise."""
    usual: Any = c.cursor_factory
    begun = 0

    def made(connection: apsw.Connection) -> apsw.Cursor:
        nonlocal begun
        begun += 1
        if begun - 1 == place.statement and not place.row:
            place.reached = True
            act()
        cursor: apsw.Cursor = usual(connection)
        if begun - 1 == place.statement and place.row:
            cursor.row_trace = counted
        return cursor

    rows = 0

    def counted(_: apsw.Cursor, row: Any) -> Any:
        nonlocal rows
        rows += 1
        if rows == place.row:
            place.reached = True
            act()
        return row

    c.cursor_factory = made
    try:
        yield
    finally:
        c.cursor_factory = usual
