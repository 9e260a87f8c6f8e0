"""The handler of uncaught errors: from slots, threads, asyncio tasks and destructors.

An error with a sentence of its own (a store error, an API error) is no fault of the program: the window shows the
sentence.

Invariant: the log and the report hold the type of any other error and its code lines, never its message or values,
since those may carry a consignee or a credential (pitfall 16).
"""

import asyncio
import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.runtime.crash_watch import place

log = logging.getLogger("waybill")


class Sink(QObject):
    """Receives uncaught errors, logs them without their values and signals them to the window."""

    failed = Signal(str, str)  # where the error occurred, and a report that a person can pass on
    troubled = Signal(str, str)  # the task that failed, and why; an empty sentence once it works again

    def install(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Set the hooks of the interpreter, of threads, of destructors and of the event loop."""
        sys.excepthook = self._from_interpreter
        threading.excepthook = self._from_thread
        sys.unraisablehook = self._from_nowhere
        if loop is not None:
            loop.set_exception_handler(self._from_loop)

    def uninstall(self) -> None:
        """Give the interpreter its own handlers back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__

    def report(self, error: BaseException, where: str) -> None:
        """Log the error and emit `troubled` or `failed`. Safe to call from any thread."""
        text, sentence = describe(error), sentence_of(error)
        if sentence:
            log.warning("%s could not be done: %s", where, text)
            self.troubled.emit(where, sentence)
            return
        log.error("%s failed: %s", where, text)
        self.failed.emit(where, text)

    def _from_interpreter(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        # Ctrl+C in a terminal ends the program by `on_stop_signal`; it is no fault of the program.
        if isinstance(error, KeyboardInterrupt):
            return
        self.report(error, "A window action")
        # PySide keeps the last error of a slot here. Its frames would hold what they worked on until the next error.
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            vars(sys).pop(name, None)

    def _from_thread(self, failed: threading.ExceptHookArgs) -> None:
        # `sys.exit` in a thread ends that thread only, on purpose.
        if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
            self.report(failed.exc_value, failed.thread.name if failed.thread else "A thread")

    def _from_nowhere(self, failed: Any) -> None:
        if failed.exc_value is not None:
            self.report(failed.exc_value, "Cleaning up")

    def _from_loop(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is None:
            log.warning("The event loop says: %s", context.get("message", "nothing"))
        else:
            self.report(error, "A background task")


def sentence_of(error: BaseException) -> str:
    """The error's sentence for people, or an empty text for a fault of the program.

    A group has a sentence only if each of its members has one.
    """
    if isinstance(error, BaseExceptionGroup):
        said = dict.fromkeys(sentence_of(each) for each in error.exceptions)
        return "" if "" in said else " ".join(said)
    sentence = getattr(error, "sentence", "")
    return sentence if isinstance(sentence, str) else ""


def describe(error: BaseException) -> str:
    """The type of the error and its code lines, without its message; then those of its causes and group members.

    Each error is described once, however many others it caused.
    """
    lines: list[str] = []
    told: set[int] = set()
    pending: list[tuple[str, BaseException]] = [("", error)]
    while pending:
        lead, each = pending.pop(0)
        # An error can be its own cause by a circle of `raise … from`.
        if id(each) in told:
            continue
        told.add(id(each))
        lines.append(f"{lead}{type(each).__qualname__}")
        for frame in traceback.extract_tb(each.__traceback__):
            lines.append(f"  {place(frame.filename)}:{frame.lineno} in {frame.name}")
        if isinstance(each, BaseExceptionGroup):
            pending += [("with ", member) for member in each.exceptions]
        if (cause := each.__cause__ or each.__context__) is not None:
            pending.append(("because of ", cause))
    return "\n".join(lines)
