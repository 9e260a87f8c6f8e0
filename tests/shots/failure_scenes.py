"""What failed: the run before, a safe start, diagnostics; and a connection of the administrator's."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from app.desk.connections import given_connections, profiles
from app.desk.connections.connection_files import as_file
from app.runtime.crash_watch import CrashWatch, Failure
from app.ui.reports.report_dialog import ReportDialog
from app.ui.settings.settings_page import SettingsPage
from app.ui.shell.failure_notices import tell_of_failure, tell_of_safe_start
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]
_TRACE = """Fatal Python error: Segmentation fault
Thread 0x00007f7c08e606c0
  store/sqlite/database.py:212 in _run
Current thread 0x00007f7c099dcb80
  ui/orders/table/orders_model.py:118 in data
  runtime/loop.py:64 in run
Extension modules: apsw, PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets, msgspec, pyroaring (total: 41)"""


def _watch() -> CrashWatch:
    watch = CrashWatch(Path("nowhere"))
    watch.failure = Failure("2026-11-22 14:32", "0.1.0", _TRACE)
    watch.in_a_row = 2
    return watch


async def failure_told(stage: Stage) -> None:
    stage.shell.go("orders")
    tell_of_failure(stage.shell.window, stage.shell.services.theme, _watch())


async def failure_report(stage: Stage) -> None:
    await failure_told(stage)
    stage.shell.window.bar.act()
    (stage.dialog,) = stage.shell.window.findChildren(ReportDialog)


async def failure_safe_start(stage: Stage) -> None:
    stage.shell.go("orders")
    tell_of_safe_start(stage.shell.window, _watch(), lambda: None)


async def settings_diagnostics(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    stage.shell.go("settings")
    page = stage.shell.page("settings")
    assert isinstance(page, SettingsPage)
    page.about_section.diagnostics_button.click()
    await stage.until(lambda: any(each.isVisible() for each in stage.shell.window.findChildren(ReportDialog)))
    (stage.dialog,) = [each for each in stage.shell.window.findChildren(ReportDialog) if each.isVisible()]


async def settings_given(stage: Stage) -> None:
    journal = stage.shell.desk.journal if stage.shell.desk is not None else None
    assert journal is not None
    kept = await profiles.all_profiles(journal)
    await given_connections.take_over(journal, as_file(kept))
    stage.shell.go("settings")
    await stage.settle()
    await given_connections.forget(journal)


FAILURE_SCENES: tuple[Scene, ...] = (
    failure_told,
    failure_report,
    failure_safe_start,
    settings_diagnostics,
    settings_given,
)
