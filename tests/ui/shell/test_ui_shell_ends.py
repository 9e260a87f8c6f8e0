"""The window does not close without a word about unsaved input, an undo, the outbox or an outage."""

import threading
from collections.abc import Callable, Iterator, Sequence

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton

from app.contract.draft import OrderDraft
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.runtime.tasks import Tasks
from app.store.journal import draft_store
from app.store.journal.records import WriteRow
from app.store.store_errors import NotSaved
from app.ui.base.page import Page
from app.ui.entry.entry_page import EntryPage
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.settings.settings_page import SettingsPage
from app.ui.shell import close_window
from app.ui.shell.close_window import PATIENCE_S
from tests.support.desks import submission
from tests.support.fault_server import Answer, FaultServer
from tests.support.faults import Gate, answered, held
from tests.ui.shell.test_ui_shell import press, program, queue, working, world
from tests.ui.shell_help import Program, keep_profile

__all__ = ["program", "working", "world"]  # the fixtures of the whole window
SUBMIT, STATUS = "/Order/submit", "/Order/status"


def use(working: Program, profile_id: str) -> Desk:
    working.shell.use_profile(profile_id)
    working.loop.until(lambda: working.shell.desk and working.shell.desk.profile.id == profile_id)
    working.loop.until(lambda: working.shell.desk and working.shell.desk.provider)
    assert working.shell.desk is not None
    return working.shell.desk


def boxes() -> list[QMessageBox]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible()]


def answer(working: Program, words: str) -> None:
    working.loop.until(boxes)
    (box,) = boxes()
    next(each for each in box.findChildren(QPushButton) if each.text() == words).click()
    working.loop.until(lambda: box not in boxes())


class Allowed:
    """How long whoever ends is allowed to take, by its owner. How long all of it takes is the machine's affair too:
    processes end with it, which on a busy one takes a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds: dict[str, float] = {}
        really = Tasks.aclose
        allowed = self.seconds

        async def aclose(tasks: Tasks, patience: float) -> bool:
            allowed[tasks._owner] = max(patience, allowed.get(tasks._owner, 0.0))
            return await really(tasks, patience)

        monkeypatch.setattr(Tasks, "aclose", aclose)


def send_and_hang(working: Program, fault_server: FaultServer) -> tuple[Desk, Gate]:
    """An order of another connection is on its way, and the provider does not answer before the gate is released."""
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT, times=None)
    keep_profile(working, fault_server)
    desk = use(working, "acme")
    queue(working, "HANGS")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: fault_server.seen(SUBMIT))
    return desk, gate


def test_nobody_waits_longer_than_three_seconds_for_a_write_of_the_profile_before(
    working: Program, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, gate = send_and_hang(working, fault_server)
    use(working, profiles.PRACTICE_ID)
    allowed = Allowed(monkeypatch)
    working.loop.run(working.shell.aclose(), 30)
    last = allowed.seconds.pop("connection")
    assert 0 < max(allowed.seconds.values()) <= 3.0
    assert last < 0.5, "the three seconds are over by then"
    assert working.loop.run(outbox.counts(desk))["sending"] == 1
    gate.release()
    working.loop.until(lambda: working.loop.run(outbox.counts(desk))["sending"] == 0)


def test_the_window_that_closes_says_what_it_waits_for(working: Program, fault_server: FaultServer) -> None:
    desk, gate = send_and_hang(working, fault_server)
    closing = working.loop.asyncio.create_task(working.shell.aclose())
    said = "Closing: waiting for 1 order to be answered, 3 seconds at most…"
    working.loop.until(lambda: working.window.bar.text == said)
    assert working.window.isVisible()
    assert not working.window.isEnabled(), "what would be typed now is kept by nobody"
    gate.release()
    working.loop.until(lambda: not working.window.isVisible())
    working.loop.until(closing.done)
    assert closing.result() == []
    assert working.loop.run(outbox.counts(desk))["accepted"] == 1


def test_the_window_goes_when_the_three_seconds_are_over(working: Program, fault_server: FaultServer) -> None:
    desk, gate = send_and_hang(working, fault_server)
    closing = working.loop.asyncio.create_task(working.shell.aclose())
    working.loop.until(lambda: not working.window.isVisible())
    found = working.loop.run(outbox.counts(desk))
    assert found["sending"] + found["in_doubt"] == 1, "broken off by then or not: nobody knows whether it arrived"
    gate.release()
    working.loop.until(closing.done)
    working.loop.until(lambda: working.loop.run(outbox.counts(desk))["sending"] == 0)


def test_the_window_goes_at_once_where_nothing_is_being_sent(working: Program, hanging: threading.Event) -> None:
    closing = working.loop.asyncio.create_task(working.shell.aclose())
    working.loop.until(lambda: not working.window.isVisible())
    assert not closing.done()
    hanging.set()
    working.loop.until(closing.done)
    assert closing.result() == []


class FullDisk:
    """While it is full, no draft is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        really = saved_drafts.save

        async def save(desk: Desk, draft_id: str, draft: OrderDraft) -> None:
            if self.full:
                raise NotSaved("The disk is full, so nothing of this was saved.")
            await really(desk, draft_id, draft)

        monkeypatch.setattr(saved_drafts, "save", save)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[FullDisk]:
    made = FullDisk(monkeypatch)
    yield made
    made.full = False


def type_order(working: Program, disk: FullDisk) -> list[int]:
    """Something typed that the disk does not take, and the window closed; how often the program was let go."""
    gone: list[int] = []
    working.shell.closing.connect(lambda: gone.append(1))
    QTest.keyClick(working.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    page = working.shell.page("entry")
    assert isinstance(page, EntryPage)
    disk.full = True
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "LAST-KEYS")
    working.window.close()
    working.loop.until(boxes)
    return gone


def test_what_could_not_be_kept_is_said_before_the_window_goes(working: Program, disk: FullDisk) -> None:
    gone = type_order(working, disk)
    (box,) = boxes()
    assert box.text() == "What you typed could not be kept"
    assert "The disk is full" in box.informativeText()
    answer(working, "Go back")
    working.loop.rest(20)
    assert (gone, working.window.isVisible()) == ([], True)
    working.window.close()
    answer(working, "Copy what was typed")
    working.loop.until(boxes)
    assert "LAST-KEYS" in QApplication.clipboard().text()
    assert "It has been copied" in boxes()[0].informativeText()
    disk.full = False
    answer(working, "Try again")
    working.loop.until(lambda: gone)
    assert not boxes()


def test_a_person_may_close_all_the_same(working: Program, disk: FullDisk) -> None:
    gone = type_order(working, disk)
    answer(working, "Close anyway")
    working.loop.until(lambda: gone)


@pytest.fixture
def hanging(working: Program) -> Iterator[threading.Event]:
    """From now on the journal's disk answers nothing, until this is set. Something was typed just before."""
    answers = threading.Event()
    began = threading.Event()
    QTest.keyClick(working.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    page = working.shell.page("entry")
    assert isinstance(page, EntryPage)
    working.loop.until(lambda: not page.type_ahead.buffering)

    def hang(_: apsw.Connection) -> None:
        began.set()
        answers.wait(60)

    working.loop.run(_start_writing(working, hang))
    working.loop.until(began.is_set)
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "LAST-KEYS")
    yield answers
    answers.set()


async def _start_writing(working: Program, function: Callable[[apsw.Connection], None]) -> None:
    working.shell._tasks.write("hang", working.kept.journal.write(function))


def test_a_hanging_disk_keeps_nobody_from_closing_the_window(
    working: Program, hanging: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[int] = []
    working.shell.closing.connect(lambda: gone.append(1))
    allowed: list[float] = []
    really = close_window.unkept

    async def unkept(pages: Sequence[Page], patience: float) -> list[tuple[Page, str]]:
        allowed.append(patience)
        return await really(pages, patience)

    monkeypatch.setattr(close_window, "unkept", unkept)
    working.window.close()
    working.loop.until(boxes)
    assert allowed == [3.0]
    (box,) = boxes()
    assert "The disk has not answered for three seconds" in box.informativeText()
    answer(working, "Try again")
    working.loop.until(boxes)
    answer(working, "Copy what was typed")
    working.loop.until(boxes)
    assert "LAST-KEYS" in QApplication.clipboard().text()
    hanging.set()
    answer(working, "Try again")
    working.loop.until(lambda: gone)
    assert not boxes()
    desk = working.shell.desk
    assert desk is not None
    bodies = [each.body for each in working.loop.run(desk.journal.read(draft_store.open_drafts, desk.profile.id))]
    assert any("LAST-KEYS" in each for each in bodies), "what was not answered for was kept in the end"


def test_closing_takes_three_seconds_in_all_and_says_what_was_not_kept(
    working: Program, hanging: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody can be asked: the computer is shut down, or a person has said that the window may go."""
    allowed = Allowed(monkeypatch)
    (unkept,) = working.loop.run(working.shell.aclose(), 30)
    assert max(allowed.seconds.values()) < 0.5, "the three seconds are over once the disk has been waited for"
    assert "connection" in allowed.seconds
    assert PATIENCE_S == 3.0
    assert "The disk has not answered for three seconds" in unkept
    hanging.set()


def test_the_outbox_of_a_connection_that_cannot_be_removed_is_shown(
    working: Program, fault_server: FaultServer
) -> None:
    fault_server.plan_by(lambda seen: answered(Answer(500)) if seen.path.endswith(STATUS) else None)
    keep_profile(working, fault_server)
    use(working, "acme")
    queue(working, "WAITS")
    use(working, profiles.PRACTICE_ID)
    working.shell.go("settings")
    page = working.shell.page("settings")
    assert isinstance(page, SettingsPage)
    acme = next(each for each in working.loop.run(profiles.all_profiles(working.kept.journal)) if each.id == "acme")
    page.tasks.write("remove", page._remove(acme))
    working.loop.until(lambda: "1 queued in its outbox" in page.bar.text)
    page.bar.act()
    working.loop.until(lambda: working.shell.desk and working.shell.desk.profile.id == "acme")
    assert working.window.pages.currentWidget() is working.shell.page("outbox")
    working.loop.until(lambda: working.window.right_label.text().startswith("Outbox: 1"))
    fault_server.plan_by(None)
    working.loop.until(fault_server.book.all)


def test_a_cancellation_that_waits_in_another_connection_is_said_and_shown(
    working: Program, fault_server: FaultServer
) -> None:
    """It leaves only when that connection is in use again."""
    keep_profile(working, fault_server)
    desk = use(working, "acme")
    working.loop.run(outbox.queue_cancellation(desk, "R-1"))
    use(working, profiles.PRACTICE_ID)
    label = working.window.right_label
    working.loop.until(lambda: label.text() == "1 waits in the outbox of Acme Freight")
    working.window.left_label.setText("x" * 90)  # beside a longer status of the page it is elided, and not cut off
    working.window.resize(700, 600)
    working.loop.until(lambda: label.text().endswith("…"))
    assert label.mapTo(working.window, label.rect().topRight()).x() < working.window.width()
    assert label.whole == label.accessibleName() == "1 waits in the outbox of Acme Freight"
    queue(working, "HERE")
    working.shell.go("outbox")
    page = working.shell.page("outbox")
    assert isinstance(page, OutboxPage)
    working.loop.until(page.other_outboxes.isVisible)
    words = " ".join(each.text() for each in page.other_outboxes.findChildren(QLabel))
    assert words.startswith("1 waits in the outbox of Acme Freight. It is not sent until")
    (key,) = page.other_outboxes.findChildren(QPushButton)
    assert key.accessibleName() == "Show the outbox of Acme Freight"
    key.click()
    working.loop.until(lambda: working.shell.desk and working.shell.desk.profile.id == "acme")
    assert working.window.pages.currentWidget() is page
    working.loop.until(lambda: not page.other_outboxes.isVisible())
    working.loop.until(lambda: [each.reference for each in page.model.rows if isinstance(each, WriteRow)] == ["R-1"])


def test_the_acceptance_of_another_order_leaves_the_undo_offered(working: Program) -> None:
    shell = working.shell
    assert shell.desk is not None
    write = working.loop.run(outbox.queue_cancellation(shell.desk, "SOME-ORDER"))
    shell.services.news.cancelling.emit(write, "SOME-ORDER")
    queue(working, "OTHER-1")
    shell.services.news.queue_changed.emit()
    working.loop.until(lambda: working.loop.run(outbox.counts(shell.desk))["accepted"] == 1)  # type: ignore[arg-type]
    working.loop.run(shell.sending.until_idle())
    assert working.window.bar.text == "Order SOME-ORDER is about to be cancelled."
    working.window.bar.undo()
    working.loop.until(lambda: "was not cancelled" in working.window.bar.text)


def test_an_outage_is_said_with_the_next_try_and_a_way_not_to_wait(working: Program, fault_server: FaultServer) -> None:
    fault_server.plan_by(lambda seen: answered(Answer(500)) if seen.path.endswith(SUBMIT) else None)
    keep_profile(working, fault_server)
    desk = use(working, "acme")
    for number in range(9):
        working.loop.run(outbox.queue_submission(desk, submission(f"R-{number}"), None))
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: "Recent sends are unconfirmed. Next try at" in working.window.bar.text)
    working.loop.until(lambda: "6 on their way, 3 need you, next try at" in working.window.right_label.text())
    fault_server.plan_by(None)
    press(working, "Try now")
    working.loop.until(lambda: len(fault_server.book.all()) == 6)
    working.loop.until(lambda: working.window.right_label.text() == "Outbox: 3 need you")
