"""Reads the plots of a desk, a group at a time: each on a thread and a connection of its own, stoppable.

Invariant: while a group is read, the table of orders, its filter and the outbox are as quick as ever.
"""

from collections.abc import Callable
from typing import NamedTuple

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.forecast.calibration import Calibration, read_calibration
from app.desk.forecast.likely_late import likely_late_orders
from app.desk.insights.audit_plots import AuditPlots
from app.desk.insights.desk_plots import DeskPlots
from app.desk.insights.insight_choice import InsightChoice
from app.desk.insights.order_plots import OrderPlots
from app.desk.insights.plot_data import Plot

# The plots, in the order in which they stand.
NAMES = (
    *("on_time_weeks", "on_time_facilities", "open_by_age", "steps", "steps_facilities"),
    *("sent", "refusals", "until_confirmed", "audit_facilities", "audit_questions"),
)


class LikelyLate(NamedTuple):
    """How many open orders are likely late, and how often the forecast was right."""

    orders: int
    calibration: Calibration | None


Make = Callable[[], list[Plot]]


def plot_groups(desk: Desk, choice: InsightChoice, step: Callable[[], None]) -> tuple[Make, ...]:
    """The functions that make the plots, group by group. Each is for a thread of its own, and raises `StoreError`."""
    today, profile = desk.now().date(), desk.profile.id
    read, journal = desk.reader.read_separately_now, desk.journal.read_separately_now
    orders = OrderPlots(read, profile, choice, today, step)
    audits = AuditPlots(read, profile, choice, today, step)
    return (
        orders.on_time,
        lambda: [orders.open_by_age()],
        orders.steps,
        DeskPlots(journal, profile, choice, today).all,
        audits.all,
    )


async def read_all(desk: Desk, choice: InsightChoice, progress: Progress) -> list[Plot]:
    """All plots. Raises `StoreError`, and `Stopped` if `progress` says so."""
    groups = plot_groups(desk, choice, progress.checkpoint)
    found: list[Plot] = []
    progress.total = len(groups)
    for make in groups:
        found += await in_thread(make, progress)
        progress.done += 1
    return found


async def read_likely_late(desk: Desk, progress: Progress) -> LikelyLate:
    """The forecast in two numbers. Raises as `read_plots`."""
    found = await likely_late_orders(desk, progress)
    return LikelyLate(len(found), await read_calibration(desk, progress))
