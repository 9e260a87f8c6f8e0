"""The program's loop: what asyncio promises and qasync alone does not keep, and a clean end."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel

from app.runtime.loop import Loop, on_stop_signal, run
from tests.support.loop import RunningLoop


class Stream:
    """A download in pieces that has to be closed with an await."""

    def __init__(self) -> None:
        self.closed_on: asyncio.AbstractEventLoop | None = None
        self.closed = asyncio.Event()

    async def pieces(self) -> AsyncIterator[int]:
        try:
            for number in range(100):
                yield number
        finally:
            await asyncio.sleep(0)
            self.closed_on = asyncio.get_running_loop()
            self.closed.set()


def test_a_generator_that_is_dropped_half_way_is_closed_with_its_awaits(qapp: QApplication) -> None:
    stream = Stream()

    async def main() -> int:
        async for number in stream.pieces():
            if number == 3:
                break
        gc.collect()
        async with asyncio.timeout(10):
            await stream.closed.wait()
        return int(stream.closed_on is asyncio.get_running_loop())

    assert run(qapp, main) == 1


def test_a_generator_still_open_at_the_end_is_closed_too(qapp: QApplication) -> None:
    stream = Stream()
    kept = stream.pieces()

    async def main() -> int:
        return await anext(kept)

    assert run(qapp, main) == 0
    assert stream.closed_on is not None


def test_a_generator_is_closed_when_its_reader_is_cancelled(qapp: QApplication) -> None:
    stream = Stream()

    async def read() -> None:
        async for _ in stream.pieces():
            await asyncio.sleep(3_600)

    async def main() -> int:
        task = asyncio.get_running_loop().create_task(read())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait({task})
        gc.collect()
        async with asyncio.timeout(10):
            await stream.closed.wait()
        return 0

    assert run(qapp, main) == 0


def test_it_runs_twice_and_leaves_nothing_set(qapp: QApplication) -> None:
    hooks = sys.get_asyncgen_hooks()
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    async def main() -> int:
        await asyncio.sleep(0.001)
        await asyncio.get_running_loop().run_in_executor(None, gc.isenabled)
        return 5

    assert [run(qapp, main), run(qapp, main)] == [5, 5]
    assert sys.get_asyncgen_hooks() == hooks
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert asyncio.run(main()) == 5  # no loop counts as running any more


def test_what_main_raises_comes_out_and_the_loop_is_closed(qapp: QApplication) -> None:
    seen: list[asyncio.AbstractEventLoop] = []

    async def main() -> int:
        seen.append(asyncio.get_running_loop())
        raise LookupError("of the test")

    with pytest.raises(LookupError):
        run(qapp, main)
    assert isinstance(seen[0], Loop)
    assert seen[0].is_closed()


def test_tasks_that_main_left_are_cancelled_with_their_cleaning_up(qapp: QApplication) -> None:
    lines: list[str] = []

    async def left() -> None:
        try:
            await asyncio.sleep(3_600)
        finally:
            await asyncio.sleep(0)
            lines.append("cleaned")

    async def main() -> int:
        task = asyncio.get_running_loop().create_task(left())
        await asyncio.sleep(0.001)
        return int(task.done())

    assert run(qapp, main) == 0
    assert lines == ["cleaned"]


def test_closing_the_last_window_does_not_end_it(qapp: QApplication) -> None:
    async def main() -> int:
        window = QLabel()
        window.show()
        window.close()
        turned: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        QTimer.singleShot(20, qapp, lambda: turned.set_result(9))
        return await turned

    try:
        assert run(qapp, main) == 9
    finally:
        qapp.setQuitOnLastWindowClosed(True)


def test_slots_may_start_tasks_while_it_runs(loop: RunningLoop) -> None:
    seen: list[asyncio.AbstractEventLoop] = []
    QTimer.singleShot(0, lambda: seen.append(asyncio.get_running_loop()))
    loop.until(lambda: seen)
    assert seen == [loop.asyncio]


_STOPPED = """
import asyncio, sys
from PySide6.QtWidgets import QApplication
from app.runtime.loop import on_stop_signal, run

async def main():
    ended = asyncio.get_running_loop().create_future()
    on_stop_signal(lambda: ended.done() or ended.set_result(None))
    print("ready", flush=True)
    await ended
    print("in order", flush=True)
    return 7

sys.exit(run(QApplication([]), main))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_asked_to_end_ends_in_order(root: Path, number: signal.Signals) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(
        [sys.executable, "-c", _STOPPED], stdout=subprocess.PIPE, cwd=root, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.stdout.read() == "in order\n"
        assert process.wait(20) == 7


def test_a_system_without_such_signals_is_no_trouble() -> None:
    class WithoutSignals(asyncio.SelectorEventLoop):
        def add_signal_handler(self, *_: object) -> None:
            raise NotImplementedError

    async def main() -> None:
        on_stop_signal(lambda: None)

    with asyncio.Runner(loop_factory=WithoutSignals) as runner:
        runner.run(main())


def test_void_calls_leave_the_count_of_none_as_it_was(qapp: QApplication) -> None:
    """PySide6 6.12.0 gave one reference away with each of them, until the interpreter aborted (pitfall 1)."""
    label = QLabel()
    label.setText("warm")
    before = sys.getrefcount(None)
    for number in range(50_000):
        label.setText("a" if number % 2 else "b")
    assert abs(sys.getrefcount(None) - before) < 1_000
    assert qapp is not None


def test_a_turn_of_the_loop_of_tests_leaves_nothing(loop: RunningLoop) -> None:
    """Random actions take some seventy thousand of them in a process, and then look for what the program has left."""
    grown = []
    for _ in range(4):
        gc.collect()
        before = sys.getallocatedblocks()
        loop.rest(100)
        gc.collect()
        grown.append(sys.getallocatedblocks() - before)
    assert min(grown) < 50, f"{grown} blocks in 100 turns"
