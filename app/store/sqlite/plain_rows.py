"""Rows out of SQLite as plain tuples. The tables are STRICT, so a column's type is what its table says."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

SQLiteValue = None | int | float | bytes | str
Bindings = Sequence[SQLiteValue] | Mapping[str, SQLiteValue]
Columns = dict[str, SQLiteValue]


def rows(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> list[tuple[Any, ...]]:
    """All rows of the result."""
    return c.execute(statement, bindings).fetchall()


def row(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> tuple[Any, ...] | None:
    """The first row, None when there is none."""
    return c.execute(statement, bindings).fetchone()


def value(c: apsw.Connection, statement: str, bindings: Bindings = ()) -> Any:
    """The first column of the first row, None when there is none."""
    found = row(c, statement, bindings)
    return None if found is None else found[0]


def column_names(c: apsw.Connection, table: str) -> list[str]:
    """The table's columns, in the order in which they are stored."""
    return [name for (name,) in rows(c, "SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))]


def whole_rows(c: apsw.Connection, table: str, rest: str = "", bindings: Bindings = ()) -> list[Columns]:
    """Whole rows of a table as columns by name; `rest` is the statement's end, beginning with WHERE or ORDER BY."""
    found = rows(c, f"SELECT * FROM {table} {rest}", bindings)  # noqa: S608 (the callers' own words)
    if not found:
        return []  # as for most of the tables that are looked at after each commit: the names cost more than the rows
    names = column_names(c, table)
    return [dict(zip(names, values, strict=True)) for values in found]


def key_array(keys: Iterable[int]) -> Any:
    """Numbers as one value of a statement: `carray(?)`."""
    # SQLite refuses an empty array. -1 stands for it, since no key is below zero.
    return apsw.carray(array("q", keys) or array("q", [-1]))
