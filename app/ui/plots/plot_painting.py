"""Paints a plot on anything that a painter paints on: a widget, a picture, a page.

Invariant: a mark is told from others by its shape and its place too, never by its colour alone; and `Laid.spots` says
where each mark stands, so that what is painted can be pointed at.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.desk.insights.plot_data import Mark, Plot, Span
from app.ui.plots.plot_axis import MOST_STEPS, Axis, axis_of, shown_places, tick_words, ticks_said
from app.ui.plots.plot_look import PlotLook
from app.ui.theme.tokens import (
    FOCUS_PX,
    PLOT_BAR_PX,
    PLOT_DOT_PX,
    PLOT_MARK_PX,
    PLOT_ROW_PX,
    SPACE_1,
    SPACE_2,
    SPACE_3,
    TINT_ALPHA,
)
from app.ui.widgets.text.labels import visible

NEAR_PX = 8.0  # what lies nearer than that is meant; a shorter drag is a click
_LABEL_PART, _VALUE_PART = 0.42, 0.3  # of the width, at most, for the labels and the values of rows
_LEAST_HIT = 12.0
_EDGE_PX = 2.0  # a hand that drags to an edge does not meet it exactly
_STEP_PX = 26.0  # of height, at least, for a step of the axis
_FAINT, _CLEAR = 0.25, 0.6  # how much of the ground cases cover: where several lie on one another it is more
_SHAPES = 5


class Spot(NamedTuple):
    """Where a mark stands: its series, its place, what is painted, and what answers to the mouse."""

    series: int
    place: int
    shape: QRectF
    hit: QRectF


@dataclass(slots=True)
class Laid:
    """A plot laid out in a rectangle: the area of its marks, its axis, and its spots."""

    area: QRectF
    axis: Axis
    spots: list[Spot] = field(default_factory=list)
    keys: list[tuple[int, QRectF]] = field(default_factory=list)  # the names of the series, above the area
    cases: list[QPointF] = field(default_factory=list)
    labels: float = 0.0  # widths of the labels and the values of rows
    values: float = 0.0


def height_of(plot: Plot, look: PlotLook, width: float, least: float) -> float:
    """The height that a plot needs at this width: rows of bars and ranges have a height of their own."""
    if not plot.across:
        return least
    metrics = QFontMetricsF(look.font)
    return max(_keys_height(plot, metrics, width) + len(plot.places) * PLOT_ROW_PX + _axis_height(metrics), least)


def lay_out(plot: Plot, look: PlotLook, rect: QRectF) -> Laid:
    """Where everything of a plot stands within a rectangle."""
    metrics = QFontMetricsF(look.font)
    top = rect.top() + _keys_height(plot, metrics, rect.width()) + SPACE_1
    bottom = rect.bottom() - _axis_height(metrics)
    axis = axis_of(plot, MOST_STEPS if plot.across else min(max(int((bottom - top) // _STEP_PX), 1), MOST_STEPS))
    labels = values = 0.0
    if plot.across:
        labels, values = _labels_width(plot, metrics, rect.width()), _values_width(plot, metrics, rect.width())
        left, right = rect.left() + labels + SPACE_2, rect.right() - values - SPACE_2
    else:
        widest = max(metrics.horizontalAdvance(tick_words(each, plot.unit)) for each in axis.ticks())
        left, right = rect.left() + widest + SPACE_2, rect.right() - SPACE_3
    laid = Laid(QRectF(QPointF(left, top), QPointF(max(right, left + 1), max(bottom, top + 1))), axis)
    laid.labels, laid.values = labels, values
    laid.keys = _lay_out_keys(plot, metrics, rect)
    before = [0.0] * len(plot.places)
    for series, place, mark in plot.marks():
        shape = _shape(plot, laid, place, mark, before[place])
        if plot.stacked:
            before[place] += mark.value
        hit = shape.united(QRectF(0, 0, _LEAST_HIT, _LEAST_HIT).translated(shape.center() - QPointF(6, 6)))
        laid.spots.append(Spot(series, place, shape, hit))
    if plot.cases is not None:
        pairs = zip(plot.cases.at, plot.cases.values, strict=True)
        laid.cases = [QPointF(_across(plot, laid, at), _y(laid, value)) for at, value in pairs]
    return laid


def _across(plot: Plot, laid: Laid, at: float) -> float:
    """Where a place from the left edge stands: 0.5 is the middle of the first one."""
    return laid.area.left() + laid.area.width() * at / max(len(plot.places), 1)


def rect_of(plot: Plot, laid: Laid, span: Span) -> QRectF:
    """The area of a range."""
    top = laid.area.top() if span.high is None else _y(laid, span.high)
    bottom = laid.area.bottom() if span.low is None else _y(laid, span.low)
    left, right = _across(plot, laid, span.first), _across(plot, laid, span.last)
    return QRectF(QPointF(left, top), QPointF(right, bottom)).intersected(laid.area)


def span_of(plot: Plot, laid: Laid, rect: QRectF) -> Span:
    """The range under an area that was dragged over: all values where it is as high as the plot, or hardly high."""
    area = laid.area
    first, last = (
        min(max((x - area.left()) / max(area.width(), 1.0), 0.0), 1.0) * len(plot.places)
        for x in (rect.left(), rect.right())
    )
    whole = rect.top() <= area.top() + _EDGE_PX and rect.bottom() >= area.bottom() - _EDGE_PX
    if rect.height() < NEAR_PX or whole:
        return Span(first, last)
    low, high = (
        laid.axis.low + (laid.axis.high - laid.axis.low) * min(max((area.bottom() - y) / area.height(), 0.0), 1.0)
        for y in (rect.bottom(), rect.top())
    )
    return Span(first, last, low, high)


def case_at(laid: Laid, point: QPointF) -> int | None:
    """The case that lies nearest to a point, if one lies near."""
    if not laid.cases:
        return None
    apart = [max(abs(each.x() - point.x()), abs(each.y() - point.y())) for each in laid.cases]
    nearest = min(range(len(apart)), key=apart.__getitem__)
    return nearest if apart[nearest] <= NEAR_PX else None


def _keys_height(plot: Plot, metrics: QFontMetricsF, width: float) -> float:
    if len(plot.series) < 2:
        return 0.0
    rows = _lay_out_keys(plot, metrics, QRectF(0, 0, width, 0))
    return rows[-1][1].bottom() + SPACE_1


def _lay_out_keys(plot: Plot, metrics: QFontMetricsF, rect: QRectF) -> list[tuple[int, QRectF]]:
    if len(plot.series) < 2:
        return []
    x, y, found = rect.left(), rect.top(), list[tuple[int, QRectF]]()
    for at, series in enumerate(plot.series):
        width = min(metrics.horizontalAdvance(visible(series.name)) + SPACE_3 + SPACE_2, rect.width())
        if x + width > rect.right() + 0.5 and x > rect.left():
            x, y = rect.left(), y + metrics.height()
        found.append((at, QRectF(x, y, width, metrics.height())))
        x += width + SPACE_3
    return found


def _axis_height(metrics: QFontMetricsF) -> float:
    return metrics.height() + SPACE_1


def _labels_width(plot: Plot, metrics: QFontMetricsF, width: float) -> float:
    widest = max((metrics.horizontalAdvance(visible(each.label)) for each in plot.places), default=0.0)
    return min(widest + SPACE_1, width * _LABEL_PART)


def _values_width(plot: Plot, metrics: QFontMetricsF, width: float) -> float:
    if plot.stacked:
        return metrics.horizontalAdvance("00,000")
    widest = max((metrics.horizontalAdvance(mark.short or mark.words) for _, _, mark in plot.marks()), default=0.0)
    return min(widest + SPACE_1, width * _VALUE_PART)


def _place(plot: Plot, area: QRectF, place: int) -> float:
    """The middle of a place, across or down."""
    count = max(len(plot.places), 1)
    if plot.across:
        return area.top() + area.height() * (place + 0.5) / count
    return area.left() + area.width() * (place + 0.5) / count


def _x(laid: Laid, value: float) -> float:
    return laid.area.left() + laid.area.width() * laid.axis.part(value)


def _y(laid: Laid, value: float) -> float:
    return laid.area.bottom() - laid.area.height() * laid.axis.part(value)


def _shape(plot: Plot, laid: Laid, place: int, mark: Mark, before: float) -> QRectF:
    """The parts of a mark that are painted."""
    middle = _place(plot, laid.area, place)
    if plot.kind == "lines":
        half = PLOT_MARK_PX / 2
        return QRectF(middle - half, _y(laid, mark.value) - half, PLOT_MARK_PX, PLOT_MARK_PX)
    if plot.kind == "columns":
        half = max(min(laid.area.width() / max(len(plot.places), 1) * 0.36, PLOT_BAR_PX), 1.0)
        top, bottom = _y(laid, before + mark.value), _y(laid, before)
        return QRectF(QPointF(middle - half, top), QPointF(middle + half, bottom))
    half = PLOT_BAR_PX / 2
    if plot.kind == "bars":
        left, right = _x(laid, before), _x(laid, before + mark.value)
    else:
        left = _x(laid, mark.value if mark.low is None else mark.low)
        right = _x(laid, mark.value if mark.high is None else mark.high)
    return QRectF(QPointF(left, middle - half), QPointF(max(right, left + 1), middle + half))


def paint_plot(
    painter: QPainter, plot: Plot, look: PlotLook, laid: Laid, *, chosen: tuple[int, int] | None = None
) -> None:
    """Paint a plot as it is laid out. `chosen` is the series and place of the mark that the keyboard or mouse is at."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(look.font)
    _paint_axis(painter, plot, look, laid)
    _paint_keys(painter, plot, look, laid)
    _paint_cases(painter, plot, look, laid)
    if plot.kind == "lines":
        _paint_lines(painter, plot, look, laid)
    for spot in laid.spots:
        _paint_spot(painter, plot, look, laid, spot)
    if plot.across:
        _paint_values(painter, plot, look, laid)
    if chosen is not None:
        paint_chosen(painter, look, laid, chosen)


def paint_chosen(painter: QPainter, look: PlotLook, laid: Laid, chosen: tuple[int, int]) -> None:
    """Paint a frame around the mark that the keyboard or mouse is at."""
    for spot in laid.spots:
        if (spot.series, spot.place) == chosen:
            painter.setPen(QPen(look.colour("ink"), FOCUS_PX))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(spot.shape.adjusted(-3, -3, 3, 3))


def paint_span(painter: QPainter, look: PlotLook, rect: QRectF) -> None:
    """Paint a range that is chosen over the plot."""
    tint = look.colour("accent")
    tint.setAlpha(TINT_ALPHA)
    painter.fillRect(rect, tint)
    painter.setPen(QPen(look.colour("accent"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect)


def paint_words(painter: QPainter, look: PlotLook, laid: Laid, words: str) -> None:
    """Write what a mark says into the upper right corner of the plot."""
    metrics, area = QFontMetricsF(look.font), laid.area
    width = min(metrics.horizontalAdvance(visible(words)) + 2 * SPACE_2, area.width())
    box = QRectF(area.right() - width, area.top(), width, metrics.height() + SPACE_1)
    painter.fillRect(box, look.colour("surface"))
    painter.setPen(QPen(look.colour("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    painter.setFont(look.font)
    _write(painter, look, box.adjusted(SPACE_2, 0, -SPACE_2, 0), words, Qt.AlignmentFlag.AlignLeft, "ink")


def _paint_cases(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    if plot.cases is None:
        return
    some = any(plot.cases.others)
    for others in (True, False):
        places = [place for place, other in zip(laid.cases, plot.cases.others, strict=True) if other == others]
        colour = look.colour("accent" if some and not others else "ink_soft")
        colour.setAlphaF(_FAINT if others else _CLEAR)
        painter.setPen(QPen(colour, PLOT_DOT_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(places)


def _paint_axis(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    area, metrics, ticks = laid.area, QFontMetricsF(look.font), laid.axis.ticks()
    widest = max(metrics.horizontalAdvance(tick_words(each, plot.unit)) for each in ticks) + SPACE_2
    said = ticks_said(len(ticks), area.width(), widest) if plot.across else range(len(ticks))
    for at, value in enumerate(ticks):
        words = tick_words(value, plot.unit) if at in said else ""
        painter.setPen(QPen(look.colour("line"), 1))
        if plot.across:
            x = _x(laid, value)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            width = metrics.horizontalAdvance(words) + 2
            box = QRectF(x - width / 2, area.bottom() + SPACE_1, width, metrics.height())
            _write(painter, look, box, words, Qt.AlignmentFlag.AlignHCenter)
        else:
            y = _y(laid, value)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            box = QRectF(area.left() - 200, y - metrics.height() / 2, 200 - SPACE_1, metrics.height())
            _write(painter, look, box, words, Qt.AlignmentFlag.AlignRight)
    _paint_labels(painter, plot, look, laid)


def _paint_labels(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    area, metrics = laid.area, QFontMetricsF(look.font)
    if plot.across:
        width = laid.labels
        for place, each in enumerate(plot.places):
            y = _place(plot, area, place)
            box = QRectF(area.left() - SPACE_2 - width, y - metrics.height() / 2, width, metrics.height())
            _write(painter, look, box, each.label, Qt.AlignmentFlag.AlignLeft, "ink")
        return
    widest = max((metrics.horizontalAdvance(each.label) for each in plot.places), default=1.0) + SPACE_2
    for place in shown_places(len(plot.places), area.width(), widest):
        # The last one keeps within the picture.
        left = min(_place(plot, area, place) - widest / 2, area.right() + SPACE_3 - widest)
        box = QRectF(left, area.bottom() + SPACE_1, widest, metrics.height())
        _write(painter, look, box, plot.places[place].label, Qt.AlignmentFlag.AlignHCenter)


def _paint_keys(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    for at, box in laid.keys:
        middle = QPointF(box.left() + SPACE_2 / 2 + 1, box.center().y())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.of_series(at))
        half = PLOT_MARK_PX / 2
        sign = QRectF(middle.x() - half, middle.y() - half, PLOT_MARK_PX, PLOT_MARK_PX)
        _paint_sign(painter, sign, at if plot.kind == "lines" else 1)
        words = box.adjusted(SPACE_3, 0, 0, 0)
        _write(painter, look, words, plot.series[at].name, Qt.AlignmentFlag.AlignLeft, "ink")


def _paint_lines(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    for at in reversed(range(len(plot.series))):
        path, joined = QPainterPath(), False
        for place, mark in enumerate(plot.series[at].marks):
            if mark is None:
                joined = False  # a gap stays a gap: nothing is known in between
                continue
            point = QPointF(_place(plot, laid.area, place), _y(laid, mark.value))
            if joined:
                path.lineTo(point)
            else:
                path.moveTo(point)
            joined = True
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.of_series(at), 2.5 if at == 0 else 1.5))
        painter.drawPath(path)


def _paint_spot(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid, spot: Spot) -> None:
    mark = plot.series[spot.series].marks[spot.place]
    assert mark is not None
    colour = look.of_series(spot.series)
    painter.setPen(QPen(look.colour("surface"), 1))
    painter.setBrush(colour)
    if plot.kind == "lines":
        _paint_sign(painter, spot.shape, spot.series)
    elif plot.kind == "ranges":
        middle = spot.shape.center().y()
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(spot.shape.left(), middle), QPointF(spot.shape.right(), middle))
        for x in (spot.shape.left(), spot.shape.right()):
            painter.drawLine(QPointF(x, middle - 4), QPointF(x, middle + 4))
        painter.setPen(QPen(look.colour("surface"), 1))
        _paint_sign(painter, QRectF(_x(laid, mark.value) - 4, middle - 4, 8, 8), 3)
    elif mark.value:
        painter.drawRect(spot.shape)


def _paint_sign(painter: QPainter, box: QRectF, at: int) -> None:
    """A dot, a square, a triangle, a diamond, or a triangle on its head."""
    kind = at % _SHAPES
    if kind == 0:
        painter.drawEllipse(box)
    elif kind == 1:
        painter.drawRect(box)
    elif kind == 2:
        painter.drawPolygon(QPolygonF([box.bottomLeft(), box.bottomRight(), QPointF(box.center().x(), box.top())]))
    elif kind == 3:
        x, y = box.center().x(), box.center().y()
        corners = [QPointF(x, box.top()), QPointF(box.right(), y), QPointF(x, box.bottom()), QPointF(box.left(), y)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawPolygon(QPolygonF([box.topLeft(), box.topRight(), QPointF(box.center().x(), box.bottom())]))


def _paint_values(painter: QPainter, plot: Plot, look: PlotLook, laid: Laid) -> None:
    """The figures at the right of the rows: of stacked bars the sum."""
    metrics, area = QFontMetricsF(look.font), laid.area
    sums = [0.0] * len(plot.places)
    said: dict[int, str] = {}
    for _, place, mark in plot.marks():
        sums[place] += mark.value
        said[place] = f"{sums[place]:,.0f}" if plot.stacked else mark.short or mark.words
    for place, words in said.items():
        y = _place(plot, area, place)
        box = QRectF(area.right() + SPACE_2, y - metrics.height() / 2, laid.values, metrics.height())
        _write(painter, look, box, words, Qt.AlignmentFlag.AlignLeft, "ink")


def _write(
    painter: QPainter, look: PlotLook, box: QRectF, text: str, side: Qt.AlignmentFlag, ink: str = "ink_soft"
) -> None:
    painter.setPen(look.colour(ink))
    shown = QFontMetricsF(look.font).elidedText(visible(text), Qt.TextElideMode.ElideRight, box.width() + 1)
    painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
