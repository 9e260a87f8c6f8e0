"""The one SQLite file of the practice service: opened, locked against a second process, and given its tables."""

from pathlib import Path

import apsw

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS clients (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE, client_id TEXT NOT NULL UNIQUE, secret TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS orders (
    number INTEGER PRIMARY KEY, client INTEGER NOT NULL, reference TEXT NOT NULL, bill_to TEXT NOT NULL,
    facility TEXT NOT NULL, queued_at INTEGER NOT NULL, imported_at INTEGER NOT NULL,
    closed_at INTEGER NOT NULL, cancelled INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS submissions (
    number INTEGER PRIMARY KEY, body TEXT NOT NULL, life TEXT NOT NULL, load TEXT NOT NULL,
    submitted_at INTEGER NOT NULL, times INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS submissions_by_load ON submissions (load) WHERE load <> '';
CREATE TABLE IF NOT EXISTS audits (id INTEGER PRIMARY KEY, client INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS audits_by_date ON audits (client, at);
CREATE TABLE IF NOT EXISTS records (
    id INTEGER PRIMARY KEY AUTOINCREMENT, client INTEGER NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL,
    at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS records_by_key ON records (operation, key);
"""

_LOOKED_THROUGH = 64 * 1024 * 1024  # a file of this size is looked through in a quarter of a second

# Every column that a list filters by is in its index, so that a million orders cost no more than the page read.
ORDER_INDEXES = {
    "orders_by_import": "orders (client, imported_at, number, closed_at, cancelled, facility)",
    "orders_by_close": "orders (client, closed_at, number, cancelled, imported_at)",
    "orders_by_reference": "orders (client, reference)",
    "orders_by_bill_to": "orders (client, bill_to, closed_at)",
}


class FolderInUse(Exception):
    """Another practice service has this data directory open."""


class FolderDamaged(Exception):
    """The files of the data directory cannot be read, or are no practice data; the text is a sentence."""

    def __init__(self, folder: Path, reason: object):
        super().__init__(
            f"The practice data in {folder} cannot be used: {str(reason).rstrip('.')}."
            " Nothing in it is real: delete the folder to begin anew."
        )


def check_file(connection: apsw.Connection, path: Path) -> None:
    """Raises ValueError where the file's tables are not ours, or what is kept in them cannot be read."""
    if path.stat().st_size < _LOOKED_THROUGH and connection.pragma("quick_check") != "ok":
        raise ValueError(f"{path.name} is damaged")
    # Compared with tables made here, so that a column more or less is found before a request meets it.
    ours = apsw.Connection(":memory:")
    ours.execute(SCHEMA)
    for (table,) in ours.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"):
        columns = "SELECT name, type, pk FROM pragma_table_info(?)"
        if connection.execute(columns, (table,)).fetchall() != ours.execute(columns, (table,)).fetchall():
            raise ValueError(f"{path.name} has another table {table}")
    ours.close()
    unread = "SELECT count(*) FROM submissions WHERE NOT (json_valid(body) AND json_valid(life))"
    if connection.execute(unread).get:
        raise ValueError(f"{path.name} holds orders that cannot be read")


def open_file(path: Path, *, read_only: bool = False) -> apsw.Connection:
    """A connection to the file; a read-only one may be used by another thread beside it."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(5_000)
    if not read_only:
        connection.pragma("journal_mode", "wal")
        # A killed process loses nothing; only a power cut could, and practice data is made up.
        connection.pragma("synchronous", "normal")
        connection.execute(SCHEMA)
        index_orders(connection)
    # Below zero SQLite counts KiB instead of pages.
    connection.pragma("cache_size", -64_000)
    return connection


def lock_folder(folder: Path) -> apsw.Connection:
    """Holds the folder for this process until the connection closes or the process ends, however it ends."""
    # SQLite's lock in a file of its own: the system releases it however the process ends, and the data stays free to
    # read.
    lock = apsw.Connection(str(folder / "in-use.sqlite"))
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except apsw.BusyError as error:
        lock.close()
        raise FolderInUse(f"Another practice service is using {folder}.") from error
    return lock


def index_orders(connection: apsw.Connection) -> None:
    """The indexes of the orders table."""
    for name, columns in ORDER_INDEXES.items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {columns}")


def drop_order_indexes(connection: apsw.Connection) -> None:
    """Drop the indexes of orders: a million rows go in several times as fast without them."""
    for name in ORDER_INDEXES:
        connection.execute(f"DROP INDEX IF EXISTS {name}")


def read_meta(connection: apsw.Connection, key: str) -> str | None:
    """A kept setting."""
    value: str | None = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).get
    return value


def write_meta(connection: apsw.Connection, key: str, value: str) -> None:
    """Keeps a setting."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
