"""Rows out of SQLite as plain tuples. The tables are STRICT, so a column's type is what its table says."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

SQLiteValue = None | int | float | bytes | str
Bindings = Sequence[SQLiteValue] | Mapping[str, SQLiteValue]


def rows(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> list[tuple[Any, ...]]:
    return c.execute(statement, bindings).fetchall()


def row(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> tuple[Any, ...] | None:
    """The first row, None when there is none."""
    return c.execute(statement, bindings).fetchone()


def value(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> Any:
    """The first column of the first row, None when there is none."""
    found = row(c, statement, bindings)
    return None if found is None else found[0]


def key_array(keys: Iterable[int]) -> Any:
    """Numbers as one value of a statement: `carray(?)`."""
    # An empty array lies nowhere, which is refused; no key is below zero.
    return apsw.carray(array("q", keys) or array("q", [-1]))
