"""Fetches one window of a list, or one order, into the cache.

Invariants: orders that came are kept even if the rest of their window did not; a window is noted as known only if all
of it came, otherwise with the reason. A reply is as old as the moment of its request.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from app.api.errors import ApiError, NotFound
from app.api.information_service import Include, OrderRow
from app.api.lists.stream import Batches
from app.api.provider import Provider
from app.desk.desk import Desk
from app.desk.sync import sync_words
from app.desk.sync.announced_orders import quick_columns
from app.desk.sync.order_facts import facts_of, listed_facts
from app.desk.sync.window_plan import Job, Listed, as_single_days
from app.store.cache import fetched_windows, order_store, reply_digests
from app.store.cache.index import segments
from app.store.cache.order_columns import OrderColumns
from app.store.cache.order_rows import OrderFacts
from app.store.cache.reply_digests import WindowRequest
from app.store.journal import own_evidence
from app.store.store_errors import StoreError

_BATCH = 1_000  # orders stored at once
# Today's window is requested until midnight where the provider is, since its clock may be ahead of this computer's. The
# extra day is not noted as known.
_AHEAD = timedelta(days=1)

# The optional members that lists are requested with. Purchase orders are searched by; commodities are few and small.
# Completed orders without a proof of delivery are always counted, so completed orders come with their documents. An
# open order's documents and every order's notes are fetched when it is opened, or when a filter or column needs them.
LIST_INCLUDES: dict[Listed, Include] = {
    "open": Include(purchase_orders=True, commodities=True),
    "completed": Include(purchase_orders=True, commodities=True, documents=True),
}
_DATED: dict[Listed, Callable[[OrderFacts | OrderColumns], object]] = {
    "open": attrgetter("imported_at"),
    "completed": attrgetter("delivered_at"),
}


@dataclass(slots=True)
class WindowResult:
    """The result of one window: orders received, how many are new or differ, records skipped, why it is not whole."""

    orders: int = 0
    changed: int = 0
    unreadable: int = 0
    trouble: ApiError | None = None


async def stamp_request(desk: Desk) -> datetime:
    """The moment of a request that begins now, which is the age of its reply. Raises `StoreError`."""
    return desk.timing.stamp_request(desk.now(), await desk.journal.read(own_evidence.last_change))


async def fetch_window(
    desk: Desk, provider: Provider, job: Job, includes: Include, on_orders: Callable[[int], None]
) -> WindowResult:
    """Fetch one window into the cache and note how that ended; `on_orders` is called with how many came so far.

    A reply that is word for word the last one is not parsed again. Raises `StoreError`.
    """
    names = " ".join(name for name, wanted in includes.parts() if wanted)
    request = WindowRequest(desk.profile.id, job.list, job.start, job.end, names, await stamp_request(desk))
    known = await desk.cache.read(reply_digests.known_digest, request)
    reception = _Reception(desk, job, includes, request, on_orders)
    try:
        if await reception.receive(provider, known):
            return reception.result
        if reception.digest == known:  # the same reply, but one of its orders was touched meanwhile
            await reception.receive(provider, None)
    except ApiError as error:
        reception.result.trouble = error
    return await reception.finish()


class _Reception:
    """One window on its way into the cache."""

    def __init__(
        self, desk: Desk, job: Job, includes: Include, request: WindowRequest, on_orders: Callable[[int], None]
    ) -> None:
        self.result = WindowResult()
        self.digest: bytes | None = None
        self._desk, self._job, self._includes, self._request, self._on_orders = desk, job, includes, request, on_orders
        self._waiting: list[OrderFacts | OrderColumns] = []
        self._numbers: list[int] = []
        self._dates = Counter[str]()  # orders by the day that their list is fetched by
        self._refused = False

    async def receive(self, provider: Provider, known: bytes | None) -> bool:
        """Store orders as they come, also those that came before trouble.

        Returns whether the reply has the digest `known` and the window is finished with it. Raises `ApiError` and
        `StoreError`.
        """
        includes, job = self._includes, self._job

        def convert(value: object, raw: str) -> OrderFacts | None:
            return listed_facts(value, raw, includes)

        end = job.end + _AHEAD if job.end.date() >= self._desk.now().date() else job.end
        quick = quick_columns(includes)
        batches: Batches[OrderFacts | OrderColumns] = provider.information.listed(
            job.list, job.start, end, includes, convert, quick=quick, known=known
        )
        try:
            async with batches:
                async for batch in batches:
                    self._waiting += batch
                    self._on_orders(self.result.orders + len(self._waiting))
                    if len(self._waiting) >= _BATCH:
                        await self._store()
        finally:
            # Also after a cancelled or broken fetch: none of the orders that were read is lost.
            self.result.unreadable = batches.tally.rejected
            await self._store()
        self.digest = batches.tally.digest
        return batches.tally.same and await self._accept_unchanged(batches.tally.digest)

    async def finish(self) -> WindowResult:
        """Note in the cache how the window ended. Raises `StoreError`."""
        result, (profile, list_name, start, end, _, at) = self.result, self._request
        write = self._desk.cache.write
        days = [] if result.trouble is not None else as_single_days(self._job, self._dates)
        if days:
            result.changed += await write(fetched_windows.finish_window_by_days, profile, list_name, days, at)
            return result
        if result.trouble is None and self.digest and not result.unreadable and not self._refused:
            result.changed += await write(reply_digests.finish_with_digest, self._request, self.digest, self._numbers)
            return result
        error = None if result.trouble is None else result.trouble.sentence
        count = result.orders if error is None else None
        result.changed += await write(fetched_windows.finish_window, profile, list_name, start, end, at, count, error)
        return result

    async def _accept_unchanged(self, digest: bytes) -> bool:
        unchanged = await self._desk.cache.write(reply_digests.accept_unchanged, self._request, digest)
        if unchanged is not None:
            self.result.orders, self.result.changed = unchanged
            self._on_orders(unchanged.orders)
        return unchanged is not None

    async def _store(self) -> None:
        if not self._waiting:
            return
        batch, self._waiting = self._waiting, []
        profile, list_name, at = self._request.profile, self._request.list_name, self._request.at
        stored = await self._desk.cache.write(order_store.store_orders, profile, list_name, batch, at)
        self.result.orders += len(batch)
        self.result.changed += stored.new + stored.changed
        self._numbers += [each.number for each in batch]
        self._dates.update(str(each)[:10] for each in map(_DATED[self._job.list], batch))
        self._refused = self._refused or bool(stored.refused)


async def index_pending(desk: Desk, leaving: int = 0) -> None:
    """Index waiting orders until `leaving` are left, or too few to be worth a segment. Raises `StoreError`."""
    few = max(leaving, segments.ENOUGH - 1)
    while await desk.cache.read(segments.count_unindexed) > few:
        # Built on a connection of its own: that takes a second or more, for which no order could be stored.
        segment = await desk.cache.read_separately(segments.build)
        if segment is None or not await desk.cache.write(segments.add, segment):
            return


async def refresh_order(desk: Desk, number: int) -> str:
    """Fetch one whole order, with notes and documents, into the cache; returns the sentence of trouble, else \"\"."""
    provider = desk.provider
    if provider is None:
        return desk.trouble
    try:
        # Stamped before the request leaves: an older reply never replaces a newer one.
        asked_at = await stamp_request(desk)
        row = await provider.information.order(number)
        await store_order(desk, row, asked_at)
    except NotFound:
        return sync_words.NO_SUCH_ORDER
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return error.sentence
    except StoreError as error:
        return error.sentence
    return ""


async def store_order(desk: Desk, row: OrderRow, asked_at: datetime) -> None:
    """Store an order that was asked for by its number. Raises `StoreError`."""
    facts = facts_of(row)
    if facts is not None:
        # No list is named: the order stays where it is unless its own state says completed or cancelled.
        await desk.cache.write(order_store.store_orders, desk.profile.id, None, [facts], asked_at)
        await index_pending(desk)
