"""Talks to the process that reads a workbook (`workbook_process`), on a thread of its own.

Invariant: the process ends with the reading, by itself or killed: when it takes too long, dies, or a person stops it.
Nothing here waits for that end without a bound: a process that hangs in a drive that does not answer ends long after
it was killed, and its pipe stays open until then.
"""

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import FileTrouble
from app.desk.bulk.files.workbook_process import Block, Heads, Lost, SheetHead
from app.desk.files.stoppable_work import Progress, Stopped
from app.own_processes import child_command
from app.windows_jobs import Leash

Rows = list[tuple[list[str], bytes]]
_PATIENCE_S = 60.0  # without a word from the process
_END_S = 5.0  # for a process that was killed to be gone
_LOOK_S = 0.05
_AHEAD = 4  # answers that were read and not asked for yet
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
        self._answers: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
        self._closed = False
        self._process = subprocess.Popen(
            command or workbook_command(path.absolute()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._leash = Leash(self._process.pid)
        # A read of a pipe cannot be called off, so another thread does it. A daemon: it may be left waiting.
        self._listener = threading.Thread(target=self._listen, name="workbook-listener", daemon=True)
        self._listener.start()

    def __enter__(self) -> "WorkbookReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._process.kill()
        self._leash.let_go()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(queue.Empty):  # the listener may wait for room in it
            while True:
                self._answers.get_nowait()
        self._listener.join(_END_S)
        # The listener has waited for it already, unless something holds the pipe open.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_S)

    def sheets(self) -> list[SheetHead]:
        """The sheets, with their first rows."""
        found = msgspec.msgpack.decode(self._answer(), type=Heads)
        if found.refused:
            raise FileTrouble(words.WORKBOOK_TROUBLE[found.refused])
        return found.sheets

    def blocks(self, sheet: int) -> Iterator[Rows]:
        """The rows of a sheet, some at a time."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # a process that has died is told by its missing answer
            self._process.stdin.write(b"%d\n" % sheet)
            self._process.stdin.flush()
        while rows := msgspec.msgpack.decode(self._answer(), type=Block).rows:
            yield rows

    def lost(self) -> Lost:
        """The parts that the rows lack; to be called once all blocks were read."""
        return msgspec.msgpack.decode(self._answer(), type=Lost)

    def _answer(self) -> bytes:
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if self._progress.stop:
                raise Stopped
            with contextlib.suppress(queue.Empty):
                if (answer := self._answers.get(timeout=_LOOK_S)) is None:
                    raise FileTrouble(words.WORKBOOK_TROUBLE["died"])
                self._progress.checkpoint()
                return answer
        raise FileTrouble(words.WORKBOOK_TROUBLE["too long"])

    def _listen(self) -> None:
        """Hand on each answer, and None behind the last one. Then wait until the system has let go of the process."""
        assert self._process.stdout is not None
        try:
            with self._process.stdout as pipe:
                while not self._closed and (answer := _answer_from(pipe)) is not None:
                    self._answers.put(answer)
        finally:
            self._answers.put(None)
        self._process.wait()


def _answer_from(pipe: IO[bytes]) -> bytes | None:
    """The next answer; None if the process ended before it was whole."""
    head = pipe.read(4)
    size = int.from_bytes(head, "big")
    body = pipe.read(size)
    return body if len(head) == 4 and len(body) == size else None
