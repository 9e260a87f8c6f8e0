"""Prepares raw fields for sorting: each is written into a table of its own, with an index.

A raw field gets its table when a person first sorts by it, some orders at a time. Invariant: triggers keep the table
true from its first day on, so storing, moving and deleting orders need not know of it. A field counts as prepared once
its table has its index. Each table costs a little for every order stored, so only the last few are kept.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import apsw

from app.store.cache.schema.cache_schema import NUMBER_BITS
from app.store.cache.schema.raw_fields import RAW_FIELDS, collation, raw_field_sql
from app.store.sqlite.plain_rows import row, rows, value

_MOST = 2  # fields at the same time: each adds a fifth to the time that storing an order takes
STEP = 4_000  # orders: a tenth of a second, for which storing orders has to wait
_LAST = 1 << 62  # no key is larger
_PREFIX = "prepared_"


def is_prepared(c: apsw.Connection, name: str) -> bool:
    """Whether the field's table holds all orders, and its index."""
    return value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (index_of(name),)) is not None


def table_of(name: str) -> str:
    """The field's table: key, partition and value of every order."""
    return f"{_PREFIX}{name}"


def index_of(name: str) -> str:
    """The index over that table."""
    return f"orders_by_{name}"


def prepare_step(c: apsw.Connection, name: str) -> int | None:
    """Write the field of `STEP` more orders, from where the step before ended, whenever that was.

    Returns how many orders are done so far, None once all are.
    """
    if is_prepared(c, name):
        return None
    c.execute("CREATE TABLE IF NOT EXISTS preparing (name TEXT PRIMARY KEY, upto INTEGER, done INTEGER) STRICT")
    if value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (table_of(name),)) is None:
        _drop_oldest(c)
        _create(c, name)
    after, done = row(c, "SELECT upto, done FROM preparing WHERE name = ?", (name,)) or (-1, 0)
    table, expression = table_of(name), raw_field_sql(name, "raw")
    upto = value(c, f"SELECT id FROM raw_orders WHERE id > ? ORDER BY id LIMIT 1 OFFSET {STEP - 1}", (after,))
    # Orders that were stored since the table was made are in it already, by its triggers.
    c.execute(
        f"INSERT INTO {table} SELECT id, id >> {NUMBER_BITS}, {expression} FROM raw_orders "
        f"WHERE id > ? AND id <= ? AND id NOT IN (SELECT id FROM {table})",
        (after, _LAST if upto is None else upto),
    )
    if upto is None:
        # The index comes last. It is what `is_prepared` looks for, so a half-filled table is never sorted by; and to
        # sort all rows once is quicker than to keep an index true while they are inserted.
        c.execute(f"CREATE INDEX {index_of(name)} ON {table} (partition, value COLLATE {collation(name)})")
        c.execute("DELETE FROM preparing WHERE name = ?", (name,))
        return None
    c.execute("INSERT OR REPLACE INTO preparing VALUES (?, ?, ?)", (name, upto, done + STEP))
    return int(done + STEP)


def _create(c: apsw.Connection, name: str) -> None:
    table = table_of(name)
    put = f"INSERT OR REPLACE INTO {table} VALUES (NEW.id, NEW.id >> {NUMBER_BITS}, {raw_field_sql(name, 'NEW.raw')})"
    drop = f"DELETE FROM {table} WHERE id = OLD.id"
    c.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, value ANY) STRICT")
    c.execute(f"CREATE TRIGGER {table}_inserted AFTER INSERT ON raw_orders BEGIN {put}; END")
    # Deleted first: an order that moves to another list changes its key, and its row under the old one would stay.
    c.execute(f"CREATE TRIGGER {table}_updated AFTER UPDATE ON raw_orders BEGIN {drop}; {put}; END")
    c.execute(f"CREATE TRIGGER {table}_deleted AFTER DELETE ON raw_orders BEGIN {drop}; END")


def _drop_oldest(c: apsw.Connection) -> None:
    """Make room for one more field."""
    made = [name for name in RAW_FIELDS if value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (table_of(name),))]
    # The rowid tells the age: SQLite appends each new table to its schema.
    order = dict(rows(c, "SELECT name, rowid FROM sqlite_master WHERE type = 'table'"))
    made.sort(key=lambda name: order[table_of(name)])
    for name in made[: max(len(made) - _MOST + 1, 0)]:
        for event in ("inserted", "updated", "deleted"):
            c.execute(f"DROP TRIGGER {table_of(name)}_{event}")
        c.execute(f"DROP TABLE {table_of(name)}")
        c.execute("DELETE FROM preparing WHERE name = ?", (name,))
