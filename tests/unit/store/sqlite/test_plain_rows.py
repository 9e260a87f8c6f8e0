"""Rows out of SQLite."""

import apsw

from app.store.sqlite.plain_rows import whole_rows


def test_a_table_is_asked_for_its_columns_only_where_a_row_was_found() -> None:
    c = apsw.Connection("")
    asked: list[str] = []
    c.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, reference TEXT) STRICT")
    c.execute("INSERT INTO orders VALUES (1, 'R-1'), (2, 'R-2')")

    def note(_cursor: apsw.Cursor, statement: str, _bindings: object) -> bool:
        asked.append(statement)
        return True

    c.exec_trace = note
    assert whole_rows(c, "orders", "WHERE id > ?", (2,)) == []
    assert len(asked) == 1
    assert whole_rows(c, "orders", "WHERE id > ?", (1,)) == [{"id": 2, "reference": "R-2"}]
