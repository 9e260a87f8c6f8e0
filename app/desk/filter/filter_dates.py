"""Days in a typed filter: `today`, `-7..today`, `..fri`, `2026-03-01..`, `>2026-03-01`.

Invariant: a day without a year lies ahead of today for planned dates, and behind it for past ones (`back`).
"""

import re
from datetime import date, timedelta

from app.desk.text.typed_dates import read_typed_date

_Span = tuple[date | None, date | None]
_AWAY = re.compile(r"([+-])\s*(\d{1,4})\s*(d|w)?", re.ASCII)
_SEPARATOR = ".."
_COMPARED = re.compile(r"([<>])(=?)(.+)", re.ASCII)


def read_days(typed: str, today: date, *, back: bool = False) -> _Span | None:
    """First and last day, None for an open end; None for a text that is not, or not yet, days."""
    if compared := _COMPARED.fullmatch(typed.strip()):
        return _compared(compared[1], read_day(compared[3], today, back=back), inclusive=bool(compared[2]))
    if _SEPARATOR not in typed:
        day = read_day(typed, today, back=back)
        return None if day is None else (day, day)
    before, _, after = (part.strip() for part in typed.partition(_SEPARATOR))
    first, last = (read_day(part, today, back=back) if part else None for part in (before, after))
    unread = (before and first is None) or (after and last is None) or not (before or after)
    return None if unread else (first, last)


def _compared(sign: str, day: date | None, *, inclusive: bool) -> _Span | None:
    """The days after or before a day, with the day itself if `inclusive`."""
    later = sign == ">"
    # A filter has days and no moments: after a day means from the next day on.
    moved = day if inclusive or day is None else _moved(day, 1 if later else -1)
    if moved is None:
        return None
    return (moved, None) if later else (None, moved)


def read_day(typed: str, today: date, *, back: bool = False) -> date | None:
    """The day that was meant, or None."""
    text = typed.strip().lower()
    if text == "yesterday":
        return _moved(today, -1)
    if away := _AWAY.fullmatch(text):
        days = int(away[1] + away[2]) * (7 if away[3] == "w" else 1)
        return _moved(today, days)
    return read_typed_date(text, today, back=back)


def written_days(first: date | None, last: date | None) -> str:
    """The days as a person would type them."""
    if first == last and first is not None:
        return first.isoformat()
    return f"{first or ''}{_SEPARATOR}{last or ''}"


def _moved(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None
