"""How often the forecast was right, on orders that came later than those it was made from.

Invariant: no order is both a case and a test. The cases were delivered before a day, the tests were received on that
day or later, and only those count whose promised day has passed: whether they were late is known. An order that was
received after its promised day is none: it was late already.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.forecast.likely_late import Forecast
from app.desk.forecast.step_cases import PERIOD, cases_of
from app.store.cache.counts.step_times import Awaited, count_steps, oldest_delivery, promised_orders
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.conditions import Clause

LONGEST_TEST = timedelta(days=60)
LEAST_TESTED = 20
_DAY = timedelta(days=1)
# Runs a function of the store on a connection of its own.
Read = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The forecast made on the morning of `split`, from `cases` orders delivered since `first`.

    Of `tested` orders received from then until `last`, `late` were late. On the day each was received the forecast
    called `called` likely late, `right` of which were late; for `silent` it had too few cases.
    """

    first: date
    split: date
    last: date
    cases: int
    tested: int
    late: int
    called: int
    right: int
    silent: int

    @property
    def enough(self) -> bool:
        """Whether it says anything."""
        return self.tested >= LEAST_TESTED and self.cases > 0


def calibrate(read: Read, profile: str, today: date, step: Callable[[], None] = lambda: None) -> Calibration | None:
    """The calibration of the forecast; None if no completed order is known. `read` runs a function of the store."""
    first: date | None = read(oldest_delivery, profile, today - PERIOD - LONGEST_TEST)
    if first is None:
        return None
    # Half of a short history is for the cases: with no more than some weeks, both halves are small.
    split = max(today - LONGEST_TEST, first + (today - first) // 2)
    first, last = max(first, split - PERIOD), today - _DAY
    cases = cases_of(first, split - _DAY, read(count_steps, profile, first, split - _DAY, step))
    clauses = (Clause("received_on", first=split, last=last), Clause("state", ("CAN",), negated=True))
    query = OrderQuery(profile, None, clauses=clauses, today=today)
    counts = _tested(Forecast(cases, split), read(promised_orders, query, split, last, step))
    return Calibration(first, split, last, cases.orders, *counts)


def _tested(forecast: Forecast, orders: Iterable[Awaited]) -> tuple[int, int, int, int, int]:
    tested = late = called = right = silent = 0
    for order in orders:
        received = order.received
        assert received is not None
        if order.promised < received:
            continue  # late already on the day of its receipt: nothing to foretell
        tested += 1
        was_late = order.delivered is None or order.delivered > order.promised
        late += was_late
        # As on the day of its receipt, when nobody knew yet that and when it would be loaded.
        forecast.today = received
        given = (order.promised - received).days
        if forecast.judge("receipt_to_delivery", order.facility, order.delivery, given, 0) is None:
            silent += 1
        elif forecast.likely_late(order._replace(loaded=None)) is not None:
            called += 1
            right += was_late
    return tested, late, called, right, silent


async def read_calibration(desk: Desk, progress: Progress) -> Calibration | None:
    """The calibration as of today, read on a thread and a connection of its own. Raises `StoreError` or `Stopped`."""
    profile, today = desk.profile.id, desk.now().date()
    return await in_thread(
        lambda: calibrate(desk.reader.read_separately_now, profile, today, progress.checkpoint), progress
    )
