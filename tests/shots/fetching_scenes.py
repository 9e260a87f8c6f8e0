"""Fetching on the orders page: coming for the first time, the dates one by one, stopped, and old since yesterday."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from app.desk.sync import order_sync
from app.desk.sync.departed_orders import Departed, OpenCount
from app.desk.sync.order_sync import ListResult, Progress
from app.desk.sync.window_plan import LISTED, Job, find_gaps
from app.store.cache import fetched_windows
from app.store.sqlite.database import Database
from app.ui.orders.orders_page import OrdersPage
from tests.shots.data import NOW, PRACTICE
from tests.shots.stage import Stage

_WHY = "The provider answered that it is busy (503)."


async def orders_first_sync(stage: Stage) -> None:
    """An empty desk whose first year is coming."""
    await stage.use_empty_desk("Connecting…")
    page = _page(stage)
    page.refresher.days, page.refresher.busy = 365, True
    jobs = page.refresher.jobs
    under_way = {jobs[at]: orders for at, orders in ((18, 1_600), (19, 400), (20, 1_204), (21, 0))}
    page.refresher.progress = Progress(18, len(jobs), 48_204, under_way)
    page.refresher.changed.emit()
    page.refresher.progressed.emit(page.refresher.progress)
    page.fetching.controls.dates_button.click()


async def orders_stopped(stage: Stage) -> None:
    """The fetch of the scene before, stopped by a person."""
    page = _page(stage)
    page.fetching.controls.dates_button.click()
    page.refresher.busy, page.refresher.stopped, page.refresher.progress = False, True, None
    page.refresher.gaps = find_gaps(page.refresher.jobs[18:], {}, NOW)
    page.refresher.changed.emit()
    page.refresher.finished.emit()


async def orders_dates(stage: Stage) -> None:
    """Weeks that failed and weeks that were never asked for, each with what can be done."""
    await stage.use_full_desk()
    page = _page(stage)
    page.refresher.days = 90
    jobs = page.refresher.jobs
    for database in stage.others[:1]:
        _fail(database, jobs[2:4])
        _fail(database, jobs[7:8])
    gaps = find_gaps(jobs, await order_sync.read_coverage(page.desk), NOW)
    page.refresher.gaps = gaps
    for name in LISTED:
        own = tuple(gap for gap in gaps if gap.list == name and gap.sentence)
        page.refresher.results[name] = ListResult(800, NOW, _WHY if own else "", own)
    page.refresher.departed = Departed(asked=40, unfound=52, unasked=12, still_open=6, open=203)
    page.refresher.open_before = OpenCount(255, NOW - timedelta(minutes=4))
    page.refresher.changed.emit()
    page.refresher.finished.emit()
    page.fetching.controls.dates_button.click()


async def orders_since_yesterday(stage: Stage) -> None:
    """Nothing has come since yesterday: what was seen then is shown, and said to be as old as that."""
    page = _page(stage)
    page.fetching.controls.dates_button.click()
    page.refresher.results.clear()
    for name in LISTED:
        start, end = NOW - timedelta(days=91), NOW.replace(hour=23, minute=59, second=59)
        asked = NOW - timedelta(days=1, hours=2)
        span = (start.replace(hour=0, minute=0, second=0), end)
        stage.others[0].write_now(fetched_windows.finish_window, PRACTICE, name, *span, asked, 1_204)
    page.bar.clear()
    page.refresher.finished.emit()
    stage.shell.window.show_link("warn", f"! No refresh since yesterday {NOW - timedelta(hours=26):%H:%M}.")


def _page(stage: Stage) -> OrdersPage:
    stage.shell.go("orders")
    stage.shell.orders.tabs["open"].click()
    return stage.shell.orders


def _fail(database: Database, jobs: list[Job]) -> None:
    for job in jobs:
        for tries in range(3):
            at = NOW - timedelta(minutes=9 - tries)
            database.write_now(fetched_windows.finish_window, PRACTICE, job.list, job.start, job.end, at, None, _WHY)


FETCHING_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    orders_first_sync,
    orders_stopped,
    orders_dates,
    orders_since_yesterday,
)
