"""Scores over time: the mean of each week, and how facilities or vendors stand beside each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean

from app.store.cache.audits.audit_rows import Point


@dataclass(frozen=True, slots=True)
class Week:
    """The mean score of the audits of a week that begins on `monday`."""

    monday: date
    mean: float
    count: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A facility or vendor: its audits, their mean, the lowest score, and how the later half's mean differs from the
    earlier half's; None for fewer than four audits, which show no trend."""

    name: str
    count: int
    mean: float
    lowest: float
    change: float | None


def weekly(points: Iterable[Point]) -> list[Week]:
    """The weeks that have audits, oldest first."""
    scores: dict[date, list[float]] = {}
    for each in points:
        day = each.date.date()
        scores.setdefault(day - timedelta(days=day.weekday()), []).append(each.score)
    return [Week(monday, fmean(found), len(found)) for monday, found in sorted(scores.items())]


def ranked(points: Iterable[Point]) -> list[Rank]:
    """Each group with how it stands, the lowest mean first."""
    groups: dict[str, list[Point]] = {}
    for each in points:
        groups.setdefault(each.group, []).append(each)
    ranks = [_rank(name, sorted(found, key=lambda point: point.date)) for name, found in groups.items()]
    return sorted(ranks, key=lambda rank: (rank.mean, rank.name))


def _rank(name: str, points: Sequence[Point]) -> Rank:
    scores = [each.score for each in points]
    half = len(scores) // 2
    change = fmean(scores[-half:]) - fmean(scores[:half]) if len(scores) >= 4 else None
    return Rank(name, len(scores), fmean(scores), min(scores), change)
