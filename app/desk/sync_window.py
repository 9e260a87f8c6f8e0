"""Fetches one window of a list into the cache, and single orders; says how that ended.

Invariants: what came is kept, also where the rest did not; a window is noted as known only when all of it came,
otherwise with its reason. What a reply says is as old as the moment at which it was asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.api.client import Provider
from app.api.errors import ApiError, NotFound
from app.api.information import Include, OrderRow
from app.desk.desk import Desk
from app.desk.facts import facts_of, listed_facts
from app.desk.sync_plan import Job, Listed
from app.store import cache, cache_windows, journal_evidence
from app.store.cache_rows import OrderFacts
from app.store.errors import StoreError

_STORED_AT_ONCE = 400
# Until midnight where the provider is; its clock may be ahead of this computer's. Asked for, and not claimed as known.
_AHEAD = timedelta(days=1)

# What the lists bring along. Purchase orders are searched by; commodities are few and small. Which completed orders
# lack their proof of delivery is always counted, so those come with their documents; an open order's documents and
# every order's notes come when it is opened, or when a filter needs to know.
LIST_PARTS: dict[Listed, Include] = {
    "open": Include(purchase_orders=True, commodities=True),
    "completed": Include(purchase_orders=True, commodities=True, documents=True),
}
WITH_DOCUMENTS = Include(purchase_orders=True, commodities=True, documents=True)


@dataclass(slots=True)
class Got:
    """What came of one window: orders kept, of how many something is new, records skipped, why it is not whole."""

    orders: int = 0
    changed: int = 0
    unreadable: int = 0
    trouble: ApiError | None = None


async def ask(desk: Desk) -> datetime:
    """The moment of asking: what the provider then tells may be as old as that. Raises `StoreError`."""
    return desk.timing.ask(desk.now(), await desk.journal.read(journal_evidence.last_change))


async def fetch_window(desk: Desk, provider: Provider, job: Job, parts: Include, told: Callable[[int], None]) -> Got:
    """Fetch one window into the cache and note how that ended; `told` hears how many orders came so far.

    Raises `StoreError`.
    """
    got, asked_at = Got(), await ask(desk)
    try:
        await _receive(desk, provider, job, parts, asked_at, got, told)
    except ApiError as error:
        got.trouble = error
    words = None if got.trouble is None else got.trouble.sentence
    count = got.orders if words is None else None
    got.changed += await desk.cache.write(
        cache_windows.finish_window, desk.profile.id, job.list, job.start, job.end, asked_at, count, words
    )
    return got


async def _receive(
    desk: Desk,
    provider: Provider,
    job: Job,
    parts: Include,
    asked_at: datetime,
    got: Got,
    told: Callable[[int], None],
) -> None:
    """Store orders as they come; what came before trouble is stored too. Raises `ApiError` and `StoreError`."""
    waiting: list[OrderFacts] = []

    async def store() -> None:
        nonlocal waiting
        if waiting:
            batch, waiting = waiting, []
            stored = await desk.cache.write(cache.store_orders, desk.profile.id, job.list, batch, asked_at)
            got.orders += len(batch)
            got.changed += stored.new + stored.changed

    def convert(value: object, raw: str) -> OrderFacts | None:
        return listed_facts(value, raw, parts)

    end = job.end + _AHEAD if job.end.date() >= desk.now().date() else job.end
    batches = provider.information.listed(job.list, job.start, end, parts, convert)
    try:
        async with batches:
            async for batch in batches:
                waiting += batch
                told(got.orders + len(waiting))
                if len(waiting) >= _STORED_AT_ONCE:
                    await store()
    finally:
        got.unreadable = batches.tally.rejected
        await store()


async def index(desk: Desk, leaving: int = 0) -> None:
    """Take new orders into the search index in short steps until so few are left. Raises `StoreError`."""
    while await desk.cache.read(cache_windows.unindexed) > leaving:
        if not await desk.cache.write(cache.index_some):
            return


async def refresh_order(desk: Desk, number: int) -> str:
    """Fetch one whole order (with notes and documents) into the cache; the sentence for trouble, else empty."""
    if desk.provider is None:
        return desk.trouble
    try:
        asked_at = await ask(desk)
        row = await desk.provider.information.order(number)
        await store_single(desk, row, asked_at)
    except NotFound:
        return "The provider has no order with this number any more."
    except (ApiError, StoreError) as error:
        return error.sentence
    return ""


async def store_single(desk: Desk, row: OrderRow, asked_at: datetime) -> None:
    """Keep an order that came by its number. Raises `StoreError`."""
    facts = facts_of(row)
    if facts is not None:
        # No list is named: the order stays where it is unless its own state says completed or cancelled.
        await desk.cache.write(cache.store_orders, desk.profile.id, None, [facts], asked_at)
        await index(desk)
