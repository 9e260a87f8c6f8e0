"""After an action in Settings the keyboard stands at a person's next step, not at a widget that appeared by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QVBoxLayout, QWidget

from app.desk.desk import Desk
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import Keeping, SettingsPage
from tests.support.fault_server import TOKEN, Answer, FaultServer
from tests.support.faults import answered, held
from tests.support.loop import RunningLoop
from tests.ui.questions_help import answer, question
from tests.ui.settings.settings_help import SECRET, Heard, button, buttons, idle, saved, type_fault_server

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SettingsPage]:
    """The page in a window with a switcher before it, to which Qt would hand the keyboard."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    assert isinstance(offline_desk.journal, Journal)
    window = QWidget()
    made = SettingsPage(services, Keeping(offline_desk.journal, SecretStore(seconds=5), DataDir(tmp_path)))
    lines = QVBoxLayout(window)
    lines.addWidget(QPushButton("Profile"))
    lines.addWidget(made)
    services.theme.dress(window)
    window.resize(1280, 800)
    window.show()
    window.activateWindow()
    loop.until(window.isActiveWindow)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made))
    yield made
    loop.run(made.tasks.aclose(20))
    window.hide()
    window.deleteLater()
    loop.rest()


@pytest.fixture
def heard(page: SettingsPage) -> Heard:
    return Heard(page)


def press(target: QPushButton) -> None:
    """As by the keyboard."""
    target.setFocus()
    assert target.hasFocus()
    QTest.keyClick(target, Qt.Key.Key_Space)


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


@pytest.mark.parametrize("by", ["test_button", "save_button"])
@pytest.mark.parametrize("name", ["base_url", "info_base_url", "auth_url", "client_secret"])
def test_after_a_test_that_failed_it_is_in_the_field_at_fault(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer, name: str, by: str
) -> None:
    type_fault_server(page, fault_server, secret="wrong" if name == "client_secret" else SECRET)
    if name != "client_secret":
        page.form.fields[name].put(NOBODY)
    press(getattr(page.form, by))
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert page.form.fields[name].shown
    assert focused() is page.form.fields[name].editor


def test_after_a_good_test_it_is_where_it_was(loop: RunningLoop, page: SettingsPage, fault_server: FaultServer) -> None:
    type_fault_server(page, fault_server)
    press(page.form.test_button)
    assert page.form.isAncestorOf(focused()) or focused() is page.form
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert focused() is page.form.test_button


def test_a_second_press_while_it_is_tested_does_nothing(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    type_fault_server(page, fault_server)
    press(page.form.test_button)
    loop.until(lambda: fault_server.seen(TOKEN))
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(focused(), key)
    assert page.form.isVisible()
    gate.release()
    loop.until(lambda: idle(page) and page.form.card.isVisible())


def test_it_is_not_taken_from_where_a_person_has_put_it_meanwhile(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    fault_server.plan(answered(Answer(500)), TOKEN, times=None)
    type_fault_server(page, fault_server)
    press(page.form.test_button)
    loop.until(lambda: fault_server.seen(TOKEN))
    page.form.name.editor.setFocus()
    gate.release()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert focused() is page.form.name.editor


def test_where_something_is_missing_it_is_in_the_first_such_field(page: SettingsPage) -> None:
    page.connect_button.click()
    QTest.keyClicks(page.form.name.editor, "Acme")
    page.form.fields["base_url"].put("https://provider.example")  # at once, so that the next field is filled as well
    press(page.form.test_button)
    assert focused() is page.form.fields["auth_url"].editor


def test_after_saving_it_is_on_the_page_again(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    type_fault_server(page, fault_server)
    press(page.form.save_button)
    loop.until(lambda: heard.used)
    loop.until(lambda: idle(page))
    assert focused() is page.connect_button


@pytest.mark.parametrize("words", ["Test", "Change", "Use", "Remove"])
def test_a_line_that_is_drawn_anew_keeps_it(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, words: str
) -> None:
    saved(loop, page, heard, fault_server)
    name = f"{words} Acme & Sons"
    before = button(page, name)
    before.setFocus()
    page.enter()
    loop.until(lambda: idle(page))
    assert focused() is button(page, name)
    assert focused() is not before


def test_a_line_whose_use_was_pressed_keeps_it(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    """It is in use then, and has no such button any more."""
    saved(loop, page, heard, fault_server)
    button(page, "Use Acme & Sons").setFocus()
    offline_desk.profile = next(each for each in page._profiles if each.kind != "practice")
    page.take_desk(offline_desk)
    loop.until(lambda: idle(page) and not buttons(page, "Use Acme & Sons"))
    assert focused() is button(page, "Test Acme & Sons")


def test_after_a_connection_was_removed_it_is_where_one_is_made(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    saved(loop, page, heard, fault_server)
    press(button(page, "Remove Acme & Sons"))
    answer(question(loop, page), "Remove")
    loop.until(lambda: idle(page) and not buttons(page, "Remove Acme & Sons"))
    # The window is the active one again a while after the question has gone.
    loop.until(lambda: page.window().focusWidget() is page.connect_button)


def test_what_was_typed_is_not_lost_by_going_back(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    """The button for that is what Tab comes to after the last field."""
    type_fault_server(page, fault_server)
    press(button(page, "Go back"))
    answer(question(loop, page), "Stay here")
    loop.until(lambda: not page.tasks.running("leave form"))
    page.begin_connect()  # as the palette does
    assert page.form.isVisible()
    assert page.form.fields["client_secret"].text() == SECRET
    loop.until(lambda: not page.findChildren(QMessageBox))
    button(page, "Go back").click()
    answer(question(loop, page), "Go back without saving")
    loop.until(page.connect_button.isVisible)
    page.begin_connect()
    assert page.form.fields["client_secret"].text() == ""
    button(page, "Go back").click()  # nothing was typed, so nothing is asked
    assert page.connect_button.isVisible()


def test_a_line_says_that_it_is_being_tested(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    saved(loop, page, heard, fault_server)
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    press(button(page, "Test Acme & Sons"))
    loop.until(lambda: "Asking the provider…" in said_cards(page))
    gate.release()
    loop.until(lambda: any("Connected." in each for each in said_cards(page)))
    assert focused() is button(page, "Test Acme & Sons")


def said_cards(page: SettingsPage) -> list[str]:
    from app.ui.settings.capability_card import CardView

    return [each.text for each in page.findChildren(CardView) if each.isVisible()]


def test_the_page_takes_the_keyboard_where_it_was(page: SettingsPage, loop: RunningLoop) -> None:
    before = QApplication.focusWidget()
    assert before is None or not page.isAncestorOf(before)
    page.enter()
    assert page.connect_button.hasFocus()
    page.look.rows.editor.setFocus()
    switcher = page.window().findChild(QPushButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert switcher is not None
    switcher.setFocus()
    assert not page.look.rows.editor.hasFocus()
    page.enter()
    assert page.look.rows.editor.hasFocus()
    loop.until(lambda: idle(page))
    assert page.look.rows.editor.hasFocus(), "what is read anew takes it away from nobody"


def test_the_form_of_a_connection_is_in_sight_however_far_the_page_was_scrolled(
    page: SettingsPage, loop: RunningLoop
) -> None:
    bar = page._area.verticalScrollBar()
    loop.until(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    page.begin_connect()
    loop.rest()
    assert page.form.name.editor.hasFocus()
    assert not page.form.name.editor.visibleRegion().isEmpty()
    bar.setValue(bar.maximum())
    page.form.closed.emit()
    loop.rest()
    assert page.connect_button.hasFocus()
    assert not page.connect_button.visibleRegion().isEmpty()
