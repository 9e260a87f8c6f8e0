"""The plot part: what is painted, pointed at, walked through and read aloud is one; and what is saved stands alone."""

import csv
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from app.desk.insights.plot_data import Cases, Kind, LeftOut, Mark, Place, Plot, Series, Span, Target, Unit
from app.ui.plots.plot_axis import axis_of, shown_places, tick_words, ticks_said
from app.ui.plots.plot_files import _WRITERS, PlotSheet
from app.ui.plots.plot_look import look_of, paper_look
from app.ui.plots.plot_painting import lay_out, paint_plot
from app.ui.plots.plot_view import PlotView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import DARK, LIGHT
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

PLACES = [Place(f"{at:02} Jun", f"week {at}", (date(2026, 6, at), date(2026, 6, at + 6))) for at in range(1, 5)]


def mark(value: float, name: str = "") -> Mark:
    return Mark(value, f"{value:g}", target=Target(orders=name or f"late:{value:g}"))


def plot(kind: Kind = "lines", unit: Unit = "percent", **more: Any) -> Plot:
    series = [
        Series("All", [mark(90), None, mark(80), mark(70)]),
        Series("<b>MEM01</b>", [None, mark(60), mark(50), None]),
    ]
    known: dict[str, Any] = {"places": PLACES, "series": series, "left_out": [LeftOut("2 are left out.")]}
    known |= {"axis": ("First day", "Last day"), "by": "Facility"}
    return Plot("name", kind, unit, "On time & so on", "What counts.", **known | more)


@pytest.fixture
def view(show: Show, theme: Theme) -> PlotView:
    made = PlotView(theme)
    show(made)
    made.show_plot(plot())
    return made


def said(view: PlotView) -> str:
    return view.value_words()


def press(view: PlotView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def test_keys_walk_over_gaps_and_between_series(loop: RunningLoop, view: PlotView) -> None:
    view.setFocus()
    loop.until(view.hasFocus)
    assert said(view) == "All, week 1: 90"
    press(view, Qt.Key.Key_Right)
    assert said(view) == "All, week 3: 80", "week 2 has no mark"
    press(view, Qt.Key.Key_Down)
    assert said(view) == "<b>MEM01</b>, week 3: 50"
    press(view, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert said(view) == "<b>MEM01</b>, week 2: 60", "at the end it stays"
    press(view, Qt.Key.Key_Up)
    assert said(view) == "<b>MEM01</b>, week 2: 60", "nothing is known there"
    press(view, Qt.Key.Key_End, Qt.Key.Key_Up)
    assert said(view) == "All, week 3: 80"
    press(view, Qt.Key.Key_Home)
    assert said(view) == "All, week 1: 90"


def test_enter_and_a_click_choose_the_same_rows(loop: RunningLoop, view: PlotView) -> None:
    chosen: list[str] = []
    view.chosen.connect(lambda target: chosen.append(target.orders))
    view.setFocus()
    loop.until(view.hasFocus)
    press(view, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert chosen == ["late:80"]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.marks.index(2)).center())
    assert chosen == ["late:80", "late:70"]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert len(chosen) == 2


def test_what_the_mouse_is_at_is_said(loop: RunningLoop, view: PlotView) -> None:
    told: list[str] = []
    view.said.connect(told.append)
    QTest.mouseMove(view.viewport(), view.visualRect(view.marks.index(1)).center())
    loop.until(lambda: told and told[-1] == "All, week 3: 80")


def test_each_mark_has_a_name_and_a_place_for_a_screen_reader(view: PlotView) -> None:
    assert view.accessibleName() == "On time & so on"
    assert view.accessibleDescription() == "What counts."
    names = [view.marks.index(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(view.marks.rowCount())]
    assert names == [
        "All, week 1: 90", "All, week 3: 80", "All, week 4: 70", "<b>MEM01</b>, week 2: 60", "<b>MEM01</b>, week 3: 50",
    ]  # fmt: skip
    rects = [view.visualRect(view.marks.index(at)) for at in range(5)]
    assert all(view.viewport().rect().contains(each.center()) for each in rects)
    assert [view.indexAt(each.center()).row() for each in rects] == [0, 1, 2, 3, 4]


def test_the_keyboard_stays_at_its_mark_when_the_plot_is_read_again(loop: RunningLoop, view: PlotView) -> None:
    view.setFocus()
    loop.until(view.hasFocus)
    press(view, Qt.Key.Key_Right)
    view.show_plot(plot())
    assert said(view) == "All, week 3: 80"
    view.show_plot(Plot("name", "lines", "percent", "On time", "What counts.", nothing="Too few."))
    press(view, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert said(view) == ""


CASES = Cases(
    "Audit", [0.5, 2.4, 3.9], [20.0, 60.0, 95.0], [False, True, False], lambda at: f"case {at}",
    lambda at: Target(audit=at + 1), lambda at: 2 * (date(2026, 6, at + 1),),
)  # fmt: skip


@pytest.fixture
def spanned(show: Show, theme: Theme) -> PlotView:
    """A plot with cases, of which a range can be chosen."""
    made = PlotView(theme, fills=True)
    made.resize(600, 200)
    show(made)
    made.show_plot(plot(series=[Series("All", [mark(90), None, mark(80), mark(70)])], cases=CASES, spans=True))
    return made


def drag(view: PlotView, begin: QPointF, end: QPointF) -> None:
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=begin.toPoint())
    QTest.mouseMove(view.viewport(), end.toPoint())
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end.toPoint())


def test_a_drag_chooses_places_and_values_and_a_click_the_nearest_case_or_mark(spanned: PlotView) -> None:
    spans: list[Span | None] = []
    chosen: list[Target] = []
    spanned.spanned.connect(spans.append)
    spanned.chosen.connect(chosen.append)
    laid = spanned._laid
    assert laid is not None
    area = laid.area
    low = QPointF(area.left(), area.bottom() - area.height() / 2)
    drag(spanned, low, QPointF(area.left() + area.width() / 2, area.bottom() - 1))
    (found,) = spans
    assert found is not None
    assert found.first == pytest.approx(0, abs=0.02)
    assert found.last == pytest.approx(2, abs=0.02)
    assert found.low == pytest.approx(0, abs=2)
    assert found.high == pytest.approx(50, abs=2)
    drag(spanned, area.topLeft(), area.bottomRight())
    assert spans[-1] == Span(0, 4), "all values"
    for at in range(3):
        QTest.mouseClick(spanned.viewport(), Qt.MouseButton.LeftButton, pos=laid.cases[at].toPoint())
    assert [each.audit for each in chosen] == [1, 2, 3]
    QTest.mouseClick(spanned.viewport(), Qt.MouseButton.LeftButton, pos=laid.spots[0].shape.center().toPoint())
    assert chosen[-1].orders == "late:90"
    assert len(spans) == 2


def test_keys_choose_places_and_escape_all_of_them(loop: RunningLoop, spanned: PlotView) -> None:
    spans: list[Span | None] = []
    spanned.spanned.connect(spans.append)
    spanned.setFocus()
    loop.until(spanned.hasFocus)
    press(spanned, Qt.Key.Key_Home)
    QTest.keyClick(spanned, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert spanned.accessibleDescription() == "week 1 to week 3. Enter shows these."
    press(spanned, Qt.Key.Key_Return)
    assert spans == [Span(0, 3)]
    press(spanned, Qt.Key.Key_Right)
    assert spanned.accessibleDescription() == "What counts."
    press(spanned, Qt.Key.Key_Escape)
    assert spans[-1] is None


def test_what_the_rows_are_narrowed_to_is_marked(spanned: PlotView, theme: Theme) -> None:
    def shown(**more: Any) -> QImage:
        spanned.show_plot(plot(cases=CASES, spans=True, **more))
        return spanned.viewport().grab().toImage()

    assert shown() != shown(kept=Span(1, 2, 20, 60))
    assert theme.colour("surface").isValid()


def test_a_case_is_said_where_the_mouse_rests(loop: RunningLoop, spanned: PlotView) -> None:
    laid = spanned._laid
    assert laid is not None
    place = laid.cases[0].toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, place, spanned.viewport().mapToGlobal(place))
    QApplication.sendEvent(spanned.viewport(), event)
    loop.until(lambda: QToolTip.text() != "")
    assert "case 0" in QToolTip.text()
    QToolTip.hideText()
    loop.until(lambda: not QToolTip.isVisible())  # it would lie over the next test's window


def test_a_low_plot_has_fewer_steps_and_values_below_nothing_have_theirs(theme: Theme) -> None:
    found = plot(unit="score", top=100.0)
    steps = [len(lay_out(found, look_of(theme, QFont()), QRectF(0, 0, 400, high)).axis.ticks()) for high in (96, 220)]
    assert steps == [3, 6]
    below = plot(unit="score", series=[Series("a", [mark(-12), mark(88), None, None])], top=100.0)
    assert axis_of(below).ticks() == [-50, 0, 50, 100]


@pytest.mark.parametrize("kind", ["lines", "columns", "bars", "ranges"])
@pytest.mark.parametrize("width", [60, 420, 1_400])
def test_marks_lie_within_the_area_and_in_their_order(theme: Theme, kind: Kind, width: int) -> None:
    found = plot(kind, "count", series=[Series("All", [Mark(v, str(v), v / 2, v * 2) for v in (0, 3, 9, 27)])])
    laid = lay_out(found, look_of(theme, QFont()), QRectF(0, 0, width, 220))
    for spot in laid.spots:
        room = laid.area.adjusted(-6, -6, 6, 6)
        assert room.contains(spot.shape.topLeft())
        assert room.contains(spot.shape.bottomRight())
    ends = [spot.shape.right() if found.across else -spot.shape.top() for spot in laid.spots]
    assert ends == sorted(ends)
    image = QImage(width, 220, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    paint_plot(painter, found, look_of(theme, QFont()), laid, chosen=(0, 2))
    painter.end()
    at = laid.spots[3].shape.center().toPoint()
    if image.rect().contains(at):
        assert image.pixelColor(at) != theme.colour("surface")


def test_bars_that_stand_on_one_another_add_up(theme: Theme) -> None:
    series = [Series("a", [mark(3)]), Series("b", [mark(4)])]
    found = plot("columns", "count", places=PLACES[:1], series=series)
    laid = lay_out(found, look_of(theme, QFont()), QRectF(0, 0, 400, 220))
    assert axis_of(found).high >= 7
    assert laid.spots[0].shape.top() == pytest.approx(laid.spots[1].shape.bottom())


def test_axes() -> None:
    def axis(unit: Unit, *values: float, kind: Kind = "lines", top: float | None = None) -> list[str]:
        series = [Series("a", [Mark(each, "") for each in values])]
        found = plot(kind, unit, places=PLACES[: len(values)], series=series, top=top)
        return [tick_words(each, unit) for each in axis_of(found).ticks()]

    assert axis("percent", 40, 90) == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert axis("percent", 88, 97) == ["80 %", "90 %", "100 %"]
    assert axis("percent", 88, 97, kind="bars")[0] == "0 %", "a bar begins at nothing"
    assert axis("count", 1) == ["0", "1"]
    assert axis("count", 7_431)[-1] == "8,000"
    assert axis("days", 0) == ["0 d", "1 d"]
    assert axis("hours", 0.3)[-1] == "0.3 h"
    assert axis("score", 71, top=100)[-1] == "100"
    assert list(shown_places(12, 300, 60)) == [2, 5, 8, 11]
    assert list(shown_places(0, 300, 60)) == []
    assert list(ticks_said(6, 600, 50)) == [0, 1, 2, 3, 4, 5]
    assert list(ticks_said(6, 120, 50)) == [0, 5]
    assert list(ticks_said(5, 160, 50)) == [0, 2, 4]
    assert list(ticks_said(2, 10, 50)) == [0, 1]


def _contrast(one: QColor, other: QColor) -> float:
    def light(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_series_stands_out_from_the_ground_in_both_themes(theme: Theme) -> None:
    for appearance, colours in (("light", LIGHT), ("dark", DARK)):
        theme.choose(appearance)  # type: ignore[arg-type]
        look = look_of(theme, QFont())
        assert look.colours is colours
        assert all(_contrast(each, look.colour("surface")) >= 3 for each in look.series)
        assert len({each.name() for each in look.series}) == len(look.series)
    theme.choose("light")
    assert paper_look(QFont()).colours is LIGHT


def test_the_titles_of_a_saved_range_say_its_unit_and_what_its_ends_are(tmp_path: Path) -> None:
    steps = Plot(
        "steps", "ranges", "days", "From step to step", "What counts.", [Place("MEM01", "MEM01", ("MEM01",))],
        [Series("All", [Mark(4, "half within 4 days", 2, 9, cases=23)])], axis=("Facility",),
    )  # fmt: skip
    target = tmp_path / "steps.csv"
    _WRITERS["csv"](target, steps, "The last 12 weeks", QFont())
    titles, numbers = csv.reader(target.read_text(encoding="utf-8-sig").splitlines())
    assert dict(zip(titles, numbers, strict=True)) == {
        "Facility": "MEM01", "Days, median": "4", "Days, 1 of 10 below": "2",
        "Days, 9 of 10 below": "9", "Cases": "23", "In words": "half within 4 days",
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["png", "svg", "csv"])
def test_what_is_saved_stands_alone(qapp: QApplication, ending: str, tmp_path: Path) -> None:
    assert qapp is not None, "a picture has fonts"
    target = tmp_path / f"plot.{ending}"
    _WRITERS[ending](target, plot(), "The last 12 weeks", QFont())
    if ending == "csv":
        rows = list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))
        assert rows[0] == ["First day", "Last day", "Facility", "Percent", "In words"]
        assert rows[1] == ["2026-06-01", "2026-06-07", "All", "90", "90"]
        assert len(rows) == 6
        _WRITERS[ending](target, plot(cases=CASES), "The last 12 weeks", QFont())
        rows = list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))
        assert rows[-1] == ["2026-06-03", "2026-06-03", "Audit", "95", "case 2"]
    elif ending == "svg":
        text = target.read_text(encoding="utf-8")
        for each in ("On time &amp; so on", "What counts.", "2 are left out.", "The last 12 weeks", "&lt;b&gt;MEM01"):
            assert each in text
    else:
        image = QImage(str(target))
        sheet = PlotSheet(plot(), "The last 12 weeks", paper_look(QFont()), 720)
        assert image.height() == round(sheet.height * 2)


@pytest.mark.parametrize(
    ("unit", "value", "said"),
    [("percent", 250 / 3, "83.33"), ("hours", 1 / 3, "0.33"), ("score", 0.9125, "0.9125"), ("count", 12.0, "12")],
)
def test_a_saved_number_has_the_digits_that_are_of_use(unit: Unit, value: float, said: str, tmp_path: Path) -> None:
    target = tmp_path / "plot.csv"
    one = plot(unit=unit, series=[Series("All", [Mark(value, ""), None, None, None])], by="")
    _WRITERS["csv"](target, one, "", QFont())
    assert list(csv.reader(target.read_text(encoding="utf-8-sig").splitlines()))[1][2] == said
