"""A list of orders on paper: a line for each order, laid out page by page so that a list of any length fits.

Columns are set in smaller type when there are many. A column that does not fit at the smallest legible size is left out
and named.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from app.desk.export.export_rows import ExportColumn
from app.desk.export.spreadsheet_cells import Value, written
from app.desk.printing.page_marks import Band, Block, Line, Mark, Page, Ruler, Style, Words
from app.desk.printing.paper_words import PRACTICE, page_words, printed_words
from app.desk.printing.text_fitting import both_ends, fitted, one_line
from app.translation import translate_plural

_MARGIN = 12.0
_HEAD = 16.0  # from the top margin to the line below the titles
_FOOT = 8.0
_BAND = 7.5
_GAP = 2.0  # between columns
_PER_CHARACTER = 0.52  # of the type's size
_LARGEST, _SMALLEST = 3.0, 2.1  # mm
_TITLE, _SOFT = Style(5.0, bold=True), Style(2.9, ink="soft")


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of the list: its name, its filter, and the time of printing."""

    title: str
    described: str
    printed: datetime
    practice: bool = False


@dataclass(frozen=True, slots=True)
class ListLayout:
    """The layout of a list. `places` are left and width of each column; the columns `left_out` did not fit."""

    paper: tuple[float, float]
    columns: tuple[ExportColumn, ...]
    left_out: tuple[ExportColumn, ...]
    places: tuple[tuple[float, float], ...]
    style: Style

    @property
    def row_height(self) -> float:
        """The height of one order's row in mm."""
        return self.style.line + 1.2

    @property
    def per_page(self) -> int:
        """How many orders a page holds."""
        return int((self.paper[1] - 2 * _MARGIN - _HEAD - _FOOT) // self.row_height)

    def pages(self, count: int) -> int:
        """How many pages so many orders take; at least one."""
        return max(1, -(-count // self.per_page))


def plan(columns: Sequence[ExportColumn], paper: tuple[float, float]) -> ListLayout:
    """Lay the columns out on the paper, which is turned so that it is wide."""
    width, height = max(paper), min(paper)
    inner = width - 2 * _MARGIN
    kept = list(columns)
    while len(kept) > 1 and _wide(kept, _SMALLEST) > inner:
        kept.pop()
    size = _LARGEST
    while size > _SMALLEST and _wide(kept, size) > inner:
        size = max(_SMALLEST, size - 0.1)
    share = (inner - _GAP * (len(kept) - 1)) / sum(each.width for each in kept)
    places, x = [], _MARGIN
    for each in kept:
        places.append((x, each.width * share))
        x += each.width * share + _GAP
    return ListLayout((width, height), tuple(kept), tuple(columns[len(kept) :]), tuple(places), Style(size))


def _wide(columns: Sequence[ExportColumn], size: float) -> float:
    return sum(each.width * size * _PER_CHARACTER for each in columns) + _GAP * (len(columns) - 1)


def lay_out(
    layout: ListLayout,
    heading: Heading,
    rows: Iterable[Sequence[Value]],
    count: int,
    ruler: Ruler,
    step: Callable[[], None] = lambda: None,
) -> Iterator[Page]:
    """The pages, each made when it is asked for. `count` is how many rows there will be; `step` may raise to stop."""
    last = layout.pages(count)
    rest = iter(rows)
    for number in range(1, last + 1):
        marks = _furniture(layout, heading, count, (number, last), ruler)
        baseline = _MARGIN + _HEAD + layout.style.size + 0.8
        for at, row in enumerate(islice(rest, layout.per_page)):
            step()
            y = baseline + at * layout.row_height
            marks += _cells(layout, [written(value) for value in row], y, layout.style, ruler)
        yield Page(*layout.paper, (Block(marks),))


def _cells(layout: ListLayout, texts: Sequence[str], y: float, style: Style, ruler: Ruler) -> Iterator[Words]:
    for text, (x, width) in zip(texts, layout.places, strict=False):  # the columns left out are the last ones
        if text:
            words, fitting = fitted(one_line(text, ruler), width, style, ruler)
            yield Words(x, y, words, fitting)


def _furniture(layout: ListLayout, heading: Heading, count: int, numbers: tuple[int, int], ruler: Ruler) -> list[Mark]:
    """The frame of every page."""
    width, height = layout.paper
    inner = width - 2 * _MARGIN
    made: list[Mark] = []
    if heading.practice:
        made.append(Band(0.0, 0.0, width, _BAND))
        words, style = fitted(PRACTICE, inner, Style(3.6, bold=True, ink="practice"), ruler)
        made.append(Words((width - ruler.width(words, style)) / 2, 5.0, words, style))
    orders = translate_plural("{count:,} order", "{count:,} orders", count)
    title = one_line(heading.title, ruler)
    made += both_ends(title, orders, (_MARGIN, _MARGIN + 4.0, inner), _TITLE, ruler)
    words, style = fitted(one_line(heading.described, ruler), inner, _SOFT, ruler)
    made.append(Words(_MARGIN, _MARGIN + 8.6, words, style))
    bold = replace(layout.style, bold=True, ink="soft")
    made += _cells(layout, [each.title for each in layout.columns], _MARGIN + _HEAD - 1.6, bold, ruler)
    made.append(Line(_MARGIN, _MARGIN + _HEAD, inner))
    foot = height - _MARGIN
    made.append(Line(_MARGIN, foot - 4.6, inner))
    made += both_ends(printed_words(heading.printed), page_words(*numbers), (_MARGIN, foot, inner), _SOFT, ruler)
    return made
