"""The one sink: every road an error may come by ends in it, and nothing it says holds a value."""

import gc
import json
import logging
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from pydantic import BaseModel, ValidationError
from PySide6.QtCore import QObject, QTimer, Signal

from app.runtime.sink import Sink, describe
from tests.support.loop import RunningLoop

CANARY = "canary-J.-Rivera-12-Beale-Street"


class Mishap(Exception):
    """What a test raises; its message is what must not be told."""


class Heard(QObject):
    """Remembers what the sink said, and on which thread it was heard."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self.reports: list[tuple[str, str]] = []
        self.threads: set[str] = set()
        sink.failed.connect(self.on_failed)

    def on_failed(self, where: str, report: str) -> None:
        self.reports.append((where, report))
        self.threads.add(threading.current_thread().name)


@pytest.fixture
def sink(loop: RunningLoop, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    # The test run's own handlers, put back whatever the sink does.
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    made = Sink()
    made.install(loop.asyncio)
    yield made
    made.uninstall()


@pytest.fixture
def heard(sink: Sink) -> Heard:
    return Heard(sink)


def raise_it() -> None:
    local_value = CANARY
    raise Mishap(local_value)


@pytest.mark.expects_log("A window action failed: Mishap")
def test_a_slot(loop: RunningLoop, heard: Heard, caplog: pytest.LogCaptureFixture) -> None:
    QTimer.singleShot(0, raise_it)
    loop.until(lambda: heard.reports)
    where, report = heard.reports[0]
    assert where == "A window action"
    assert report.splitlines()[0] == "Mishap"
    assert "in raise_it" in report
    assert CANARY not in report + caplog.text


@pytest.mark.expects_log("A window action failed: Mishap")
def test_a_slot_of_a_signal_of_ours(loop: RunningLoop, heard: Heard) -> None:
    class Told(QObject):
        said = Signal()

    told = Told()
    told.said.connect(raise_it)
    told.said.emit()
    loop.until(lambda: heard.reports)


@pytest.mark.expects_log("A window action failed: Mishap")
def test_what_a_slot_worked_on_is_let_go(loop: RunningLoop, heard: Heard) -> None:
    held: list[weakref.ref[Mishap]] = []

    def fail() -> None:
        order = Mishap("worked on")  # stands for whatever the slot holds
        held.append(weakref.ref(order))
        raise Mishap

    QTimer.singleShot(0, fail)
    loop.until(lambda: heard.reports)
    gc.collect()
    assert held[0]() is None


@pytest.mark.expects_log("picture worker failed: Mishap")
def test_a_thread(loop: RunningLoop, heard: Heard, caplog: pytest.LogCaptureFixture) -> None:
    thread = threading.Thread(target=raise_it, name="picture worker")
    thread.start()
    thread.join()
    loop.until(lambda: heard.reports)
    assert heard.reports[0][0] == "picture worker"
    assert heard.threads == {threading.main_thread().name}, "a window may be told on its own thread only"
    assert CANARY not in heard.reports[0][1] + caplog.text


@pytest.mark.expects_log("A background task failed: Mishap")
def test_a_task_that_nobody_waits_for(loop: RunningLoop, heard: Heard, caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise_it()

    task = loop.asyncio.create_task(fail())
    loop.until(task.done)
    del task
    gc.collect()
    loop.until(lambda: heard.reports)
    assert CANARY not in heard.reports[0][1] + caplog.text


@pytest.mark.expects_log("A background task failed: Mishap")
def test_a_callback_of_the_loop(loop: RunningLoop, heard: Heard) -> None:
    loop.asyncio.call_soon(raise_it)
    loop.until(lambda: heard.reports)


@pytest.mark.expects_log("Cleaning up failed: Mishap")
def test_an_unraisable_error(loop: RunningLoop, heard: Heard, caplog: pytest.LogCaptureFixture) -> None:
    class Fragile:
        def __del__(self) -> None:
            raise_it()

    Fragile()
    gc.collect()
    loop.until(lambda: heard.reports)
    assert heard.reports[0][0] == "Cleaning up"
    assert CANARY not in heard.reports[0][1] + caplog.text


@pytest.mark.expects_log("The event loop says: something is odd")
def test_a_word_of_the_loop_without_an_error(loop: RunningLoop, heard: Heard) -> None:
    loop.asyncio.call_exception_handler({"message": "something is odd"})
    loop.rest()
    assert heard.reports == []


def test_being_interrupted_or_asked_to_leave_is_no_failure(loop: RunningLoop, sink: Sink, heard: Heard) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)

    def leave() -> None:
        raise SystemExit

    thread = threading.Thread(target=leave)
    thread.start()
    thread.join()
    loop.rest()
    assert heard.reports == []


def test_afterwards_the_interpreter_has_its_own_handlers_again(loop: RunningLoop, sink: Sink) -> None:
    sink.uninstall()
    assert sys.excepthook is sys.__excepthook__
    assert threading.excepthook is threading.__excepthook__
    assert sys.unraisablehook is sys.__unraisablehook__
    sink.install(loop.asyncio)


class Consignee(BaseModel):
    """Echoes what it was given in its errors."""

    zip: int


def misread() -> None:
    try:
        Consignee.model_validate({"zip": CANARY})
    except ValidationError as error:
        raise Mishap(CANARY) from error


def test_causes_are_told_without_their_words() -> None:
    with pytest.raises(Mishap) as caught:
        misread()
    report = describe(caught.value)
    assert "Mishap" in report
    assert "because of ValidationError" in report
    assert CANARY not in report


def test_the_members_of_a_group_are_told() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        raise ExceptionGroup(CANARY, [ValueError(CANARY), KeyError(CANARY)])
    report = describe(caught.value)
    assert "ValueError" in report
    assert "KeyError" in report
    assert CANARY not in report


def test_no_folder_of_this_computer_is_named() -> None:
    """A library's path tells who is logged in; its last part says enough."""
    with pytest.raises(ValueError, match="Expecting value") as caught:
        json.loads("no json")
    assert "decoder.py" in describe(caught.value)
    assert not any(line.strip().startswith("/") for line in describe(caught.value).splitlines())


def test_errors_that_cause_each_other_are_told_once() -> None:
    first, second = Mishap("a"), Mishap("b")
    first.__cause__, second.__cause__ = second, first
    assert describe(first).count("Mishap") == 2


@pytest.mark.expects_log("page: rows failed")
def test_what_is_logged_is_the_report(sink: Sink, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(Mishap) as caught:
        raise_it()
    sink.report(caught.value, "page: rows")
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert record.name == "waybill"
    assert record.exc_info is None
    assert CANARY not in record.getMessage()
