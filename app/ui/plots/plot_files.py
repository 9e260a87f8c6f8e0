"""A plot as a file: a picture (PNG), a drawing (SVG) with its title and its definition, or the table of its numbers.

Invariant: what is saved stands alone. It says what it counts, over which days and orders, and what is left out.
"""

from collections.abc import Iterator
from itertools import compress
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.desk.export.csv_file import write_csv
from app.desk.export.spreadsheet_cells import Value
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place
from app.desk.insights.plot_data import Plot, Unit
from app.desk.report.report_words import PRACTICE
from app.ui.plots import plots_words as words
from app.ui.plots.plot_look import PlotLook, paper_look
from app.ui.plots.plot_painting import height_of, lay_out, paint_plot
from app.ui.theme.tokens import HEADING_PX, PLOT_CARD_HEIGHT, PLOT_FILE_WIDTH, SPACE_2, SPACE_4
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.text.labels import visible

# After the point. A score may be one of 1, of 5 or of 100.
_DIGITS: dict[Unit, int] = {"percent": 2, "count": 0, "days": 0, "hours": 2, "score": 4}
_FINE = 2.0  # pixels of a picture for each of the screen
KINDS = tuple(
    FileKind(key, title, key)
    for key, title in (("png", words.PNG_FILE), ("svg", words.SVG_FILE), ("csv", words.CSV_FILE))
)


def plot_job(plot: Plot, about: str, file_name: str, font: QFont, *, practice: bool) -> FileJob:
    """The job of saving a plot; `about` says over which days and orders it is. Pictures of `practice` say that too."""
    said = " · ".join(each for each in (PRACTICE if practice else "", about) if each)

    async def write(chosen: Chosen, progress: Progress) -> FileResult:
        def make(target: Path) -> None:
            _WRITERS[chosen.kind.ending](target, plot, said, font)

        await in_thread(lambda: put_in_place(chosen.target, make, replace=chosen.replace), progress)
        return FileResult(words.saved(chosen.target.name))

    return FileJob(words.SAVE_PLOT, file_name, KINDS, write, lambda _progress: words.saving(plot.title))


def table_of(plot: Plot) -> tuple[list[str], list[list[Value]]]:
    """The numbers of a plot: its titles, and a row for each mark and for each case behind them.

    A column that no row fills is left out: of ends of ranges, of numbers of cases, of the name of the only series.
    """
    titles = [*plot.axis, plot.by, *words.value_titles(plot.unit, ranges=plot.kind == "ranges"), words.CASES]
    rows = [[*row, said] for row, said in _rows(plot)]
    filled = [bool(title) and any(row[at] is not None for row in rows) for at, title in enumerate(titles)]
    kept = [*compress(titles, filled), words.WORDS]
    return kept, [list(compress(row, [*filled, True])) for row in rows]


def _rows(plot: Plot) -> Iterator[tuple[list[Value], str]]:
    """The cells of each row, and the row in words."""
    for series, place, mark in plot.marks():
        name = plot.series[series].name if plot.by else None
        numbers = (_rounded(plot.unit, each) for each in (mark.value, mark.low, mark.high))
        yield [*plot.places[place].cells, name, *numbers, mark.cases], mark.words
    if plot.cases is not None:
        for at, value in enumerate(plot.cases.values):
            cells = [*plot.cases.cells(at), plot.cases.name, _rounded(plot.unit, value), None, None, None]
            yield cells, plot.cases.words(at)


def _rounded(unit: Unit, value: float | None) -> float | None:
    """A number with as many digits as are of use; a whole one without a point."""
    if value is None:
        return None
    rounded = round(value, _DIGITS[unit])
    return int(rounded) if rounded == int(rounded) else rounded


def _write_csv(target: Path, plot: Plot, _about: str, _font: QFont) -> None:
    titles, rows = table_of(plot)
    write_csv(target, titles, rows)


def _write_png(target: Path, plot: Plot, about: str, font: QFont) -> None:
    sheet = PlotSheet(plot, about, paper_look(font), PLOT_FILE_WIDTH)
    image = QImage(round(sheet.width * _FINE), round(sheet.height * _FINE), QImage.Format.Format_RGB32)
    image.fill(sheet.look.colour("surface"))
    painter = QPainter(image)
    painter.scale(_FINE, _FINE)
    sheet.paint(painter, 0, 0)
    painter.end()
    if not image.save(str(target)):  # as the ending of its name says
        raise OSError(words.NOT_WRITTEN)


def _write_svg(target: Path, plot: Plot, about: str, font: QFont) -> None:
    sheet = PlotSheet(plot, about, paper_look(font), PLOT_FILE_WIDTH)
    drawing = QSvgGenerator()
    drawing.setFileName(str(target))
    drawing.setSize(QSize(round(sheet.width), round(sheet.height)))
    drawing.setViewBox(QRectF(0, 0, sheet.width, sheet.height))
    drawing.setTitle(visible(plot.title))
    drawing.setDescription(visible(plot.definition))
    painter = QPainter()
    if not painter.begin(drawing):
        raise OSError(words.NOT_WRITTEN)
    painter.fillRect(QRectF(0, 0, sheet.width, sheet.height), sheet.look.colour("surface"))
    sheet.paint(painter, 0, 0)
    painter.end()


_WRITERS = {"png": _write_png, "svg": _write_svg, "csv": _write_csv}


class PlotSheet:
    """A plot with its title, what it is about, its definition and what it leaves out, for paper and files."""

    def __init__(self, plot: Plot, about: str, look: PlotLook, width: float, least: float = PLOT_CARD_HEIGHT) -> None:
        self.plot, self.look, self.width = plot, look, width
        self._heading = QFont(look.font)
        self._heading.setPixelSize(HEADING_PX)
        self._heading.setBold(True)
        self._inner = width - 2 * SPACE_4
        left_out = " ".join(each.sentence for each in plot.left_out)
        # Each text with its font and colour, above and below the plot.
        self._above = [(plot.title, self._heading, "ink"), *([(about, look.font, "ink_soft")] if about else [])]
        below = (plot.nothing, plot.definition, left_out)
        self._below = [(each, look.font, "ink_soft") for each in below if each]
        self._plot_height = 0.0 if plot.nothing else height_of(plot, look, self._inner, least)
        texts = sum(self._height(text, font) for text, font, _ in (*self._above, *self._below))
        self.height = texts + self._plot_height + 2 * SPACE_4 + 2 * SPACE_2

    def _height(self, text: str, font: QFont) -> float:
        box = QFontMetricsF(font).boundingRect(QRectF(0, 0, self._inner, 10_000), _WRAP, visible(text))
        return box.height()

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        """Paint it with its upper left corner here."""
        y += SPACE_4
        for text, font, token in self._above:
            y = self._write(painter, x, y, text, font, token)
        y += SPACE_2
        if self._plot_height:
            rect = QRectF(x + SPACE_4, y, self._inner, self._plot_height)
            paint_plot(painter, self.plot, self.look, lay_out(self.plot, self.look, rect))
            y += self._plot_height
        y += SPACE_2
        for text, font, token in self._below:
            y = self._write(painter, x, y, text, font, token)

    def _write(self, painter: QPainter, x: float, y: float, text: str, font: QFont, token: str) -> float:
        height = self._height(text, font)
        painter.setFont(font)
        painter.setPen(self.look.colour(token))
        painter.drawText(QRectF(x + SPACE_4, y, self._inner, height), _WRAP, visible(text))
        return y + height


_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
