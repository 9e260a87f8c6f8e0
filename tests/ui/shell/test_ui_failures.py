"""A run that broke off, a mistake in this one, and a start that does nothing by itself: each is told."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.runtime.crash_watch import CrashWatch, Failure
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.reports.report_dialog import ReportDialog
from app.ui.settings.settings_page import SettingsPage
from app.ui.shell.failure_notices import tell_of_failure, tell_of_safe_start
from app.ui.theme.theme import Theme
from app.version import VERSION
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import WatchedSink
from tests.ui.shell_help import Program, keep_profile, open_program


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()
    QApplication.clipboard().clear()


def open_report(program: Program) -> ReportDialog:
    (found,) = [each for each in program.window.findChildren(ReportDialog) if each.isVisible()]
    return found


def test_a_crash_is_told_and_its_report_is_shown_before_it_is_copied(
    program: Program, theme: Theme, tmp_path: Path
) -> None:
    watch = CrashWatch(tmp_path)
    tell_of_failure(program.window, theme, watch)
    assert program.window.bar.text == ""
    watch.failure = Failure("2026-11-22 14:32", "0.0.9", "Fatal Python error: Segmentation fault\n  ui/x.py:1 in f")
    tell_of_failure(program.window, theme, watch)
    assert program.window.bar.text.startswith("Waybill ended unexpectedly the last time.")
    QApplication.clipboard().clear()
    program.window.bar.act()
    report = open_report(program)
    shown = report.view.whole_text()
    assert shown.startswith("Waybill 0.0.9, begun at 2026-11-22 14:32, ended unexpectedly.\nPython ")
    assert shown.endswith("Segmentation fault\n  ui/x.py:1 in f")
    assert QApplication.clipboard().text() == ""
    report.copy_button.click()
    assert QApplication.clipboard().text() == shown


def test_a_run_that_was_broken_off_is_told_without_a_report(program: Program, theme: Theme, tmp_path: Path) -> None:
    watch = CrashWatch(tmp_path)
    watch.broken_off = True
    tell_of_failure(program.window, theme, watch)
    assert program.window.bar.text.startswith("Waybill was broken off the last time:")
    assert program.window.bar.action_text == ""


@pytest.mark.expects_log("The outbox failed: ValueError")
def test_a_fault_of_our_own_is_said_with_a_report_without_data(program: Program, sink: WatchedSink) -> None:
    try:
        raise ValueError("Josefina Rivera")
    except ValueError as error:
        sink.report(error, "The outbox")
    sink.faults.clear()
    assert "mistake of its own (The outbox)" in program.window.bar.text
    program.window.bar.act()
    shown = open_report(program).view.whole_text()
    assert shown.startswith("Waybill: The outbox failed\nValueError\n")
    assert "Josefina" not in shown


def test_a_safe_start_connects_when_a_person_says_so(
    program: Program, loop: RunningLoop, fault_server: FaultServer, tmp_path: Path
) -> None:
    profile = keep_profile(program, fault_server)
    program.shell.open_desk(profile)
    loop.run(program.shell.begin_work(program.secrets, program.practice, safe=True))
    watch = CrashWatch(tmp_path)
    tell_of_safe_start(program.window, watch, program.shell.work_as_usual)
    assert program.window.bar.text.startswith("This is a safe start")
    loop.rest()
    assert program.shell.desk is not None
    assert program.shell.desk.provider is None
    assert fault_server.seen() == []
    program.window.bar.act()
    loop.until(lambda: program.shell.desk is not None and program.shell.desk.provider is not None)
    assert program.window.bar.text == ""


def test_a_connection_chosen_in_a_safe_start_brings_its_team_along(
    program: Program, loop: RunningLoop, fault_server: FaultServer
) -> None:
    profile, shell = keep_profile(program, fault_server), program.shell
    loop.run(shell.begin_work(program.secrets, program.practice, safe=True))
    assert shell.team is None
    shell.use_profile(profile.id)
    loop.until(lambda: shell.desk is not None and shell.desk.provider is not None)
    assert shell.team is not None, "orders would leave as if the desk had none"


def test_a_connection_chosen_before_the_last_run_is_settled_is_made_after_that(
    program: Program, loop: RunningLoop, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile, shell, recover = keep_profile(program, fault_server), program.shell, outbox.recover

    async def slowly(desk: Desk, place: str) -> int:
        shell.use_profile(profile.id)
        while shell.desk is None or shell.desk.profile.id != profile.id:  # noqa: ASYNC110  # the window opens it
            await asyncio.sleep(0)
        assert not shell.connector.busy
        return await recover(desk, place)

    monkeypatch.setattr(outbox, "recover", slowly)
    loop.run(shell.begin_work(program.secrets, program.practice, safe=True))
    loop.until(lambda: shell.desk is not None and shell.desk.provider is not None)


def test_a_safe_start_says_which_settings_it_leaves_out(program: Program, loop: RunningLoop) -> None:
    loop.run(program.shell.begin_work(program.secrets, program.practice, safe=True))
    program.shell._show_settings("notices")
    page = program.shell.page("settings")
    assert isinstance(page, SettingsPage)
    loop.until(lambda: "A safe start leaves “Notices” out" in page.bar.text)
    program.shell.work_as_usual()
    program.shell._show_settings("notices")
    loop.until(lambda: any(each.hasFocus() for each in page.notices_section.kind_boxes.values()))


def test_two_failures_are_named_as_the_reason_of_a_safe_start(program: Program, tmp_path: Path) -> None:
    watch = CrashWatch(tmp_path)
    watch.in_a_row = 2
    tell_of_safe_start(program.window, watch, program.shell.work_as_usual)
    assert program.window.bar.text.startswith("Waybill failed twice in a row, so this is a safe start")


def test_diagnostics_tell_much_and_name_nobody(
    program: Program, loop: RunningLoop, fault_server: FaultServer, tmp_path: Path
) -> None:
    profile = keep_profile(program, fault_server, name="Acme Furniture")
    loop.run(program.shell.begin_work(program.secrets, program.practice, safe=True))
    log = program.kept.data.logs / "waybill.log"
    at = "2026-11-22 14:32:00,1 INFO waybill"
    log.write_text(f"{at}: up\n{at}: {profile.base_url}/x\n")
    program.shell.go("settings")
    settings = program.shell.page("settings")
    assert isinstance(settings, SettingsPage)
    settings.about_section.diagnostics_button.click()
    loop.until(lambda: any(each.isVisible() for each in program.window.findChildren(ReportDialog)))
    shown = open_report(program).view.whole_text()
    assert shown.startswith(f"Waybill {VERSION}, from source, window system offscreen, open for 0 h ")
    assert "Connections: 2 connections" in shown
    assert "Outbox: 0 queued, 0 sending" in shown
    assert "Kept: journal 0." in shown
    assert f"{at}: up\n{at}: (address)\n" in shown
    for name in ("Acme", profile.base_url, profile.client_id, str(tmp_path)):
        assert name not in shown


def test_a_report_fits_a_small_window_and_makes_way_for_the_next(
    program: Program, theme: Theme, tmp_path: Path
) -> None:
    program.window.resize(1024, 700)
    watch = CrashWatch(tmp_path)
    watch.failure = Failure("", "", "")
    for _ in range(2):
        tell_of_failure(program.window, theme, watch)
        program.window.bar.act()
    report = open_report(program)
    assert report.width() <= program.window.width()
    assert report.height() <= program.window.height()
    assert "left no trace" in report.view.whole_text()
