"""Talks to the process that reads a workbook (`workbook_process`), on a thread of its own.

Invariant: the process ends with the reading, by itself or killed: when it takes too long, dies, or a person stops it.
"""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import msgspec

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import FileTrouble
from app.desk.bulk.files.workbook_process import Block, Heads, Lost, SheetHead
from app.desk.files.stoppable_work import Progress, Stopped
from app.own_processes import child_command
from app.windows_jobs import Leash

Rows = list[tuple[list[str], bytes]]
_PATIENCE_S = 60.0  # without a word from the process
_LOOK_S = 0.05
_MODULE = "app.desk.bulk.files.workbook_process"


def workbook_command(path: Path) -> list[str]:
    """The command that starts the process."""
    return [*child_command("--workbook-process", _MODULE), str(path)]


class WorkbookReader:
    """An opened workbook; to be used in a `with` statement, on one thread that is not the window's.

    All methods raise `FileTrouble`, and `Stopped` once `progress.stop` is set.
    """

    def __init__(self, path: Path, progress: Progress, command: list[str] | None = None) -> None:
        self._progress = progress
        self._ended = threading.Event()
        self._late = False
        self._heard = time.monotonic()
        self._process = subprocess.Popen(
            command or workbook_command(path.resolve()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._leash = Leash(self._process.pid)
        # The reading thread waits in `read`, so another one watches for the stop and the deadline.
        self._watch = threading.Thread(target=self._look, name="workbook-watch", daemon=True)
        self._watch.start()

    def __enter__(self) -> "WorkbookReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._process.kill()
        self._leash.let_go()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with _broken_pipe_is_fine():
                    pipe.close()
        self._process.wait()
        self._watch.join()

    def sheets(self) -> list[SheetHead]:
        """The sheets, with their first rows."""
        found = msgspec.msgpack.decode(self._answer(), type=Heads)
        if found.refused:
            raise FileTrouble(words.WORKBOOK_TROUBLE[found.refused])
        return found.sheets

    def blocks(self, sheet: int) -> Iterator[Rows]:
        """The rows of a sheet, some at a time."""
        assert self._process.stdin is not None
        with _broken_pipe_is_fine():
            self._process.stdin.write(b"%d\n" % sheet)
            self._process.stdin.flush()
        while rows := msgspec.msgpack.decode(self._answer(), type=Block).rows:
            yield rows

    def lost(self) -> Lost:
        """The parts that the rows lack; to be called once all blocks were read."""
        return msgspec.msgpack.decode(self._answer(), type=Lost)

    def _answer(self) -> bytes:
        body = self._read(int.from_bytes(self._read(4), "big"))
        self._progress.checkpoint()
        return body

    def _read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        found = self._process.stdout.read(count)
        self._heard = time.monotonic()
        if len(found) == count:
            return found
        if self._progress.stop:
            raise Stopped
        raise FileTrouble(words.WORKBOOK_TROUBLE["too long" if self._late else "died"])

    def _look(self) -> None:
        while not self._ended.wait(_LOOK_S):
            self._late = time.monotonic() - self._heard > _PATIENCE_S
            if self._late or self._progress.stop:
                self._process.kill()
                return


@contextmanager
def _broken_pipe_is_fine() -> Iterator[None]:
    """A process that has died is told by its missing answer."""
    try:
        yield
    except OSError:
        return
