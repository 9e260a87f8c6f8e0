"""Completed orders that an open one is compared with: how long they took to their delivery, and how long they had.

Invariant: an order is a case only where the provider gave all its dates. Cancelled orders are none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from app.desk.forecast.quantiles import LEAST_CASES
from app.store.cache.counts.step_times import StepCount
from app.store.sqlite.search_text import plain

PERIOD = timedelta(days=180)
# Days that an order had, days that it took → number of orders
Joint = Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """The orders that a statement is about, as they spell it; None is every facility, or every delivery type."""

    facility: str | None = None
    delivery: str | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases by step, facility and delivery type, both folded; they were delivered from `first` to `last`."""

    first: date
    last: date
    narrow: Mapping[tuple[str, str, str], Joint]
    wide: Mapping[tuple[str, str], Joint]  # the cases of all delivery types of a facility
    every: Mapping[str, Joint]  # the cases of all facilities

    def like(self, step: str, facility: str, delivery: str, given: int, waited: int) -> tuple[CaseGroup, Counter[int]]:
        """The days that orders took that had `given` days or fewer and had waited `waited` days.

        They are those of the facility and delivery type; below `LEAST_CASES`, all of the facility; below it again, all
        there are. Orders that had fewer days were hurried as much or more, so they do not make this one look slower
        than it is.
        """
        narrow = _taken(self.narrow.get((step, plain(facility), plain(delivery)), {}), given, waited)
        if narrow.total() >= LEAST_CASES:
            return CaseGroup(facility, delivery), narrow
        wide = _taken(self.wide.get((step, plain(facility)), {}), given, waited)
        if wide.total() >= LEAST_CASES:
            return CaseGroup(facility), wide
        return CaseGroup(), _taken(self.every.get(step, {}), given, waited)

    @property
    def orders(self) -> int:
        """How many orders the forecast is made from."""
        return max((sum(joint.values()) for joint in self.every.values()), default=0)


def _taken(joint: Joint, given: int, waited: int) -> Counter[int]:
    found = Counter[int]()
    for (had, took), count in joint.items():
        if had <= given and took >= waited:
            found[took] += count
    return found


def cases_of(first: date, last: date, counted: Iterable[StepCount]) -> Cases:
    """The cases delivered from `first` to `last`."""
    narrow: dict[tuple[str, str, str], Counter[tuple[int, int]]] = {}
    wide: dict[tuple[str, str], Counter[tuple[int, int]]] = {}
    every: dict[str, Counter[tuple[int, int]]] = {}
    for step, spelled, delivery, had, took, count in counted:
        facility = plain(spelled)
        narrow.setdefault((step, facility, plain(delivery)), Counter())[had, took] += count
        wide.setdefault((step, facility), Counter())[had, took] += count
        every.setdefault(step, Counter())[had, took] += count
    return Cases(first, last, narrow, wide, every)
