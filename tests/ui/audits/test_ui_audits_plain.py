"""The plain functions of the audits page: conditions of the list, trends of scores, the plot."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from app.desk.audits.audit_filter import (
    EVERYTHING,
    Narrowing,
    kept_days,
    kept_scores,
    read_scores,
    read_span,
    written_scores,
)
from app.desk.audits.audit_sync import Refreshed
from app.desk.audits.scores import Rank, Scale, Week, mean_figure, part_of, ranked, top_of, weekly
from app.desk.insights.plot_data import Span
from app.store.cache.audits.audit_rows import AuditQuery, Point
from app.store.journal.review_store import Marked
from app.ui.audits.audits_words import chip_words, days_words, rank_words, score_text, score_words, trouble_words
from app.ui.audits.list.audits_head import narrowed_by_plot, plot_selection
from app.ui.audits.list.ranks import arrow
from app.ui.audits.list.score_plot import Chosen, chosen_by, score_plot
from app.ui.plots.plot_axis import axis_of, tick_words
from app.ui.plots.plot_view import PlotView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PLOT_HEIGHT
from app.ui.widgets.text import times

MONDAY = datetime(2026, 3, 2, 9)


def point(day: int, score: float, group: str = "F012") -> Point:
    return Point(day, MONDAY + timedelta(days=day), score, group)


def test_the_mean_of_a_week_is_that_of_its_audits() -> None:
    assert weekly([point(0, 80), point(6, 60), point(7, 90)]) == [
        Week(date(2026, 3, 2), 70, 2),
        Week(date(2026, 3, 9), 90, 1),
    ]
    assert weekly([]) == []


def test_groups_are_ranked_with_the_lowest_mean_first_and_their_trend() -> None:
    worse = [point(day, 90 - 10 * day, "down") for day in range(4)]
    few = [point(0, 50, "few"), point(1, 52, "few")]
    assert ranked([*worse, *few]) == [Rank("few", 2, 51, 50, None), Rank("down", 4, 75, 60, -20)]
    assert arrow(-20, 100) == "↓"
    assert arrow(0.4, 100) == "→"
    assert arrow(3, 100) == "↑"
    assert arrow(0.4, 1) == "↑", "of scores up to 1"
    assert arrow(None, 100) == " "
    assert rank_words(Rank("", 4, 75.04, 60, -20), 1.0) == "None given: mean 75 of 4 audits, lowest 60, down 20"
    assert rank_words(Rank("A", 4, 0.755, 0.6, 0.05), 0.01) == "A: mean 0.76 of 4 audits, lowest 0.6, up 0.05"
    assert rank_words(Rank("A", 4, 75, 60, 0.5), 1.0) == "A: mean 75 of 4 audits, lowest 60, steady"


TODAY = date(2026, 3, 11)  # a Wednesday


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("40..70", (40, 70)),
        ("70..40", (40, 70)),
        ("..60", (None, 60)),
        ("80..", (80, None)),
        ("81.5", (81.5, 81.5)),
        ("..", None),
        ("", None),
        ("nan..", None),
        ("..inf", None),
        ("many", None),
    ],
)
def test_scores_are_read_as_they_are_typed(typed: str, read: tuple[float | None, float | None] | None) -> None:
    assert read_scores(typed, Scale()) == read
    assert (kept_scores(typed) is None) == (read is None)


@pytest.mark.parametrize("top", [1.0, 5.0, 10.0, 100.0, 250.0])
def test_low_is_what_the_list_paints_as_low(top: float) -> None:
    lowest, highest = read_scores(" Low", Scale(top, 0.7 * top)) or (None, None)
    assert (lowest, kept_scores("LOW")) == (None, "low")
    assert highest is not None
    for score, tone in ((0.699 * top, "bad"), (0.7 * top, "warn"), (0.701 * top, "warn")):
        assert Scale(top, 0.7 * top).tone(score) == tone
        assert (score <= highest) == (tone == "bad")


@given(st.none() | st.floats(0, 100), st.none() | st.floats(0, 100))
def test_scores_can_be_typed_again_as_they_are_written(lowest: float | None, highest: float | None) -> None:
    lowest, highest = (None if each is None else round(each, 1) for each in (lowest, highest))
    if lowest is not None and highest is not None and lowest > highest:
        lowest, highest = highest, lowest
    typed = written_scores(lowest, highest)
    assert (read_scores(typed, Scale()) if typed else (None, None)) == (lowest, highest)
    assert not typed or kept_scores(typed) == typed


@pytest.mark.parametrize(
    ("typed", "kept", "first", "last", "said"),
    [
        ("last week", "last week", (3, 2), (3, 8), "Last week"),
        (" Last  Week ", "last week", (3, 2), (3, 8), "Last week"),
        ("this week", "this week", (3, 9), (3, 11), "This week"),
        ("this month", "this month", (3, 1), (3, 11), "This month"),
        ("last month", "last month", (2, 1), (2, 28), "Last month"),
        ("today", "today", (3, 11), (3, 11), "Today"),
        ("-6..today", "-6..today", (3, 5), (3, 11), "Last 7 days"),
        ("-29..today", "-29..today", (2, 10), (3, 11), "Last 30 days"),
        ("-1w..yesterday", "-1w..yesterday", (3, 4), (3, 10), "Wed 4 Mar to Tue 10 Mar"),
        ("fri", "2026-03-06", (3, 6), (3, 6), "Fri 6 Mar"),
        ("3/4..3/6", "2026-03-04..2026-03-06", (3, 4), (3, 6), "Wed 4 Mar to Fri 6 Mar"),
        ("mon..today", "2026-03-09..today", (3, 9), (3, 11), "Mon 9 Mar to Wed 11 Mar"),
        ("-2..", "-2..", (3, 9), None, "Since Mon 9 Mar"),
        ("..fri", "..2026-03-06", None, (3, 6), "Until Fri 6 Mar"),
        ("mar 2..9 mar", "2026-03-02..2026-03-09", (3, 2), (3, 9), "Mon 2 Mar to Mon 9 Mar"),
    ],
)
def test_days_that_are_counted_from_today_stay_so_and_others_get_their_year(
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    kept: str,
    first: tuple[int, int] | None,
    last: tuple[int, int] | None,
    said: str,
) -> None:
    monkeypatch.setattr(times, "today", lambda: TODAY)
    assert kept_days(typed, TODAY) == kept
    assert read_span(kept, TODAY) == tuple(None if each is None else date(2026, *each) for each in (first, last))
    assert days_words(kept, TODAY) == said


def test_days_that_cannot_be_read_are_not_saved() -> None:
    assert [kept_days(typed, TODAY) for typed in ("", "..", "no day", "last", "mon..nonsense")] == [None] * 5
    assert kept_days("last month", date(2026, 1, 31)) == "last month"
    assert read_span("last month", date(2026, 1, 31)) == (date(2025, 12, 1), date(2025, 12, 31))


def test_each_condition_of_the_list_is_shown_and_can_be_cleared() -> None:
    whole = Narrowing("wrap", "left", ("Loading",), ("F012", "F020", "F031"), (), "40..", "2026-03-02..2026-03-08")
    told = chip_words(whole, TODAY, Scale())
    assert told["kind"] == "Type: Loading"
    assert told["facility"] == "Facility: 3 chosen"
    assert told["score"] == "Score 40 and more"
    assert "to" in told["days"]
    assert told["mark"] == "Not reviewed"
    marked = Marked(frozenset({1}), frozenset({2}), frozenset({3}))
    query = whole.apply(AuditQuery("p"), marked, TODAY, Scale())
    assert (query.first, query.last, query.lowest, query.highest) == (date(2026, 3, 2), date(2026, 3, 8), 40, None)
    assert (query.text, query.without, query.only) == ("wrap", frozenset({1}), None)
    for part in told:
        assert part not in chip_words(whole.without(part), TODAY, Scale())
    assert whole.toggled("facility", "F020").facility == ("F012", "F031")
    assert whole.toggled("vendor", "Us").vendor == ("Us",)
    for mark, only in (("reviewed", marked.reviewed), ("flagged", marked.flagged), ("noted", marked.noted)):
        query = Narrowing(mark=mark).apply(AuditQuery("p"), marked, TODAY, Scale())
        assert (query.only, query.without) == (only, frozenset())


def test_saved_scores_and_days_read_as_words() -> None:
    assert score_words("low", Scale(10, 7)) == "Low, below 7"
    assert score_words("..60", Scale()) == "Score 60 and less"
    assert score_words("40..81.5", Scale()) == "Score 40 to 81.5"


def test_dragging_over_all_scores_keeps_the_scores_that_were_chosen() -> None:
    before, days = Narrowing(score="40..70"), (date(2026, 3, 2), date(2026, 3, 8))
    assert narrowed_by_plot(before, Chosen(*days)) == Narrowing(score="40..70", days="2026-03-02..2026-03-08")
    assert narrowed_by_plot(before, Chosen(*days, 10.04, 20.06)).score == "10..20.1"
    assert narrowed_by_plot(before, Chosen(*days, 0.4249, 0.4801)).score == "0.42..0.48", "of scores up to 1"
    assert narrowed_by_plot(before, Chosen(*days, 61_250.04, None)).score == "61250..", "no digit is lost"
    assert narrowed_by_plot(before, None) == EVERYTHING


def test_the_plot_marks_the_days_and_scores_that_are_shown() -> None:
    assert plot_selection(Narrowing(score="40..70"), TODAY, Scale()) is None
    kept = plot_selection(Narrowing(score="..70", days="last week"), TODAY, Scale())
    assert kept == Chosen(date(2026, 3, 2), date(2026, 3, 8), None, 70)
    assert plot_selection(Narrowing(days="-2.."), TODAY, Scale()) == Chosen(date(2026, 3, 9), TODAY)


@pytest.mark.parametrize(("highest", "top"), [(None, 100), (0.5, 1), (4, 5), (9, 10), (10.5, 100), (250, 250)])
def test_the_scale_of_scores_is_the_smallest_usual_one(highest: float | None, top: float) -> None:
    assert top_of(highest) == top


def test_a_score_reads_short_and_has_the_colour_of_its_part() -> None:
    assert [score_text(each) for each in (None, 81.5, 81.0, 100.0, 0.0)] == ["–", "81.5", "81", "100", "0"]
    assert [score_text(each) for each in (0.85, 9.5, 97_312.5, 2_000_000.0)] == ["0.85", "9.5", "97,312.5", "2,000,000"]
    assert [Scale().tone(each) for each in (90, 75, 20)] == ["good", "warn", "bad"]
    assert [Scale(100, 90).tone(each) for each in (90, 89)] == ["good", "bad"], "low is what the rule says"
    assert part_of(5, 0) == 0


@given(st.lists(st.tuples(st.integers(0, 700), st.floats(-5, 120)), max_size=20))
def test_every_dot_lies_in_the_plot_and_gives_its_day_back(dots: list[tuple[int, float]]) -> None:
    points = [point(day, score) for day, score in dots]
    plot = score_plot(points, TODAY, frozenset(), None, 120.0)
    assert plot.cases is not None
    for index, (at, each) in enumerate(zip(plot.cases.at, points, strict=True)):
        assert plot.cases.cells(index) == (each.date.date(), each.date.date())
        assert 0 <= at < len(plot.places)
        chosen = chosen_by(Span(at, at + 0.001, each.score, each.score), points, TODAY)
        assert chosen == Chosen(each.date.date(), each.date.date(), each.score, each.score)
    assert len(list(plot.marks())) == len(weekly(points))


def test_what_the_list_is_narrowed_to_is_the_same_range_of_the_plot() -> None:
    points = [point(0, 50), point(20, 90)]
    kept = Chosen(date(2026, 3, 4), date(2026, 3, 9), None, 70)
    plot = score_plot(points, TODAY, frozenset(), kept, 100.0)
    assert plot.kept is not None
    assert chosen_by(plot.kept, points, TODAY) == kept
    everything = Chosen(date.min, date.max - timedelta(days=1))
    span = score_plot(points, TODAY, frozenset(), everything, 100.0).kept
    assert span is not None
    assert chosen_by(span, points, TODAY) == Chosen(points[0].date.date(), points[1].date.date())


def test_the_means_are_those_of_the_chosen_facilities_and_all_others_stay_in_sight() -> None:
    points = [point(0, 50, "F012"), point(0, 90, "F020"), point(8, 70, "F012")]
    plot = score_plot(points, TODAY, frozenset({"F012"}), None, 100.0)
    assert [mark.words for _, _, mark in plot.marks()] == ["mean 50 of 1 audit", "mean 70 of 1 audit"]
    assert plot.cases is not None
    assert list(plot.cases.others) == [False, True, False]
    assert plot.spoken(0, 1).endswith(": mean 70 of 1 audit")


@pytest.mark.parametrize(
    ("highest", "marks"),
    [
        (97.0, ["0", "20", "40", "60", "80", "100"]),
        (0.9, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (4.5, ["0", "1", "2", "3", "4", "5"]),
        (97_312.5, ["0", "20,000", "40,000", "60,000", "80,000", "100,000"]),
        (251.0, ["0", "100", "200", "300"]),
        (1_234_567.0, ["0", "500,000", "1,000,000", "1,500,000"]),
    ],
)
def test_the_marks_of_any_scale_are_round_and_none_is_cut_off(
    qapp: QApplication, theme: Theme, highest: float, marks: list[str]
) -> None:
    assert qapp is not None
    view = PlotView(theme, fills=True)
    view.resize(600, PLOT_HEIGHT)
    points = [point(0, highest), point(3, highest / 2)]
    view.show_plot(score_plot(points, TODAY, frozenset(), None, top_of(highest)))
    assert view._laid is not None
    assert [tick_words(each, "score") for each in view._laid.axis.ticks()] == marks
    picture = view.viewport().grab().toImage()
    ground = theme.colour("surface")
    assert all(picture.pixelColor(x, y) == ground for x in range(2) for y in range(picture.height()))
    assert view._laid.area.contains(view._laid.cases[0])


def test_means_below_each_other_have_as_many_digits() -> None:
    assert [mean_figure(each, 100) for each in (83.0, 80.25, 100.0)] == ["83.0", "80.2", "100.0"]
    assert mean_figure(0.8, 1) == "0.80"


def test_scores_below_nothing_are_marked_too() -> None:
    plot = score_plot([point(0, -12.0), point(1, 88.0)], TODAY, frozenset(), None, 100.0)
    assert axis_of(plot).ticks() == [-50, 0, 50, 100]


def test_unreadable_records_are_reported_with_their_days() -> None:
    day, month = (date(2026, 3, 2), date(2026, 3, 2)), (date(2026, 1, 30), date(2026, 3, 1))
    assert trouble_words(Refreshed(3)) == ""
    one = Refreshed(3, unreadable=1, unreadable_in=(day,))
    assert trouble_words(one) == "1 record in the provider's list of 2 Mar 2026 could not be read and is not shown."
    many = Refreshed(3, "It was busy.", (day,), 1_200, (day, month))
    assert trouble_words(many) == (
        "It was busy. Audits of 2 Mar 2026 were not refreshed; what was seen before is still shown. 1,200 records in "
        "the provider's list of 30 Jan 2026 to 2 Mar 2026 could not be read and are not shown."
    )
