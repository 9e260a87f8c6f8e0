"""Scores: their scale, their text, and their trends.

The provider does not say how high a score may be, so the highest score seen tells the scale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean
from typing import NamedTuple

from app.store.cache.audits.audit_rows import Point

_GOOD_FROM = 0.85  # of the highest score there may be
_FIRST_LOW = 0.7  # before the rule was read
_TOPS = (1.0, 5.0, 10.0, 100.0)


class Scale(NamedTuple):
    """`top` is the highest score there may be. A score below `low` is low in the list, in *Today* and in notices.

    Its one source is the rule *Low audit* (`audit_views.read_scale`), whose number a person can change.
    """

    top: float = 100.0
    low: float = 100.0 * _FIRST_LOW

    def tone(self, score: float) -> str:
        """The colour of a score: bad where it is low."""
        return "bad" if score < self.low else "good" if score >= _GOOD_FROM * self.top else "warn"


def part_of(score: float, top: float) -> float:
    """A score as a fraction of the highest one, from 0 to 1."""
    return min(max(score / top, 0.0), 1.0) if top > 0 else 0.0


def top_of(highest: float | None) -> float:
    """The highest score there may be: the smallest usual scale that holds the highest score seen."""
    return next((top for top in _TOPS if highest is not None and highest <= top), highest or 100.0)


def figure(score: float) -> str:
    """`81.5`, `81`, `0.85`, `97,312.5`: with as many digits as scores of this size need."""
    # On a scale up to 5 the second place tells facilities apart; on one up to 100 it is noise.
    places = 2 if abs(score) < 10 else 1
    return f"{score:,.{places}f}".rstrip("0").rstrip(".")


def mean_figure(mean: float, top: float) -> str:
    """A mean for a column of means: all of them have equally many digits."""
    return f"{mean:,.{1 if top > 10 else 2}f}"


@dataclass(frozen=True, slots=True)
class Week:
    """The mean score of the audits of a week that begins on `monday`."""

    monday: date
    mean: float
    count: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A facility or vendor. `change` is the mean of the later half of its audits less that of the earlier half.

    `change` is None for fewer than four audits, which show no trend.
    """

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
    """The rank of each group, the lowest mean first."""
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
