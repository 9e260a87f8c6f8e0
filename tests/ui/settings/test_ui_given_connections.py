"""A connection of the administrator's in Settings: its secret is a person's own, and nothing else of it."""

import json
from dataclasses import replace
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
from app.store.secrets import SecretStore, proxy_password_of
from app.store.store_errors import SecretError
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


def test_what_is_kept_is_said_as_it_is(loop: RunningLoop, page: SettingsPage) -> None:
    give(loop, page, OTHER)
    named(page, "Change the secret")[0].click()
    secret = page.form.fields["client_secret"]
    loop.until(lambda: secret.shown != "")
    assert secret.shown == "None is kept on this computer yet."
    assert "required" in secret.label.text()
    page.form.test_button.click()
    assert "Still to fill in: Client secret." in page.form.said.text(), "nothing is asked without a secret"
    page.form.closed.emit()
    loop.run(page._keeping.secrets.write(page._given.ids["Own"], SECRET))
    named(page, "Change the secret")[0].click()
    loop.until(lambda: secret.shown != "")
    assert secret.shown == "The one that is kept stays unless you type another."
    assert "required" not in secret.label.text()
    assert page.form.check() == ""


def test_a_keyring_that_cannot_be_read_leaves_open_what_is_kept(
    loop: RunningLoop, page: SettingsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def locked(_name: str) -> str | None:
        raise SecretError("The keyring is locked. Unlock it, then try again.")

    monkeypatch.setattr(page._keeping.secrets, "read", locked)
    give(loop, page, OTHER)
    named(page, "Change the secret")[0].click()
    loop.until(lambda: page.form.fields["client_secret"].shown != "")
    assert page.form.fields["client_secret"].shown == "The keyring is locked. Unlock it, then try again."
    assert page.form.check() == "", "one may be kept"


def test_who_locked_the_fields_is_said_once(loop: RunningLoop, page: SettingsPage) -> None:
    give(loop, page, OTHER)
    named(page, "Change the secret")[0].click()
    sentence = "Your administrator's file settles this connection. Only its secrets are typed here."
    assert said(page.form).count(sentence) == 1
    page.form.closed.emit()
    page.connect_button.click()
    assert sentence not in said(page.form)
    assert page.form.fields["client_secret"].shown == ""


def test_the_password_of_its_proxy_is_a_persons_own_too(loop: RunningLoop, page: SettingsPage) -> None:
    give(loop, page, replace(OTHER, proxy="http://proxy.example:8080", proxy_user="desk"))
    named(page, "Change the secret")[0].click()
    network = page.form.network
    parts = [network.proxy, network.authorities, network.replies, network.sends, *network.fields.values()]
    assert [each for each in parts if each.isEnabled()] == [network.fields["proxy_password"]]
    loop.until(lambda: network.fields["proxy_password"].shown != "")
    assert network.fields["proxy_password"].shown == "None is kept on this computer yet."
    assert page.form.check() == "Still to fill in: Client secret, Password at the proxy."
    QTest.keyClicks(page.form.fields["client_secret"].editor, SECRET)
    QTest.keyClicks(network.fields["proxy_password"].editor, "sesame")
    page.form._on_save_anyway()
    loop.until(lambda: not page.form.isVisible())
    kept = loop.run(page._keeping.secrets.read(proxy_password_of(page._given.ids["Own"])))
    assert kept == "sesame"


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
