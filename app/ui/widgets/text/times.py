"""Dates and times as people read them, in local time. The provider's times carry no zone and are shown unchanged.

How a day is written is said once, in `desk/text/typed_dates`.
"""

from datetime import date, datetime, timedelta
from functools import lru_cache
from time import localtime

from app.desk.text.typed_dates import exact_moment, short_day, short_moment
from app.translation import translate, translate_plural

MomentText = datetime | str | None
_COUNTED_DAYS = 30


def today() -> date:
    """Today. Every cell of a table asks, and `date.today` is five times slower."""
    return date(*localtime()[:3])


def _read(value: MomentText) -> datetime | None:
    when = datetime.fromisoformat(value) if isinstance(value, str) else value
    return None if when is None else _local(when)


def _local(when: datetime) -> datetime:
    """The moment in local time. Without a zone it is local already, or the provider's."""
    return when if when.tzinfo is None else when.astimezone().replace(tzinfo=None)


def day(value: MomentText) -> str:
    """`Tue 24 Nov`, with the year in place of the weekday when it is not near; empty for none."""
    when = _read(value)
    return "" if when is None else short_day(when.date(), today())


def moment(value: MomentText) -> str:
    """`Mon 24 Nov 2026 14:02`, without a time where the provider gives only a date; empty for none."""
    when = _read(value)
    return "" if when is None else exact_moment(when)


def near_moment(value: MomentText) -> str:
    """`Mon 24 Nov 14:02`, for a narrow column; the year where the day is not near; empty for none."""
    when = _read(value)
    return "" if when is None else short_moment(when, today())


def nearness(value: MomentText) -> str:
    """`yesterday`, `today`, `in 3 days`, `12 days ago`; empty for a day that is not near."""
    when = _read(value)
    if when is None:
        return ""
    days = (when.date() - today()).days
    return _nearness_words(days) if abs(days) <= _COUNTED_DAYS else ""


@lru_cache(2 * _COUNTED_DAYS + 1)
def _nearness_words(days: int) -> str:
    if abs(days) <= 1:
        return (translate("yesterday"), translate("today"), translate("tomorrow"))[days + 1]
    if days > 0:
        return translate_plural("in {count} day", "in {count} days", days)
    return translate_plural("{count} day ago", "{count} days ago", -days)


def clock(value: datetime) -> str:
    """`14:02:10`."""
    return f"{_local(value):%H:%M:%S}"


def since(then: datetime, now: datetime) -> str:
    """How old something is: `just now`, `4 minutes ago`, `yesterday 14:02`, `Mon 24 Nov 2026 14:02`."""
    age = now.astimezone() - then.astimezone()
    then, now = _local(then), _local(now)
    if age < timedelta(minutes=1):
        return translate("just now")
    if age < timedelta(hours=1):
        return translate_plural("{count} minute ago", "{count} minutes ago", int(age.total_seconds() // 60))
    if then.date() == now.date():
        return translate("today {time:%H:%M}", time=then)
    if then.date() == now.date() - timedelta(days=1):
        return translate("yesterday {time:%H:%M}", time=then)
    return moment(then)
