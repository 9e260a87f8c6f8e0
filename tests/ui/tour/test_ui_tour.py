"""The tour in the whole window: offered once, done by what really happens, left, taken up again, and out of the way."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.contract.draft import FreightDraft, OrderDraft
from app.store.journal import setting_store, write_store
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.palette.window_commands import WindowCommands
from app.ui.shell.keys_dialog import KeysDialog
from app.ui.theme.theme import Theme
from app.ui.tour import tour_words as words
from app.ui.tour.tour import Tour, TourState
from tests.support.fault_server import FaultServer
from tests.support.journals import bring_to
from tests.support.loop import RunningLoop
from tests.support.practice_process import SMALL, start_practice
from tests.ui.shell_help import Program, keep_profile, open_program


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice world that is filled already."""
    folder = tmp_path_factory.mktemp("world") / "practice"
    start_practice(folder, *SMALL).stop()
    return folder


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Program]:  # fmt: skip
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    folder = tmp_path / "data"
    shutil.copytree(world, folder / "practice")
    made = open_program(loop, theme, services, folder, SecretStore(seconds=5))
    yield made
    made.close()


def begin(program: Program) -> Tour:
    program.loop.run(program.shell.begin_work(program.secrets, program.practice))
    program.loop.until(lambda: program.window.link_label.text().startswith("✓ Connected"))
    program.loop.until(lambda: program.shell.orders.model.rowCount() > 10)
    tour = program.shell.tour
    assert tour is not None
    program.loop.until(lambda: not program.shell.busy)
    return tour


def kept(program: Program) -> object:
    return program.loop.run(program.kept.journal.read(setting_store.read_setting, "tour"))


def write(program: Program, kind: str, reference: str, state: str) -> None:
    desk, now = program.shell.desk, datetime.now().astimezone()
    assert desk is not None
    made = desk.journal.write_now(write_store.queue_write, desk.profile.id, kind, reference, b"{}", now)  # type: ignore[arg-type]
    bring_to(desk.journal, made, state, now)  # type: ignore[arg-type]
    program.shell.services.news.wrote.emit()


def has_keyboard(tour: Tour) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and tour.panel.isAncestorOf(focused)


def bottom_of(program: Program) -> int:
    pages = program.window.pages
    return pages.mapTo(program.window, QPoint(0, pages.height())).y()


def test_it_is_offered_once_and_keeps_out_of_the_way(program: Program) -> None:
    focus = QApplication.focusWidget()
    tour = begin(program)
    panel = tour.panel
    program.loop.until(panel.isVisible)
    assert (panel.heading.text(), panel.sentence.text()) == (words.NAME, words.OFFER)
    assert QApplication.focusWidget() is focus, "nobody's keyboard is taken"
    # It covers nothing: the pages end where it begins.
    program.loop.until(lambda: bottom_of(program) <= panel.mapTo(program.window, QPoint(0, 0)).y())
    panel.later_button.click()
    assert not panel.isVisible()
    program.loop.until(lambda: kept(program) == {"done": [], "running": False, "offered": True})
    tour.begin()
    program.loop.until(lambda: not program.shell.busy)
    assert not panel.isVisible(), "never again by itself"


def test_who_has_sent_something_is_offered_nothing(program: Program) -> None:
    write(program, "submit", "OLD-1", "accepted")
    assert not begin(program).panel.isVisible()


def test_each_task_is_done_by_what_really_happens(program: Program) -> None:
    tour = begin(program)
    loop, shell, panel = program.loop, program.shell, tour.panel
    orders = shell.orders
    orders.line.editor.setText("a")
    loop.until(lambda: not orders.tasks.busy)
    loop.until(panel.isVisible)
    panel.begin_button.click()
    assert panel.heading.text() == "1 of 5 · Find an order"
    assert panel.show_button.hasFocus()
    # What was there before is no find.
    tour._look_at_orders()
    assert tour.current == "find"
    number = next(iter(orders.model.pages.values()))[0].number
    orders.open_order(number)
    loop.until(lambda: tour.current == "enter")
    assert panel.sentence.text().startswith("✓ Done: Find an order.")
    assert panel.heading.text() == "2 of 5 · Enter an order"

    loop.until(lambda: tour._last_write is not None)
    write(program, "submit", "TOUR-1", "rejected")
    loop.until(lambda: not shell.busy)
    assert tour.current == "enter", "a refused order is none"
    write(program, "submit", "TOUR-2", "accepted")
    loop.until(lambda: tour.current == "scan")

    shell.go("entry")
    form = shell.page("entry").form  # type: ignore[attr-defined]
    form.scan.field.setText("WB-1")
    QTest.keyClick(form.scan.field, Qt.Key.Key_Return)
    assert tour.current == "scan", "refused: there is no freight"
    form.load(OrderDraft(freightDetails=[FreightDraft("SOFA", "2")]))
    form.scan.field.setText("WB-1")
    QTest.keyClick(form.scan.field, Qt.Key.Key_Return)
    loop.until(lambda: tour.current == "cancel")

    loop.until(lambda: tour._last_write is not None)
    write(program, "cancel", "TOUR-2", "accepted")
    loop.until(lambda: not shell.busy)
    assert tour.current == "cancel", "it was not taken back"
    write(program, "cancel", "TOUR-3", "withdrawn")
    loop.until(lambda: tour.current == "review")
    shell.services.news.reviewed.emit()
    loop.until(lambda: panel.heading.text() == words.ALL_DONE)
    assert panel.connect_button.isVisible()
    panel.leave_button.click()
    assert not panel.isVisible()
    loop.until(lambda: kept(program) == {
        "done": ["cancel", "enter", "find", "review", "scan"], "running": False, "offered": True,
    })  # fmt: skip


def test_it_is_left_at_any_time_and_goes_on_where_it_was(program: Program) -> None:
    tour = begin(program)
    loop, panel = program.loop, tour.panel
    tour.start()
    panel.skip_button.click()
    assert panel.heading.text() == "2 of 5 · Enter an order"
    QTest.keyClick(program.window, Qt.Key.Key_F6)
    assert has_keyboard(tour)
    panel.leave_button.click()
    assert not panel.isVisible()
    assert words.LEFT in program.window.bar.text
    assert QApplication.focusWidget() is program.shell.orders.table, "where one works on the page"
    QTest.keyClick(program.window, Qt.Key.Key_F1)
    dialog = program.window.findChild(KeysDialog)
    assert dialog is not None
    loop.until(dialog.isVisible)
    dialog.tour_button.click()
    assert panel.heading.text() == "2 of 5 · Enter an order"
    loop.until(lambda: not program.shell.busy)
    # The program ends, and starts again.
    tour.state = TourState()
    tour.begin()
    loop.until(lambda: tour.current == "enter")
    assert panel.isVisible()
    assert any(each.title == words.COMMAND for each in WindowCommands(program.shell._reach()).commands())


def test_it_is_in_practice_alone(program: Program, fault_server: FaultServer) -> None:
    tour = begin(program)
    tour.start()
    program.loop.until(lambda: not program.shell.busy)
    profile = keep_profile(program, fault_server)
    program.shell.use_profile(profile.id)
    program.loop.until(lambda: not tour.panel.isVisible())
    tour.start()
    assert words.ONLY_IN_PRACTICE in program.window.bar.text
    (use,) = [each for each in program.window.bar.findChildren(QPushButton) if each.text() == words.USE_PRACTICE]
    use.click()
    program.loop.until(tour.panel.isVisible)
    assert tour.current == "find"


def test_a_page_that_is_off_has_no_task(program: Program) -> None:
    program.shell.leave_out({"audits"})
    tour = begin(program)
    tour.start()
    assert tour.panel.heading.text() == "1 of 4 · Find an order"
