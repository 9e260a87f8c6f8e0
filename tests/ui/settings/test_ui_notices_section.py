"""Notices in Settings: what is chosen is kept at once and shown again; who shows them; what is off."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.desk.desk import Desk
from app.desk.noticing.notice_choices import NoticeChoices, read_choices
from app.desk.reasons.reason_rules import ALL_RULES, LOW_AUDIT, save_rule
from app.store.journal import setting_store
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.notices.notice_service import NoticeService
from app.ui.settings.notices_section import NoticesSection
from app.ui.settings.settings_page import Keeping, SettingsPage
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.settings.settings_help import idle, said


@pytest.fixture
def page(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> SettingsPage:  # fmt: skip
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    journal = offline_desk.journal
    assert isinstance(journal, Journal)
    made = SettingsPage(services, Keeping(journal, SecretStore(seconds=5), DataDir(tmp_path)))
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made))
    return made


@pytest.fixture
def service(
    loop: RunningLoop, services: PageServices, page: SettingsPage, offline_desk: Desk
) -> Iterator[NoticeService]:
    window = QWidget()
    made = NoticeService(services.sink, services.news, services.theme, window, str, bool)
    made.take_desk(offline_desk)
    page.notices_section.take(made)
    yield made
    loop.run(made.aclose(5))
    loop.rest()
    window.deleteLater()


def kept(loop: RunningLoop, desk: Desk) -> NoticeChoices:
    return loop.run(read_choices(desk.journal))


def settle(loop: RunningLoop, page: SettingsPage) -> NoticesSection:
    loop.until(lambda: not page.tasks.busy)
    return page.notices_section


def test_equal_quiet_hours_are_said_to_be_the_whole_day(
    loop: RunningLoop, page: SettingsPage, service: NoticeService
) -> None:
    section = settle(loop, page)
    assert section.isVisible()
    section.quiet_to.put(section.quiet_from.text())
    settle(loop, page)
    assert section.whole_day_label.text() == "", "quiet hours are off"
    section.quiet_box.click()
    settle(loop, page)
    assert "the whole day is quiet" in section.whole_day_label.text()
    section.quiet_to.put("06:30")
    settle(loop, page)
    assert section.whole_day_label.text() == ""


def test_choices_are_kept_at_once_and_shown_again(
    loop: RunningLoop, page: SettingsPage, service: NoticeService, offline_desk: Desk
) -> None:
    section = settle(loop, page)
    assert section.isVisible()
    assert [kind for kind, box in section.kind_boxes.items() if box.isChecked()] == ["refused", "in-doubt", "watched"]
    assert not section.references_box.isChecked()
    assert not section.quiet_from.isEnabled()
    section.kind_boxes["watched"].click()
    section.kind_boxes["soon"].click()
    section.quiet_box.click()
    section.quiet_to.put("06:30")
    section.references_box.click()
    settle(loop, page)
    expected = NoticeChoices(frozenset({"refused", "in-doubt", "soon"}), True, time(18), time(6, 30), True)
    assert kept(loop, offline_desk) == expected
    section._on_changed()  # as when the page is opened again
    settle(loop, page)
    assert section.kind_boxes["soon"].isChecked()
    assert (section.quiet_to.text(), section.quiet_to.isEnabled()) == ("06:30", True)
    service.noticer.choose_anew()
    assert kept(loop, offline_desk) == expected


def test_without_anybody_who_shows_notices_it_says_so(
    loop: RunningLoop, page: SettingsPage, service: NoticeService
) -> None:
    section = settle(loop, page)
    assert "Asking the desktop" in said(section)
    service.begin()
    loop.until(lambda: "Nothing on this desktop shows notices." in said(section))
    assert not section.trial_button.isVisible()


def test_what_the_administrator_switched_off_cannot_be_chosen(
    loop: RunningLoop, page: SettingsPage, service: NoticeService, offline_desk: Desk
) -> None:
    off = {"ids": {}, "off": ["notices"]}
    loop.run(offline_desk.journal.write(setting_store.write_setting, "administrator", off))
    service.changed.emit()
    section = settle(loop, page)
    assert "has switched notices off" in said(section)
    assert not any(box.isEnabled() for box in (*section.kind_boxes.values(), section.quiet_box))
    QTest.mouseClick(section.references_box, Qt.MouseButton.LeftButton)
    assert kept(loop, offline_desk) == NoticeChoices(off=True)


def test_a_low_audit_is_named_with_its_number_and_with_a_rule_that_is_off(
    loop: RunningLoop, page: SettingsPage, service: NoticeService, offline_desk: Desk
) -> None:
    box = settle(loop, page).kind_boxes["low-audit"]
    assert box.text() == "An audit scored low, below 70"
    low = next(each for each in ALL_RULES if each.name == LOW_AUDIT)
    loop.run(save_rule(offline_desk, replace(low, score=80)))
    page.enter()
    loop.until(lambda: box.text() == "An audit scored low, below 80")
    loop.run(save_rule(offline_desk, replace(low, score=80, on=False)))
    page.enter()
    loop.until(lambda: box.text() == "An audit scored low, below 80 (not while this rule of Today is off)")
