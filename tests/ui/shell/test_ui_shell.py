"""The window as a whole: the desk in force, the words about the window itself, and closing in order."""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from app.desk.bulk.outcome import watched_folder
from app.desk.bulk.outcome.watched_folder import FolderChoice
from app.desk.connections import profiles
from app.desk.connections.given_connections import PAGES
from app.desk.drafts import saved_drafts
from app.desk.known import known_data
from app.desk.requests.request_drafts import keep_template
from app.desk.sending import outbox
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES, rail_key
from app.ui.bulk.bulk_page import BulkPage
from app.ui.entry.entry_page import EntryPage
from app.ui.palette.window_commands import WindowCommands
from app.ui.theme.theme import Theme
from tests.support.desks import submission
from tests.support.fault_server import Answer, FaultServer, start_fault_server
from tests.support.faults import act_then_drop, answered, json_answer
from tests.support.loop import RunningLoop
from tests.support.practice_process import SMALL, start_practice
from tests.ui.shell_help import Program, keep_profile, open_program

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice world that is filled already."""
    folder = tmp_path_factory.mktemp("world") / "practice"
    start_practice(folder, *SMALL).stop()
    return folder


@pytest.fixture
def program(
    loop: RunningLoop,
    theme: Theme,
    services: PageServices,
    tmp_path: Path,
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Program]:
    """The window, painted; `begin_work` is for the test to call."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    folder = tmp_path / "data"
    shutil.copytree(world, folder / "practice")
    made = open_program(loop, theme, services, folder, SecretStore(seconds=5))
    yield made
    made.close()
    QApplication.clipboard().clear()


@pytest.fixture
def working(program: Program) -> Program:
    """The same, working for practice."""
    program.loop.run(program.shell.begin_work(program.secrets, program.practice))
    program.loop.until(lambda: program.window.link_label.text().startswith("✓ Connected"))
    return program


def queue(program: Program, reference: str) -> int:
    assert program.shell.desk is not None
    return program.loop.run(outbox.queue_submission(program.shell.desk, submission(reference), None))


def press(program: Program, words: str) -> None:
    buttons = program.window.bar.findChildren(QPushButton)
    (found,) = [each for each in buttons if each.text() == words and each.isVisible()]
    found.click()


def test_it_opens_in_practice_with_no_set_up_and_cannot_be_mistaken(working: Program) -> None:
    window = working.window
    assert window.band.isVisible()
    assert window.windowTitle() == "Waybill · Practice"
    assert window.profile_choice.currentText() == "Practice"
    working.loop.until(lambda: working.shell.orders.model.rowCount() > 10)
    working.loop.until(lambda: " · as of " in window.left_label.text())


def test_a_journal_that_was_damaged_is_said_in_the_window_once(
    loop: RunningLoop,
    theme: Theme,
    services: PageServices,
    tmp_path: Path,
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An empty outbox without a word looks as if nothing had ever been sent."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    folder = tmp_path / "data"
    shutil.copytree(world, folder / "practice")
    (folder / "journal.sqlite3").write_bytes(bytes(range(256)) * 400)
    said = []
    for _start in range(2):
        program = open_program(loop, theme, services, folder, SecretStore(seconds=5))
        try:
            loop.run(program.shell.begin_work(program.secrets, program.practice))
            loop.until(lambda: program.window.link_label.text().startswith("✓ Connected"))  # noqa: B023
            said.append(program.window.bar.text)
            if said[0] and len(said) == 1:
                press(program, "Show in Settings")
                label = program.shell.page("settings").journal_section.restored_label  # type: ignore[attr-defined]
                loop.until(label.isVisible)
                assert "nothing of it could be read" in label.text()
        finally:
            program.close()
    assert "The journal was made anew because" in said[0]
    assert "the outbox and the drafts begin empty. The file before is kept as journal.damaged." in said[0]
    assert said[1] == ""


def test_an_order_goes_through_the_whole_window(working: Program) -> None:
    assert working.shell.desk is not None
    queue(working, "SHELL-1")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: working.loop.run(outbox.counts(working.shell.desk))["accepted"] == 1)  # type: ignore[arg-type]
    working.loop.until(lambda: working.window.right_label.text() == "")


def test_another_profile_has_no_band_its_own_name_and_is_remembered(
    working: Program, fault_server: FaultServer
) -> None:
    keep_profile(working, fault_server, name="Acme [*] & Sons", kind="production")
    working.shell.use_profile("acme")
    working.loop.until(lambda: working.window.windowTitle() == "Waybill · Acme [*][*] & Sons · production")
    working.loop.until(lambda: fault_server.seen("/orders/completed"))
    assert not working.window.band.isVisible()
    assert working.window.profile_choice.currentText() == "Acme [*] & Sons · production"
    working.loop.until(lambda: working.loop.run(profiles.last_used(working.kept.journal)).id == "acme")
    working.window.profile_choice.setCurrentIndex(0)
    working.window.profile_choice.activated.emit(0)
    working.loop.until(working.window.band.isVisible)


def test_each_profile_s_orders_go_to_its_own_provider(working: Program) -> None:
    with start_fault_server() as here, start_fault_server() as there:
        keep_profile(working, here, id="here", name="Here")
        keep_profile(working, there, id="there", name="There")
        for name, server in (("here", here), ("there", there)):
            working.shell.use_profile(name)
            working.loop.until(lambda name=name: working.shell.desk and working.shell.desk.profile.id == name)  # type: ignore[misc]
            queue(working, f"FOR-{name}")
            working.shell.services.news.queue_changed.emit()
            working.loop.until(lambda server=server: server.book.all())  # type: ignore[misc]
        assert [each.reference for each in here.book.all()] == ["FOR-here"]
        assert [each.reference for each in there.book.all()] == ["FOR-there"]
        working.shell.use_profile(profiles.PRACTICE_ID)
        working.loop.until(working.window.band.isVisible)


def test_the_outbox_is_counted_in_the_rail_and_below(working: Program, fault_server: FaultServer) -> None:
    keep_profile(working, fault_server)
    fault_server.plan(answered(json_answer({"title": "No"}, 400)), "/Order/submit")
    working.shell.use_profile("acme")
    working.loop.until(lambda: fault_server.seen("/orders/completed"))
    queue(working, "R-1")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: working.window.right_label.text() == "Outbox: 1 needs you")
    assert working.window.rail._buttons["outbox"].accessibleName() == "Outbox, 1"
    working.loop.until(lambda: working.window.bar.text)
    working.shell.go("outbox")
    assert (working.window.bar.action_text, bool(working.window.bar.text)) == ("", True), "it is shown already"
    working.shell.go("orders")
    press(working, "Show outbox")
    assert working.window.pages.currentWidget() is working.shell.page("outbox")
    fault_server.plan(answered(Answer(403)), "/Order/submit")
    queue(working, "R-2")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: working.window.right_label.text() == "Outbox: 2 need you")


def test_files_of_the_watched_folder_that_wait_are_counted_and_a_folder_that_is_gone_is_said(
    working: Program, tmp_path: Path
) -> None:
    window, folder = working.window, tmp_path / "in"
    folder.mkdir()
    assert working.shell.desk is not None
    desk = working.shell.desk
    working.loop.run(watched_folder.choose(desk, FolderChoice(folder)))
    (folder / "orders.csv").write_text("Reference,Consignee\nR-1,J. Rivera\n")
    working.shell.services.news.folder_chosen.emit()

    def counted() -> str:
        working.shell.folder.look()
        return window.rail._buttons["bulk"].accessibleName()

    working.loop.until(lambda: counted() == "Import, 1")
    page = working.shell.page("bulk")
    assert isinstance(page, BulkPage)
    assert len(page.start.folder.open_buttons) == 1  # also on a page that is made after the look
    folder.rename(tmp_path / "moved")
    working.loop.until(lambda: (counted(), window.bar.text.startswith("Watched folder: "))[1], lambda: window.bar.text)
    (tmp_path / "moved").rename(folder)
    working.loop.until(lambda: (counted(), not window.bar.text.startswith("Watched folder: "))[1])
    working.loop.run(watched_folder.choose(desk, FolderChoice()))
    working.shell.services.news.folder_chosen.emit()
    working.loop.until(lambda: window.rail._buttons["bulk"].accessibleName() == "Import")


def test_what_is_said_of_a_doubt_is_withdrawn_once_it_is_settled(working: Program, fault_server: FaultServer) -> None:
    keep_profile(working, fault_server)
    fault_server.plan(act_then_drop(), "/Order/submit")
    working.shell.use_profile("acme")
    working.loop.until(lambda: fault_server.seen("/orders/completed"))
    # The end of a fetch makes the settler look, as its clock does: the doubt might be settled before it is seen here.
    orders, settler = working.shell.orders, working.shell.settler
    working.loop.until(lambda: bool(orders.refresher.results) and not orders.refresher.busy and not settler.busy)
    settler._timer.stop()
    queue(working, "R-1")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(
        lambda: "may have arrived, and is not sent again" in working.window.bar.text,
        lambda: f"{working.window.bar.text!r}, {working.window.right_label.text()!r}, settling: {settler.busy}",
    )
    working.shell.settler.look()
    working.loop.until(lambda: working.window.right_label.text() == "")
    working.loop.until(lambda: working.window.bar.text == "")


def test_practice_that_is_gone_is_said_and_comes_back(working: Program) -> None:
    os.kill(int(working.practice._process.processId()), signal.SIGKILL)
    working.loop.until(lambda: "The practice service has stopped" in working.window.bar.text)
    assert working.shell.desk is not None
    assert working.shell.desk.provider is None
    queue(working, "OFFLINE-1")
    working.shell.services.news.queue_changed.emit()
    working.loop.until(lambda: "1 on its way" in working.window.right_label.text())
    press(working, "Restart practice")
    working.loop.until(lambda: working.loop.run(outbox.counts(working.shell.desk))["accepted"] == 1)  # type: ignore[arg-type]


def test_without_its_secret_a_connection_says_what_to_do(working: Program, fault_server: FaultServer) -> None:
    profile = keep_profile(working, fault_server)
    working.loop.run(working.secrets.delete(profile.id))
    working.shell.use_profile(profile.id)
    working.loop.until(lambda: "client secret is not on this computer" in working.window.link_label.text())
    assert fault_server.seen() == []


def test_a_profile_may_be_changed_before_the_client_is_loaded(program: Program, fault_server: FaultServer) -> None:
    profile = keep_profile(program, fault_server)
    program.shell.use_profile(profile.id)
    program.loop.until(lambda: program.window.windowTitle().endswith("Acme Freight · test system"))
    program.loop.run(program.shell.begin_work(program.secrets, program.practice))
    program.loop.until(lambda: program.window.link_label.text().startswith("✓ Connected"))
    assert len(fault_server.seen("/orders/open")) >= 1


def test_keys_go_to_the_pages(working: Program) -> None:
    digits = [each for each in ENTRIES if not each.key]
    for place, each in reversed(list(enumerate(digits[:10], 1))):
        QTest.keyClick(working.window, Qt.Key(Qt.Key.Key_0.value + place % 10), CTRL)
        assert working.window.pages.currentWidget() is working.shell.page(each.name)
        assert working.window.rail._buttons[each.name].isChecked()
    QTest.keyClick(working.window, Qt.Key.Key_T, CTRL)
    assert working.window.pages.currentWidget() is working.shell.page("today")
    QTest.keyClick(working.window, Qt.Key.Key_F1)
    (dialog,) = [each for each in working.window.findChildren(QDialog) if each.isVisible()]
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    working.loop.rest()


class WindowsShown(QObject):
    """Notes every widget that is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.found.append(watched)
        return False


def test_no_part_of_a_page_is_shown_before_it_is_in_the_page(working: Program) -> None:
    """On Windows it would take the keyboard from the window as it goes into the page, and not give it back."""
    shown = WindowsShown()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(shown)
    for each in ENTRIES:
        working.shell.go(each.name)
        working.loop.rest()
    application.removeEventFilter(shown)
    assert [f"{type(each).__name__} {each.objectName()}" for each in shown.found] == []


def test_a_page_that_the_administrator_switched_off_is_nowhere(working: Program) -> None:
    working.shell.leave_out({"console", "bulk"})
    assert not working.window.rail._buttons["console"].isVisible()
    QTest.keyClick(working.window, Qt.Key.Key_0, CTRL)  # the key of the console
    assert working.window.pages.currentWidget() is working.shell.orders
    assert not working.shell.go("console")
    assert working.window.bar.text == "Your administrator has switched this page off on this computer."
    working.shell.news_routes.import_files([Path("orders.csv")])
    assert {"console", "bulk"}.isdisjoint(working.shell._pages)
    titles = [each.title for each in WindowCommands(working.shell._reach()).commands()]
    assert "Audits" in titles
    assert {"Console", "Import"}.isdisjoint(titles)


@pytest.mark.parametrize("name", list(PAGES.values()))
def test_the_key_of_a_page_that_is_off_says_who_switched_it_off(working: Program, name: str) -> None:
    working.shell.leave_out({name})
    key = rail_key(next(each for each in ENTRIES if each.name == name))
    if key:
        QTest.keySequence(working.window, QKeySequence(key))
    assert working.window.pages.currentWidget() is working.shell.orders
    assert working.window.bar.text == ("Your administrator has switched this page off on this computer." if key else "")


def test_nothing_in_the_palette_or_the_menu_leads_to_pages_that_are_off(working: Program) -> None:
    shell, loop, desk = working.shell, working.loop, working.shell.desk
    assert desk is not None
    loop.run(keep_template(desk, "truck_submit", "Flatbed", "{}"))
    commands = WindowCommands(shell._reach())

    def offered(text: str = "") -> list[tuple[str, str]]:
        found = [*commands.commands(), *loop.run(commands.read_more()), *commands.about(text)]
        return [(each.title, each.detail) for each in found]

    look_up = ("Look up the status of trucks", "order reference")
    before = offered("trucks")
    assert {look_up, ("Flatbed", "template of a truck")} <= set(before)
    actions = {each.name for each in shell.orders.row_actions.offered}
    shell.leave_out(set(PAGES.values()))
    after = offered("trucks")
    assert ("Trucks", "switched off by your administrator") in after
    assert not {look_up, ("Flatbed", "template of a truck")} & set(after)
    assert actions - {each.name for each in shell.orders.row_actions.offered} == {"load", "facilities"}
    assert "Overage of load L-1" not in [title for title, _ in offered("L-1")]
    assert look_up not in offered("quotes")
    assert "Look up the status of L-1" in [title for title, _ in offered("L-1")]


def test_a_page_that_cannot_be_made_in_the_first_moment_is_shown_as_soon_as_it_can(program: Program) -> None:
    """The key of the settings between the first paint and the work that follows it."""
    QTest.keyClick(program.window, Qt.Key.Key_Comma, CTRL)
    assert program.window.pages.currentWidget() is program.shell.orders
    program.loop.run(program.shell.begin_work(program.secrets, program.practice))
    assert program.window.pages.currentWidget() is program.shell.page("settings")
    assert program.window.rail._buttons["settings"].isChecked()


def test_whoever_goes_elsewhere_meanwhile_is_left_there(program: Program) -> None:
    QTest.keyClick(program.window, Qt.Key.Key_Comma, CTRL)
    QTest.keyClick(program.window, Qt.Key.Key_3, CTRL)
    assert program.window.pages.currentWidget() is program.shell.page("outbox")
    program.loop.run(program.shell.begin_work(program.secrets, program.practice))
    assert program.window.pages.currentWidget() is program.shell.page("outbox")
    assert program.window.rail._buttons["outbox"].isChecked()


@pytest.mark.parametrize("name", ["orders", "entry", "outbox", "settings"])
def test_no_two_shortcuts_of_a_page_share_a_key(working: Program, name: str) -> None:
    """Qt activates neither of two that could both be meant."""
    working.shell.go(name)
    meant = [
        each.key().toString()
        for each in working.window.findChildren(QShortcut)
        if each.isEnabled() and each.context() == Qt.ShortcutContext.WindowShortcut and is_shown(each.parent())
    ]
    assert "Ctrl+N" in meant
    assert [key for key, count in Counter(meant).items() if count > 1] == []


def is_shown(owner: QObject | None) -> bool:
    return isinstance(owner, QWidget) and owner.isVisible()


def test_ctrl_n_gives_a_blank_order_also_on_the_page_itself(working: Program) -> None:
    QTest.keyClick(working.window, Qt.Key.Key_N, CTRL)
    page = working.shell.page("entry")
    assert isinstance(page, EntryPage)
    reference = page.form.fields["orderReferenceNumber"]
    working.loop.until(reference.editor.hasFocus)
    QTest.keyClicks(reference.editor, "FIRST")
    QTest.keyClick(working.window, Qt.Key.Key_N, CTRL)
    desk = working.shell.desk
    assert desk is not None
    working.loop.until(lambda: [each.name for each in working.loop.run(saved_drafts.all_open(desk))] == ["FIRST"])
    working.loop.until(lambda: page.form.draft().orderReferenceNumber == "")


def test_an_order_that_is_shown_is_changed_and_cloned_by_key_and_its_consignee_is_known(working: Program) -> None:
    shell, loop = working.shell, working.loop
    assert shell.desk is not None
    loop.until(lambda: shell.orders.model.rowCount() and not shell.orders.refresher.busy)
    line = shell.orders.model.line(0)
    assert line is not None
    assert line.number is not None
    shell.orders.side.show_order(line.number)
    loop.until(lambda: not shell.orders.tasks.running("detail"))
    page = shell.page("entry")
    assert isinstance(page, EntryPage)
    for key, reference in ((Qt.Key.Key_E, line.crn), (Qt.Key.Key_D, "")):
        shell.go("orders")
        QTest.keyClick(shell.orders, key, CTRL)
        loop.until(page.isVisible)
        loop.until(lambda: not page.tasks.running("show draft"))
        draft = page.form.draft()
        assert (draft.orderReferenceNumber, draft.consignee.consigneeName) == (reference, line.consignee_name)
    name = line.consignee_name or ""
    loop.until(lambda: loop.run(known_data.find(shell.desk, "consignee", name)).rows if shell.desk else None)
    write = loop.run(outbox.queue_submission(shell.desk, submission("R-77"), None))
    shell.services.news.clone_write.emit(write)
    loop.until(lambda: page.bar.text.startswith("A new order like R-77"))


@pytest.mark.parametrize("by_key", [True, False])
def test_closing_asks_first_and_then_keeps_what_is_typed(working: Program, by_key: bool) -> None:
    asked: list[int] = []
    working.shell.closing.connect(lambda: asked.append(1))
    QTest.keyClick(working.window, Qt.Key.Key_N, CTRL)
    page = working.shell.page("entry")
    assert isinstance(page, EntryPage)
    QTest.keyClicks(page.form.fields["orderReferenceNumber"].editor, "LAST-KEYS")
    if by_key:
        QTest.keyClick(working.window, Qt.Key.Key_Q, CTRL)
    else:
        working.window.close()
    working.loop.until(lambda: asked)
    assert asked == [1]
    assert working.window.isVisible()
    pid = int(working.practice._process.processId())
    working.loop.run(working.shell.aclose())
    assert not Path(f"/proc/{pid}").exists()
    assert working.shell.desk is not None
    assert [each.name for each in working.loop.run(saved_drafts.all_open(working.shell.desk))] == ["LAST-KEYS"]
