"""The conditions of a list of audits, each as it is typed: `last week` stays last week, whatever day it is.

Invariant: a condition that cannot be read is not saved. A day without a year gets its year when it is typed; `low` is
what the rule *Low audit* says today.
"""

import math
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from app.desk.audits.scores import Scale
from app.desk.filter.filter_dates import read_days
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.review_store import Marked

Span = tuple[date | None, date | None]
Scores = tuple[float | None, float | None]
FACETS = ("kind", "facility", "vendor")
MARKS = ("left", "reviewed", "flagged", "noted")  # `left` is what is not reviewed
LOW = "low"
_BETWEEN = ".."
_STAYS = re.compile(r"today|tomorrow|yesterday|[+-]\s*\d{1,4}\s*[dw]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Values of each facet (any of them), one of `MARKS`, scores and days as typed; empty for all."""

    text: str = ""
    mark: str = ""
    kind: tuple[str, ...] = ()
    facility: tuple[str, ...] = ()
    vendor: tuple[str, ...] = ()
    score: str = ""
    days: str = ""

    def typed(self, condition: str) -> tuple[str, ...]:
        """The values of a condition, as they are typed."""
        chosen: str | tuple[str, ...] = getattr(self, condition)
        return chosen if isinstance(chosen, tuple) else (chosen,) if chosen else ()

    def narrowed(self, condition: str, values: tuple[str, ...]) -> "Narrowing":
        """With exactly these values of a condition; only facets have several."""
        changed: dict[str, Any] = {condition: values if condition in FACETS else values[0] if values else ""}
        return replace(self, **changed)

    def without(self, condition: str) -> "Narrowing":
        """The conditions without this one."""
        return self.narrowed(condition, ())

    def toggled(self, facet: str, name: str) -> "Narrowing":
        """With this value of a facet added, or taken away."""
        before = self.typed(facet)
        others = tuple(each for each in before if each != name)
        return self.narrowed(facet, others if name in before else (*before, name))

    def apply(self, query: AuditQuery, marked: Marked, today: date, scale: Scale) -> AuditQuery:
        """The query with these conditions."""
        lowest, highest = read_scores(self.score, scale) or (None, None)
        first, last = read_span(self.days, today) or (None, None)
        only = {"reviewed": marked.reviewed, "flagged": marked.flagged, "noted": marked.noted}.get(self.mark)
        return replace(
            query,
            text=self.text,
            kinds=self.kind,
            facilities=self.facility,
            vendors=self.vendor,
            lowest=lowest,
            highest=highest,
            first=first,
            last=last,
            only=only,
            without=marked.reviewed if self.mark == "left" else frozenset(),
        )


EVERYTHING = Narrowing()


def read_scores(typed: str, scale: Scale) -> Scores | None:
    """`low`, `40..70`, `..60`, `80..` or one score, as the lowest and the highest; None for anything else."""
    if typed.strip().lower() == LOW:
        return None, largest_low(scale)
    first, dots, last = typed.partition(_BETWEEN)
    ends = [first, last] if dots else [first, first]
    found: list[float | None] = []
    for end in ends:
        try:
            found.append(float(end) if end.strip() else None)
        except ValueError:
            return None
    if any(each is not None and not math.isfinite(each) for each in found) or found == [None, None]:
        return None
    lowest, highest = found
    # 70..40 means 40..70: somebody who types it so wants the scores between.
    return (highest, lowest) if lowest is not None and highest is not None and lowest > highest else (lowest, highest)


def largest_low(scale: Scale) -> float:
    """The largest score that is low. "Low" is below the limit, and both bounds of a query are included."""
    return math.nextafter(scale.low, -math.inf)


def kept_scores(typed: str) -> str | None:
    """Scores as they are saved; None if they cannot be read."""
    if typed.strip().lower() == LOW:
        return LOW
    scores = read_scores(typed, Scale())
    return None if scores is None else written_scores(*scores)


def written_scores(lowest: float | None, highest: float | None) -> str:
    """Scores as a person would type them; empty for all."""
    if lowest is None and highest is None:
        return ""
    return _BETWEEN.join("" if each is None else f"{each:.12g}" for each in (lowest, highest))


def read_span(typed: str, today: date) -> Span | None:
    """`last week`, `-6..today`, `2026-03-02..` as the first and the last day; None if they cannot be read."""
    return _named(typed, today) or (read_days(typed, today, back=True) if typed else None)


def kept_days(typed: str, today: date) -> str | None:
    """Days as they are saved: days relative to today stay so, a date gets its year. None if they cannot be read."""
    text = " ".join(typed.lower().split())
    span = read_span(text, today)
    if span is None:
        return None
    if _named(text, today) is not None:
        return text
    if _BETWEEN not in text:
        return _kept_day(text, span[0])
    first, _, last = text.partition(_BETWEEN)
    return f"{_kept_day(first.strip(), span[0])}{_BETWEEN}{_kept_day(last.strip(), span[1])}"


def _kept_day(typed: str, day: date | None) -> str:
    return typed if day is None or _STAYS.fullmatch(typed) else day.isoformat()


def _named(typed: str, today: date) -> tuple[date, date] | None:
    """The spans that have names. A week begins on Monday."""
    day = timedelta(days=1)
    monday, month = today - today.weekday() * day, today.replace(day=1)
    spans = {
        "this week": (monday, today),
        "last week": (monday - 7 * day, monday - day),
        "this month": (month, today),
        "last month": ((month - day).replace(day=1), month - day),
    }
    return spans.get(typed)
