"""Moments as the practice service counts them: whole seconds of its local time since 1970, without a zone."""

from datetime import datetime, timedelta
from functools import lru_cache

DAY = 86_400
HOUR = 3_600
NEVER = 1 << 40  # later than anything: what has not been planned to happen

_EPOCH = datetime(1970, 1, 1)
LATEST = int((datetime(2200, 1, 1) - _EPOCH).total_seconds())  # the clock stops here: lives are planned years ahead
_LAST = int((datetime(9999, 12, 31, 23, 59, 59) - _EPOCH).total_seconds())
# A long list writes half a million moments: putting them together is cheaper than formatting them.
_MINUTES = [f"T{minute // 60:02}:{minute % 60:02}:" for minute in range(1440)]
_SECONDS = [f"{second:02}" for second in range(60)]
_ZONED_HOURS = 2**31 // HOUR  # beyond 2038 the zone's rules are anybody's guess


def seconds_of(moment: datetime) -> int:
    """Seconds of a naive local time."""
    return int((moment - _EPOCH).total_seconds())


def moment_of(seconds: int) -> datetime:
    """The naive local time of `seconds`."""
    return _EPOCH + timedelta(seconds=seconds)


@lru_cache(maxsize=4096)
def day_text(day: int) -> str:
    """`YYYY-MM-DD` of a day since 1970."""
    return (_EPOCH + timedelta(days=min(day, _LAST // DAY))).date().isoformat()


def plain(seconds: int) -> str:
    """`YYYY-MM-DDTHH:MM:SS`, no zone: how the service writes a moment unless told otherwise."""
    day, rest = divmod(seconds if seconds < _LAST else _LAST, DAY)
    return day_text(day) + _MINUTES[rest // 60] + _SECONDS[rest % 60]


def zulu(seconds: int) -> str:
    """The instant in UTC with a `Z`."""
    return plain(seconds - _offset(seconds)) + "Z"


def with_offset(seconds: int) -> str:
    """The instant with the zone's offset."""
    offset = _offset(seconds)
    sign, minutes = "-" if offset < 0 else "+", abs(offset) // 60
    return f"{plain(seconds)}{sign}{minutes // 60:02}:{minutes % 60:02}"


def with_fraction(seconds: int) -> str:
    """With a seven-digit fraction, as some servers write it."""
    return f"{plain(seconds)}.{seconds * 7919 % 10_000_000:07}"


def epoch_seconds(seconds: int) -> int:
    """Seconds since 1970 in UTC."""
    return seconds - _offset(seconds)


@lru_cache(maxsize=4096)
def _hour_offset(hour: int) -> int:
    zone = (_EPOCH + timedelta(hours=hour)).astimezone().utcoffset()
    return int(zone.total_seconds()) if zone else 0


def _offset(seconds: int) -> int:
    return _hour_offset(min(max(seconds // HOUR, 0), _ZONED_HOURS))
