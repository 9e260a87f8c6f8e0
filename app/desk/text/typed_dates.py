"""Dates as people type them: `+3`, `fri`, `12/24`, `dec 24`, `tomorrow`, YYYY-MM-DD, or as lists write them; and the
one way in which they are shown, `Tue 24 Nov`, which can be typed too.

Invariant: nothing is guessed. A text with two meanings is no date. Without a year the day is today or later, since the
dates of an order lie ahead; with `back`, for what has happened, today or earlier. The month stands before the day, as
the provider's country writes dates.
"""

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from app.translation import translate, translate_plural

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORDS = {"today": 0, "tomorrow": 1}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_FEWEST_LETTERS = 2
_FEWEST_OF_MONTH = 3
_AHEAD = re.compile(r"\+\s*(\d{1,3})\s*(d|days?|w|weeks?)?", re.ASCII | re.IGNORECASE)
_MONTH_DAY = re.compile(r"(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?", re.ASCII)
_NAMED = re.compile(r"(?:([a-z]+),?\s+)?(?:(\d{1,2})\s+([a-z]+)\.?|([a-z]+)\.?\s+(\d{1,2}))(?:,?\s+(\d{4}))?", re.ASCII)
_MOST_MONTHS, _SHORTEST_MONTH, _LONGEST_MONTH = 12, 28, 31
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)


def read_typed_date(typed: str, today: date, *, back: bool = False) -> date | None:
    """The day that was meant, or None if the text is not (or not yet) a date."""
    text = typed.strip().lower()
    if not text:
        return None  # as most fields are, each time that a form is read
    if ahead := _AHEAD.fullmatch(text):
        weeks = (ahead[2] or "d").startswith("w")
        return _after(today, int(ahead[1]) * (7 if weeks else 1))
    if iso := _ISO.fullmatch(text):
        return _day(int(iso[1]), int(iso[2]), int(iso[3]))
    if written := _MONTH_DAY.fullmatch(text):
        return _month_day(int(written[1]), int(written[2]), written[3], today, back=back)
    if named := _NAMED.fullmatch(text):
        return _named(named, today, back=back)
    if text in _WORDS:
        return _after(today, _WORDS[text])
    return _weekday(text, today, back=back)


def meant_instead(typed: str, today: date) -> date | None:
    """A day that may have been meant by a text that is no date; None if none comes near.

    `31/12` has the day before the month, and of `11/31` the month has no such day.
    """
    written = _MONTH_DAY.fullmatch(typed.strip())
    if written is None or read_typed_date(typed, today) is not None:
        return None
    first, second = int(written[1]), int(written[2])
    swapped = _month_day(second, first, written[3], today) if first > _MOST_MONTHS else None
    if swapped is not None or not 1 <= first <= _MOST_MONTHS or not _SHORTEST_MONTH < second <= _LONGEST_MONTH:
        return swapped
    lasts = (_month_day(first, day, written[3], today) for day in range(second - 1, _SHORTEST_MONTH - 1, -1))
    return min((each for each in lasts if each is not None), key=lambda day: (day.year, -day.day), default=None)


NEAR_DAYS = 180  # within half a year a day needs no year to be understood


@lru_cache(1_000)  # tables show the same days over and over
def short_day(day: date, today: date) -> str:
    """`Tue 24 Nov`; of a day that is not near, `24 Nov 2025`."""
    return f"{day:%a} {day.day} {day:%b}" if abs((today - day).days) < NEAR_DAYS else day_and_year(day)


def day_and_year(day: date) -> str:
    """`24 Nov 2026`, where a weekday says nothing or has no room."""
    return f"{day.day} {day:%b %Y}"


def exact_day(day: date) -> str:
    """`Tue 24 Nov 2026`, of whatever year: on paper, and where a record is kept."""
    return f"{day:%a} {day_and_year(day)}"


def short_moment(at: datetime, today: date) -> str:
    """`Tue 24 Nov 14:02`; with the year where the day is not near. `at` is local time."""
    return f"{short_day(at.date(), today)} {at:%H:%M}"


def exact_moment(at: datetime) -> str:
    """`Tue 24 Nov 2026 14:02`, of whatever year; without a time where only a day is known. `at` is local time."""
    return exact_day(at.date()) + ("" if at.time() == time() else f" {at:%H:%M}")


def in_words(day: date, today: date) -> str:
    """How a day reads beside its field: `Fri, in 3 days`."""
    away = (day - today).days
    near = {0: translate("today"), 1: translate("tomorrow"), -1: translate("yesterday")}.get(away)
    if near is None and away > 0:
        near = translate_plural("in {count} day", "in {count} days", away)
    elif near is None:
        near = translate_plural("{count} day ago", "{count} days ago", -away)
    return translate("{weekday}, {near}", weekday=_DAYS[day.weekday()][:3].title(), near=near)


def is_weekend(day: date) -> bool:
    """Saturday and Sunday."""
    return day.weekday() >= 5


def _weekday(text: str, today: date, *, back: bool) -> date | None:
    """The next day of that name. The name of today means a week from now; the word `next` changes nothing.

    With `back` the latest day of that name, of which the name of today means today.
    """
    found = _only(text.removeprefix("next ").strip(), _DAYS, _FEWEST_LETTERS)
    if found is None:
        return None
    return _after(today, -((today.weekday() - found) % 7) if back else (found - today.weekday() - 1) % 7 + 1)


def _month_day(month: int, day: int, year: str | None, today: date, *, back: bool = False) -> date | None:
    if year is not None:
        return _day(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    this_year = _day(today.year, month, day)
    if this_year is not None and (this_year <= today if back else this_year >= today):
        return this_year
    # 29 February may be up to eight years away.
    others = (_day(today.year + (-away if back else away), month, day) for away in range(1, 9))
    return next((each for each in others if each is not None), None)


def _named(found: re.Match[str], today: date, *, back: bool) -> date | None:
    """A day with the name of its month; None if a weekday beside it is another one."""
    weekday, first, month_behind, month_before, second, year = found.groups()
    month = _only(month_behind or month_before, _MONTHS, _FEWEST_OF_MONTH)
    day = None if month is None else _month_day(month + 1, int(first or second), year, today, back=back)
    if day is None or weekday is None or _only(weekday, _DAYS, _FEWEST_LETTERS) == day.weekday():
        return day
    return None


def _only(name: str, names: tuple[str, ...], fewest: int) -> int | None:
    """The place of the only name that begins so; None if there are none or several."""
    found = [at for at, each in enumerate(names) if len(name) >= fewest and each.startswith(name)]
    return found[0] if len(found) == 1 else None


def _after(today: date, days: int) -> date | None:
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
