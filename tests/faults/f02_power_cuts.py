"""F2: the power fails while a desk works. Every write that the journal acknowledged is there afterwards.

A file layer below SQLite records which data was synced. At the cut each unsynced write is kept, dropped or torn by
chance, and the readable copy is cut at any byte. The journal that is opened then must hold everything acknowledged, and
must not be taken for damaged.
"""

import contextlib
import random
from pathlib import Path

import apsw

from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import last_restore
from app.store.store_errors import NotSaved
from tests.faults.desk_histories import Desk
from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.failing_disk import FailingDisk

_OPERATIONS = 12  # of the disk: nearly every step takes fewer


def run(size: int, seed: int) -> Report:
    """Cut the power `size` times, each time at another step of another history."""
    report = Report()
    for number in range(size):
        with quick_folder() as folder:
            report.tried += 1
            _cut(folder, random.Random(f"{seed}-{number}"), report, f"cut {number}")
    return report


def _cut(folder: Path, chance: random.Random, report: Report, name: str) -> None:
    before, after = folder / "before", folder / "after"
    before.mkdir()
    after.mkdir()
    disk = FailingDisk()
    try:
        database = Journal(before / "journal.sqlite3", vfs=disk.vfs)
        desk = Desk(database, chance)
        desk.set_up()
        for _ in range(chance.randrange(2, 12)):
            desk.step()
        disk.fail, disk.after = apsw.IOError, chance.randrange(_OPERATIONS)
        with contextlib.suppress(NotSaved):  # the last step is cut off at any operation
            desk.step()
        disk.power_cut(after, chance)
        database.copy.settle()
        copy = database.copy.path.read_bytes() if database.copy.path.exists() else b""
        (after / database.copy.path.name).write_bytes(copy[: chance.randrange(len(copy) + 1)])
        disk.fail = None
        database.close_now()
    finally:
        disk.unregister()
    _look(after, desk, report, name)


def _look(after: Path, desk: Desk, report: Report, name: str) -> None:
    database = Journal(after / "journal.sqlite3")
    try:
        database.write_now(lambda _: None)  # waits for the full check
        for words in desk.said.missing(database):
            report.check(False, f"{name}: {words}")
        report.check(database.read_now(last_restore) is None, f"{name}: it was taken for damaged")
    finally:
        database.close_now()


FAULT = Fault("F2", "simulated power cuts: nothing acknowledged is lost", run, 60, 2_000)
