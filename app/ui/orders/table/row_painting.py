"""Paints all visible rows of the orders table at once: a key in the filter replaces some hundred cells.

A delegate, asked cell by cell, takes several times as long. Invariant: selection, changes and state are never told by
colour alone: a selected row has an edge, a changed one a dot, and each state its glyph.
"""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QStaticText, QTransform
from PySide6.QtWidgets import QTableView

from app.desk.sending.outstanding_orders import OutboxLine
from app.store.cache.order_rows import OrderLine
from app.ui.orders.table.column_list import Line, OrderColumn
from app.ui.orders.table.orders_model import OrdersModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DOT_PX, EDGE_PX, SPACE_2, SPACE_3

_NAMES = ("ink", "ink_soft", "line", "surface", "raised", "selection", "accent", "good", "warn", "bad")
_CACHED_TEXTS = 2_000  # cities, states and dates repeat
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
    """A visible column: where its text begins, its width, and whether the text is elided in the middle."""

    column: OrderColumn
    left: int
    width: int
    middle: bool


class RowsPainter:
    """Paints the rows of `model` into `table`. Colours are looked up once per theme."""

    def __init__(self, theme: Theme, table: QTableView, model: OrdersModel) -> None:
        self._theme, self._table, self._model = theme, table, model
        self._colours: dict[str, QColor] = {}
        self._learn_colours()
        self._learn_font()
        theme.changed.connect(self._learn_colours)

    def _learn_colours(self) -> None:
        self._colours = {name: self._theme.colour(name) for name in _NAMES}

    def _learn_font(self) -> None:
        """Measure in the table's font, with an empty cache of texts."""
        self._font = self._table.font()
        metrics = QFontMetrics(self._font)
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

    def paint(self, painter: QPainter, dirty: QRect) -> None:
        """Paint the rows and columns that lie in `dirty`, in the viewport's coordinates."""
        table = self._table
        first, last = table.rowAt(max(dirty.top(), 0)), table.rowAt(dirty.bottom())
        if first < 0:
            return
        last = last if last >= 0 else self._model.rowCount() - 1
        if table.font() != self._font:
            self._learn_font()
        places, end = self._places(dirty)
        top, height = table.rowViewportPosition(first), table.rowHeight(first)
        chosen = table.selectionModel()
        any_chosen = chosen.hasSelection()
        painter.setFont(self._font)
        for row in range(first, last + 1):
            line = self._model.line(row)
            selected = any_chosen and chosen.isSelected(self._model.index(row, 0))
            self._paint_ground(painter, QRect(0, top, end, height), line, selected=selected)
            if line is not None:
                self._paint_texts(painter, line, places, top, height)
            top += height

    def _places(self, dirty: QRect) -> tuple[list[_Place], int]:
        """The columns in `dirty` from left to right, and where the last column of the table ends."""
        header, columns = self._table.horizontalHeader(), self._model.columns
        left, found = -header.offset(), []
        for place in range(header.count()):
            at = header.logicalIndex(place)
            width = header.sectionSize(at)
            if left <= dirty.right() and left + width > dirty.left():
                before = SPACE_3 if place == 0 else SPACE_2
                column = columns[at]
                found.append(_Place(column, left + before, width - before - SPACE_2, column.elide is _MIDDLE))
            left += width
        return found, left

    def _paint_ground(self, painter: QPainter, box: QRect, line: Line | None, *, selected: bool) -> None:
        colours, start = self._colours, -self._table.horizontalHeader().offset()
        ground = "selection" if selected else "raised" if isinstance(line, OutboxLine) else "surface"
        painter.fillRect(box, colours[ground])
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

    def _paint_texts(self, painter: QPainter, line: Line, places: list[_Place], top: int, height: int) -> None:
        colours, fitted, ascent = self._colours, self._fitted, self._ascent
        text_top, pen = top + (height - self._tall) // 2, ""
        for column, left, width, middle in places:
            text = column.text(line)
            if not text:
                continue
            if (ink := column.ink(line)) != pen:
                painter.setPen(colours[ink])
                pen = ink
            shown = fitted(text, middle, width)
            shown.paint(painter, left + width - shown.width if column.right else left, text_top, ascent)
            aside = column.aside(line)
            if aside and (beside := fitted(aside, middle, width)).width + SPACE_2 + shown.width <= width:
                pen = "ink_soft"
                painter.setPen(colours[pen])
                beside.paint(painter, left + shown.width + SPACE_2, text_top, ascent)
