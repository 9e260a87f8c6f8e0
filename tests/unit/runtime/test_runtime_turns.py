"""Callbacks on Qt's loop: in order, never early, and never so long at a time that the window stands still."""

import asyncio
import threading
import time

from PySide6.QtCore import QTimer

from app.runtime.loop import Loop
from tests.support.loop import RunningLoop


def turns_of(loop: RunningLoop) -> tuple[Loop, int]:
    """The loop, and how many deadlines it holds."""
    made = loop.asyncio
    assert isinstance(made, Loop)
    return made, len(made._turns._deadlines)


def test_callbacks_run_in_the_order_in_which_they_were_asked_for(loop: RunningLoop) -> None:
    ran: list[int] = []
    for number in range(500):
        loop.asyncio.call_soon(ran.append, number)
    loop.until(lambda: len(ran) == 500)
    assert ran == list(range(500))


def test_one_that_was_cancelled_does_not_run(loop: RunningLoop) -> None:
    ran: list[str] = []
    first, second = loop.asyncio.call_soon(ran.append, "first"), loop.asyncio.call_later(0.01, ran.append, "second")
    first.cancel()
    second.cancel()
    loop.asyncio.call_later(0.03, ran.append, "third")
    loop.until(lambda: ran)
    assert ran == ["third"]


def test_deadlines_ring_in_their_order_and_never_early(loop: RunningLoop) -> None:
    rang: list[tuple[float, float]] = []
    began = time.monotonic()
    for wait in (0.05, 0.01, 0.03, 0.02, 0.04, 0.0, -1.0):
        loop.asyncio.call_later(wait, lambda wait=wait: rang.append((wait, time.monotonic() - began)))  # type: ignore[misc]
    loop.until(lambda: len(rang) == 7)
    assert [wait for wait, _ in rang] == sorted(wait for wait, _ in rang)
    assert all(after >= wait for wait, after in rang)


def test_deadlines_that_were_cancelled_are_not_kept_until_they_would_have_rung(loop: RunningLoop) -> None:
    made, before = turns_of(loop)
    for _ in range(10_000):
        made.call_later(60, print).cancel()
    assert turns_of(loop)[1] - before < 300
    kept = [made.call_later(60, print) for _ in range(500)]
    for each in kept[:100]:
        each.cancel()
        each.cancel()  # the second time changes nothing
    assert turns_of(loop)[1] - before >= 400
    for each in kept:
        each.cancel()


def test_those_that_are_still_wanted_ring_after_the_others_were_swept_out(loop: RunningLoop) -> None:
    rang: list[int] = []
    handles = [loop.asyncio.call_later(0.02 + number / 100_000, rang.append, number) for number in range(1_000)]
    for number, each in enumerate(handles):
        if number % 10:
            each.cancel()
    loop.until(lambda: len(rang) == 100)
    assert rang == list(range(0, 1_000, 10))


def test_the_window_has_its_turn_however_much_is_queued(loop: RunningLoop) -> None:
    """Two hundred callbacks of two milliseconds each: a timer of the window fires between them."""
    ran: list[float] = []
    beats: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(len(ran)))
    timer.start(1)

    def work() -> None:
        time.sleep(0.002)
        ran.append(time.monotonic())

    for _ in range(200):
        loop.asyncio.call_soon(work)
    loop.until(lambda: len(ran) == 200)
    timer.stop()
    assert len([each for each in beats if 0 < each < 200]) > 20


def test_one_that_fails_is_told_and_stops_no_other(loop: RunningLoop) -> None:
    told: list[object] = []
    ran: list[int] = []
    loop.asyncio.set_exception_handler(lambda _, context: told.append(context["exception"]))
    loop.asyncio.call_soon(lambda: 1 // 0)
    loop.asyncio.call_soon(ran.append, 1)
    loop.until(lambda: ran)
    loop.asyncio.set_exception_handler(None)
    assert [type(each) for each in told] == [ZeroDivisionError]


def test_threads_may_call_at_any_moment(loop: RunningLoop) -> None:
    ran: list[tuple[int, int]] = []

    def call(thread: int) -> None:
        for number in range(1_000):
            loop.asyncio.call_soon_threadsafe(ran.append, (thread, number))

    threads = [threading.Thread(target=call, args=(each,)) for each in range(4)]
    for each in threads:
        each.start()
    loop.until(lambda: len(ran) == 4_000)
    for each in threads:
        each.join()
    for thread in range(4):
        assert [number for which, number in ran if which == thread] == list(range(1_000))


def test_time_outs_work_on_it(loop: RunningLoop) -> None:
    async def slow() -> str:
        try:
            async with asyncio.timeout(0.02):
                await asyncio.sleep(10)
        except TimeoutError:
            return "in time"
        return "never"

    assert loop.run(slow()) == "in time"
