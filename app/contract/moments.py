"""Readers of dates and times in replies. A text that cannot be read becomes None; no reader raises.

Replies may carry no zone, an offset, `Z`, or seven-digit fractions (notes.md, "Readings"). Every time becomes a naive
`datetime`: one without a zone is the provider's local time and stays as it is, one with a zone is converted to this
computer's local time.
"""

import re
from datetime import date, datetime

_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|z|[+-]\d{2}:?\d{2})?)?", re.ASCII
)
_PLAIN_LENGTH = len("YYYY-MM-DDTHH:MM:SS")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
# 1e11 ms is 1973, 1e11 s is the year 5138: between the two, size tells seconds from milliseconds.
_MILLISECONDS_FROM = 100_000_000_000
_YMD_FROM, _YMD_TO = 1900_01_01, 2999_12_31


def read_moment(value: object) -> datetime | None:
    """The naive local time that `value` means, or None."""
    if isinstance(value, datetime):
        return _local(value)
    if isinstance(value, str):
        return _read_text(value)
    return None


def has_zone(value: object) -> bool:
    """Whether a time of a reply is written with a zone, so that `read_moment` converts it."""
    found = _MOMENT.fullmatch(value.strip()) if isinstance(value, str) else None
    return found is not None and found[3] is not None


def _read_text(text: str) -> datetime | None:
    # The quick path: nearly every time has this form, and a list holds eight times per order.
    if len(text) == _PLAIN_LENGTH and text[4] == text[7] == "-" and text[10] == "T" and text[13] == text[16] == ":":
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return None
    day, time, zone = found.groups(default="")
    try:
        return _local(datetime.fromisoformat(f"{day}T{time or '00:00'}{zone.upper()}"))
    except ValueError:
        return None


def _local(value: datetime) -> datetime | None:
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone().replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):  # the years 1 and 9999; on Windows anything before 1970
        return None


def read_audit_date(value: object) -> datetime | None:
    """`auditDate` as a number: epoch seconds, epoch milliseconds or yyyymmdd, told apart by size; or as text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return read_moment(value)
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return read_moment(value)
    if _YMD_FROM <= number <= _YMD_TO:
        return _read_ymd(number)
    try:
        return datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS_FROM else number)
    except (ValueError, OverflowError, OSError):
        return None


def _read_ymd(number: int) -> datetime | None:
    try:
        return datetime(number // 10_000, number // 100 % 100, number % 100)
    except ValueError:
        return None


def read_date(text: str) -> date | None:
    """A date of a request, exactly `YYYY-MM-DD`; None for any other text."""
    if not _ISO_DATE.match(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
