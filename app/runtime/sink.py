"""The one place where an error nobody expected ends, whichever of Python's roads it came by.

An error that has a sentence of its own (of the store, of a call) is no mistake of the program: that sentence is told.

Invariant: what is logged or shown of any other error holds its kind and the code it went through, never its message or
any values, since those may carry a consignee or a credential (pitfall 16).
"""

import asyncio
import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

log = logging.getLogger("waybill")


class Sink(QObject):
    """Receives unexpected errors, logs them without their values and tells the window."""

    failed = Signal(str, str)  # where it happened, and the report that a person can pass on
    troubled = Signal(str, str)  # what work could not be done, and the sentence that says why; empty once it can again

    def install(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Take over the roads an error may come by: slots and the main thread, other threads, the loop's tasks."""
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
        """Log the error and tell whoever listens. Safe to call from any thread."""
        text, sentence = describe(error), sentence_of(error)
        if sentence:
            log.warning("%s could not be done: %s", where, text)
            self.troubled.emit(where, sentence)
            return
        log.error("%s failed: %s", where, text)
        self.failed.emit(where, text)

    def _from_interpreter(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            return
        self.report(error, "A window action")

    def _from_thread(self, failed: threading.ExceptHookArgs) -> None:
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
    """What an error says to a person; empty where it was not made to be read. Of a group each member has to say
    something: one that does not is a mistake of the program."""
    if isinstance(error, BaseExceptionGroup):
        said = dict.fromkeys(sentence_of(each) for each in error.exceptions)
        return "" if "" in said else " ".join(said)
    sentence = getattr(error, "sentence", "")
    return sentence if isinstance(sentence, str) else ""


def describe(error: BaseException) -> str:
    """The kind of error and the lines of code it went through, without its message; likewise for what caused it and
    for the members of a group, each once."""
    lines: list[str] = []
    told: set[int] = set()
    pending: list[tuple[str, BaseException]] = [("", error)]
    while pending:
        lead, each = pending.pop(0)
        if id(each) in told:
            continue
        told.add(id(each))
        lines.append(f"{lead}{type(each).__qualname__}")
        for frame in traceback.extract_tb(each.__traceback__):
            lines.append(f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}")
        if isinstance(each, BaseExceptionGroup):
            pending += [("with ", member) for member in each.exceptions]
        if (cause := each.__cause__ or each.__context__) is not None:
            pending.append(("because of ", cause))
    return "\n".join(lines)


def _place(filename: str) -> str:
    """A file as the report names it: ours below `app/`, others by their last two parts, since a whole path tells who
    is logged in."""
    _, ours, below = filename.replace("\\", "/").rpartition("/app/")
    return below if ours else "/".join(below.split("/")[-2:])
