"""F6: the disk is full or fails, once or for good, for the journal or for its readable copy.

Every acknowledged write is there. Every refused write raised an error and changed nothing. The copy may fall behind,
says so, and catches up when it can be written again.
"""

import random
from pathlib import Path

import apsw

from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.readable_copy import read_copy
from app.store.store_errors import NotSaved
from tests.faults.desk_histories import Desk, all_writes
from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.failing_disk import FailingDisk

_ERRORS = (apsw.FullError, apsw.IOError, apsw.ReadOnlyError)


def run(size: int, seed: int) -> Report:
    """Let the disk fail in `size` histories, each at another step."""
    report = Report()
    for number in range(size):
        with quick_folder() as folder:
            report.tried += 1
            chance = random.Random(f"{seed}-{number}")
            _refuse(folder / "journal.sqlite3", chance, report, f"history {number}")
    return report


def _refuse(path: Path, chance: random.Random, report: Report, name: str) -> None:
    disk = FailingDisk()
    try:
        database = Journal(path, vfs=disk.vfs)
        desk = Desk(database, chance)
        desk.set_up()
        for _ in range(chance.randrange(1, 6)):
            desk.step()
        _fail(desk, disk, chance, report, name)
        disk.fail = None
        for _ in range(3):  # the disk works again
            desk.step()
        for words in desk.said.missing(database):
            report.check(False, f"{name}: {words}")
        database.close_now()
    finally:
        disk.unregister()
    _look(path, desk, report, name)


def _fail(desk: Desk, disk: FailingDisk, chance: random.Random, report: Report, name: str) -> None:
    copy = desk.database.path.with_name("journal.copy.jsonl")
    blocked = chance.random() < 0.3
    if blocked:
        _block(copy, desk)
    disk.fail, disk.once = chance.choice(_ERRORS), chance.random() < 0.5
    disk.after = chance.randrange(10)
    for _ in range(chance.randrange(1, 6)):
        before = {row.id: row.state for row in all_writes(desk.database)}
        try:
            desk.step()
        except NotSaved as refused:
            report.check("nothing of this was saved" in refused.sentence, f"{name}: it said {refused.sentence}")
            after = {row.id: row.state for row in all_writes(desk.database)}
            report.check(before == after, f"{name}: it was said to be refused, and something changed")
    if blocked:
        copy.rmdir()
        copy.with_suffix(".kept").rename(copy)


def _block(copy: Path, desk: Desk) -> None:
    """Put a folder in the copy's place, which not even the superuser can write to."""
    assert isinstance(desk.database, Journal)
    desk.database.copy.settle()
    if not copy.exists():
        copy.touch()
    copy.rename(copy.with_suffix(".kept"))
    copy.mkdir()


def _look(path: Path, desk: Desk, report: Report, name: str) -> None:
    """Check the journal and its copy at the next start, on a disk that works."""
    database = Journal(path)
    try:
        database.write_now(lambda _: None)
        for words in desk.said.missing(database):
            report.check(False, f"{name}, started again: {words}")
        database.copy.settle()
        report.check(database.copy.trouble is None, f"{name}: {database.copy.trouble}")
        copied = read_copy(database.copy.path).writes
        for row in all_writes(database):
            there = copied.get(row.id, {}).get("state")
            report.check(there == row.state, f"{name}: write {row.id} is {row.state}, and {there!r} in the copy")
    finally:
        database.close_now()


FAULT = Fault("F6", "a full or failing disk: never called saved when it was not", run, 60, 2_000)
