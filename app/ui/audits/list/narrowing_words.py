"""What the audit list is narrowed to, in words and in the plot."""

from datetime import date, datetime, time

from app.desk.audits.audit_filter import FACETS, LOW, Narrowing, read_scores, read_span, written_scores
from app.desk.audits.scores import LOW_BELOW, figure
from app.desk.filter.filter_dates import written_days
from app.ui.audits.audit_columns import score_text
from app.ui.audits.plot.score_plot import Chosen
from app.ui.widgets.text.times import day

FACET_WORDS: dict[str, str] = {"kind": "Type", "facility": "Facility", "vendor": "Vendor"}
MARK_WORDS: dict[str, str] = {
    "left": "Not reviewed", "reviewed": "Reviewed", "flagged": "Flagged", "noted": "With a note"
}  # fmt: skip
_SPAN_WORDS = {"-6..today": "Last 7 days", "-29..today": "Last 30 days"}
# Spans that are asked for often, as they are typed.
USUAL_DAYS = ("today", "this week", "last week", "-6..today", "-29..today", "this month", "last month")


def words(narrowing: Narrowing, today: date, top: float) -> dict[str, str]:
    """What each part that narrows says, by its name; the text stands in its line."""
    told = {
        facet: f"{FACET_WORDS[facet]}: {', '.join(values) if len(values) < 3 else f'{len(values)} chosen'}"
        for facet in FACETS
        if (values := narrowing.typed(facet))
    }
    if narrowing.score:
        told["score"] = score_words(narrowing.score, top)
    if narrowing.days:
        told["days"] = days_words(narrowing.days, today)
    if narrowing.mark:
        told["mark"] = MARK_WORDS[narrowing.mark]
    return told


def score_words(typed: str, top: float) -> str:
    """`Low, below 70`, `Score 40 to 60`, `Score 80 and more`."""
    if typed == LOW:
        return f"Low, below {figure(LOW_BELOW * top)}"
    lowest, highest = read_scores(typed, top) or (None, None)
    if lowest is None:
        return f"Score {score_text(highest)} and less"
    return (
        f"Score {score_text(lowest)} and more"
        if highest is None
        else f"Score {figure(lowest)} to {score_text(highest)}"
    )


def days_words(typed: str, today: date) -> str:
    """`Last week`, `Thu 1 Oct to Tue 10 Nov`, `Since Mon 2 Nov`."""
    if typed in USUAL_DAYS:
        return _SPAN_WORDS.get(typed, typed.capitalize())
    return dates_words(typed, today)


def dates_words(typed: str, today: date) -> str:
    """The same by the calendar, whatever it is called."""
    first, last = (_day(each) for each in read_span(typed, today) or (None, None))
    if first and last:
        return first if first == last else f"{first} to {last}"
    return f"Since {first}" if first else f"Until {last}"


def dragged(narrowing: Narrowing, chosen: Chosen | None) -> Narrowing:
    """Narrowed to what was dragged over in the plot: its days, and its scores where not all of them were."""
    if chosen is None:
        return narrowing.without("days").without("score")
    narrowing = narrowing.narrowed("days", (written_days(chosen.first, chosen.last),))
    if (chosen.lowest, chosen.highest) == (None, None):
        return narrowing
    return narrowing.narrowed("score", (written_scores(_short(chosen.lowest), _short(chosen.highest)),))


def _short(score: float | None) -> float | None:
    """As many digits as a hand can mean."""
    return None if score is None else round(score, 2 if abs(score) < 10 else 1)


def in_plot(narrowing: Narrowing, today: date, top: float) -> Chosen | None:
    """The days and scores that the plot marks as chosen."""
    if not narrowing.days:
        return None
    first, last = read_span(narrowing.days, today) or (None, None)
    return Chosen(first or date.min, last or today, *(read_scores(narrowing.score, top) or (None, None)))


def _day(when: date | None) -> str:
    return "" if when is None else day(datetime.combine(when, time()))
