"""Owned work, on the window's loop: reads replace each other, writes are never cancelled, nothing is lost."""

import asyncio
import gc
import weakref

import pytest
from PySide6.QtWidgets import QApplication

from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from tests.support.loop import RunningLoop


class Diary:
    """What coroutines of a test report: what began, what ended, what was cancelled."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.gate = asyncio.Event()

    async def work(self, name: str, *, cleaning: asyncio.Event | None = None) -> None:
        self.lines.append(f"{name} began")
        try:
            await self.gate.wait()
            self.lines.append(f"{name} ended")
        except asyncio.CancelledError:
            if cleaning is not None:
                await cleaning.wait()
            self.lines.append(f"{name} cancelled")
            raise


@pytest.fixture
def sink(qapp: QApplication) -> Sink:
    assert qapp is not None
    return Sink()


@pytest.fixture
def tasks(loop: RunningLoop, sink: Sink) -> Tasks:
    assert loop is not None
    return Tasks(sink, "page")


async def fail(words: str = "canary-consignee") -> None:
    raise ValueError(words)


def test_a_new_read_of_a_name_replaces_the_old_one(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    tasks.read("rows", diary.work("first"))
    tasks.read("detail", diary.work("other"))
    loop.until(lambda: len(diary.lines) == 2)
    tasks.read("rows", diary.work("second"))
    loop.until(lambda: "second began" in diary.lines)
    diary.gate.set()
    loop.until(lambda: not tasks.running("rows") and not tasks.running("detail"))
    assert sorted(diary.lines[2:]) == ["first cancelled", "other ended", "second began", "second ended"]


def test_a_replaced_read_does_not_end_the_name_of_its_successor(loop: RunningLoop, tasks: Tasks) -> None:
    diary, cleaning = Diary(), asyncio.Event()
    tasks.read("rows", diary.work("first", cleaning=cleaning))
    loop.until(lambda: diary.lines)
    tasks.read("rows", diary.work("second"))
    loop.until(lambda: "second began" in diary.lines)
    cleaning.set()
    loop.until(lambda: "first cancelled" in diary.lines)
    assert tasks.running("rows")
    tasks.cancel("rows")
    loop.until(lambda: "second cancelled" in diary.lines)
    assert not tasks.running("rows")


def test_a_read_that_was_replaced_before_it_began_never_begins(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    diary.gate.set()
    for number in range(50):
        tasks.read("rows", diary.work(str(number)))
    loop.until(lambda: not tasks.running("rows"))
    assert diary.lines == ["49 began", "49 ended"]


def test_a_write_is_never_cancelled_and_a_second_one_is_dropped(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    assert tasks.write("submit", diary.work("first"))
    assert not tasks.write("submit", diary.work("second"))
    loop.until(lambda: diary.lines)
    tasks.cancel("submit")
    diary.gate.set()
    loop.until(lambda: not tasks.running("submit"))
    assert diary.lines == ["first began", "first ended"]
    assert tasks.write("submit", diary.work("third"))
    loop.until(lambda: "third ended" in diary.lines)


def test_ended_waits_for_a_write_and_survives_its_failure(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    tasks.write("send", diary.work("sending"))
    waiting = asyncio.get_running_loop().create_task(tasks.ended("send"))
    loop.rest()
    assert not waiting.done()
    diary.gate.set()
    loop.until(waiting.done)
    loop.run(tasks.ended("send"))


@pytest.mark.expects_log("page: boom( too)? failed: ValueError")
def test_every_failure_reaches_the_sink_without_its_words(loop: RunningLoop, tasks: Tasks, sink: Sink) -> None:
    heard: list[tuple[str, str]] = []
    sink.failed.connect(lambda where, report: heard.append((where, report)))
    tasks.read("boom", fail())
    tasks.write("boom too", fail())
    loop.until(lambda: len(heard) == 2)
    assert {where for where, _ in heard} == {"page: boom", "page: boom too"}
    assert all("ValueError" in report and "canary" not in report for _, report in heard)


def test_a_cancelled_read_is_no_failure(loop: RunningLoop, tasks: Tasks, sink: Sink) -> None:
    heard: list[str] = []
    sink.failed.connect(lambda where, _report: heard.append(where))
    diary = Diary()
    tasks.read("rows", diary.work("only"))
    loop.until(lambda: diary.lines)
    tasks.cancel("rows")
    loop.until(lambda: len(diary.lines) == 2)
    assert heard == []


def test_running_work_is_held_while_only_itself_refers_to_what_it_waits_for(loop: RunningLoop, tasks: Tasks) -> None:
    """The future is known to nobody but the task: without a strong reference both would be collected."""
    futures: list[weakref.ref[asyncio.Future[None]]] = []

    async def alone() -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        futures.append(weakref.ref(future))
        await future

    tasks.read("alone", alone())
    tasks.write("alone too", alone())
    loop.until(lambda: len(futures) == 2)
    gc.collect()
    for each in futures:
        future = each()
        assert future is not None
        future.set_result(None)
    del future
    loop.until(lambda: not tasks.running("alone") and not tasks.running("alone too"))


def test_a_replaced_read_is_held_until_it_has_cleaned_up(loop: RunningLoop, tasks: Tasks) -> None:
    futures: list[weakref.ref[asyncio.Future[None]]] = []
    lines: list[str] = []

    async def slow_to_leave() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            futures.append(weakref.ref(future))
            await future
            lines.append("left in order")

    tasks.read("rows", slow_to_leave())
    loop.rest()
    tasks.cancel("rows")
    loop.until(lambda: futures)
    gc.collect()
    future = futures[0]()
    assert future is not None
    future.set_result(None)
    loop.until(lambda: lines)


def test_closing_cancels_reads_waits_for_all_of_them_and_for_writes(loop: RunningLoop, tasks: Tasks) -> None:
    diary, cleaning = Diary(), asyncio.Event()
    tasks.read("rows", diary.work("replaced", cleaning=cleaning))
    loop.until(lambda: diary.lines)
    tasks.read("rows", diary.work("read", cleaning=cleaning))
    tasks.write("send", diary.work("write"))
    loop.until(lambda: len(diary.lines) == 3)
    closing = asyncio.get_running_loop().create_task(tasks.aclose(20))
    loop.rest()
    assert not closing.done()
    cleaning.set()
    loop.until(lambda: "replaced cancelled" in diary.lines and "read cancelled" in diary.lines)
    loop.rest()
    assert not closing.done()
    diary.gate.set()
    loop.until(closing.done)
    assert closing.result() is True
    assert diary.lines[-1] == "write ended"


def test_closing_waits_for_a_read_that_was_replaced_and_still_cleans_up(loop: RunningLoop, tasks: Tasks) -> None:
    diary, cleaning = Diary(), asyncio.Event()
    tasks.read("rows", diary.work("replaced", cleaning=cleaning))
    loop.until(lambda: diary.lines)
    tasks.cancel("rows")
    closing = asyncio.get_running_loop().create_task(tasks.aclose(20))
    loop.rest()
    assert not closing.done()
    cleaning.set()
    loop.until(closing.done)
    assert diary.lines == ["replaced began", "replaced cancelled"]


def test_closing_says_when_a_write_takes_too_long_and_leaves_it_running(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    tasks.write("send", diary.work("write"))
    loop.until(lambda: diary.lines)
    assert loop.run(tasks.aclose(0.01)) is False
    diary.gate.set()
    loop.until(lambda: "write ended" in diary.lines)


def test_nothing_starts_after_closing(loop: RunningLoop, tasks: Tasks) -> None:
    diary = Diary()
    loop.run(tasks.aclose(1))
    tasks.read("rows", diary.work("read"))
    assert not tasks.write("send", diary.work("write"))
    loop.rest()
    assert diary.lines == []


def test_a_write_asked_for_when_the_one_before_has_just_ended_is_not_dropped(loop: RunningLoop, tasks: Tasks) -> None:
    """The loop tells of an end a moment later; what was queued in between would wait for nobody."""
    started: list[bool] = []

    async def work() -> None:
        if not started:
            asyncio.get_running_loop().call_soon(lambda: started.append(tasks.write("send", work())))
        else:
            started.append(True)

    tasks.write("send", work())
    loop.until(lambda: len(started) == 2)
    assert started == [True, True]


class Refused(Exception):
    """An error that says itself what happened."""

    sentence = "The disk is full."


async def be_refused() -> None:
    raise Refused


@pytest.mark.expects_log("page: rows could not be done: Refused")
def test_what_has_a_sentence_is_told_to_the_owner_until_it_ends_well(loop: RunningLoop, sink: Sink) -> None:
    told: list[tuple[str, str]] = []
    faults: list[str] = []
    sink.failed.connect(lambda where, _: faults.append(where))
    sink.troubled.connect(lambda where, _: faults.append(where))
    owned = Tasks(sink, "page", lambda where, sentence: told.append((where, sentence)))

    async def end_well() -> None:
        pass

    for work in (end_well(), be_refused(), end_well(), end_well()):
        owned.read("rows", work)
        loop.until(lambda: not owned.busy)
    assert told == [("page: rows", "The disk is full."), ("page: rows", "")]
    assert faults == []


@pytest.mark.expects_log("page: rows could not be done: Refused", "page: rows failed: ValueError")
def test_without_a_place_for_it_the_sink_is_told(loop: RunningLoop, sink: Sink, tasks: Tasks) -> None:
    heard: list[tuple[str, str]] = []
    faults: list[str] = []
    sink.troubled.connect(lambda where, sentence: heard.append((where, sentence)))
    sink.failed.connect(lambda where, _: faults.append(where))
    for work in (be_refused(), fail()):
        tasks.read("rows", work)
        loop.until(lambda: not tasks.busy)
    assert heard == [("page: rows", "The disk is full.")]
    assert faults == ["page: rows"]
