"""Paints all visible cells of a sheet at once, so that 100,000 rows scroll within a frame.

A delegate, asked cell by cell, takes several times as long. Invariant: colour is never the only sign. A wrong cell has
a sign and a tint, a selected one a tint, the current one a frame.
"""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QTableView

from app.ui.bulk.sheet.sheet_model import CellLook, SheetModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import FOCUS_PX, SPACE_2, TINT_ALPHA
from app.ui.widgets.grid.grid_model import shown_in_cell

_NAMES = ("ink", "ink_soft", "line", "surface", "raised", "selection", "accent", "good", "warn", "bad")
_TINTED = ("warn", "bad")
_CACHED_TEXTS = 4_000
_RIGHT = Qt.TextElideMode.ElideRight


class _Place(NamedTuple):
    """A visible column: its number, its left edge and its width."""

    at: int
    left: int
    width: int


class SheetPainter:
    """Paints the cells of `model` into `table`. Colours are looked up once per theme, texts are measured once."""

    def __init__(self, theme: Theme, table: QTableView, model: SheetModel) -> None:
        self._theme, self._table, self._model = theme, table, model
        self._colours: dict[str, QColor] = {}
        self._tints: dict[str, QColor] = {}
        self._learn_colours()
        self._learn_font()
        theme.changed.connect(self._learn_colours)

    def _learn_colours(self) -> None:
        self._colours = {name: self._theme.colour(name) for name in _NAMES}
        for name in _TINTED:
            self._tints[name] = self._theme.colour(name)
            self._tints[name].setAlpha(TINT_ALPHA)

    def _learn_font(self) -> None:
        self._font = self._table.font()
        metrics = QFontMetrics(self._font)
        self._ascent, self._tall = metrics.ascent(), metrics.height()

        # A new cache for each font: widths that were measured hold for one.
        @lru_cache(_CACHED_TEXTS)
        def fitted(text: str, width: int) -> tuple[str, int]:
            """The text as it fits into `width`, and the width that it takes."""
            text = shown_in_cell(text)
            taken = metrics.horizontalAdvance(text)
            if taken > width:
                text = metrics.elidedText(text, _RIGHT, width)
                taken = metrics.horizontalAdvance(text)
            return (text, taken) if taken <= width else ("", 0)

        self._fitted = fitted

    def paint(self, painter: QPainter, dirty: QRect, *, focused: bool) -> None:
        """Paint the cells that lie in `dirty`, in the viewport's coordinates; `focused`: frame the current one."""
        table = self._table
        first, last = table.rowAt(max(dirty.top(), 0)), table.rowAt(dirty.bottom())
        if first < 0:
            return
        last = last if last >= 0 else self._model.rowCount() - 1
        if table.font() != self._font:
            self._learn_font()
        places = self._places(dirty)
        columns = [each.at for each in places]
        top, height = table.rowViewportPosition(first), table.rowHeight(first)
        chosen = table.selectionModel()
        some = chosen.hasSelection()
        painter.setFont(self._font)
        end = places[-1].left + places[-1].width if places else 0
        begin = places[0].left if places else 0
        # Grounds and lines of many cells at once: a fill for each cell takes as long as its text.
        painter.fillRect(begin, top, end - begin, (last - first + 1) * height, self._colours["surface"])
        for row in range(first, last + 1):
            for place, look in zip(places, self._model.looks(row, columns), strict=True):
                box = QRect(place.left, top, place.width, height)
                selected = some and chosen.isSelected(self._model.index(row, place.at))
                self._paint_cell(painter, box, look, selected=selected)
            painter.fillRect(begin, top + height - 1, end - begin, 1, self._colours["line"])
            top += height
        tall = (last - first + 1) * height
        for place in places:
            painter.fillRect(place.left + place.width - 1, top - tall, 1, tall, self._colours["line"])
        if focused:
            self._paint_current(painter)

    def _places(self, dirty: QRect) -> list[_Place]:
        header = self._table.horizontalHeader()
        left, found = -header.offset(), []
        for place in range(header.count()):
            at = header.logicalIndex(place)
            width = header.sectionSize(at)
            if width and left <= dirty.right() and left + width > dirty.left():
                found.append(_Place(at, left, width))
            left += width
        return found

    def _paint_cell(self, painter: QPainter, box: QRect, look: CellLook, *, selected: bool) -> None:
        colours = self._colours
        if selected or look.ground != "surface":
            painter.fillRect(box, colours["selection" if selected else look.ground])
        if look.tint:
            painter.fillRect(box, self._tints[look.tint])
        if not look.text and not look.sign:
            return
        top = box.top() + (box.height() - self._tall) // 2 + self._ascent
        left, width = box.left() + SPACE_2, box.width() - 2 * SPACE_2
        if look.sign:
            sign, taken = self._fitted(look.sign, width)
            painter.setPen(colours[look.sign_ink])
            painter.drawText(left, top, sign)
            left, width = left + taken + SPACE_2 // 2, width - taken - SPACE_2 // 2
        text, taken = self._fitted(look.text, width)
        painter.setPen(colours[look.ink])
        painter.drawText(left + width - taken if look.right else left, top, text)

    def _paint_current(self, painter: QPainter) -> None:
        table = self._table
        here = table.currentIndex()
        if here.isValid() and not table.isColumnHidden(here.column()):
            box, accent = table.visualRect(here), self._colours["accent"]
            painter.fillRect(box.left(), box.top(), box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.bottom() + 1 - FOCUS_PX, box.width(), FOCUS_PX, accent)
            painter.fillRect(box.left(), box.top(), FOCUS_PX, box.height(), accent)
            painter.fillRect(box.right() + 1 - FOCUS_PX, box.top(), FOCUS_PX, box.height(), accent)
