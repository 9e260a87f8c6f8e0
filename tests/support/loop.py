"""The program's own event loop, running for the whole of a test, as it does while a window is open (pitfall 11).

A test that asks for `loop` may call slots that start tasks, and waits with `loop.until(condition)` or
`loop.run(coroutine)`. It fails when it leaves a task, an open async generator or a running loop behind.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.runtime.loop import Loop

T = TypeVar("T")
PATIENCE = 20.0  # seconds after which a condition counts as never met
_LOOK_EVERY_MS = 2


class RunningLoop:
    """The loop of one test. `run` and `until` are for the test's own body, never for a coroutine."""

    def __init__(self, application: QApplication) -> None:
        self.application = application
        self.asyncio: asyncio.AbstractEventLoop = Loop(application, already_running=True)
        self._hooks = sys.get_asyncgen_hooks()
        # `run_forever` sets these for the program; here the loop is never told to run.
        sys.set_asyncgen_hooks(self.asyncio._asyncgen_firstiter_hook, self.asyncio._asyncgen_finalizer_hook)

    def run(self, work: Coroutine[Any, Any, T], seconds: float = PATIENCE) -> T:
        """Run `work` to its end; returns its result or raises its error."""
        task = self.asyncio.create_task(work)
        try:
            self.until(task.done, f"{work!r} to end", seconds)
        finally:
            task.cancel()
        return task.result()

    def until(self, met: Callable[[], object], what: object = "", seconds: float = PATIENCE) -> None:
        """Run the loop until `met()` is true; `what` names the condition in the failure (it may be a function)."""
        deadline = time.monotonic() + seconds
        while not met():
            if time.monotonic() > deadline:
                said = what() if callable(what) else what
                raise AssertionError(f"waited {seconds} s in vain: {said or met}")
            self.breathe()

    def breathe(self) -> None:
        """Handle the events, timers and deletions that are due now."""
        turn = QEventLoop()

        # Not `turn.quit` itself: PySide never frees the name of a method of its own that it was given as a slot, which
        # is 60 bytes a turn.
        def end() -> None:
            turn.quit()

        QTimer.singleShot(_LOOK_EVERY_MS, end)
        turn.exec()

    def rest(self, turns: int = 5) -> None:
        """Handle what is due now, and what comes of it: for a test that nothing more happens."""
        for _ in range(turns):
            self.breathe()

    def close(self) -> list[str]:
        """End the loop; the names of the tasks that were still running, which are cancelled."""
        left = [task for task in asyncio.all_tasks(self.asyncio) if not task.done()]
        for task in left:
            task.cancel()
        self.until(lambda: all(task.done() for task in left))
        self.run(self.asyncio.shutdown_asyncgens())
        sys.set_asyncgen_hooks(*self._hooks)
        # One short real run, because Qt remembers an exit that met no running loop and refuses the next one.
        QTimer.singleShot(0, self.asyncio.stop)
        self.application.exec()
        asyncio._set_running_loop(None)
        self.asyncio.close()
        return [task.get_name() for task in left]


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[RunningLoop]:
    """The program's loop on the one application of the test run; nothing is left of it afterwards."""
    application = qapp
    quits = application.quitOnLastWindowClosed()
    application.setQuitOnLastWindowClosed(False)
    _let_go_of_keys(application)
    running = RunningLoop(application)
    try:
        yield running
    finally:
        left = running.close()
        application.setQuitOnLastWindowClosed(quits)
    assert left == [], f"tasks left running: {left}"


def _let_go_of_keys(application: QApplication) -> None:
    """For Qt, Ctrl, Shift or Alt of the last chord of the test before is still held: QTest's last release names it as
    held. A row that is selected then is added to others, or none is.
    """
    if application.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
        return
    nowhere = QWidget()
    QTest.keyRelease(nowhere, Qt.Key.Key_Shift)
    nowhere.deleteLater()
    assert application.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
