"""Flows headings, pairs of label and value, paragraphs, tables and photos over pages.

Invariant: pages break between lines, so a text of any length finds its pages. Only a photo is never broken; it is lower
than a page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from app.desk.printing.page_marks import Line, Mark, Photograph, Ruler, Style, Words
from app.desk.printing.text_fitting import one_line, wrapped

_BODY = Style(3.4)
_LABEL = Style(2.9, ink="soft")
_HEADING = Style(4.0, bold=True)
_CELL = Style(3.1)
_GAP = 4.0  # between blocks
_CELL_GAP = 2.5
_ROW_PAD = 0.7
_LABEL_SHARE = 0.36
_TOGETHER = 12  # lines: a row of a table with no more of them is not broken over two pages


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its title, its share of the width, and how its cells are set."""

    title: str
    share: float
    right: bool = False
    mono: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """One line: marks with `y` from the line's own top."""

    height: float
    marks: list[Mark]


Pairs = Sequence[tuple[str, str]]


class Flow:
    """Fills pages from top to bottom. `box` is left, top, width and height of the body on each page."""

    def __init__(
        self, ruler: Ruler, box: tuple[float, float, float, float], step: Callable[[], None] = lambda: None
    ) -> None:
        self._ruler, self._step = ruler, step
        self._left, self._top, self._width, self._height = box
        self._pages: list[list[Mark]] = [[]]
        self._at = 0.0

    def finish(self) -> list[list[Mark]]:
        """The marks of each page; at least one page."""
        return self._pages

    def heading(self, words: str, needs: float = _BODY.line) -> None:
        """A heading. It begins a new page unless `needs` mm of the following content fit below it."""
        lines = self._lines(words, self._left, self._width, _HEADING, None)
        if self._at:
            self._at += _GAP
        if self._at and self._at + len(lines) * _HEADING.line + needs > self._height:
            self._new_page()
        self._put(lines)

    def text(self, words: str) -> None:
        """A paragraph; its own line breaks are kept."""
        self._put(self._lines(words.replace("\t", "    "), self._left, self._width, _BODY, None, breaks=True))

    def line(self, words: str, style: Style) -> None:
        """Words in this style, on as many lines as they take."""
        self._put(self._lines(words, self._left, self._width, style, None))

    def gap(self, height: float) -> None:
        """Empty height, except at the top of a page."""
        if self._at:
            self._at += height

    def next_page(self) -> None:
        """Begin a new page, unless this one is empty."""
        if self._pages[-1]:
            self._new_page()

    def pairs(self, pairs: Pairs) -> None:
        """A list of label and value over the whole width; without a label the value stands where labels do."""
        for label, value in pairs:
            self._put(self._pair(label, value, self._left, self._width))

    def beside(self, words: Sequence[tuple[str, Style]], photo: Photograph) -> None:
        """Text at the left and a photo at the right; text that is higher than the photo goes on below it."""
        room = self._width - photo.width - 2 * _GAP
        lines = [line for text, style in words for line in self._lines(text, self._left, room, style, None)]
        marks: list[Mark] = [replace(photo, x=self._left + self._width - photo.width, y=0.0)]
        down = 0.0
        while lines and down + lines[0].height <= photo.height:
            line = lines.pop(0)
            marks += [replace(mark, y=mark.y + down) for mark in line.marks]
            down += line.height
        self._put([_Row(photo.height, marks), *lines])
        self.gap(_GAP / 2)

    def photos(self, pictured: Sequence[tuple[Photograph, Sequence[tuple[str, Style]]]], across: int = 2) -> None:
        """Photos side by side, each with its text below; the first line stays on the page of the photo."""
        for first in range(0, len(pictured), across):
            some = pictured[first : first + across]
            room = (self._width - (across - 1) * _GAP) / across
            marks: list[Mark] = []
            below: list[list[_Row]] = []
            for at, (photo, words) in enumerate(some):
                x = self._left + at * (room + _GAP)
                marks.append(replace(photo, x=x, y=0.0, width=room))
                below.append([line for text, style in words for line in self._lines(text, x, room, style, None)])
            lines = _beside_each_other(below)
            height = max(photo.height for photo, _ in some)
            first_line = lines.pop(0) if lines else _Row(0.0, [])
            marks += [replace(mark, y=mark.y + height + 0.5) for mark in first_line.marks]
            self._put([_Row(height + 0.5 + first_line.height, marks), *lines])
            self.gap(_GAP / 2)

    def side_by_side(self, left: tuple[str, Pairs], right: tuple[str, Pairs]) -> None:
        """Two lists of label and value beside each other, each with its heading."""
        half = (self._width - 2 * _GAP) / 2
        sides = [
            [
                *self._lines(heading, x, half, _HEADING, None),
                *(line for label, value in pairs for line in self._pair(label, value, x, half)),
            ]
            for (heading, pairs), x in ((left, self._left), (right, self._left + half + 2 * _GAP))
        ]
        empty = _Row(0.0, [])
        for one, other in zip_longest(*sides, fillvalue=empty):
            self._put([_Row(max(one.height, other.height), [*one.marks, *other.marks])])

    def table(
        self, title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], last: Sequence[str] | None = None
    ) -> None:
        """A table with its title above; the titles of its columns stand on every page. `last` is set in bold."""
        places = self._places(columns)
        plain = [replace(each, mono=False) for each in columns]
        titles = self._row([each.title for each in columns], plain, places, replace(_LABEL, bold=True))
        titles[-1].marks.append(Line(self._left, titles[-1].height, self._width))
        head = sum(each.height for each in titles) + _ROW_PAD
        self.heading(title, head + _CELL.line)
        self._put(titles)
        self._at += _ROW_PAD
        for row in rows:
            self._step()
            self._put_row(self._row(row, columns, places, _CELL), titles)
        if last is not None:
            bold = self._row(last, columns, places, replace(_CELL, bold=True))
            bold[0].marks.append(Line(self._left, 0.0, self._width))
            self._put_row(bold, titles)

    def _places(self, columns: Sequence[Column]) -> list[tuple[float, float]]:
        """Left and width of each column."""
        whole = self._width - _CELL_GAP * (len(columns) - 1)
        shares = sum(each.share for each in columns)
        places, x = [], self._left
        for each in columns:
            width = whole * each.share / shares
            places.append((x, width))
            x += width + _CELL_GAP
        return places

    def _row(
        self, cells: Sequence[str], columns: Sequence[Column], places: Sequence[tuple[float, float]], style: Style
    ) -> list[_Row]:
        made = [
            self._lines(cell.strip(), x, width, replace(style, mono=column.mono), x + width if column.right else None)
            for cell, column, (x, width) in zip(cells, columns, places, strict=True)
        ]
        return _beside_each_other(made)

    def _put_row(self, lines: list[_Row], titles: list[_Row]) -> None:
        """A row of a table, whole on one page unless it is very high."""
        height = sum(each.height for each in lines) if len(lines) <= _TOGETHER else lines[0].height
        if self._at + height > self._height:
            self._new_page()
            self._put(titles)
            self._at += _ROW_PAD
        self._put(lines)
        self._at += _ROW_PAD

    def _pair(self, label: str, value: str, x: float, width: float) -> list[_Row]:
        if not label:
            return self._lines(value.strip(), x, width, _BODY, None)
        taken = width * _LABEL_SHARE
        names = self._lines(label, x, taken - 1.0, _LABEL, None, baseline=_BODY.size)
        values = self._lines(value.strip(), x + taken, width - taken, _BODY, None)
        empty = _Row(0.0, [])
        return [
            _Row(_BODY.line, [*name.marks, *each.marks]) for name, each in zip_longest(names, values, fillvalue=empty)
        ]

    def _lines(
        self,
        text: str,
        x: float,
        width: float,
        style: Style,
        right: float | None,
        *,
        breaks: bool = False,
        baseline: float | None = None,
    ) -> list[_Row]:
        """The text from `x` on, or up to `right`, in lines of their own; one empty line for no text."""
        shown = self._ruler.shown(text) if breaks else one_line(text, self._ruler)
        made = []
        for line in wrapped(shown, width, style, self._ruler):
            start = x if right is None else right - self._ruler.width(line, style)
            made.append(_Row(style.line, [Words(start, baseline or style.size, line, style)] if line else []))
        return made

    def _put(self, lines: Sequence[_Row]) -> None:
        for each in lines:
            # A row that is higher than a page is put at the top of one: the next page has no more room.
            if self._at and self._at + each.height > self._height:
                self._new_page()
            top = self._top + self._at
            self._pages[-1] += [replace(mark, y=mark.y + top) for mark in each.marks]
            self._at += each.height

    def _new_page(self) -> None:
        self._pages.append([])
        self._at = 0.0


def _beside_each_other(made: Sequence[Sequence[_Row]]) -> list[_Row]:
    """Columns of lines as lines that hold a piece of each."""
    empty = _Row(0.0, [])
    return [
        _Row(max(each.height for each in lines), [mark for each in lines for mark in each.marks])
        for lines in zip_longest(*made, fillvalue=empty)
    ]
