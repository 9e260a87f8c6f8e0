"""Imports in the journal: forgotten in time, and never taken for anything else when a journal is salvaged."""

from datetime import timedelta
from pathlib import Path

import pytest

from app.store.journal import held_writes, import_store
from app.store.journal.import_store import FileRow, FrozenOrder, ImportRow, Newest
from app.store.journal.recovery.retention import forget_before
from app.store.journal.recovery.salvage import salvage
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState
from tests.support.journals import NOW, make, opened_journal, raw

UNDO = timedelta(seconds=10)


def frozen(database: Database, count: int = 3) -> int:
    """A running import of so many orders."""
    import_id = database.write_now(import_store.begin, "acme", "orders.csv", "submit", "d" * 64, ["A", "B"], NOW)
    orders = [FrozenOrder(place, f"I-{place}", b'{"a": 1}', Newest(0, 0)) for place in range(count)]
    database.write_now(import_store.add_orders, import_id, orders)
    rows = [FileRow(place + 2, place, "Create", "New.", (f"I-{place}", "ä")) for place in range(count)]
    database.write_now(import_store.add_rows, import_id, 0, rows)
    database.write_now(import_store.launch, import_id, NOW)
    return import_id


def test_rows_of_imports_are_salvaged_as_nothing_else(tmp_path: Path) -> None:
    path = make(tmp_path)
    with opened_journal(path):
        pass
    before = {table: len(rows) for table, rows in salvage(path).latest.items()}
    with opened_journal(path) as database:
        frozen(database, 40)
    with raw(path) as c:
        c.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert {table: len(rows) for table, rows in salvage(path).latest.items()} == before


def test_ended_imports_are_forgotten_and_others_are_not(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        stopped, running = frozen(database), frozen(database)
        database.write_now(import_store.stop, stopped, "Stopped.", "Stopped.", NOW)
        database.write_now(forget_before, NOW + timedelta(days=1))
        found = database.read_now(import_store.imports_page, "acme", 10)
        assert [each.id for each in found] == [running]
        with pytest.raises(WrongState):
            database.read_now(import_store.import_row, stopped)


def test_the_rows_of_the_file_come_back_as_they_were(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        import_id = frozen(database)

        def read(about: ImportRow, outcomes: object, rows: object) -> tuple[ImportRow, list[FileRow]]:
            assert outcomes
            return about, list(rows)  # type: ignore[call-overload]

        about, rows = database.read_separately_now(import_store.walk, import_id, read)
        assert (about.titles, about.state) == (("A", "B"), "running")
        assert rows[2] == FileRow(4, 2, "Create", "New.", ("I-2", "ä"))


def test_damaged_bytes_are_never_queued(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        import_id = frozen(database)
        database.write_now(lambda c: c.execute("UPDATE import_orders SET payload = x'00' WHERE place = 1").fetchall())
        fed = database.write_now(import_store.feed, "acme", NOW, 10, UNDO)
        assert len(fed) == 2
        assert database.read_now(import_store.order_counts, import_id) == {"queued": 2, "stopped": 1}


def test_an_order_is_fed_once(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        frozen(database, 5)
        fed = [database.write_now(import_store.feed, "acme", NOW, 2, UNDO) for _ in range(3)]
        assert [len(each) for each in fed] == [2, 0, 0]
        assert database.write_now(import_store.feed, "acme", NOW, 1, UNDO) == []  # more than fit are on their way
        assert len(database.write_now(import_store.feed, "acme", NOW, 100, UNDO)) == 3
        assert database.write_now(import_store.feed, "acme", NOW, 100, UNDO) == []


def test_orders_that_wait_for_different_versions_of_others_wait_for_one_reason(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        frozen(database)
        writes = database.write_now(import_store.feed, "acme", NOW, 10, UNDO)
        for write, verdict in zip(writes, ("other@a.1", "other@b.7", "closed,other@a.2"), strict=True):
            database.write_now(held_writes.hold, write, "Held.", NOW, verdict)
        assert database.read_now(import_store.alike, writes[0]) == writes[:2]
        assert database.read_now(import_store.alike, writes[2]) == writes[2:]
