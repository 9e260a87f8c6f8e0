"""The words of the insights page."""

from collections.abc import Sequence
from datetime import date

from app.desk.text.typed_dates import day_and_year
from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

TITLE = translate("Insights")
FILTERS = translate("What the plots are about")
DAYS, FACILITY, DELIVERY = translate("Days"), translate("Facility"), translate("Delivery")
USUAL_DAYS = (
    ("-27..today", translate("The last 4 weeks")),
    ("-83..today", translate("The last 12 weeks")),
    ("-181..today", translate("The last 26 weeks")),
    ("-363..today", translate("The last 52 weeks")),
)
DAYS_HINT = translate("or days: -7..today, 2026-03-01..2026-03-31")
DAYS_UNREADABLE = translate("Type days such as -7..today or 2026-03-01..2026-03-31, up to today.")
REFRESH = translate("Read again")
WEEKLY = translate("Weekly page…")
WEEKLY_TIP = translate("One page (PDF) of the twelve weeks up to last Sunday")
WEEKLY_TITLE = translate("Save the weekly page")
STOP = translate("Stop")
SHOW = translate("Show")
READING = translate("Reading…")
READING_PLOTS = translate("Plots being read")
STOPPED = translate("Reading was stopped. The plots are not complete.")
TRY_AGAIN = translate("Try again")
LIKELY_LATE = translate("Likely late")
PDF_FILE = translate("PDF, one page")
ABOUT_FORECAST = translate("Forecast")


def span_words(typed: str, first: date, last: date) -> str:
    """The chosen days."""
    usual = dict(USUAL_DAYS).get(typed)
    return usual or translate("{first} to {last}", first=day_and_year(first), last=day_and_year(last))


def values_words(title: str, values: Sequence[str]) -> str:
    """The chosen values of a field; empty for all."""
    if not values:
        return ""
    if len(values) > 2:
        return translate("{title}: {count:,} chosen", title=title, count=len(values))
    return translate("{title}: {values}", title=title, values=", ".join(values))


def days_spoken(days: str) -> str:
    """The chip of the days, as a screen reader says it."""
    return translate("{title}: {days}", title=DAYS, days=days)


def chip_tip(chosen: str) -> str:
    """The tooltip of a chip that narrows the plots."""
    return translate("{chosen}. Press Delete to remove it.", chosen=chosen)


def filter_by(title: str) -> str:
    """The tooltip of a chip that narrows nothing."""
    return translate("Filter by {title}", title=title.lower())


def read_at(at: str) -> str:
    """When the plots were read."""
    return translate("as of {at}", at=at)


def changed_since(at: str) -> str:
    """Orders or writes have changed since the plots were read."""
    return translate("as of {at}; orders have changed since", at=at)


def likely_late(count: int) -> str:
    """How many open orders are likely late."""
    if not count:
        return translate("Of no open order can it be said that it is likely late.")
    return translate_plural("{count:,} open order is likely late.", "{count:,} open orders are likely late.", count)


def about(span: str, facility: str, delivery: str) -> str:
    """What a plot in a file is about."""
    return " · ".join(each for each in (span, facility, delivery) if each)


def weekly_file(monday: date) -> str:
    """The name of a file with a weekly page."""
    return translate("Waybill week {monday}", monday=monday.isoformat())


def weekly_heading(first: date, last: date) -> str:
    """The heading of the weekly page."""
    return translate("Week {first} to {last}", first=day_and_year(first), last=day_and_year(last))


def weekly_about(desk: str, span: str, made: str) -> str:
    """Below the heading of the weekly page."""
    return translate("{desk} · plots of {span} · made {made}", desk=desk, span=span, made=made)


def weekly_made(name: str) -> str:
    """The weekly page is there."""
    return translate("{name} is one page.", name=name)


def making_weekly(done: int, of: int) -> str:
    """How far the weekly page is."""
    return translate("Reading the plots of the weekly page, {done} of {of}", done=done, of=of)


def status(about: str, age: str) -> str:
    """The status bar: what the plots are about, and how old they are."""
    return beside(about, age)
