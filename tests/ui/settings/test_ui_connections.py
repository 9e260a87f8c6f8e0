"""Settings: colours, examples and pastes of addresses, proxies, authorities, formats, legs, export and import."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.desk.connections import profiles
from app.desk.connections.connection import CapabilityCard
from app.desk.connections.legs import clock_leg
from app.desk.desk import Desk
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore, proxy_password_of
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.settings.capability_card import CardView
from app.ui.settings.connection_line import ConnectionLine
from app.ui.settings.settings_page import Keeping, SettingsPage
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import CONNECTION_COLOURS, ROW_HEIGHT, SPACE_2, SWATCH_PX
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.connection_colour import ColourMark, colour_mark
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.lists.line_list import Line, LineList
from tests.support.certificates import authority, vouched
from tests.support.connect_proxy import ConnectProxy, start_connect_proxy
from tests.support.fault_server import FaultServer, start_fault_server
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import (
    SECRET,
    Heard,
    button,
    buttons,
    idle,
    kept,
    said,
    saved,
    type_fault_server,
)

HOST = "https://orders.provider.example"
PASSWORD = "canary-password-1177"


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


@pytest.fixture
def heard(page: SettingsPage) -> Heard:
    return Heard(page)


@pytest.fixture
def proxy() -> Iterator[ConnectProxy]:
    with start_connect_proxy(f"desk:{PASSWORD}") as made:
        yield made


def paste(page: SettingsPage, name: str, text: str) -> None:
    editor = page.form.fields[name].editor
    QApplication.clipboard().setText(text)
    editor.setFocus()
    editor.paste()


def texts(page: SettingsPage) -> tuple[str, ...]:
    return tuple(page.form.fields[name].text() for name in ("base_url", "info_base_url", "auth_url"))


def last_profile(loop: RunningLoop, journal: Journal) -> Profile:
    return loop.run(profiles.all_profiles(journal))[-1]


# Addresses


def test_each_address_says_what_it_takes_before_anything_is_typed(page: SettingsPage) -> None:
    page.begin_connect()
    shown = {name: page.form.fields[name].shown for name in ("base_url", "info_base_url", "auth_url")}
    assert "before /OrderManagementApi, such as https://" in shown["base_url"]
    assert "With its prefix, such as https://" in shown["info_base_url"]
    assert "/OrderInformationApi" in shown["info_base_url"]
    assert "before /connect/token, such as https://" in shown["auth_url"]
    assert shown["auth_url"] in page.form.fields["auth_url"].editor.accessibleDescription(), "it is spoken too"


def test_one_pasted_address_fills_the_other_of_its_host(page: SettingsPage) -> None:
    page.begin_connect()
    paste(page, "base_url", f"{HOST}/OrderManagementApi/swagger/v1/swagger.json")
    assert texts(page) == (HOST, f"{HOST}/OrderInformationApi", "")
    assert page.form.said.text() == "Filled in from what was pasted: Order information address."


def test_a_text_with_all_addresses_fills_all(page: SettingsPage) -> None:
    page.begin_connect()
    paste(page, "auth_url", f"Token https://login.example/connect/token - orders {HOST}/OrderInformationApi")
    assert texts(page) == (HOST, f"{HOST}/OrderInformationApi", "https://login.example")


def test_what_was_typed_before_is_not_replaced_by_a_paste(page: SettingsPage) -> None:
    page.begin_connect()
    QTest.keyClicks(page.form.fields["info_base_url"].editor, "https://mine.example/x")
    paste(page, "base_url", HOST)
    assert texts(page) == (HOST, "https://mine.example/x", "")
    assert page.form.said.text() == ""


def test_letters_typed_one_by_one_fill_nothing(page: SettingsPage) -> None:
    page.begin_connect()
    QTest.keyClicks(page.form.fields["base_url"].editor, HOST)
    assert texts(page) == (HOST, "", "")


def test_an_address_that_looks_odd_is_said_and_hinders_nobody(page: SettingsPage) -> None:
    page.begin_connect()
    field = page.form.fields["info_base_url"]
    field.editor.setFocus()
    QTest.keyClicks(field.editor, HOST)
    page.form.name.editor.setFocus()
    assert field.trouble == "Its prefix is missing: it usually ends in /OrderInformationApi."
    assert "Order information address" not in page.form.check()


# Colours


def test_a_connection_has_a_colour_that_none_of_the_others_has(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    saved(loop, page, heard, fault_server)
    assert isinstance(offline_desk.journal, Journal)
    first = last_profile(loop, offline_desk.journal).colour
    assert first in CONNECTION_COLOURS
    page.begin_connect()
    assert page.form.colour.text() not in ("", first)
    page.form.colour.put("brown")
    assert page.form.profile().colour == "brown"


def test_the_colour_stands_wherever_the_connection_is_named(services: PageServices, show: Show, theme: Theme) -> None:
    acme = Profile("1", "Acme", "production", "https://a", "https://a/b", "https://c", "x", colour="teal")
    bare = Profile("2", "Bare", "production", "https://a", "https://a/b", "https://c", "y")
    window = MainWindow(theme)
    show(window)
    for look, at in (("light", 0), ("dark", 1)):
        theme.choose(look)  # type: ignore[arg-type]
        window.show_profiles([profiles.practice_profile(), acme, bare], acme)
        wanted = CONNECTION_COLOURS["teal"][at]
        assert _middle(window.profile_choice.itemIcon(1).pixmap(12, 12).toImage()) == wanted.lower()
        assert _middle(window.colour_line.grab().toImage()) == wanted.lower()
        line = ConnectionLine(theme, acme, in_use=False)
        show(line)
        mark = next(each for each in line.findChildren(QWidget) if type(each).__name__ == "ColourMark")
        assert _middle(mark.grab().toImage()) == wanted.lower()
        assert "Acme" in said(line), "the colour is not the only sign"
        bar = MessageBar(theme)
        bar.say("good", "Acme was saved.", colour="teal")
        show(bar)
        [in_bar] = bar.findChildren(ColourMark)
        assert _middle(in_bar.grab().toImage()) == wanted.lower()
        rows = LineList(theme, "Matches", 3)
        rows.fill([Line("Use Acme", "connection", None, colour=window.colour_of("1"))])
        show(rows)
        image = rows.grab().toImage()
        row = {image.pixelColor(x, ROW_HEIGHT // 2).name() for x in range(SPACE_2, SPACE_2 + SWATCH_PX)}
        assert wanted.lower() in row
        of_question = colour_mark(theme, "production", "teal")
        assert of_question is not None
        assert _middle(of_question.toImage()) == wanted.lower()
    assert colour_mark(theme, "production", "") is None
    window.show_profiles([acme, bare], bare)
    assert not window.colour_line.isVisible()
    theme.choose("light")


def _middle(image: object) -> str:
    return str(image.pixelColor(image.width() // 2, image.height() // 2).name())  # type: ignore[attr-defined]


# The way


def type_proxy(page: SettingsPage, proxy: ConnectProxy, password: str = PASSWORD) -> None:
    network = page.form.network
    network.unfold_button.click()
    network.proxy.put("address")
    for name, text in (("proxy", proxy.address), ("proxy_user", "desk"), ("proxy_password", password)):
        QTest.keyClicks(network.fields[name].editor, text)


def test_what_is_usual_is_folded_away(page: SettingsPage) -> None:
    page.begin_connect()
    network = page.form.network
    assert not network.proxy.isVisible()
    network.unfold_button.click()
    assert network.proxy.isVisible()
    assert not network.fields["proxy"].isVisible()
    assert page.form.profile().proxy == "system"
    network.proxy.put("direct")
    assert page.form.profile().proxy == "direct"


def test_a_connection_through_a_proxy_with_its_password_beside_the_secret(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, proxy: ConnectProxy,
    secrets: SecretStore, offline_desk: Desk, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    type_fault_server(page, fault_server)
    type_proxy(page, proxy)
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    assert isinstance(offline_desk.journal, Journal)
    profile = last_profile(loop, offline_desk.journal)
    assert (profile.proxy, profile.proxy_user) == (proxy.address, "desk")
    assert loop.run(secrets.read(proxy_password_of(profile.id))) == PASSWORD
    assert {each.login for each in proxy.asked()} == {f"desk:{PASSWORD}"}
    for path in offline_desk.journal.path.parent.iterdir():
        assert PASSWORD.encode() not in path.read_bytes(), path.name
    assert PASSWORD not in caplog.text
    # The saved one stays in use, and is never shown.
    page.reload()
    loop.until(lambda: idle(page) and buttons(page, "Change Acme & Sons"))
    asked = len(proxy.asked())
    button(page, "Change Acme & Sons").click()
    network = page.form.network
    assert network.proxy.isVisible(), "what is not usual is not folded away"
    assert network.fields["proxy_password"].text() == ""
    said_kept = "The one that is kept stays unless you type another."
    loop.until(lambda: network.fields["proxy_password"].shown == said_kept)
    assert page.form.fields["client_secret"].shown == said_kept
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert len(proxy.asked()) > asked
    assert page.form.said.text() == ""
    # Without the proxy, its password goes.
    network.proxy.put("direct")
    page.form.save_button.click()
    loop.until(lambda: len(heard.used) == 2)
    assert loop.run(secrets.read(proxy_password_of(profile.id))) is None
    assert loop.run(secrets.read(profile.id)) == SECRET


def test_a_wrong_password_stands_beside_its_field(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer, proxy: ConnectProxy
) -> None:
    type_fault_server(page, fault_server)
    type_proxy(page, proxy, "wrong")
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    assert "does not accept its user and password" in page.form.network.fields["proxy_password"].trouble
    assert page.form.anyway_button.isVisible()
    assert fault_server.seen() == []


@pytest.mark.parametrize(
    ("typed", "words"),
    [("", "Required."), ("socks5://p:1", "not SOCKS"), ("http://u:canary@p", "its own two fields")],
)
def test_an_address_of_a_proxy_is_checked(
    page: SettingsPage, fault_server: FaultServer, typed: str, words: str
) -> None:
    type_fault_server(page, fault_server)
    network = page.form.network
    network.unfold_button.click()
    network.proxy.put("address")
    QTest.keyClicks(network.fields["proxy"].editor, typed)
    page.form.test_button.click()
    assert words in network.fields["proxy"].trouble
    assert "Address of the proxy" in page.form.said.text()
    assert fault_server.seen() == []


def test_a_private_authority_comes_from_a_file(
    loop: RunningLoop, page: SettingsPage, heard: Heard, tmp_path: Path
) -> None:
    acme = authority("Acme Private Authority")
    file = tmp_path / "acme.cer"
    file.write_bytes(acme.der)

    async def choose(_parent: QWidget, _title: str) -> Path:
        return file

    page.choose_authorities = choose
    with start_fault_server(tls=vouched(acme, "127.0.0.1").server_context(tmp_path)) as server:
        type_fault_server(page, server)
        page.form.test_button.click()
        loop.until(lambda: idle(page) and page.form.card.isVisible())
        assert "It stops at: TLS, 127.0.0.1." in said(page.form.card)
        assert "choose the file with its certificate" in said(page.form.card)
        network = page.form.network
        network.unfold_button.click()
        network.authorities.put("file")
        network.choose_button.click()
        loop.until(lambda: "It holds 1 authority: Acme Private Authority." in network.fields["authorities"].shown)
        page.form.save_button.click()
        loop.until(lambda: heard.used)
    assert kept(loop, page.desk.journal) == ["Acme & Sons"]


def test_a_file_without_authorities_is_said_beside_it(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer, tmp_path: Path
) -> None:
    type_fault_server(page, fault_server)
    network = page.form.network
    network.unfold_button.click()
    network.authorities.put("file")
    field = network.fields["authorities"]
    field.put(str(tmp_path / "nothing.pem"))
    loop.until(lambda: "authorities" not in [each for each in ("authorities",) if page.tasks.running(each)])
    page.form.test_button.click()
    assert "cannot be read: No such file" in field.trouble
    assert "To put right: File with certificates" in page.form.said.text()
    assert fault_server.seen() == []


def test_the_format_of_orders_is_the_connections(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    type_fault_server(page, fault_server)
    network = page.form.network
    assert network.sends.text() == "json"
    network.sends.put("xml")
    assert "Quotes and trucks too" in network.sends.shown
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    assert isinstance(offline_desk.journal, Journal)
    kept = last_profile(loop, offline_desk.journal)
    assert (kept.sends, kept.replies) == ("xml", "json")
    network.begin(kept)
    assert network.sends.text() == "xml"
    assert network.unfold_button.isChecked()


def test_the_format_of_answers_is_the_connections(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, offline_desk: Desk
) -> None:
    type_fault_server(page, fault_server)
    page.form.network.unfold_button.click()
    page.form.network.replies.put("xml")
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    assert isinstance(offline_desk.journal, Journal)
    assert last_profile(loop, offline_desk.journal).replies == "xml"
    accepted = {each.headers.get("Accept", each.headers.get("accept", "")) for each in fault_server.seen("/Order/test")}
    assert all(each.startswith("application/xml") for each in accepted)


def test_the_card_says_the_legs_and_what_each_permission_opens(
    loop: RunningLoop, page: SettingsPage, fault_server: FaultServer
) -> None:
    type_fault_server(page, fault_server)
    page.form.test_button.click()
    loop.until(lambda: idle(page) and page.form.card.isVisible())
    shown = said(page.form.card)
    assert "Opens: Orders" in shown
    assert "Opens: New order, Outbox" in shown
    assert "Opens: Audits" in shown
    for leg in ("Name", "Connection", "Token", "Permissions", "Service", "Clock"):
        assert leg in shown
    assert "5 of 5 granted" in shown
    assert " ms" in shown
    assert "The one of this test ends" in shown
    assert "Token 127.0.0.1" in page.form.card.text, "a screen reader says the legs too"


def test_a_clock_that_is_off_is_said_above_what_is_allowed(loop: RunningLoop, show: Show) -> None:
    """It hinders nobody, and stands last among the legs: so it is said where the eye is first."""
    view = CardView()
    show(view)
    off = clock_leg(1_800.0)
    view.show_card(CapabilityCard(datetime(2026, 11, 20, 14, 2), token_seconds=60.0, legs=(off,)))
    assert view.text.startswith("Connected. The provider allows: This computer's clock is 30 minutes ahead")
    view.show_card(CapabilityCard(datetime(2026, 11, 20, 14, 2), token_seconds=60.0, legs=(clock_leg(1.0),)))
    assert "minutes ahead" not in view.text
    loop.rest()


# Files


def test_connections_go_into_a_file_and_come_out_of_it(
    loop: RunningLoop, page: SettingsPage, heard: Heard, fault_server: FaultServer, tmp_path: Path, offline_desk: Desk
) -> None:
    saved(loop, page, heard, fault_server)
    file = tmp_path / "out" / "connections.json"
    file.parent.mkdir()

    async def to_write(_parent: QWidget, _title: str, name: str) -> Chosen:
        assert name == "waybill-connections"
        return Chosen(file, FileKind("connections", "x", "json"), replace=False)

    async def to_read(_parent: QWidget, _title: str) -> Path:
        return file

    page.transfer._to_write, page.transfer._to_read = to_write, to_read
    page.transfer.export_button.click()
    loop.until(lambda: "1 connection was exported to" in page.bar.text)
    assert SECRET not in file.read_text()
    page.transfer.import_button.click()
    loop.until(lambda: "Here already, and left as they are: Acme & Sons." in page.bar.text)
    content = json.loads(file.read_text())
    content["connections"].append({**content["connections"][0], "name": "Beta", "client_id": "other"})
    content["connections"].append({"name": "Gamma"})
    file.write_text(json.dumps(content))
    changed = len(heard.changed)
    page.transfer.import_button.click()
    loop.until(lambda: "Imported: Beta. Its secret is not in the file" in page.bar.text)
    assert "Not usable: Gamma." in page.bar.text
    assert len(heard.changed) == changed + 1
    loop.until(lambda: [each for each in page.findChildren(QPushButton) if each.accessibleName() == "Use Beta"])
    assert kept(loop, offline_desk.journal) == ["Acme & Sons", "Beta"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "Nothing was imported from in.json."), (b"{}", "holds no connections"), (b" " * 2**21, "too large")],
)
def test_a_file_that_holds_no_connections_changes_nothing(
    loop: RunningLoop, page: SettingsPage, tmp_path: Path, content: bytes | None, words: str, offline_desk: Desk
) -> None:
    file = tmp_path / "in.json"
    if content is not None:
        file.write_bytes(content)

    async def to_read(_parent: QWidget, _title: str) -> Path:
        return file

    page.transfer._to_read = to_read
    page.transfer.import_button.click()
    loop.until(lambda: words in page.bar.text)
    assert kept(loop, offline_desk.journal) == []
