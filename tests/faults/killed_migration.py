"""`python -m tests.faults.killed_migration PATH statement|operation NUMBER`: migrates the journal at PATH to the last
version of `LATER_JOURNAL`, and kills itself with SIGKILL before the statement, or the operation of the disk, with
this number.

Ends with status 0 if there is no such statement or operation any more.
"""

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import apsw

from app.store.sqlite.opening import Schema, open_file
from app.store.sqlite.plain_rows import SQLiteValue
from tests.support.failing_disk import FailingDisk
from tests.support.journals import LATER_JOURNAL


def _die(*_: SQLiteValue) -> SQLiteValue:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


class DeadlyDisk(FailingDisk):
    """Kills the process at the operation with this number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._left = number

    def _check(self) -> None:
        self._left -= 1
        if self._left < 0:
            _die()


def deadly(schema: Schema, version: int, number: int) -> Schema:
    """The schema with a deadly statement before the one with this number, counted from `version` on."""
    migrations: list[tuple[str, ...]] = list(schema.migrations[:version])
    for statements in schema.migrations[version:]:
        place = min(max(number, 0), len(statements)) if number >= 0 else None
        here = place is not None and number <= len(statements)
        migrations.append((*statements[:place], "SELECT die()", *statements[place:]) if here else statements)
        number = -1 if here else number - len(statements)
    return replace(schema, migrations=tuple(migrations))


def main(arguments: Sequence[str]) -> int:
    path, kind, number = Path(arguments[0]), arguments[1], int(arguments[2])
    if kind == "operation":
        disk = DeadlyDisk(number)
        open_file(path, LATER_JOURNAL, disk.vfs).close()
        return 0
    apsw.connection_hooks.append(lambda connection: connection.create_scalar_function("die", _die, 0))
    version = 0
    if path.exists():
        connection = apsw.Connection(str(path))
        version = int(connection.pragma("user_version"))
        connection.close()
    open_file(path, deadly(LATER_JOURNAL, version, number)).close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
