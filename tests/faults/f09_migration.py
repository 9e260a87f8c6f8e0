"""F9: a migration is killed at each statement and at operations of the disk; the power fails in it; a schema is newer.

Afterwards the file is at the old version or at the new one, never between, with every row unchanged, and the next start
finishes the migration. A journal of a newer program is refused with a sentence and no byte of it is changed. The
migrations are those of `LATER_JOURNAL`, made for tests.
"""

import hashlib
import random
import signal
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import apsw

from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import last_restore
from app.store.journal.schema.seal import seal_changed
from app.store.sqlite.opening import open_file, run_migrations, schema_objects
from app.store.store_errors import NotOpened, SchemaTooNew
from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.children import run_child
from tests.support.failing_disk import FailingDisk
from tests.support.journals import LATER_JOURNAL

_ROWS = 60
_REWRITTEN = 3  # the version from which on every attempt says its number
_OPERATIONS = 90  # of the disk, in one migration
_WRITE = """
    INSERT INTO writes (profile, kind, reference, payload, sha256, state, queued_at, changed_at)
    VALUES ('p', 'submit', ?, ?, ?, 'confirmed', '2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00.000Z')
"""
_ATTEMPT = """
    INSERT INTO attempts (write_id, started_at, ended_at, outcome)
    VALUES (?, '2026-11-21T08:00:00.000Z', '2026-11-21T08:00:01.000Z', 'accepted')
"""
_LOOK = (
    "SELECT id, profile, kind, reference, payload, sha256, state, queued_at, changed_at, note FROM writes ORDER BY id",
    "SELECT id, write_id, started_at, ended_at, outcome, repeats FROM attempts ORDER BY id",
    "SELECT key, value FROM settings ORDER BY key",
)
Rows = list[tuple[object, ...]]
Trial = Callable[[Path, random.Random, Report], None]


def run(size: int, seed: int) -> Report:
    """Kill at every statement of every version once, and try the rest of `size` at random places."""
    report, chance = Report(), random.Random(seed)
    trials: list[Trial] = [_newer, _newer_in_log]
    for version in range(LATER_JOURNAL.version):
        statements = sum(len(each) for each in LATER_JOURNAL.migrations[version:])
        trials += [_kill_trial(version, "statement", number) for number in range(statements + 1)]
    while len(trials) < size:
        version = chance.randrange(LATER_JOURNAL.version)
        kill = _kill_trial(version, "operation", chance.randrange(_OPERATIONS))
        trials.append(chance.choice([kill, _power_trial(version, chance.randrange(_OPERATIONS))]))
    for trial in trials if size >= len(trials) else chance.sample(trials, size):
        with quick_folder() as folder:
            report.tried += 1
            trial(folder / "journal.sqlite3", chance, report)
    return report


def _old_journal(path: Path, version: int, chance: random.Random) -> Rows:
    """Make a journal of an earlier version with sealed writes, partly in its log; returns its rows."""
    if version == 0:
        return []
    connection = open_file(path, replace(LATER_JOURNAL, migrations=LATER_JOURNAL.migrations[:version]))
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.pragma("wal_autocheckpoint", chance.choice((0, 20)))
    for number in range(_ROWS):
        payload = chance.randbytes(chance.randrange(10, 3_000))
        connection.execute(_WRITE, (f"R-{number}", payload, hashlib.sha256(payload).hexdigest()))
        connection.execute(_ATTEMPT, (number + 1,))
        connection.execute("INSERT INTO settings (key, value) VALUES (?, ?)", (f"key-{number}", str(number)))
        seal_changed(connection)
    rows = _rows(connection)
    connection.close()
    return rows


def _rows(connection: apsw.Connection) -> Rows:
    return [row for statement in _LOOK for row in connection.execute(statement)]


def _kill_trial(version: int, kind: str, number: int) -> Trial:
    def trial(path: Path, chance: random.Random, report: Report) -> None:
        name = f"version {version} killed at {kind} {number}"
        rows = _old_journal(path, version, chance)
        status, _, complaints = run_child("tests.faults.killed_migration", [str(path), kind, str(number)])
        expected = {-signal.SIGKILL} if kind == "statement" else {-signal.SIGKILL, 0}
        report.check(status in expected, f"{name}: it ended with {status} {complaints[-200:]}")
        _look(path, version, rows, report, name)

    return trial


def _power_trial(version: int, number: int) -> Trial:
    def trial(path: Path, chance: random.Random, report: Report) -> None:
        name = f"version {version}, power cut at operation {number}"
        rows = _old_journal(path, version, chance)
        after = path.parent / "after"
        after.mkdir()
        disk = FailingDisk()
        try:
            disk.fail, disk.after = apsw.IOError, number
            try:
                connection = open_file(path, LATER_JOURNAL, disk.vfs)
            except NotOpened:
                connection = None
            disk.power_cut(after, chance)
            disk.fail = None
            if connection is not None:
                connection.close()
        finally:
            disk.unregister()
        _look(after / path.name, version, rows, report, name)

    return trial


def _look(path: Path, version: int, rows: Rows, report: Report, name: str) -> None:
    if path.exists() and path.stat().st_size > 0:
        _look_before(path, version, rows, report, name)
    database = Journal(path, schema=LATER_JOURNAL)
    try:
        database.write_now(lambda _: None)
        found = database.read_now(lambda c: (int(c.pragma("user_version")), c.pragma("integrity_check"), _rows(c)))
        report.check(found == (LATER_JOURNAL.version, "ok", rows), f"{name}: after the next start it is {found[:2]}")
        report.check(database.read_now(last_restore) is None, f"{name}: it was taken for damaged")
    finally:
        database.close_now()
    for copy in path.parent.glob("*.version-*.sqlite3"):
        _look_before(copy, version, rows, report, f"{name}, the copy made before it")


def _look_before(path: Path, version: int, rows: Rows, report: Report, name: str) -> None:
    """Check the file before the next start: it is at one of the two versions, with all rows."""
    connection = apsw.Connection(str(path))
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        found = int(connection.pragma("user_version"))
        report.check(found in (version, LATER_JOURNAL.version), f"{name}: it is at version {found}")
        names = {name for _, name, *_ in schema_objects(connection)}
        report.check(
            schema_objects(connection) == _tables_at(found), f"{name}: at version {found} it has {sorted(names)}"
        )
        report.check(found == 0 or _rows(connection) == rows, f"{name}: its rows are others")
        if version < _REWRITTEN <= found:
            left = connection.execute("SELECT count(*) FROM attempts WHERE sentence IS NOT 'Attempt ' || id").get
            report.check(left == 0, f"{name}: {left} attempts were left as they were before")
    finally:
        connection.close()


@cache
def _tables_at(version: int) -> frozenset[tuple[str, ...]]:
    connection = apsw.Connection(":memory:")
    run_migrations(connection, LATER_JOURNAL.migrations[:version])
    return schema_objects(connection)


def _newer(path: Path, chance: random.Random, report: Report) -> None:
    _refused(path, report, closed=True)


def _newer_in_log(path: Path, chance: random.Random, report: Report) -> None:
    _refused(path, report, closed=False)


def _refused(path: Path, report: Report, *, closed: bool) -> None:
    newer = replace(
        LATER_JOURNAL, migrations=(*LATER_JOURNAL.migrations, ("CREATE TABLE of_tomorrow (it TEXT) STRICT",))
    )
    connection = open_file(path, newer)
    if not closed:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.close()
    before = {each.name: each.read_bytes() for each in path.parent.iterdir() if not each.name.endswith("-shm")}
    database = Journal(path, schema=LATER_JOURNAL)
    try:
        database.read_now(lambda _: None)
        report.check(False, "a newer journal was opened")
    except SchemaTooNew as refusal:
        report.check("newer version of Waybill" in refusal.sentence, f"a newer journal: {refusal.sentence}")
    finally:
        database.close_now()
    after = {each.name: each.read_bytes() for each in path.parent.iterdir() if not each.name.endswith("-shm")}
    report.check(before == after, "a newer journal was changed")


FAULT = Fault("F9", "a migration killed anywhere: old or new, never mixed", run, 24, 400)
