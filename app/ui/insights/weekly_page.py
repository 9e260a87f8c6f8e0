"""The weekly page: all plots of the twelve weeks up to last Sunday, on one sheet of paper.

Invariant: it is one page. Everything is drawn smaller until it fits; nothing is left off.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from PySide6.QtCore import QIODevice, QMarginsF, QRectF, QSaveFile, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPageSize, QPainter, QPdfWriter

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import ExportTrouble, put_in_place
from app.desk.insights.insight_choice import InsightChoice, monday_of
from app.desk.insights.plot_data import Plot
from app.desk.insights.read_plots import read_all
from app.desk.printing import print_choices
from app.desk.printing.stock import LETTER, PAPERS
from app.desk.report.report_words import PRACTICE
from app.ui.insights import insights_page_words as words
from app.ui.plots.plot_files import PlotSheet
from app.ui.plots.plot_look import PlotLook, paper_look
from app.ui.plots.plots_words import NOT_WRITTEN
from app.ui.theme.tokens import SPACE_2, SPACE_4, TITLE_PX
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import moment

PDF = FileKind("pdf", words.PDF_FILE, "pdf")
_DPI = 300
_MM_PER_INCH = 25.4
_MARGIN_MM = 10.0
_COLUMNS = 2
_WIDTH = 760.0  # pixels across, at the size of the window; more of them makes everything smaller
_SMALLER, _MOST = 1.08, 4.0
_PLOT_HEIGHT = 120.0
_WEEKS = 12
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WeeklyPage:
    """The contents of the weekly page: its heading, its subject, the plots, and whether they are of practice."""

    heading: str
    about: str
    plots: Sequence[Plot]
    practice: bool


def weeks_before(today: date) -> tuple[date, date, date]:
    """The first day of the twelve weeks, and the Monday and Sunday of the last whole week."""
    sunday = monday_of(today) - _DAY
    return sunday - (7 * _WEEKS - 1) * _DAY, sunday - 6 * _DAY, sunday


def weekly_job(desk: Desk, choice: InsightChoice, about: str, font: QFont) -> FileJob:
    """The job of making the weekly page, for the facilities and delivery types of a choice."""
    first, monday, sunday = weeks_before(desk.now().date())

    async def write(chosen: Chosen, progress: Progress) -> FileResult:
        plots = await read_all(desk, replace(choice, days=f"{first}..{sunday}"), progress)
        _, paper = PAPERS.get((await print_choices.last(desk.journal)).paper, ("", LETTER))
        span = words.about(words.span_words("", first, sunday), about, "")
        about_desk = words.weekly_about(desk.profile.name, span, moment(desk.now()))
        page = WeeklyPage(words.weekly_heading(monday, sunday), about_desk, plots, desk.profile.kind == "practice")

        def make(target: Path) -> None:
            write_page(page, target, paper, paper_look(font))

        await in_thread(lambda: put_in_place(chosen.target, make, replace=chosen.replace), progress)
        return FileResult(words.weekly_made(chosen.target.name))

    return FileJob(
        words.WEEKLY_TITLE,
        words.weekly_file(monday),
        (PDF,),
        write,
        lambda progress: words.making_weekly(progress.done, progress.total),
    )


def write_page(page: WeeklyPage, target: Path, paper: tuple[float, float], look: PlotLook) -> None:
    """Write the page into `target`, on paper of this width and height in millimetres. Raises `ExportTrouble`."""
    file = QSaveFile(str(target))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise ExportTrouble(file.errorString())
    writer = QPdfWriter(file)
    writer.setTitle(visible(page.heading))
    writer.setCreator("Waybill")
    writer.setResolution(_DPI)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(QSizeF(*paper), QPageSize.Unit.Millimeter, "", exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter()
    if not painter.begin(writer):
        file.cancelWriting()
        raise ExportTrouble(NOT_WRITTEN)
    try:
        dots = _DPI / _MM_PER_INCH
        painter.translate(_MARGIN_MM * dots, _MARGIN_MM * dots)
        room = QRectF(0, 0, (paper[0] - 2 * _MARGIN_MM) * dots, (paper[1] - 2 * _MARGIN_MM) * dots)
        _paint(painter, page, look, room)
    finally:
        # Before the file is committed: the painter writes the end of the PDF here.
        painter.end()
    if not file.commit():
        raise ExportTrouble(file.errorString())


def _paint(painter: QPainter, page: WeeklyPage, look: PlotLook, room: QRectF) -> None:
    width = _WIDTH
    laid = _Laid(page, look, width)
    # A wider sheet of the same shape holds more, and is drawn smaller.
    while laid.height > width * room.height() / room.width() and width < _WIDTH * _MOST:
        width *= _SMALLER
        laid = _Laid(page, look, width)
    painter.scale(room.width() / width, room.width() / width)
    laid.paint(painter)


class _Laid:
    """The page laid out at a width in pixels."""

    def __init__(self, page: WeeklyPage, look: PlotLook, width: float) -> None:
        self._page, self._look, self._width = page, look, width
        self._title = QFont(look.font)
        self._title.setPixelSize(TITLE_PX)
        self._title.setBold(True)
        self._band = QFontMetricsF(self._title).height() + SPACE_2 if page.practice else 0.0
        self._top = self._band + QFontMetricsF(self._title).height() + QFontMetricsF(look.font).height() + SPACE_4
        wide = width / _COLUMNS
        self._sheets: list[tuple[float, float, PlotSheet]] = []
        below = [self._top] * _COLUMNS
        for plot in page.plots:
            sheet = PlotSheet(plot, "", look, wide, _PLOT_HEIGHT)
            column = below.index(min(below))
            self._sheets.append((column * wide, below[column], sheet))
            below[column] += sheet.height
        self.height = max(below)

    def paint(self, painter: QPainter) -> None:
        """Paint it from the upper left corner on."""
        height = QFontMetricsF(self._title).height()
        painter.setFont(self._title)
        if self._page.practice:
            band = QRectF(0, 0, self._width, self._band - SPACE_2)
            painter.fillRect(band, self._look.colour("practice"))
            painter.setPen(self._look.colour("on_practice"))
            painter.drawText(band, int(Qt.AlignmentFlag.AlignCenter), PRACTICE)
        painter.setPen(self._look.colour("ink"))
        box = QRectF(SPACE_4, self._band, self._width - 2 * SPACE_4, height)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft), visible(self._page.heading))
        painter.setPen(self._look.colour("ink_soft"))
        painter.setFont(self._look.font)
        painter.drawText(box.translated(0, height), int(Qt.AlignmentFlag.AlignLeft), visible(self._page.about))
        for x, y, sheet in self._sheets:
            sheet.paint(painter, x, y)
