"""Fetches one window of a list into the cache, and single orders; says how that ended.

Invariants: what came is kept, also where the rest did not; a window is noted as known only when all of it came,
otherwise with its reason. What a reply says is as old as the moment at which it was asked for.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from app.api.errors import ApiError, NotFound
from app.api.information_service import Include, OrderRow
from app.api.provider import Provider
from app.api.stream import Batches
from app.desk.desk import Desk
from app.desk.sync.announced_orders import quick_facts
from app.desk.sync.order_facts import facts_of, listed_facts
from app.desk.sync.window_plan import Job, Listed, counted_by_day
from app.store.cache import fetched_windows, order_store, reply_digests
from app.store.cache.index import segments
from app.store.cache.order_columns import OrderColumns
from app.store.cache.order_rows import OrderFacts
from app.store.cache.reply_digests import WindowRequest
from app.store.journal import own_evidence
from app.store.store_errors import StoreError

_STORED_AT_ONCE = 1_000
# Today's window is requested until midnight where the provider is, since its clock may be ahead of this computer's. The
# extra day is not noted as known.
_AHEAD = timedelta(days=1)

# What the lists bring along. Purchase orders are searched by; commodities are few and small. Which completed orders
# lack their proof of delivery is always counted, so those come with their documents; an open order's documents and
# every order's notes come when it is opened, or when a filter needs to know.
LIST_PARTS: dict[Listed, Include] = {
    "open": Include(purchase_orders=True, commodities=True),
    "completed": Include(purchase_orders=True, commodities=True, documents=True),
}
_DATED: dict[Listed, Callable[[OrderFacts | OrderColumns], object]] = {
    "open": attrgetter("imported_at"),
    "completed": attrgetter("delivered_at"),
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
    return desk.timing.stamp_request(desk.now(), await desk.journal.read(own_evidence.last_change))


async def fetch_window(desk: Desk, provider: Provider, job: Job, parts: Include, told: Callable[[int], None]) -> Got:
    """Fetch one window into the cache and note how that ended; `told` hears how many orders came so far.

    What comes word for word as the last time is not read again. Raises `StoreError`.
    """
    names = " ".join(name for name, wanted in parts.parts() if wanted)
    asked = WindowRequest(desk.profile.id, job.list, job.start, job.end, names, await ask(desk))
    known = await desk.cache.read(reply_digests.known_digest, asked)
    receiving = _Receiving(desk, job, parts, asked, told)
    try:
        if await receiving.take(provider, known):
            return receiving.got
        if receiving.digest == known:  # the same again, but one of its orders was touched meanwhile
            await receiving.take(provider, None)
    except ApiError as error:
        receiving.got.trouble = error
    return await receiving.finish()


class _Receiving:
    """One window on its way into the cache."""

    def __init__(self, desk: Desk, job: Job, parts: Include, asked: WindowRequest, told: Callable[[int], None]) -> None:
        self.got = Got()
        self.digest: bytes | None = None
        self._desk, self._job, self._parts, self._asked, self._told = desk, job, parts, asked, told
        self._waiting: list[OrderFacts | OrderColumns] = []
        self._numbers: list[int] = []
        self._dates = Counter[str]()  # by the first ten characters of what the list goes by
        self._refused = False

    async def take(self, provider: Provider, known: bytes | None) -> bool:
        """Store orders as they come; what came before trouble is stored too. Returns whether all is as it was known,
        and noted so. Raises `ApiError` and `StoreError`."""
        parts, job = self._parts, self._job

        def convert(value: object, raw: str) -> OrderFacts | None:
            return listed_facts(value, raw, parts)

        end = job.end + _AHEAD if job.end.date() >= self._desk.now().date() else job.end
        quick = quick_facts(parts)
        batches: Batches[OrderFacts | OrderColumns] = provider.information.listed(
            job.list, job.start, end, parts, convert, quick=quick, known=known
        )
        try:
            async with batches:
                async for batch in batches:
                    self._waiting += batch
                    self._told(self.got.orders + len(self._waiting))
                    if len(self._waiting) >= _STORED_AT_ONCE:
                        await self._store()
        finally:
            self.got.unreadable = batches.tally.rejected
            await self._store()
        self.digest = batches.tally.digest
        return batches.tally.same and await self._came_again(batches.tally.digest)

    async def finish(self) -> Got:
        """Note how it ended. Raises `StoreError`."""
        got, (profile, list_name, start, end, _, at) = self.got, self._asked
        write = self._desk.cache.write
        days = [] if got.trouble is not None else counted_by_day(self._job, self._dates)
        if days:
            got.changed += await write(fetched_windows.finish_window_by_days, profile, list_name, days, at)
            return got
        if got.trouble is None and self.digest and not got.unreadable and not self._refused:
            got.changed += await write(reply_digests.finish_with_digest, self._asked, self.digest, self._numbers)
            return got
        words = None if got.trouble is None else got.trouble.sentence
        count = got.orders if words is None else None
        got.changed += await write(fetched_windows.finish_window, profile, list_name, start, end, at, count, words)
        return got

    async def _came_again(self, digest: bytes) -> bool:
        again = await self._desk.cache.write(reply_digests.accept_unchanged, self._asked, digest)
        if again is not None:
            self.got.orders, self.got.changed = again
            self._told(again.orders)
        return again is not None

    async def _store(self) -> None:
        if not self._waiting:
            return
        batch, self._waiting = self._waiting, []
        profile, list_name, at = self._asked.profile, self._asked.list_name, self._asked.at
        stored = await self._desk.cache.write(order_store.store_orders, profile, list_name, batch, at)
        self.got.orders += len(batch)
        self.got.changed += stored.new + stored.changed
        self._numbers += [each.number for each in batch]
        self._dates.update(str(each)[:10] for each in map(_DATED[self._job.list], batch))
        self._refused = self._refused or bool(stored.refused)


async def index(desk: Desk, leaving: int = 0) -> None:
    """Take new orders into the search index until so few are left, or too few to be worth it. Raises `StoreError`."""
    few = max(leaving, segments.ENOUGH - 1)
    while await desk.cache.read(segments.count_unindexed) > few:
        # Made beside, since it takes a second or more for which no order could be stored.
        segment = await desk.cache.read_separately(segments.build)
        if segment is None or not await desk.cache.write(segments.add, segment):
            return


async def refresh_order(desk: Desk, number: int) -> str:
    """Fetch one whole order (with notes and documents) into the cache; the sentence for trouble, else empty."""
    provider = desk.provider
    if provider is None:
        return desk.trouble
    try:
        asked_at = await ask(desk)
        row = await provider.information.order(number)
        await store_single(desk, row, asked_at)
    except NotFound:
        return "The provider has no order with this number any more."
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return error.sentence
    except StoreError as error:
        return error.sentence
    return ""


async def store_single(desk: Desk, row: OrderRow, asked_at: datetime) -> None:
    """Keep an order that came by its number. Raises `StoreError`."""
    facts = facts_of(row)
    if facts is not None:
        # No list is named: the order stays where it is unless its own state says completed or cancelled.
        await desk.cache.write(order_store.store_orders, desk.profile.id, None, [facts], asked_at)
        await index(desk)
