"""Look-ups and refreshes of several orders, a few at a time, with each result told as soon as it is known."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from app.desk.desk import Desk
from app.desk.sending import order_status
from app.desk.sending.sending_words import REFRESHED
from app.desk.sync import fetch_window
from app.store.cache.order_rows import OrderLine

T = TypeVar("T")
_AT_ONCE = 4  # so that the provider still answers other requests meanwhile


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result for one order, and the sentence about it."""

    tone: Literal["good", "warn", "bad"]
    sentence: str


OnResult = Callable[[OrderLine, BatchResult], None]


async def for_each(items: Iterable[T], work: Callable[[T], Awaitable[object]]) -> None:
    """Do `work` with each of `items`, a few at a time. Cancelling this cancels the work under way."""
    waiting = iter(items)

    async def worker() -> None:
        for each in waiting:
            await work(each)

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(worker())


async def look_up_many(desk: Desk, lines: Iterable[OrderLine], on_result: OnResult) -> None:
    """Ask for the status of each order, by its reference, or by its number where it has none."""

    async def work(line: OrderLine) -> None:
        asked = order_status.look_up(desk, line.crn) if line.crn else order_status.look_up_number(desk, line.number)
        found = await asked
        on_result(line, BatchResult("good" if found.proven else "warn", found.sentence))

    await for_each(lines, work)


async def refresh_many(desk: Desk, lines: Iterable[OrderLine], on_result: OnResult) -> None:
    """Fetch each order with all its parts."""

    async def work(line: OrderLine) -> None:
        trouble = await fetch_window.refresh_order(desk, line.number)
        on_result(line, BatchResult("warn", trouble) if trouble else BatchResult("good", REFRESHED))

    await for_each(lines, work)
