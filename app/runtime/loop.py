"""The program's event loop: asyncio on Qt's event loop, with the ready queue of `turns`.

Invariant: the loop closes async generators that were dropped half-way, as asyncio's own loops do. qasync leaves them to
the garbage collector, which cannot await.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextvars import Context

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.runtime.display import DisplayGone
from app.runtime.turns import Turns


class Loop(QEventLoop):  # type: ignore[misc]  # qasync has no types
    """qasync's loop with asyncio's hooks for async generators and a ready queue of its own."""

    def __init__(self, application: QApplication, *, already_running: bool = False) -> None:
        self._turns = Turns()
        self._stopped = False  # by somebody who called `stop`, and not by Qt
        super().__init__(application, already_running=already_running)

    def call_soon(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """As asyncio's."""
        handle = asyncio.Handle(callback, args, self, context)
        self._turns.call_soon(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """As asyncio's."""
        self._check_closed()
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As asyncio's."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As asyncio's."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._turns.call_at(handle)
        return handle

    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        # qasync and asyncio's base class schedule ready sockets and signals here.
        assert delay <= 0
        self._turns.call_soon(handle)
        return handle

    # asyncio calls this for each TimerHandle that is cancelled. qasync does not handle it (see `turns`).
    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._turns.deadline_cancelled(handle)

    def close(self) -> None:
        """As asyncio's."""
        super().close()
        self._turns.stop()

    def stop(self) -> None:
        """As asyncio's."""
        self._stopped = True
        super().stop()

    def run_forever(self) -> int:
        """As asyncio's. Raises `DisplayGone`."""
        # As asyncio's own `run_forever`, which qasync replaces without these hooks.
        before = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        self._stopped = False
        try:
            status = int(super().run_forever() or 0)
        finally:
            sys.set_asyncgen_hooks(*before)
        if not self._stopped:
            raise DisplayGone
        return status


# Seconds after which a running thread releases Python's lock to a waiting one; Python's default is five milliseconds.
# The window's thread waits that long for each busy thread, such as the one that builds the search index.
SWITCH_S = 0.001


def run(application: QApplication, main: Callable[[], Coroutine[None, None, int]]) -> int:
    """Run `main` on the application's event loop to its end; its return value is the process's exit status.

    Raises `DisplayGone`; `main` is not run to its end then.
    """
    # The window closing does not end the loop: main() ends it, after everything it owns is closed (pitfall 4).
    application.setQuitOnLastWindowClosed(False)
    sys.setswitchinterval(SWITCH_S)
    with asyncio.Runner(loop_factory=lambda: Loop(application)) as runner:
        return runner.run(main())


def on_stop_signal(act: Callable[[], object]) -> None:
    """Call `act` on the running loop when the process is asked to end (Ctrl+C, SIGTERM)."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, act)
        except NotImplementedError:  # Windows has no such signals for a program with a window
            return
