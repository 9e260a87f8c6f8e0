"""The same done to several orders, a few at a time, with what came of each told as it is known."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from app.desk.desk import Desk
from app.desk.sending import order_status
from app.desk.sync import order_sync
from app.store.cache.order_rows import OrderLine

T = TypeVar("T")
_AT_ONCE = 4  # a provider that is asked for five hundred orders should still answer others


@dataclass(frozen=True, slots=True)
class Came:
    """What came of one: good, worth a look, or it failed; and the sentence."""

    tone: Literal["good", "warn", "bad"]
    sentence: str


Tell = Callable[[OrderLine, Came], None]


async def each_of(things: Iterable[T], work: Callable[[T], Awaitable[object]]) -> None:
    """Do `work` with each, a few at a time; ends when all are done, or all are cancelled with it."""
    waiting = iter(things)

    async def one_after_the_other() -> None:
        for each in waiting:
            await work(each)

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(one_after_the_other())


async def look_up_many(desk: Desk, lines: Iterable[OrderLine], tell: Tell) -> None:
    """Ask for the status of each, by its reference, or by its number where it has none."""

    async def work(line: OrderLine) -> None:
        asked = order_status.look_up(desk, line.crn) if line.crn else order_status.look_up_number(desk, line.number)
        found = await asked
        tell(line, Came("good" if found.proven else "warn", found.sentence))

    await each_of(lines, work)


async def refresh_many(desk: Desk, lines: Iterable[OrderLine], tell: Tell) -> None:
    """Fetch each of them whole."""

    async def work(line: OrderLine) -> None:
        trouble = await order_sync.refresh_order(desk, line.number)
        tell(line, Came("warn", trouble) if trouble else Came("good", "Refreshed."))

    await each_of(lines, work)
