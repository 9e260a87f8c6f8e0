"""The parts of the audits page that are plain: what narrows the list, the trend of scores, the plot's scale."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from app.desk.trends import Rank, Week, ranked, weekly
from app.store.audit_rows import AuditQuery, Point
from app.ui.audits.columns import part_of, score_text, score_tone, top_of
from app.ui.audits.narrowing import Narrowing, read_scores
from app.ui.audits.plot import Chosen
from app.ui.audits.ranks import arrow, words
from app.ui.audits.scale import scale_for

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
    assert arrow(-20) == "↓"
    assert arrow(0.4) == "→"
    assert arrow(3) == "↑"
    assert arrow(None) == " "
    assert words(Rank("", 4, 75.04, 60, -20)) == "None given: mean 75 of 4 audits, lowest 60, down 20.0"


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
    assert read_scores(typed) == read


@given(st.none() | st.floats(0, 100), st.none() | st.floats(0, 100))
def test_what_the_scores_are_narrowed_to_can_be_typed_again(lowest: float | None, highest: float | None) -> None:
    lowest, highest = (None if each is None else round(each, 1) for each in (lowest, highest))
    if lowest is not None and highest is not None and lowest > highest:
        lowest, highest = highest, lowest
    typed = Narrowing(lowest=lowest, highest=highest).typed("score")
    assert (read_scores(typed[0]) if typed else (None, None)) == (lowest, highest)


def test_each_part_that_narrows_is_said_and_can_be_taken_away() -> None:
    span = Chosen(date(2026, 3, 2), date(2026, 3, 8))
    whole = Narrowing(("Loading",), ("F012", "F020", "F031"), (), 40, None, span)
    told = dict(whole.words())
    assert told["kind"] == "Type: Loading"
    assert told["facility"] == "Facility: 3 chosen"
    assert told["score"] == "Score 40 and more"
    assert "to" in told["span"]
    query = whole.apply(AuditQuery("p"))
    assert (query.first, query.last, query.lowest, query.highest) == (span.first, span.last, 40, None)
    for part in told:
        assert part not in dict(whole.without(part).words())
    assert whole.toggled("facility", "F020").facility == ("F012", "F031")
    assert whole.toggled("vendor", "Us").vendor == ("Us",)
    with pytest.raises(ValueError, match="no facet"):
        whole.with_values("score", ())


def test_dragging_over_all_scores_keeps_the_scores_that_were_chosen() -> None:
    before = Narrowing(lowest=40, highest=70)
    assert before.dragged(Chosen(date(2026, 3, 2), date(2026, 3, 8))).lowest == 40
    assert before.dragged(Chosen(date(2026, 3, 2), date(2026, 3, 8), 10.04, 20.06)).highest == 20.1
    assert before.dragged(None) == Narrowing()


@pytest.mark.parametrize(("highest", "top"), [(None, 100), (0.5, 1), (4, 5), (9, 10), (10.5, 100), (250, 250)])
def test_the_scale_of_scores_is_the_smallest_usual_one(highest: float | None, top: float) -> None:
    assert top_of(highest) == top


def test_a_score_reads_short_and_has_the_colour_of_its_part() -> None:
    assert [score_text(each) for each in (None, 81.5, 81.0, 100.0)] == ["–", "81.5", "81", "100"]
    assert [score_tone(part_of(each, 100)) for each in (90, 75, 20)] == ["good", "warn", "bad"]
    assert part_of(5, 0) == 0


AREA = QRectF(30, 10, 400, 150)


@given(st.lists(st.tuples(st.integers(0, 700), st.floats(-5, 120)), max_size=20), st.integers(1, 12))
def test_every_dot_lies_in_the_plot_and_its_day_is_found_again(dots: list[tuple[int, float]], most: int) -> None:
    points = [point(day, score) for day, score in dots]
    scale = scale_for(points, date(2026, 3, 2), AREA)
    for each in points:
        place = scale.place(each.date, each.score)
        assert AREA.adjusted(-1, -1, 1, 1).contains(place)
        assert scale.day_at(place.x()) == each.date.date()
        assert scale.score_at(place.y()) == pytest.approx(each.score, abs=0.01)
    marks = scale.day_marks(most)
    assert 1 <= len(marks) <= max(most, 1)
    assert all(scale.first <= mark <= scale.last for mark in marks)
    assert scale.days >= 7
