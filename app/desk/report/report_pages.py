"""The frame of every page of a report: title, practice mark, time, and page n of m."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.desk.printing.page_flow import Flow
from app.desk.printing.page_marks import Band, Block, Line, Mark, Page, Ruler, Style, Words
from app.desk.printing.paper_words import page_words
from app.desk.printing.text_fitting import both_ends, fitted, one_line
from app.desk.report import report_words as words

MARGIN = 15.0
_HEAD, _FOOT, _BAND = 9.0, 9.0, 7.5
_SMALL = Style(2.9, ink="soft")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper of a report, and the facts in the frame of each page."""

    paper: tuple[float, float]
    made: datetime
    practice: bool = False

    @property
    def width(self) -> float:
        """The width between the margins, in mm."""
        return self.paper[0] - 2 * MARGIN

    @property
    def height(self) -> float:
        """The height between head and foot, in mm."""
        return self.paper[1] - 2 * MARGIN - _HEAD - _FOOT

    def flow(self, ruler: Ruler, step: Callable[[], None]) -> Flow:
        """Pages to be filled between head and foot."""
        return Flow(ruler, (MARGIN, MARGIN + _HEAD, self.width, self.height), step)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Pages that belong together, and the title that stands above each of them."""

    title: str
    bodies: Sequence[Sequence[Mark]]


def bound(sheet: Sheet, chapters: Sequence[Chapter], ruler: Ruler) -> list[Page]:
    """All pages, numbered through."""
    last = sum(len(each.bodies) for each in chapters)
    pages = [(each.title, body) for each in chapters for body in each.bodies]
    return [
        Page(*sheet.paper, (Block([*_furniture(sheet, title, (at, last), ruler), *body]),))
        for at, (title, body) in enumerate(pages, 1)
    ]


def _furniture(sheet: Sheet, title: str, numbers: tuple[int, int], ruler: Ruler) -> list[Mark]:
    width, height = sheet.paper
    made: list[Mark] = []
    if sheet.practice:
        made.append(Band(0.0, 0.0, width, _BAND))
        text, style = fitted(words.PRACTICE, sheet.width, Style(3.6, bold=True, ink="practice"), ruler)
        made.append(Words((width - ruler.width(text, style)) / 2, 5.0, text, style))
    text, style = fitted(one_line(title, ruler), sheet.width, _SMALL, ruler)
    made.append(Words(MARGIN, MARGIN + 3.0, text, style))
    made.append(Line(MARGIN, MARGIN + 5.0, sheet.width))
    foot = height - MARGIN
    made.append(Line(MARGIN, foot - 5.0, sheet.width))
    when = words.made_words(sheet.made)
    made += both_ends(when, page_words(*numbers), (MARGIN, foot, sheet.width), _SMALL, ruler)
    return made
