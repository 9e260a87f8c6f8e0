"""What orders are sorted by where it lies in their own texts (see cache_parts): written out into a table of its own.

A part gets its table when a person first sorts by it, some orders at a time; triggers keep it true from its first day
on, so whoever stores, moves or forgets orders need not know of it. It counts as prepared once it has its index. Each
costs whoever stores orders a little, so only the last few are kept.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

import apsw

from app.store.cache.schema.cache_schema import NUMBER_BITS
from app.store.cache.schema.raw_fields import PARTS, collated, part_of
from app.store.sqlite.plain_rows import row, rows, value

_MOST = 2  # parts that are prepared at the same time: each costs a fifth of storing an order
AT_A_TIME = 4_000  # orders: a tenth of a second, for which whoever stores has to wait
_LAST = 1 << 62  # no key is larger
_PREFIX = "prepared_"


def is_prepared(c: apsw.Connection, name: str) -> bool:
    """Whether all orders are in the part's table, in order."""
    return value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (index_of(name),)) is not None


def table_of(name: str) -> str:
    """The part's table: key, partition and value of every order."""
    return f"{_PREFIX}{name}"


def index_of(name: str) -> str:
    """The index that holds it in order."""
    return f"orders_by_{name}"


def prepare_some(c: apsw.Connection, name: str) -> int | None:
    """Write out the part of some more orders, from where the step before ended, whenever that was.

    Returns how many were gone through so far, or None when nothing is left to do.
    """
    if is_prepared(c, name):
        return None
    c.execute("CREATE TABLE IF NOT EXISTS preparing (name TEXT PRIMARY KEY, upto INTEGER, done INTEGER) STRICT")
    if value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (table_of(name),)) is None:
        _drop_oldest(c)
        _create(c, name)
    after, done = row(c, "SELECT upto, done FROM preparing WHERE name = ?", (name,)) or (-1, 0)
    table, told = table_of(name), part_of(name, "raw")
    upto = value(c, f"SELECT id FROM raw_orders WHERE id > ? ORDER BY id LIMIT 1 OFFSET {AT_A_TIME - 1}", (after,))
    # What came meanwhile is there already.
    c.execute(
        f"INSERT INTO {table} SELECT id, id >> {NUMBER_BITS}, {told} FROM raw_orders "
        f"WHERE id > ? AND id <= ? AND id NOT IN (SELECT id FROM {table})",
        (after, _LAST if upto is None else upto),
    )
    if upto is None:
        c.execute(f"CREATE INDEX {index_of(name)} ON {table} (partition, value COLLATE {collated(name)})")
        c.execute("DELETE FROM preparing WHERE name = ?", (name,))
        return None
    c.execute("INSERT OR REPLACE INTO preparing VALUES (?, ?, ?)", (name, upto, done + AT_A_TIME))
    return int(done + AT_A_TIME)


def _create(c: apsw.Connection, name: str) -> None:
    table = table_of(name)
    put = f"INSERT OR REPLACE INTO {table} VALUES (NEW.id, NEW.id >> {NUMBER_BITS}, {part_of(name, 'NEW.raw')})"
    drop = f"DELETE FROM {table} WHERE id = OLD.id"
    c.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, value ANY) STRICT")
    c.execute(f"CREATE TRIGGER {table}_came AFTER INSERT ON raw_orders BEGIN {put}; END")
    c.execute(f"CREATE TRIGGER {table}_changed AFTER UPDATE ON raw_orders BEGIN {drop}; {put}; END")
    c.execute(f"CREATE TRIGGER {table}_went AFTER DELETE ON raw_orders BEGIN {drop}; END")


def _drop_oldest(c: apsw.Connection) -> None:
    """Make room for one more."""
    made = [name for name in PARTS if value(c, "SELECT 1 FROM sqlite_master WHERE name = ?", (table_of(name),))]
    order = dict(rows(c, "SELECT name, rowid FROM sqlite_master WHERE type = 'table'"))
    made.sort(key=lambda name: order[table_of(name)])
    for name in made[: max(len(made) - _MOST + 1, 0)]:
        for when in ("came", "changed", "went"):
            c.execute(f"DROP TRIGGER {table_of(name)}_{when}")
        c.execute(f"DROP TABLE {table_of(name)}")
        c.execute("DELETE FROM preparing WHERE name = ?", (name,))
