"""After a power cut every acknowledged write is in the journal, whatever the disk made of the rest."""

import contextlib
import random
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import apsw
import pytest

from app.store.journal import write_store
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.database import Database
from app.store.sqlite.opening import Schema, open_file
from app.store.store_errors import NotSaved
from tests.support.failing_disk import FailingDisk

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 21)
CUTS = 60


def run_until_the_cut(folder: Path, schema: Schema, seed: int) -> int:
    """Queue a few orders, cut the power, and open the disk's content; returns how many acknowledged orders are lost."""
    chance = random.Random(seed)
    work, after = folder / f"{schema.synchronous}-{seed}", folder / f"{schema.synchronous}-{seed}-after"
    work.mkdir()
    after.mkdir()
    disk = FailingDisk()
    database = Database(work / "journal.sqlite3", schema, vfs=disk.vfs)
    kept: dict[int, bytes] = {}
    for number in range(chance.randrange(1, 12)):
        payload = chance.randbytes(chance.randrange(1, 3_000))
        kept[database.write_now(write_store.queue_write, "p", "submit", str(number), payload, NOW)] = payload
    disk.fail, disk.after = apsw.IOError, chance.randrange(8)  # the last order is cut off at any step
    with contextlib.suppress(NotSaved):
        payload = chance.randbytes(2_000)
        kept[database.write_now(write_store.queue_write, "p", "submit", "last", payload, NOW)] = payload
    disk.power_cut(after, chance)
    disk.fail = None
    database.close_now()
    connection = open_file(after / "journal.sqlite3", schema)
    found = {
        row.id: write_store.payload(connection, row.id) for row in write_store.writes_page(connection, "p", (), 100)
    }
    connection.close()
    return sum(found.get(write) != payload for write, payload in kept.items())


def test_no_acknowledged_write_is_lost(tmp_path: Path) -> None:
    assert [run_until_the_cut(tmp_path, JOURNAL, seed) for seed in range(CUTS)] == [0] * CUTS


def test_the_simulated_power_cut_loses_data_that_was_not_synced(tmp_path: Path) -> None:
    """Without this loss the test above would prove nothing. It is why the journal does not use NORMAL."""
    careless = replace(JOURNAL, synchronous="NORMAL")
    assert sum(run_until_the_cut(tmp_path, careless, seed) for seed in range(CUTS)) > CUTS
