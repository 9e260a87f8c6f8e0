"""How long orders took to their delivery, beside how long they had.

An order had the days from a step's first date to the day it is promised for: the day it was requested for, or scheduled
for where none was requested. That day does not move when the provider schedules the delivery later.
"""

# ruff: noqa: S608 (statements are put together from this package's own words; every value is bound)

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import NamedTuple

import apsw

from app.store.cache.index.key_sets import matching_keys
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.cache_schema import MAX_NUMBER, NUMBER_BITS
from app.store.sqlite.plain_rows import key_array, value

Step = Callable[[], None]
# The last thing that happened to an order → the step from there to its delivery. The latest comes first.
STEP_FROM = {
    "loaded_at": "loading_to_delivery",
    "received_at": "receipt_to_delivery",
    "imported_at": "import_to_delivery",
}
_PROMISED = "substr(coalesce(requested_delivery, scheduled_delivery), 1, 10)"
_STEPS_OF_SQLITE = 4_000  # a fraction of a millisecond
_AT_ONCE = 500


class StepCount(NamedTuple):
    """How many `orders` of a facility and delivery type had `had` days and took `took` days."""

    step: str
    facility: str
    delivery: str
    had: int
    took: int
    orders: int


class Awaited(NamedTuple):
    """The days of an order: what it is promised for, and what has happened to it."""

    number: int
    facility: str
    delivery: str
    promised: date
    imported: date | None
    received: date | None
    loaded: date | None
    delivered: date | None = None


def count_steps(c: apsw.Connection, profile: str, first: date, last: date, step: Step) -> list[StepCount]:
    """The steps of the completed orders that were delivered from `first` to `last`; cancelled ones count nowhere."""
    partition = value(c, "SELECT partition FROM partitions WHERE profile = ? AND list = 'completed'", (profile,))
    if partition is None:
        return []
    after = (last + timedelta(days=1)).isoformat()
    bindings = (partition << NUMBER_BITS, partition << NUMBER_BITS | MAX_NUMBER, first.isoformat(), after)
    with _stoppable(c, step):
        return [StepCount(*each) for each in c.execute(_COUNTED, bindings)]


def _julian(column: str) -> str:
    return f"julianday(substr({column}, 1, 10)) AS {column}"


def _counted(column: str, name: str) -> str:
    return f"""
        SELECT '{name}', facility, delivery, CAST(promised - {column} AS INTEGER) AS had,
               CAST(delivered_at - {column} AS INTEGER) AS took, count(*)
        FROM days GROUP BY facility, delivery, had, took HAVING had IS NOT NULL AND took >= 0
    """


# The days are read once for all steps: that takes half the time, since the rows of orders are wide.
_COUNTED = f"""
    WITH days AS MATERIALIZED (
        SELECT coalesce(facility_id, '') AS facility, coalesce(delivery_type, '') AS delivery,
               julianday({_PROMISED}) AS promised, {", ".join(map(_julian, (*STEP_FROM, "delivered_at")))}
        FROM orders
        WHERE id BETWEEN ? AND ? AND orders.delivered_at >= ? AND orders.delivered_at < ? AND state IS NOT 'CAN'
    )
    {" UNION ALL ".join(_counted(*each) for each in STEP_FROM.items())}
"""


@contextmanager
def _stoppable(c: apsw.Connection, step: Step) -> Iterator[None]:
    """Calls `step` while statements run, which may raise to end them."""

    def go_on() -> bool:
        step()
        return False

    c.set_progress_handler(go_on, _STEPS_OF_SQLITE)
    try:
        yield
    finally:
        # The connection serves other reads next, which must not go on counting here.
        c.set_progress_handler(None)


def promised_orders(c: apsw.Connection, query: OrderQuery, first: date, last: date, step: Step) -> list[Awaited]:
    """The orders of a query that are promised for a day from `first` to `last`."""
    keys, found = matching_keys(c, query), list[Awaited]()
    statement = f"""
        SELECT number, coalesce(facility_id, ''), coalesce(delivery_type, ''), {_PROMISED} AS promised,
               imported_at, received_at, loaded_at, delivered_at
        FROM orders WHERE id IN carray(?) AND promised BETWEEN ? AND ?
    """
    bindings = (key_array(keys.to_array()), first.isoformat(), last.isoformat())
    for place, (number, facility, delivery, promised, *moments) in enumerate(c.execute(statement, bindings)):
        if place % _AT_ONCE == 0:
            step()
        days = (None if each is None else date.fromisoformat(each[:10]) for each in moments)
        found.append(Awaited(number, facility, delivery, date.fromisoformat(promised), *days))
    return found


def oldest_delivery(c: apsw.Connection, profile: str, since: date) -> date | None:
    """The day of the oldest delivery since a day, on the list of completed orders."""
    statement = """
        SELECT min(substr(delivered_at, 1, 10)) FROM orders JOIN partitions USING (partition)
        WHERE profile = ? AND list = 'completed' AND delivered_at >= ?
    """
    oldest = value(c, statement, (profile, since.isoformat()))
    return None if oldest is None else date.fromisoformat(oldest)


def order_changes(c: apsw.Connection) -> int:
    """A number that grows with every change of an order."""
    return int(value(c, "SELECT changes FROM search_state"))
