"""Dates and times as people read them: in local time. The provider's carry no zone and are shown as they are."""

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from time import localtime

MomentText = datetime | str | None
# Within half a year a date needs no year to be understood.
NEAR_DAYS = 180
_COUNTED_DAYS = 30


def today() -> date:
    """The day that dates are near to or far from. Each cell of a table asks; `date.today` is five times slower."""
    return date(*localtime()[:3])


def _read(value: MomentText) -> datetime | None:
    when = datetime.fromisoformat(value) if isinstance(value, str) else value
    return None if when is None else _local(when)


def _local(when: datetime) -> datetime:
    """As this computer's clock shows it; without a zone it is that already, or the provider's, who says none."""
    return when if when.tzinfo is None else when.astimezone().replace(tzinfo=None)


def day(value: MomentText) -> str:
    """`Mon 24 Nov`, with the year when it is not this one's neighbour; empty for none."""
    when = _read(value)
    if when is None:
        return ""
    return _day_words(when.date(), near=abs((today() - when.date()).days) < NEAR_DAYS)


@lru_cache(1_000)  # a table shows the same days again and again
def _day_words(when: date, *, near: bool) -> str:
    return f"{when:%a} {when.day} {when:%b}" if near else f"{when:%d %b %Y}"


def moment(value: MomentText) -> str:
    """`Mon 24 Nov 2026 14:02`, without a time where the provider gives only a date; empty for none."""
    when = _read(value)
    if when is None:
        return ""
    date_only = when.time() == time()
    return f"{when:%a} {when.day} {when:%b %Y}" if date_only else f"{when:%a} {when.day} {when:%b %Y %H:%M}"


def nearness(value: MomentText) -> str:
    """`yesterday`, `today`, `in 3 days`, `12 days ago`: how a day lies to this one; empty when it is not near."""
    when = _read(value)
    if when is None:
        return ""
    days = (when.date() - today()).days
    if abs(days) <= 1:
        return ("yesterday", "today", "tomorrow")[days + 1]
    if abs(days) > _COUNTED_DAYS:
        return ""
    return f"in {days} days" if days > 0 else f"{-days} days ago"


def clock(value: datetime) -> str:
    """`14:02:10`."""
    return f"{_local(value):%H:%M:%S}"


def since(then: datetime, now: datetime) -> str:
    """How old something is: `just now`, `4 minutes ago`, `yesterday 14:02`, `Mon 24 Nov 2026 14:02`."""
    age = now.astimezone() - then.astimezone()
    then, now = _local(then), _local(now)
    if age < timedelta(minutes=1):
        return "just now"
    if age < timedelta(hours=1):
        minutes = int(age.total_seconds() // 60)
        return f"{minutes} minute{'s' if minutes > 1 else ''} ago"
    if then.date() == now.date():
        return f"today {then:%H:%M}"
    if then.date() == now.date() - timedelta(days=1):
        return f"yesterday {then:%H:%M}"
    return moment(then)
