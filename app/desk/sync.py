"""Brings open and completed orders from the provider into the cache.

Invariants: the provider is asked in windows of days, newest first, always with both ends (trap 3). What came is kept
even if the rest does not. A window is marked as known only when all of it came; otherwise the reason stands beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal

from app.api.client import Provider
from app.api.errors import ApiError, NotAllowed, NotAuthorised, NotFound, NotSent
from app.api.information import Include, OrderRow
from app.api.stream import Batches
from app.desk.desk import Desk
from app.desk.facts import facts_of
from app.store import cache, cache_windows
from app.store.cache_rows import OrderFacts
from app.store.errors import StoreError

ListName = Literal["open", "completed"]
Window = tuple[datetime, datetime]

# What the table can be searched by; notes and documents are fetched with the single order.
_INCLUDE = Include(purchase_orders=True, commodities=True)
_WINDOW_DAYS = 7
_STORED_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh has come: windows done of all, and orders received."""

    windows_done: int
    windows: int
    orders: int


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh brought. `trouble` is empty when every window came whole; `unreadable` counts records skipped."""

    orders: int
    at: datetime
    trouble: str = ""
    missing: tuple[Window, ...] = ()
    unreadable: int = 0


def windows(now: datetime, days: int) -> list[Window]:
    """`days` days up to the end of today, cut into windows of at most seven days, newest first."""
    last = datetime.combine(now.date(), time(23, 59, 59))
    first = datetime.combine(now.date() - timedelta(days=days), time())
    cut: list[Window] = []
    end = last
    while end > first:
        start = max(first, datetime.combine(end.date() - timedelta(days=_WINDOW_DAYS - 1), time()))
        cut.append((start, end))
        end = start - timedelta(seconds=1)
    return cut


async def refresh(
    desk: Desk, list_name: ListName, days: int, on_progress: Callable[[Progress], None] = lambda _: None
) -> Refreshed:
    """Fetch one list for the last `days` days. Trouble is told in the result, never raised."""
    todo = windows(desk.now(), days)
    orders = unreadable = 0
    missing: list[Window] = []
    trouble = ""
    for done, window in enumerate(todo):
        on_progress(Progress(done, len(todo), orders))
        provider, before = desk.provider, orders
        if provider is None:  # not connected, or no longer
            trouble, missing = trouble or desk.trouble, [*missing, *todo[done:]]
            break

        def tell(fetched: int, done: int = done, before: int = before) -> None:
            on_progress(Progress(done, len(todo), before + fetched))

        got = _Got()
        try:
            await _fetch_window(desk, provider, list_name, window, tell, got)
        except StoreError as error:
            # The cache takes nothing more, so asking the provider for more would be in vain.
            trouble, missing = error.sentence, [*missing, *todo[done:]]
            break
        finally:
            orders, unreadable = orders + got.orders, unreadable + got.unreadable
        if got.trouble is None:
            continue
        missing.append(window)
        trouble = trouble or got.trouble.sentence
        if isinstance(got.trouble, NotSent | NotAuthorised | NotAllowed):
            missing.extend(todo[done + 1 :])
            break  # the next window would meet the same
    return Refreshed(orders, desk.now(), trouble, tuple(missing), unreadable)


@dataclass(slots=True)
class _Got:
    """What came of one window: orders kept, records skipped, and why it is not whole."""

    orders: int = 0
    unreadable: int = 0
    trouble: ApiError | None = None


async def _fetch_window(
    desk: Desk, provider: Provider, list_name: ListName, window: Window, tell: Callable[[int], None], got: _Got
) -> None:
    """Fetch one window into the cache and note how that ended. Raises `StoreError`."""
    began = desk.now()
    try:
        fetch = provider.information.open_orders if list_name == "open" else provider.information.completed_orders
        await _receive(desk, list_name, fetch(window[0], window[1], _INCLUDE), tell, got, began)
    except ApiError as error:
        got.trouble = error
    words = None if got.trouble is None else got.trouble.sentence
    count = got.orders if words is None else None
    await desk.cache.write(cache_windows.finish_window, desk.profile.id, list_name, *window, began, count, words)
    await _index(desk)


async def _receive(
    desk: Desk,
    list_name: ListName,
    list_of: Batches[OrderRow],
    tell: Callable[[int], None],
    got: _Got,
    began: datetime,
) -> None:
    """Store orders as they come; what came before trouble is stored too. Raises `ApiError` and `StoreError`."""
    waiting: list[OrderFacts] = []

    async def store() -> None:
        nonlocal waiting
        if waiting:
            await desk.cache.write(cache.store_orders, desk.profile.id, list_name, waiting, began)
            got.orders, waiting = got.orders + len(waiting), []

    try:
        async with list_of as batches:
            async for batch in batches:
                facts = [each for row in batch if (each := facts_of(row)) is not None]
                got.unreadable += len(batch) - len(facts)
                waiting += facts
                tell(got.orders + len(waiting))
                if len(waiting) >= _STORED_AT_ONCE:
                    await store()
            got.unreadable += batches.tally.rejected
    except ApiError:
        await store()
        raise
    await store()


async def _index(desk: Desk) -> None:
    """Take new texts into the search index in short steps, so that nothing else waits for long."""
    while await desk.cache.write(cache.index_some):
        pass


async def refresh_order(desk: Desk, number: int) -> str:
    """Fetch one whole order (with notes and documents) into the cache; the sentence for trouble, else empty."""
    if desk.provider is None:
        return desk.trouble
    asked_at = desk.now()  # what it tells may be as old as that
    try:
        row = await desk.provider.information.order(number)
    except NotFound:
        return "The provider has no order with this number any more."
    except ApiError as error:
        return error.sentence
    try:
        await _store_single(desk, row, asked_at)
    except StoreError as error:
        return error.sentence
    return ""


async def _store_single(desk: Desk, row: OrderRow, asked_at: datetime) -> None:
    facts = facts_of(row)
    if facts is not None:
        # No list is named: the order stays where it is unless its own state says completed or cancelled.
        await desk.cache.write(cache.store_orders, desk.profile.id, None, [facts], asked_at)
        await _index(desk)
