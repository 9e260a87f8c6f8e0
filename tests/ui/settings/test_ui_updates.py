"""Updates in Settings: each state as a person sees it, against a real host on loopback."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nacl.signing import SigningKey
from PySide6.QtTest import QTest

from app.background import updater as updater_module
from app.background.updater import Updater
from app.desk.desk import Desk
from app.desk.updates import ask_for_update, update_source, updates_words
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings import settings_words as words
from app.ui.settings.settings_page import Keeping, SettingsPage
from app.ui.settings.updates_section import UpdatesSection
from app.version import VERSION
from tests.support.loop import RunningLoop
from tests.support.update_host import LIST, UpdateHost, key_text, package, signed, update_host, version
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import idle, said

KEY = SigningKey.generate()
CONTENT = b"a package of Waybill" * 60_000
SETUP = package("Waybill-9.0.0-setup.exe", CONTENT, "windows-setup-x86_64")
ARCHIVE = package("waybill-9.0.0-linux-x86_64.tar.xz", CONTENT)


@pytest.fixture
def host() -> Iterator[UpdateHost]:
    with update_host() as made:
        for each in (SETUP, ARCHIVE):
            made.files[str(each["name"])] = CONTENT
        made.files[LIST] = signed(KEY, version("9.0.0", SETUP, ARCHIVE, notes="Prints labels."))
        yield made


class Rig:
    """The page with its updater."""

    def __init__(self, loop: RunningLoop, page: SettingsPage, updater: Updater) -> None:
        self.loop, self.page, self.updater = loop, page, updater

    @property
    def section(self) -> UpdatesSection:
        return self.page.updates_section

    def until(self, *stages: str) -> None:
        self.loop.until(lambda: self.updater.state.stage in stages, seconds=30)

    def give(self, address: str, key: str) -> None:
        """Type both and keep them."""
        self.section.change_button.click()
        for field, text in ((self.section.address, address), (self.section.key, key)):
            field.set_text("")
            QTest.keyClicks(field.editor, text)
        self.section.save_button.click()
        self.loop.until(lambda: not self.page.tasks.busy)


@pytest.fixture
def rig(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Rig]:  # fmt: skip
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    monkeypatch.setattr(ask_for_update, "systems", lambda: ("linux-x86_64",))
    monkeypatch.setattr(update_source, "BUILT_IN", tmp_path / "none")
    assert isinstance(offline_desk.journal, Journal)
    secrets = SecretStore(seconds=5)
    page = SettingsPage(services, Keeping(offline_desk.journal, secrets, DataDir(tmp_path)))
    show(page)
    page.take_desk(offline_desk)
    updater = Updater(services.sink, offline_desk.journal, tmp_path / "updates", services.now)
    updater.take_desk(offline_desk)
    page.updates_section.take(updater)
    updater.begin(secrets)
    loop.until(lambda: idle(page) and updater.settled is not None)
    yield Rig(loop, page, updater)
    loop.run(updater.aclose(20))


def test_nothing_is_asked_until_somebody_gives_an_address(rig: Rig, host: UpdateHost) -> None:
    assert words.NO_UPDATE_ADDRESS in said(rig.section)
    assert not rig.section.look_button.isVisible()
    rig.updater._look_if_due()
    rig.updater.look()
    rig.loop.rest()
    assert host.asked == []


def test_from_the_address_to_a_package_that_was_checked(rig: Rig, host: UpdateHost) -> None:
    seen: list[str] = []
    rig.updater.changed.connect(lambda: seen.append(rig.section.state_label.text()))
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    assert words.LOOKING_FOR_UPDATE in seen
    assert "Version 9.0.0 is there (1.2 MB)." in said(rig.section)
    assert "Prints labels." in said(rig.section)
    host.held.clear()
    rig.section.fetch_button.click()
    rig.loop.until(lambda: str(ARCHIVE["name"]) in host.asked)
    assert rig.section.stop_button.isVisible()
    assert "Fetching version 9.0.0: " in said(rig.section)
    host.held.set()
    rig.until("checked")
    assert words.update_checked("9.0.0") in said(rig.section)
    rig.section.install_button.click()
    rig.until("handed")
    assert rig.updater.state.path is not None
    assert f"Unpack {rig.updater.state.path}" in said(rig.section)
    assert rig.section.folder_button.isVisible()


def test_fetching_is_stopped_and_begun_again(rig: Rig, host: UpdateHost) -> None:
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    host.held.clear()
    rig.section.fetch_button.click()
    rig.loop.until(lambda: str(ARCHIVE["name"]) in host.asked)
    rig.section.stop_button.click()
    rig.loop.until(rig.section.fetch_button.isVisible)
    host.held.set()
    rig.section.fetch_button.click()
    rig.until("checked")


def test_the_newest_version_is_said_to_be_that(rig: Rig, host: UpdateHost) -> None:
    host.files[LIST] = signed(KEY, version(VERSION, ARCHIVE))
    rig.give(host.address, key_text(KEY))
    rig.until("current")
    assert words.is_newest(VERSION) in said(rig.section)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (signed(SigningKey.generate(), version("9.0.0", ARCHIVE)), updates_words.NOT_SIGNED),
        (signed(KEY, version("9.0.0", ARCHIVE), expires="2020-01-01"), "The list of versions was good until 2020"),
        (b"<html>Sign in</html>", updates_words.NO_LIST),
        (None, "does not give the file (status 404)."),
    ],
    ids=["forged", "expired", "web page", "missing"],
)  # fmt: skip
def test_a_list_that_cannot_be_used_is_said(rig: Rig, host: UpdateHost, content: bytes | None, sentence: str) -> None:
    if content is None:
        del host.files[LIST]
    else:
        host.files[LIST] = content
    rig.give(host.address, key_text(KEY))
    rig.loop.until(lambda: rig.updater.state.trouble != "")
    assert sentence in said(rig.section)
    assert not rig.section.fetch_button.isVisible()
    assert rig.section.look_button.isVisible()


def test_an_older_list_than_the_last_one_is_refused(rig: Rig, host: UpdateHost) -> None:
    host.files[LIST] = signed(KEY, version("9.0.0", ARCHIVE), number=7)
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    host.files[LIST] = signed(KEY, version("9.0.1", ARCHIVE), number=6)
    rig.section.look_button.click()
    rig.loop.until(lambda: rig.updater.state.trouble != "")
    assert updates_words.OLDER_LIST in said(rig.section)


def test_a_replaced_package_is_refused(rig: Rig, host: UpdateHost) -> None:
    host.files[str(ARCHIVE["name"])] = CONTENT[:-1] + b"!"
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    rig.section.fetch_button.click()
    rig.loop.until(lambda: rig.updater.state.trouble != "")
    assert updates_words.REPLACED in said(rig.section)
    assert rig.section.fetch_button.isVisible()


def test_a_package_that_was_changed_after_its_check_is_not_handed_over(rig: Rig, host: UpdateHost) -> None:
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    rig.section.fetch_button.click()
    rig.until("checked")
    path = rig.updater.state.path
    assert path is not None
    path.write_bytes(b"x" + CONTENT[1:])
    rig.section.install_button.click()
    rig.until("newer")
    assert updates_words.CHANGED_SINCE in said(rig.section)
    assert not path.exists()


def test_the_setup_program_is_started_as_the_window_closes(
    rig: Rig, host: UpdateHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_for_update, "systems", lambda: ("windows-setup-x86_64",))
    asked: list[list[str]] = []
    rig.updater.leave_for.connect(asked.append)
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    rig.section.fetch_button.click()
    rig.until("checked")
    rig.section.install_button.click()
    rig.loop.until(lambda: asked != [])
    assert asked == [[str(rig.updater.state.path)]]


def test_the_systems_installer_is_started_or_said_not_to_start(
    rig: Rig, host: UpdateHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deb = package("waybill_9.0.0_amd64.deb", CONTENT, "debian-x86_64")
    host.files["waybill_9.0.0_amd64.deb"] = CONTENT
    host.files[LIST] = signed(KEY, version("9.0.0", deb))
    monkeypatch.setattr(ask_for_update, "systems", lambda: ("debian-x86_64",))
    installer = tmp_path / "gdebi-gtk"
    installer.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/shown"\n')
    installer.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    rig.section.fetch_button.click()
    rig.until("checked")

    class NoProcess:
        @staticmethod
        def startDetached(*_: object) -> tuple[bool, int]:
            return False, 0

    with monkeypatch.context() as broken:
        broken.setattr(updater_module, "QProcess", NoProcess)
        rig.section.install_button.click()
        rig.loop.until(lambda: rig.updater.state.trouble != "")
        assert "did not start" in said(rig.section)
    rig.section.install_button.click()
    rig.until("handed")
    rig.loop.until(lambda: (tmp_path / "shown").exists() and (tmp_path / "shown").read_text() != "")
    assert (tmp_path / "shown").read_text().strip() == str(rig.updater.state.path)


def test_what_is_typed_wrong_is_said_beside_it(rig: Rig, host: UpdateHost) -> None:
    rig.give("files.company.example", "nonsense")
    assert "files.company.example" in rig.section.address.trouble
    rig.give(host.address, "nonsense")
    assert rig.section.key.trouble == updates_words.NO_KEY
    rig.give(host.address, "")
    assert rig.section.key.trouble == words.REQUIRED
    assert host.asked == []


def test_looking_can_be_ended(rig: Rig, host: UpdateHost) -> None:
    rig.give(host.address, key_text(KEY))
    rig.until("newer")
    rig.section.change_button.click()
    rig.section.forget_button.click()
    rig.until("none")
    assert words.NO_UPDATE_ADDRESS in said(rig.section)


@pytest.mark.parametrize(("off", "sentence"), [(True, words.UPDATES_OFF), (False, "as your administrator has settled")])
def test_what_the_administrator_settled_is_not_changed_here(
    rig: Rig, host: UpdateHost, off: bool, sentence: str
) -> None:
    given = {"address": host.address, "key": key_text(KEY)}
    rig.loop.run(update_source.take_given(rig.page.desk.journal, given, off=off))
    rig.updater.read_settled()
    rig.until("off" if off else "newer")
    assert sentence in said(rig.section)
    assert not rig.section.change_button.isVisible()
    assert (host.asked == []) is off


def by_the_clock(rig: Rig) -> Callable[[], bool]:
    """Look as the clock does; whether that look has ended."""
    rig.updater._look_if_due()
    return lambda: not rig.updater._tasks.busy


def test_it_is_asked_once_a_day_and_told_once(rig: Rig, host: UpdateHost, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    rig.updater.found.connect(told.append)
    host.files[LIST] = signed(KEY, version(VERSION, ARCHIVE))
    rig.give(host.address, key_text(KEY))
    rig.until("current")
    host.files[LIST] = signed(KEY, version("9.0.0", ARCHIVE))
    rig.loop.until(by_the_clock(rig))
    assert (len(host.asked), told) == (1, [])
    monkeypatch.setattr(rig.updater, "_now", lambda: datetime.now() + timedelta(hours=25))
    rig.loop.until(by_the_clock(rig))
    assert (len(host.asked), told) == (2, ["9.0.0"])
