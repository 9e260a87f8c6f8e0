"""The practice service as a child process that lives and dies with the window.

The child is told to stop when its standard input closes, so that it ends even if the window is killed.
"""

import asyncio
import json
import logging
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.own_processes import child_command

log = logging.getLogger("waybill.practice")
_PATIENCE_S = 2.0
_COMING_UP_MS = 60_000  # it is there within two seconds, on a computer with much to do within ten
_NO_WORDS = "The practice service has not come up within a minute, and was ended. Restart practice to try again."
_LONGEST_COMPLAINT = 2_000
_REFUSED = 2  # its exit code where it says in a sentence why it cannot start


def practice_command(data: Path, *more: str) -> list[str]:
    """The command that starts the practice service, from source or from the packed program."""
    start = child_command("--practice-process", "app.practice")
    return [*start, "--port", "0", "--data", str(data), "--stop-with-stdin", *more]


class PracticeChild(QObject):
    """Starts the service and signals its addresses; never restarts the service by itself."""

    ready = Signal(dict)  # addresses and credentials, from the service's first line
    ended = Signal(str)  # a sentence: why the service does not run

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = data
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read_line)
        self._process.readyReadStandardError.connect(self._read_complaint)
        self._process.errorOccurred.connect(self._on_error)
        self._process.finished.connect(self._on_finished)
        self._facts: dict[str, str] = {}
        self._stopping = self._silent = False
        self._complaint = ""
        self._coming_up = QTimer(self)
        self._coming_up.setSingleShot(True)
        self._coming_up.setInterval(_COMING_UP_MS)
        self._coming_up.timeout.connect(self._give_up)

    def start_unless_running(self) -> None:
        """Start the process; `ready` or `ended` follows. If the service runs already, `ready` is emitted again."""
        if self._facts and self._process.state() == QProcess.ProcessState.Running:
            self.ready.emit(self._facts)
        elif self._process.state() == QProcess.ProcessState.NotRunning:
            self._facts, self._stopping, self._silent, self._complaint = {}, False, False, ""
            self._coming_up.start()
            # A new process gets a new port, so the facts of the one before must be gone before this one speaks.
            command = practice_command(self._data)
            self._process.start(command[0], command[1:])

    async def stop(self) -> None:
        """Ask the process to end, and end it after two seconds if it does not."""
        self._stopping = True
        self._coming_up.stop()
        if self._process.state() == QProcess.ProcessState.NotRunning:
            return
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finished() -> None:
            if not gone.done():
                gone.set_result(None)

        self._process.finished.connect(finished)
        # Not `terminate`: a console process on Windows hears no request to end, but every system closes a pipe.
        self._process.closeWriteChannel()
        await asyncio.wait({gone}, timeout=_PATIENCE_S)
        if not gone.done():
            self._process.kill()
            await asyncio.wait({gone}, timeout=_PATIENCE_S)
        self._process.finished.disconnect(finished)

    def _read_line(self) -> None:
        # The first line may arrive in two pieces.
        if self._facts or not self._process.canReadLine():
            return
        facts = _facts_in(bytes(self._process.readLine().data()))
        if facts is None:
            # A process that prints anything else will not become the service. Its end emits `ended`.
            log.warning("The practice service began with something that is not its first line")
            self._process.kill()
            return
        self._coming_up.stop()
        self._facts = facts
        self.ready.emit(facts)

    def _read_complaint(self) -> None:
        said = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        for line in said.splitlines():
            log.info("practice: %s", line)
        self._complaint = (self._complaint + said)[-_LONGEST_COMPLAINT:]  # a line may arrive in pieces

    def _give_up(self) -> None:
        self._silent = True
        self._process.kill()  # `_on_finished` emits `ended`

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._coming_up.stop()
            self.ended.emit("The practice service could not be started.")

    def _on_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        self._coming_up.stop()
        if self._stopping:
            return
        if self._silent:
            self.ended.emit(_NO_WORDS)
        elif code == _REFUSED and not self._facts and self._complaint.strip():
            self.ended.emit(self._complaint.strip().splitlines()[-1])  # for example: its folder is damaged
        else:
            self.ended.emit("The practice service has stopped. Your orders are kept; restart practice to go on.")


def _facts_in(line: bytes) -> dict[str, str] | None:
    """The facts in the service's first line; None if the line holds none."""
    try:
        facts = json.loads(line)
    except ValueError:
        return None
    if not isinstance(facts, dict) or "base_url" not in facts:
        return None
    return {str(name): str(value) for name, value in facts.items()}
