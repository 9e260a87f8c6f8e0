"""Files made of audits: the strip that tells how far a report is, and what came of it."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QApplication

from app.desk.files.stoppable_work import Progress
from app.ui.audits.audits_page import AuditsPage
from app.ui.widgets.files.file_strip import FileStrip
from tests.shots.audit_scenes import audit_opened
from tests.shots.file_strips import under_way
from tests.shots.stage import Stage


def _strip(stage: Stage) -> FileStrip:
    page = stage.shell.page("audits")
    assert isinstance(page, AuditsPage)
    return page.files.strip


def _words(progress: Progress) -> str:
    return f"Writing page {progress.done + 1} of {progress.total}…"


async def audit_report_under_way(stage: Stage) -> None:
    await audit_opened(stage)
    under_way(_strip(stage), _words, 16, 26)


async def _leave(stage: Stage) -> None:
    with stage.shell.page("audits").tasks.ask_about(lambda: "audit-4711.pdf: Writing page 17 of 26…"):
        await stage.shell.leaving.may_stop()


async def audit_report_asked_about(stage: Stage) -> None:
    stage.ask(_leave(stage))
    await stage.until(QApplication.activeModalWidget)


async def audit_report_made(stage: Stage) -> None:
    strip = _strip(stage)
    strip._end()
    why = "1 picture could not be shown; the report says why in its place."
    words = f"The report is in audit-4711.pdf, 26 pages. {why}"
    strip.bar.say("warn", words, "Show in folder", strip.stop)


REPORT_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    audit_report_under_way,
    audit_report_asked_about,
    audit_report_made,
)
