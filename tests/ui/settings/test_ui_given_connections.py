"""A connection of the administrator's in Settings: its secret is a person's own, and nothing else of it."""

import json
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.connections import given_connections
from app.desk.connections.connection_files import as_file
from app.desk.desk import Desk
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import Keeping, SettingsPage
from tests.support.desks import profile_of
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import SECRET, Heard, idle, said

OTHER = Profile(
    "own", "Own", "test", "https://b.example", "https://b.example/OrderInformationApi", "https://c.example", "client-2"
)


@pytest.fixture
def page(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    offline_desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> SettingsPage:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    assert isinstance(offline_desk.journal, Journal)
    made = SettingsPage(services, Keeping(offline_desk.journal, SecretStore(seconds=5), DataDir(tmp_path)))
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made))
    return made


def named(page: SettingsPage, text: str) -> list[QPushButton]:
    """The buttons that are shown with this text."""
    return [each for each in page.findChildren(QPushButton) if each.text() == text and each.isVisible()]


def give(loop: RunningLoop, page: SettingsPage, profile: Profile, off: str = "") -> None:
    """The administrator's file names this connection, and what is off."""
    raw = as_file([profile]).replace(
        b'"connections"', f'"off": {json.dumps([off] if off else [])},\n"connections"'.encode()
    )
    assert loop.run(given_connections.take_over(page.desk.journal, raw)) == []
    page.reload()
    loop.until(lambda: idle(page) and profile.name in said(page))


def test_its_secret_can_be_changed_and_nothing_else(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    profile = profile_of(fault_server)
    fault_server.tokens.client_secret = SECRET
    give(loop, page, profile)
    assert "set by your administrator" in said(page)
    assert (named(page, "Remove"), named(page, "Change"), len(named(page, "Test"))) == ([], [], 1)
    (change,) = named(page, "Change the secret")
    change.click()
    typed = [page.form.name, page.form.kind, page.form.colour, page.form.network, *page.form.fields.values()]
    assert [each for each in typed if each.isEnabled()] == [page.form.fields["client_secret"]]
    assert page.form.fields["client_secret"].editor.hasFocus()
    QTest.keyClicks(page.form.fields["client_secret"].editor, SECRET)
    heard = Heard(page)
    page.form.save_button.click()
    loop.until(lambda: not page.form.isVisible() or page.form.anyway_button.isVisible(), seconds=30)
    if page.form.isVisible():  # this provider grants less than a test asks for
        page.form.anyway_button.click()
    loop.until(lambda: heard.used != [])
    kept_secret = loop.run(page._keeping.secrets.read(heard.used[0]))
    assert kept_secret == SECRET


def test_the_form_is_open_again_for_a_connection_of_ones_own(loop: RunningLoop, page: SettingsPage) -> None:
    give(loop, page, OTHER)
    named(page, "Change the secret")[0].click()
    page.form.closed.emit()
    assert not page.only_given.isVisible()
    page.connect_button.click()
    assert page.form.name.isEnabled()
    assert page.form.network.isEnabled()


def test_where_it_is_off_nobody_adds_connections(loop: RunningLoop, page: SettingsPage) -> None:
    give(loop, page, OTHER, "own connections")
    assert not page.connect_button.isVisible()
    assert not page.transfer.import_button.isVisible()
    assert page.only_given.isVisible(), "why nothing can be added is said before anybody asks"
    page.begin_connect()
    assert not page.form.isVisible()
    assert page.bar.text == "Your administrator allows no other connections on this computer."
