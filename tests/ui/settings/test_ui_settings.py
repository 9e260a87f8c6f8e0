"""Settings: a connection is kept only after a good test, its secret is in the keyring or in memory and nowhere else."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPushButton

from app.desk.connections import profiles
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.store.journal import write_store
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import Keeping, SettingsPage
from tests.support.desks import order_draft, submission
from tests.support.fault_server import TOKEN, Answer, FaultServer
from tests.support.faults import answered, held
from tests.support.loop import RunningLoop
from tests.support.practice_process import PracticeProcess
from tests.ui.conftest import Show
from tests.ui.questions_help import answer, question
from tests.ui.settings.settings_help import (
    SECRET,
    Heard,
    button,
    buttons,
    idle,
    kept,
    said,
    saved,
    type_connection,
    type_fault_server,
)


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> SecretStore:
    """A computer without a keyring: nothing of the person's own is touched."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    return SecretStore(seconds=5)


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, secrets: SecretStore, tmp_path: Path
) -> SettingsPage:
    assert isinstance(offline_desk.journal, Journal)
    made = SettingsPage(services, Keeping(offline_desk.journal, secrets, DataDir(tmp_path)))
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made))
    return made


def test_choices_that_nothing_gives_a_width_can_be_read_whole(page: SettingsPage) -> None:
    for editor in (page.appearance.editor, page.journal_section.age.editor):
        longest = max(editor.fontMetrics().horizontalAdvance(editor.itemText(at)) for at in range(editor.count()))
        assert editor.width() >= longest + 22, "and its arrow"


@pytest.fixture
def heard(page: SettingsPage) -> Heard:
    return Heard(page)


@pytest.fixture(autouse=True)
def no_secret_in_the_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.DEBUG)
    yield
    assert SECRET not in caplog.text


def test_practice_is_listed_without_set_up(page: SettingsPage) -> None:
    assert "Practice, on this computer" in said(page)
    assert "kept in memory" in page.secret_label.text()


def test_the_card_says_what_the_client_may_do(
    loop: RunningLoop, page: SettingsPage, practice: PracticeProcess, offline_desk: Desk
) -> None:
    facts = practice.facts
    places = {name: facts[name] for name in ("base_url", "info_base_url", "auth_url")}
    type_connection(page, places, facts["limited_client_id"], facts["limited_client_secret"])
    page.form.test_button.click()
    assert not page.form.test_button.isEnabled()
    loop.until(lambda: idle(page))
    card = page.form.card
    assert card.isVisible()
    assert "See open and completed orders: Granted and tried." in card.text
    assert "Orders can be written here but not sent." in card.text
    assert card.text.count("Not granted") == 4
    shown = said(card)
    assert (shown.count("✓ Yes"), shown.count("✕ No")) == (1, 4)
    assert page.form.test_button.isEnabled()
    assert kept(loop, offline_desk.journal) == [], "a test keeps nothing"


def test_saving_tests_first_keeps_then_and_uses(
    loop: RunningLoop,
    page: SettingsPage,
    heard: Heard,
    fault_server: FaultServer,
    secrets: SecretStore,
    offline_desk: Desk,
) -> None:
    type_fault_server(page, fault_server)
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    assert fault_server.seen(TOKEN)
    (profile,) = [each for each in loop.run(profiles.all_profiles(offline_desk.journal)) if each.kind != "practice"]
    assert (profile.name, profile.kind, profile.base_url) == ("Acme & Sons", "production", fault_server.origin)
    assert profile.scopes
    assert heard.used == [profile.id]
    assert loop.run(secrets.read(profile.id)) == SECRET
    assert "was saved. Its secret is kept in memory" in page.bar.text
    for path in offline_desk.journal.path.parent.iterdir():
        assert SECRET.encode() not in path.read_bytes(), path.name


def test_a_bad_test_keeps_nothing_and_what_was_typed_stays(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    type_fault_server(page, fault_server, secret=f"{SECRET}-wrong")
    page.form.save_button.click()
    loop.until(lambda: idle(page))
    assert heard.used == []
    assert kept(loop, offline_desk.journal) == []
    assert page.form.fields["client_secret"].shown
    assert page.form.fields["client_id"].text() == fault_server.tokens.client_id
    assert "Nothing was saved" in page.form.said.text()
    assert SECRET not in said(page)


def test_a_wrong_address_is_said_beside_its_field(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    type_fault_server(page, fault_server)
    auth = page.form.fields["auth_url"]
    auth.editor.selectAll()
    QTest.keyClicks(auth.editor, "https://provider.invalid")
    page.form.test_button.click()
    loop.until(lambda: idle(page))
    assert "provider.invalid" in auth.shown
    assert not page.form.fields["base_url"].trouble


def test_what_is_required_is_spoken_too(page: SettingsPage) -> None:
    page.begin_connect()
    field = page.form.fields["client_id"]
    assert field.editor.accessibleDescription() == "Required."
    field.set_notice("Not known.")
    assert field.editor.accessibleDescription() == "Not known."
    QTest.keyClicks(field.editor, "x")
    assert field.editor.accessibleDescription() == "Required."


NOBODY = "http://127.0.0.1:9"


@pytest.mark.parametrize("name", ["base_url", "info_base_url"])
def test_a_service_that_is_not_there_is_said_beside_its_address_and_kept_only_by_saying_so(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk, name: str
) -> None:
    type_fault_server(page, fault_server)
    form = page.form
    assert not form.anyway_button.isVisible()
    form.fields[name].editor.selectAll()
    QTest.keyClicks(form.fields[name].editor, NOBODY)
    form.save_button.click()
    loop.until(lambda: idle(page) and form.card.isVisible())
    marked = {each: field.trouble for each, field in form.fields.items() if field.trouble}
    assert marked == {name: f"{NOBODY} could not be reached: nothing listens at that address."}
    assert form.said.text().startswith("Nothing was saved")
    assert kept(loop, offline_desk.journal) == []
    QTest.keyClicks(form.fields["client_id"].editor, "x")
    assert not form.anyway_button.isVisible(), "what is typed now was not tested"
    QTest.keyClick(form.fields["client_id"].editor, Qt.Key.Key_Backspace)
    asked = len(fault_server.seen())
    form.anyway_button.click()
    loop.until(lambda: heard.used)
    assert len(fault_server.seen()) == asked, "a person has decided; nothing is asked again"
    assert kept(loop, offline_desk.journal) == ["Acme & Sons"]
    assert "was saved. It does not work yet" in page.bar.text


def test_a_mark_goes_once_the_same_address_answers(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    type_fault_server(page, fault_server)
    for path in ("/Order/test", "/Quote/test", "/Integration/crossReference"):
        fault_server.plan(answered(Answer(404)), path)
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert "is not the order management service" in page.form.fields["base_url"].shown
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.said.text() == "")
    assert page.form.fields["base_url"].trouble == ""
    assert not page.form.anyway_button.isVisible()


def test_what_is_missing_is_named_and_nothing_is_asked(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    page.connect_button.click()
    QTest.keyClicks(page.form.fields["base_url"].editor, "provider.example")
    page.form.save_button.click()
    loop.rest()
    assert page.form.said.text().startswith("Still to fill in: Name of this connection, Order information address")
    assert page.form.said.text().endswith(". To put right: Order management address."), "that one is filled in"
    assert page.form.fields["base_url"].shown == "An address begins with https://"
    assert page.form.fields["client_secret"].shown == "Required."
    assert fault_server.seen() == []
    QTest.keyClicks(page.form.name.editor, "Acme")
    assert page.form.said.text().startswith("Still to fill in: Order information address"), "it is filled in by now"
    for name, text in (("info_base_url", "https://i.example"), ("auth_url", "https://a.example"), ("client_id", "c")):
        QTest.keyClicks(page.form.fields[name].editor, text)
    QTest.keyClicks(page.form.fields["client_secret"].editor, "s")
    assert page.form.said.text() == "To put right: Order management address."
    page.form.fields["base_url"].put("https://provider.example")
    assert page.form.said.text() == ""


def test_what_was_changed_after_a_good_test_is_tested_again_before_it_is_kept(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    type_fault_server(page, fault_server)
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    QTest.keyClicks(page.form.fields["client_secret"].editor, "x")
    page.form.save_button.click()
    loop.until(lambda: idle(page))
    assert heard.used == []
    assert kept(loop, offline_desk.journal) == []


def test_what_was_changed_while_a_test_ran_is_not_taken_for_tested(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    type_fault_server(page, fault_server)
    page.form.test_button.click()
    loop.until(lambda: fault_server.seen(TOKEN))
    QTest.keyClicks(page.form.fields["client_secret"].editor, "x")
    gate.release()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert page.form.said.text() == "What is typed has changed since this test."
    page.form.save_button.click()
    loop.until(lambda: idle(page))
    assert heard.used == []
    assert kept(loop, offline_desk.journal) == []


def test_a_name_may_change_after_the_test(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    type_fault_server(page, fault_server)
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    asked = len(fault_server.seen(TOKEN))
    QTest.keyClicks(page.form.name.editor, " Ltd")
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    assert len(fault_server.seen(TOKEN)) == asked


def test_a_form_that_was_left_while_it_tested_can_be_used_again(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    type_fault_server(page, fault_server)
    page.form.test_button.click()
    loop.until(lambda: fault_server.seen(TOKEN))
    page.form.closed.emit()
    answer_with(loop, page, "Go back without saving")
    loop.until(page.connect_button.isVisible)
    gate.release()
    page.connect_button.click()
    assert page.form.test_button.isEnabled()
    assert page.form.save_button.isEnabled()
    assert page.form.fields["client_secret"].text() == ""
    loop.rest()
    assert not page.form.card.isVisible()


def test_a_kept_secret_is_never_shown_and_stays_unless_another_is_typed(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, secrets: SecretStore
) -> None:
    saved(loop, page, heard, fault_server)
    button(page, "Change Acme & Sons").click()
    assert page.form.fields["client_secret"].text() == ""
    assert isinstance(page.form.fields["client_secret"].editor, QLineEdit)
    assert page.form.fields["client_secret"].editor.echoMode() == QLineEdit.EchoMode.Password
    assert SECRET not in said(page)
    QTest.keyClicks(page.form.name.editor, " Ltd")
    page.form.save_button.click()
    loop.until(lambda: len(heard.used) == 2)
    assert loop.run(secrets.read(heard.used[0])) == SECRET


def test_a_connection_is_saved_by_key(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    saved(loop, page, heard, fault_server)
    button(page, "Change Acme & Sons").click()
    QTest.keyClicks(page.form.name.editor, " Ltd")
    QTest.keyClick(page.form.name.editor, Qt.Key.Key_Return)
    assert not page.tasks.running("save connection"), "a scanner ends in Enter"
    QTest.keyClick(page.form.name.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: len(heard.used) == 2)


def test_the_keyboard_begins_where_a_secret_is_missing(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, secrets: SecretStore
) -> None:
    saved(loop, page, heard, fault_server)
    secret = page.form.fields["client_secret"]
    button(page, "Change Acme & Sons").click()
    loop.until(lambda: secret.shown != "")
    assert page.form.name.editor.hasFocus(), "nothing is missing"
    page._close_form()
    loop.run(secrets.delete(heard.used[0]))
    button(page, "Change Acme & Sons").click()
    loop.until(lambda: secret.shown == "None is kept on this computer yet.")
    assert secret.editor.hasFocus()
    page._close_form()
    button(page, "Change Acme & Sons").click()
    QTest.keyClicks(page.form.name.editor, "!")
    loop.until(lambda: secret.shown == "None is kept on this computer yet.")
    assert page.form.name.editor.hasFocus(), "a person has begun to type there"


def test_a_kept_connection_is_tested_in_its_line(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    saved(loop, page, heard, fault_server)
    fault_server.plan(answered(Answer(500)), TOKEN, times=None)
    button(page, "Test Acme & Sons").click()
    loop.until(lambda: "failed" in said(page))


def test_a_test_whose_line_was_drawn_anew_ends_quietly(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer
) -> None:
    saved(loop, page, heard, fault_server)
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), TOKEN)
    before = len(fault_server.seen(TOKEN))
    button(page, "Test Acme & Sons").click()
    loop.until(lambda: len(fault_server.seen(TOKEN)) > before)
    page.enter()
    loop.until(lambda: idle(page))
    gate.release()
    loop.rest(20)


def test_a_connection_is_removed_with_its_secret_after_a_question(
    loop: RunningLoop,
    page: SettingsPage,
    heard: Heard,
    fault_server: FaultServer,
    secrets: SecretStore,
    offline_desk: Desk,
) -> None:
    saved(loop, page, heard, fault_server)
    button(page, "Remove Acme & Sons").click()
    loop.until(lambda: page.findChildren(QMessageBox))
    (box,) = page.findChildren(QMessageBox)
    assert box.text() == "Remove the connection Acme & Sons?"
    assert "and so are the orders, audits and pictures that were fetched through it" in box.informativeText()
    (yes,) = [each for each in box.findChildren(QPushButton) if each.text() == "Remove"]
    yes.click()
    loop.until(lambda: kept(loop, offline_desk.journal) == [])
    assert loop.run(secrets.read(heard.used[0])) is None


def test_the_appearance_is_chosen_at_once(page: SettingsPage, services: PageServices) -> None:
    chosen: list[str] = []
    page.appearance_chosen.connect(chosen.append)
    page.appearance.editor.setCurrentIndex(2)
    assert (chosen, services.theme.appearance) == (["dark"], "dark")
    page.appearance.editor.setCurrentIndex(1)
    assert (chosen, services.theme.appearance) == (["dark", "light"], "light")
    assert QApplication.instance() is not None


def test_an_appearance_that_is_chosen_elsewhere_is_shown(page: SettingsPage, services: PageServices) -> None:
    chosen: list[str] = []
    page.appearance_chosen.connect(chosen.append)
    services.theme.choose("dark")
    assert page.appearance.text() == "dark"
    services.theme.choose("light")
    assert (page.appearance.text(), chosen) == ("light", []), "nobody chose it here"


def test_the_note_on_maps_names_the_site_that_is_chosen(loop: RunningLoop, page: SettingsPage) -> None:
    assert page.map_note.text() == "Nothing is sent to a map site."
    try:
        page.map_site.put("osm")
        loop.until(lambda: "OpenStreetMap" in page.map_note.text())
    finally:
        page.map_site.put("")
        loop.until(lambda: page.map_note.text() == "Nothing is sent to a map site.")


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("http://orders.provider.example", True),
        ("https://orders.provider.example", False),
        ("http://127.0.0.1:8080", False),
        ("http://[::1]:8080", False),
        ("http://", False),
    ],
)
def test_an_address_without_encryption_is_said(page: SettingsPage, address: str, warned: bool) -> None:
    page.begin_connect()
    QTest.keyClicks(page.form.fields["auth_url"].editor, address)
    assert page.form.unencrypted.isVisibleTo(page.form) == warned
    assert ("orders.provider.example" in page.form.unencrypted.text()) == warned


def answer_with(loop: RunningLoop, page: SettingsPage, words: str) -> None:
    answer(question(loop, page), words)
    loop.until(lambda: not page.findChildren(QMessageBox))


@pytest.fixture
def connected(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> Desk:
    """A desk of the connection that was just saved, not in use."""
    saved(loop, page, heard, fault_server)
    (profile,) = [each for each in loop.run(profiles.all_profiles(offline_desk.journal)) if each.kind != "practice"]
    return replace(offline_desk, profile=profile)


def in_doubt(loop: RunningLoop, desk: Desk, write: int) -> None:
    def break_off(c: apsw.Connection) -> None:
        write_store.end_attempt(c, write_store.begin_attempt(c, write, desk.now()), "unknown", desk.now())

    loop.run(desk.journal.write(break_off))


def test_a_connection_with_something_in_its_outbox_stays_and_its_outbox_is_shown(
    loop: RunningLoop, page: SettingsPage, connected: Desk, secrets: SecretStore
) -> None:
    asked: list[str] = []
    page.outbox_asked.connect(asked.append)
    loop.run(outbox.queue_submission(connected, submission("WAITS"), None))
    in_doubt(loop, connected, loop.run(outbox.queue_submission(connected, submission("DOUBT"), None)))
    button(page, "Remove Acme & Sons").click()
    loop.until(lambda: "was not removed" in page.bar.text)
    assert "1 queued and 1 in doubt in its outbox" in page.bar.text
    assert not page.findChildren(QMessageBox)
    assert kept(loop, connected.journal) == ["Acme & Sons"]
    assert loop.run(secrets.read(connected.profile.id)) == SECRET
    page.bar.act()
    assert asked == [connected.profile.id]


def test_a_connection_that_is_made_again_has_its_history(
    loop: RunningLoop, page: SettingsPage, heard: Heard, connected: Desk, fault_server: FaultServer
) -> None:
    write = loop.run(outbox.queue_submission(connected, submission("SENT"), None))
    loop.run(outbox.settle(connected, write, "withdrawn", "Withdrawn."))
    loop.run(saved_drafts.save(connected, "d-1", order_draft("TYPED")))
    button(page, "Remove Acme & Sons").click()
    assert "with 1 open draft, stays in the journal" in question(loop, page).informativeText()
    answer_with(loop, page, "Remove")
    loop.until(lambda: kept(loop, connected.journal) == [])
    heard.used.clear()
    saved(loop, page, heard, fault_server)
    assert heard.used == [connected.profile.id]
    assert [each.reference for each in loop.run(outbox.writes(connected, (), 9))] == ["SENT"]
    assert [each.name for each in loop.run(saved_drafts.all_open(connected))] == ["TYPED"]


def change_client(loop: RunningLoop, page: SettingsPage, fault_server: FaultServer) -> None:
    page.reload()
    loop.until(lambda: idle(page) and buttons(page, "Change Acme & Sons"))  # a line is seen a turn after it is made
    button(page, "Change Acme & Sons").click()
    fault_server.tokens.client_id = "another-client"
    editor = page.form.fields["client_id"].editor
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "another-client")
    page.form.save_button.click()


def test_what_may_have_arrived_keeps_a_connection_where_it_is(
    loop: RunningLoop, page: SettingsPage, connected: Desk, fault_server: FaultServer
) -> None:
    in_doubt(loop, connected, loop.run(outbox.queue_submission(connected, submission("DOUBT"), None)))
    change_client(loop, page, fault_server)
    loop.until(lambda: "was not changed: 1 in doubt in its outbox" in page.bar.text)
    loop.until(lambda: idle(page))
    assert "Nothing was saved" in said(page)
    assert loop.run(profiles.all_profiles(connected.journal))[-1] == connected.profile


def test_what_is_queued_goes_to_another_place_only_if_a_person_says_so(
    loop: RunningLoop, page: SettingsPage, connected: Desk, fault_server: FaultServer
) -> None:
    loop.run(outbox.queue_submission(connected, submission("WAITS"), None))
    change_client(loop, page, fault_server)
    assert "1 in its outbox has not left" in question(loop, page).informativeText()
    answer_with(loop, page, "Go back")
    loop.until(lambda: idle(page))
    assert loop.run(profiles.all_profiles(connected.journal))[-1] == connected.profile
    page.form.save_button.click()
    answer_with(loop, page, "Send it there")
    loop.until(lambda: "was saved" in page.bar.text)
    assert loop.run(profiles.all_profiles(connected.journal))[-1].client_id == "another-client"


def test_two_connections_to_one_place_are_said(
    loop: RunningLoop, page: SettingsPage, heard: Heard, connected: Desk, fault_server: FaultServer
) -> None:
    heard.used.clear()
    saved(loop, page, heard, fault_server)
    assert heard.used != [connected.profile.id]
    assert "Acme & Sons leads to the same provider as the same client." in page.bar.text
