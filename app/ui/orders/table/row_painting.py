"""Paints all visible rows of the orders table at once: a key in the filter replaces some hundred cells.

A delegate, asked cell by cell, takes several times as long. Invariant: selection, changes, matches and state are never
told by colour alone: a selected row has an edge, a changed one a dot, a match a line below it, each state its glyph.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QStaticText, QTransform
from PySide6.QtWidgets import QHeaderView, QTableView

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.orders.table.column_list import Line, OrderColumn
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DOT_PX, EDGE_PX, SPACE_1, SPACE_2, SPACE_3

if TYPE_CHECKING:
    from app.ui.orders.table.match_marks import Found, MatchMarks

_NAMES = ("ink", "ink_soft", "line", "surface", "raised", "selection", "match", "accent", "good", "warn", "bad")
# Columns that stay in sight when the table is scrolled sideways, as long as they are the first ones.
PINNED = frozenset({"state", "crn"})
_PINNED_SHARE = 0.6  # of the table's width, at most: the other columns need room to scroll in
_CACHED_TEXTS = 1_000  # cities, states and dates repeat; some 300 texts are on screen
_ONE_LINE = {0x09: " ", 0x0A: " "}
_AS_IT_IS = QTransform()
_FLAT = Qt.PenStyle.NoPen
_MIDDLE, _RIGHT = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight


class _Fitted:
    """A text elided to a width. From the second time on it is painted from a prepared layout.

    Preparing takes as long as painting twice, so a text that is painted once is not prepared.
    """

    __slots__ = ("_laid_out", "_painted", "text", "width")

    def __init__(self, text: str, width: int) -> None:
        self.text, self.width = text, width
        self._painted = False
        self._laid_out: QStaticText | None = None

    def paint(self, painter: QPainter, left: int, top: int, ascent: int) -> None:
        """Paint with the painter's pen and the table's font; `left` and `top` are the upper left corner."""
        if self._laid_out is not None:
            painter.drawStaticText(left, top, self._laid_out)
            return
        painter.drawText(left, top + ascent, self.text)
        if self._painted:
            self._laid_out = QStaticText(self.text)
            self._laid_out.setTextFormat(Qt.TextFormat.PlainText)
            self._laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            self._laid_out.prepare(_AS_IT_IS, painter.font())
        self._painted = True


class _Place(NamedTuple):
    """A visible column: where its text begins, its width, and whether the text is elided in the middle.

    `searched`: a search reads it, so words of a search are marked in it.
    """

    column: OrderColumn
    left: int
    width: int
    middle: bool
    searched: bool


def pinned_columns(header: QHeaderView, columns: Sequence[OrderColumn]) -> list[int]:
    """The columns that stay in sight, from left to right; none where they would leave too little to the others."""
    found, taken = [], 0
    for place in range(header.count()):
        at = header.logicalIndex(place)
        if columns[at].name not in PINNED:
            break
        found.append(at)
        taken += header.sectionSize(at)
    return found if taken <= header.viewport().width() * _PINNED_SHARE else []


def pinned_edge(header: QHeaderView, columns: Sequence[OrderColumn]) -> int:
    """Where the columns that stay in sight end, in pixels; 0 while the table is not scrolled sideways."""
    return sum(map(header.sectionSize, pinned_columns(header, columns))) if header.offset() else 0


class RowsPainter:
    """Paints the rows of `model` into `table`. Colours are looked up once per theme."""

    def __init__(self, theme: Theme, table: QTableView, model: OrdersModel) -> None:
        self._theme, self._table, self._model = theme, table, model
        self.leaves_out_dated = False  # paint no text that is another one on another day
        self._colours: dict[str, QColor] = {}
        self._marks: MatchMarks | None = None
        self._searched: frozenset[str] = frozenset()
        self._learn_colours()
        self._learn_font()
        theme.changed.connect(self._learn_colours)

    def _learn_colours(self) -> None:
        self._colours = {name: self._theme.colour(name) for name in _NAMES}

    def _learn_font(self) -> None:
        """Measure in the table's font, with an empty cache of texts."""
        self._font = self._table.font()
        metrics = self._metrics = QFontMetrics(self._font)
        self._ascent, self._tall = metrics.ascent(), metrics.height()

        @lru_cache(_CACHED_TEXTS)
        def fitted(text: str, middle: bool, width: int) -> _Fitted:
            text = text if text.isprintable() else text.translate(_ONE_LINE)
            taken = metrics.horizontalAdvance(text)
            if taken <= width:
                return _Fitted(text, taken)
            text = metrics.elidedText(text, _MIDDLE if middle else _RIGHT, width)
            taken = metrics.horizontalAdvance(text)
            return _Fitted(text, taken) if taken <= width else _Fitted("", 0)  # too narrow for an ellipsis

        self._fitted = fitted

    def mark(self, text: str) -> bool:
        """Mark the words of this search from now on; whether they are others than before."""
        if text == (" ".join(self._marks.words) if self._marks is not None else ""):
            return False
        from app.ui.orders.table.match_marks import SEARCHED, MatchMarks  # nobody searches before the first paint

        marks = MatchMarks(text)
        other = marks.words != (self._marks.words if self._marks is not None else ())
        self._marks, self._searched = (marks if marks.words else None), frozenset(SEARCHED)
        return other

    def paint(self, painter: QPainter, dirty: QRect) -> None:
        """Paint all of `dirty`, in the viewport's coordinates: the ground, and the rows and columns that lie in it."""
        table, header = self._table, self._table.horizontalHeader()
        if self._marks is not None:  # what a row matches depends on all of its columns that are in sight
            dirty = QRect(0, dirty.top(), table.viewport().width(), dirty.height())
        painter.fillRect(dirty, self._colours["surface"])
        first, last = table.rowAt(max(dirty.top(), 0)), table.rowAt(dirty.bottom())
        if first < 0:
            return
        last = last if last >= 0 else self._model.rowCount() - 1
        if table.font() != self._font:
            self._learn_font()
        painter.setFont(self._font)
        edge = pinned_edge(header, self._model.columns)
        if not edge:
            self._paint_rows(painter, first, last, self._places(dirty, -header.offset()), ())
            return
        pinned, _end = self._places(QRect(0, dirty.top(), edge, dirty.height()), 0)
        right = QRect(edge, dirty.top(), max(table.viewport().width() - edge, 0), dirty.height())
        painter.setClipRect(right)
        self._paint_rows(painter, first, last, self._places(dirty & right, -header.offset()), pinned)
        painter.setClipRect(0, dirty.top(), edge, dirty.height())
        painter.fillRect(0, dirty.top(), edge, dirty.height(), self._colours["surface"])  # over the scrolled columns
        self._paint_rows(painter, first, last, (pinned, edge), (), hints=False)
        painter.fillRect(edge - 1, dirty.top(), 1, dirty.height(), self._colours["line"])

    def _paint_rows(
        self,
        painter: QPainter,
        first: int,
        last: int,
        where: tuple[list[_Place], int],
        beside: Sequence[_Place],
        *,
        hints: bool = True,
    ) -> None:
        """Paint these rows at these places. `beside` are places that show a match too; `hints`: tell of all others."""
        table, (places, end) = self._table, where
        top, height = table.rowViewportPosition(first), table.rowHeight(first)
        chosen = table.selectionModel()
        any_chosen, start = chosen.hasSelection(), 0 if not hints else -table.horizontalHeader().offset()
        for row in range(first, last + 1):
            line = self._model.line(row)
            selected = any_chosen and chosen.isSelected(self._model.index(row, 0))
            self._paint_ground(painter, QRect(0, top, end, height), line, start, selected=selected)
            if line is not None:
                shown = self._paint_texts(painter, line, places, top, height)
                if hints and self._marks is not None and shown != self._marks.every:
                    self._paint_hint(painter, line, shown | self._matched(line, beside), top, height)
            top += height

    def _places(self, dirty: QRect, start: int) -> tuple[list[_Place], int]:
        """The columns in `dirty` from left to right, the first at `start`, and where the last column ends."""
        header, columns = self._table.horizontalHeader(), self._model.columns
        left, found = start, []
        for place in range(header.count()):
            at = header.logicalIndex(place)
            width = header.sectionSize(at)
            if left <= dirty.right() and left + width > dirty.left():
                before = SPACE_3 if place == 0 else SPACE_2
                column = columns[at]
                searched = column.name in self._searched
                inside = width - before - SPACE_2
                found.append(_Place(column, left + before, inside, column.elide is _MIDDLE, searched))
            left += width
        return found, left

    def _paint_ground(self, painter: QPainter, box: QRect, line: Line | None, start: int, *, selected: bool) -> None:
        colours = self._colours
        if selected or isinstance(line, OutboxLine):  # the ground of all others is painted
            painter.fillRect(box, colours["selection" if selected else "raised"])
        painter.fillRect(0, box.bottom(), box.width(), 1, colours["line"])
        if selected:
            painter.fillRect(start, box.top(), EDGE_PX, box.height(), colours["accent"])
        marked = line is not None and bool(self._model.changing_words(line))
        if isinstance(line, OrderLine) and (line.changed or marked):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            # A ring while somebody of the team changes the order, a dot where it has changed.
            painter.setPen(colours["warn"] if marked else _FLAT)
            painter.setBrush(colours["accent"] if line.changed else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRect(start + EDGE_PX, box.center().y() - DOT_PX // 2, DOT_PX, DOT_PX))

    def _paint_texts(self, painter: QPainter, line: Line, places: list[_Place], top: int, height: int) -> int:
        """Paint the texts of a row; which words of the search stand in them, a bit each."""
        colours, fitted, ascent, marks = self._colours, self._fitted, self._ascent, self._marks
        text_top, pen, which = top + (height - self._tall) // 2, "", 0
        for column, left, width, middle, searched in places:
            text = "" if self.leaves_out_dated and column.dated else column.text(line)
            if not text:
                continue
            shown = fitted(text, middle, width)
            begin = left + width - shown.width if column.right else left
            if searched and marks is not None:
                found = marks.found_in(shown.text, column.name == "phone")
                if found.which:
                    which |= found.which
                    self._paint_marks(painter, shown, found, begin, text_top)
            if (ink := column.ink(line)) != pen:
                painter.setPen(colours[ink])
                pen = ink
            shown.paint(painter, begin, text_top, ascent)
            aside = column.aside(line)
            if aside and (beside := fitted(aside, middle, width)).width + SPACE_2 + shown.width <= width:
                pen = "ink_soft"
                painter.setPen(colours[pen])
                beside.paint(painter, left + shown.width + SPACE_2, text_top, ascent)
        return which

    def _matched(self, line: Line, places: Sequence[_Place]) -> int:
        """Which words of the search stand in these places."""
        which = 0
        for column, _left, width, middle, searched in places:
            if searched and self._marks is not None:
                text = self._fitted(column.text(line), middle, width).text
                which |= self._marks.found_in(text, column.name == "phone").which
        return which

    def _paint_marks(self, painter: QPainter, shown: _Fitted, found: "Found", left: int, top: int) -> None:
        """Paint a ground and a line behind the words that match."""
        for start, end in found.places:
            # To measure a text takes as long as to paint it, and most matches are at its beginning.
            at = left + (self._metrics.horizontalAdvance(shown.text[:start]) if start else 0)
            whole = end - start == len(shown.text)
            wide = shown.width if whole else self._metrics.horizontalAdvance(shown.text[start:end])
            painter.fillRect(at, top, wide, self._tall, self._colours["match"])
            painter.fillRect(at, top + self._tall, wide, 1, self._colours["accent"])

    def _paint_hint(self, painter: QPainter, line: Line, shown: int, top: int, height: int) -> None:
        """Paint at the right end of a row what matches in columns that are not in sight."""
        assert self._marks is not None
        text = self._marks.elsewhere(line, self._marks.every & ~shown)
        if not text:
            return
        room = self._table.viewport().width()
        hint = self._fitted(text, False, max(room // 2, 0))
        left, text_top = room - hint.width - SPACE_3, top + (height - self._tall) // 2
        box = QRect(left - SPACE_2, top + SPACE_1, room - left + SPACE_2, height - 2 * SPACE_1 - 1)
        painter.fillRect(box.adjusted(-1, -1, 1, 1), self._colours["line"])
        painter.fillRect(box, self._colours["surface"])
        self._paint_marks(painter, hint, self._marks.found_in(hint.text, True), left, text_top)
        painter.setPen(self._colours["ink"])
        hint.paint(painter, left, text_top, self._ascent)
