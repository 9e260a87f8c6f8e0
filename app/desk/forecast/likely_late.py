"""Which open orders are likely late, each with its ground.

An order is likely late if more than half of the completed orders like it took longer than it has until the day it was
requested for. Like it are orders of its facility and delivery type that had come as far, had waited as long, and had no
more time. Invariant: it is silent where fewer than `LEAST_CASES` are like it, and of an order whose day has passed or
that is scheduled after it: that is known, not foretold.

`likely_late_orders` is what a page or a filter asks for; `Forecast.of_line` judges a row of the table.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from weakref import WeakKeyDictionary

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.forecast.quantiles import LEAST_CASES, count_from, quantile
from app.desk.forecast.step_cases import PERIOD, CaseGroup, Cases, cases_of
from app.store.cache.counts.step_times import STEP_FROM, Awaited, count_steps, order_changes, promised_orders
from app.store.cache.order_rows import OrderLine, OrderQuery
from app.store.cache.schema.conditions import NONE, Clause
from app.store.sqlite.database import Database

MOST = 9  # tenths: "9 of 10 take up to …"
_CASES_KEPT_S = 900.0  # what orders took changes little within a quarter of an hour
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Ground:
    """Why an order is likely late.

    Of `cases` orders of `group` that had `given` days or fewer and waited `waited` days since the `step`'s first date,
    9 of 10 took up to `most` days, and `longer` of them more than `given`. The order's own step began on `since`, and
    `left` of its days are left.
    """

    step: str
    group: CaseGroup
    cases: int
    longer: int
    most: int
    since: date
    waited: int
    given: int
    left: int


@dataclass(slots=True)
class Forecast:
    """The forecast of one day, from these cases."""

    cases: Cases
    today: date
    # By all that a judgement depends on: a table asks for thousands of orders, which differ in few of these.
    _judged: dict[tuple[str, str, str, int, int], tuple[CaseGroup, int, int, int] | None] = field(default_factory=dict)

    def likely_late(self, order: Awaited) -> Ground | None:
        """Why the order is likely late; None if it is not, or if nothing can be said."""
        begun = _begun(order)
        if begun is None or order.promised < self.today:
            return None
        step, since = begun
        waited, given = (self.today - since).days, (order.promised - since).days
        judged = self.judge(step, order.facility, order.delivery, given, waited)
        if judged is None:
            return None
        group, cases, longer, most = judged
        if longer * 2 <= cases:
            return None
        return Ground(step, group, cases, longer, most, since, waited, given, (order.promised - self.today).days)

    def of_line(self, line: OrderLine) -> Ground | None:
        """Whether the order of a row of the table is likely late, and why."""
        order = None if line.is_closed else awaited(line)
        return None if order is None else self.likely_late(order)

    def judge(
        self, step: str, facility: str, delivery: str, given: int, waited: int
    ) -> tuple[CaseGroup, int, int, int] | None:
        """The group, its cases, how many of them took longer than `given`, and up to how many days 9 of 10 took.

        None below the least number of cases.
        """
        key = (step, facility, delivery, given, waited)
        if key not in self._judged:
            group, taken = self.cases.like(*key)
            enough = taken.total() >= LEAST_CASES
            self._judged[key] = (
                (group, taken.total(), count_from(taken, given + 1), quantile(taken, MOST)) if enough else None
            )
        return self._judged[key]


def _begun(order: Awaited) -> tuple[str, date] | None:
    """The step that the order is in, and the day on which it began."""
    for column, day in (("loaded_at", order.loaded), ("received_at", order.received), ("imported_at", order.imported)):
        if day is not None:
            return STEP_FROM[column], day
    return None


def awaited(line: OrderLine) -> Awaited | None:
    """A row of the table as a forecast needs it; None where its lateness is not open."""
    requested, scheduled = _date(line.requested_delivery), _date(line.scheduled_delivery)
    promised = requested or scheduled
    if promised is None or (scheduled is not None and scheduled > promised):
        return None
    days = (_date(each) for each in (line.imported_at, line.received_at, line.loaded_at))
    return Awaited(line.number, line.facility_id or "", line.delivery_type or "", promised, *days)


def _date(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def open_orders(profile: str, today: date) -> OrderQuery:
    """The orders that may become late: on the open list, not delivered, and not scheduled after the requested day."""
    clauses = (
        Clause("state", ("CMP", "CAN"), negated=True),
        Clause("delivered_on", (NONE,)),
        Clause("over", ("1",), negated=True),
        Clause("due", ("any",)),
    )
    return OrderQuery(profile, "open", clauses=clauses, today=today)


@dataclass(slots=True)
class KeptForecast:
    """The last forecast of a connection."""

    forecast: Forecast
    read_at: float  # of `monotonic`
    changes: int = -1  # the counter of `search_state` at which `found` was read
    found: Mapping[int, Ground] = field(default_factory=dict)


# By cache, then by profile. Weak, so that a cache that is closed takes its forecasts along.
_forecasts: "WeakKeyDictionary[Database, dict[str, KeptForecast]]" = WeakKeyDictionary()


async def read_forecast(desk: Desk, progress: Progress | None = None) -> Forecast:
    """The forecast of today, from the orders delivered in the last `PERIOD`; kept for a quarter of an hour.

    Runs on a thread and a connection of its own, and stops when the caller is cancelled. Raises `StoreError`, and
    `Stopped` if `progress` says so.
    """
    return (await _kept(desk, progress or Progress())).forecast


async def likely_late_orders(desk: Desk, progress: Progress | None = None) -> Mapping[int, Ground]:
    """The likely late orders of today, by number, each with its ground. Read again only after a change of an order.

    Raises as `read_forecast`.
    """
    work = progress or Progress()
    kept = await _kept(desk, work)
    # Read before the orders: a change that comes in between is met by the next call, which finds another counter.
    changes = await desk.reader.read(order_changes)
    if kept.changes != changes:
        query = open_orders(desk.profile.id, kept.forecast.today)

        def judge() -> dict[int, Ground]:
            days = kept.forecast.today, date.max
            orders = desk.reader.read_separately_now(promised_orders, query, *days, work.checkpoint)
            return _grounds(kept.forecast, orders, work.checkpoint)

        kept.found, kept.changes = await in_thread(judge, work), changes
    return kept.found


def last_forecast(desk: Desk) -> KeptForecast | None:
    """The forecast that was made last for this connection, if it is of today."""
    kept = _forecasts.get(desk.reader, {}).get(desk.profile.id)
    return kept if kept is not None and kept.forecast.today == desk.now().date() else None


async def _kept(desk: Desk, work: Progress) -> KeptForecast:
    by_profile, profile, today = _forecasts.setdefault(desk.reader, {}), desk.profile.id, desk.now().date()
    kept = by_profile.get(profile)
    if kept is None or kept.forecast.today != today or time.monotonic() - kept.read_at > _CASES_KEPT_S:
        first = today - PERIOD
        counted = await in_thread(
            lambda: desk.reader.read_separately_now(count_steps, profile, first, today, work.checkpoint), work
        )
        by_profile[profile] = kept = KeptForecast(Forecast(cases_of(first, today, counted), today), time.monotonic())
    return kept


def _grounds(forecast: Forecast, orders: list[Awaited], step: Callable[[], None]) -> dict[int, Ground]:
    found: dict[int, Ground] = {}
    for place, order in enumerate(orders):
        if place % _AT_ONCE == 0:
            step()
        ground = forecast.likely_late(order)
        if ground is not None:
            found[order.number] = ground
    return found
