"""Fetches one window of a list, or one order, into the cache.

Invariants: orders that came are kept even if the rest of their window did not; a window is noted as known only if all
of it came, otherwise with the reason. A reply is as old as the moment of its request.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
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
from app.store.cache.index import merging, segments
from app.store.cache.order_columns import OrderColumns
from app.store.cache.order_rows import OrderFacts, Stored
from app.store.cache.reply_digests import WindowRequest
from app.store.journal import own_evidence
from app.store.sqlite.thread_future import outcome
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


class Reception:
    """One window on its way into the cache: `receive` while the provider sends, then `finish`.

    `on_orders` is called with how many orders came so far. A reply that is word for word the last one is not parsed
    again.
    """

    def __init__(
        self, desk: Desk, provider: Provider, job: Job, includes: Include, on_orders: Callable[[int], None]
    ) -> None:
        self._desk, self._provider, self._job = desk, provider, job
        self._includes, self._on_orders = includes, on_orders
        self._request: WindowRequest
        self._result = WindowResult()
        self._digest: bytes | None = None  # of the reply, once it has come whole
        self._same = False  # the reply is the last one, so nothing of it was parsed
        self._received = 0  # orders, stored or not
        self._waiting: list[OrderFacts | OrderColumns] = []  # to be stored
        self._storing: tuple[list[OrderFacts | OrderColumns], Future[Stored]] | None = None  # the batch before
        self._numbers: list[int] = []
        self._dates = Counter[str]()  # orders by the day that their list is fetched by
        self._refused = False

    async def receive(self) -> bool:
        """Request the window and read the reply, storing orders while the next ones come; whether all of it came.

        The last orders still wait for `finish` then: the next request need not wait for the disk. A cancelled call
        stores them itself. Raises `StoreError`.
        """
        names = " ".join(name for name, wanted in self._includes.parts() if wanted)
        profile, job = self._desk.profile.id, self._job
        at = await stamp_request(self._desk)
        self._request = WindowRequest(profile, job.list, job.start, job.end, names, at)
        # By the connection for reading: the other one has orders of other windows to store first.
        known = await self._desk.reader.read(reply_digests.known_digest, self._request)
        try:
            await self._receive(known)
        except asyncio.CancelledError:
            await self._store_waiting()  # none of the orders that were read is lost
            raise
        return self._result.trouble is None

    async def finish(self) -> WindowResult:
        """Store the orders that still wait, and note in the cache how the window ended. Raises `StoreError`."""
        try:
            if self._same:
                if await self._accept_unchanged():
                    return self._result
                await self._receive(None)  # one of its orders was touched meanwhile
            await self._store_waiting()
            return await self._note_end()
        except asyncio.CancelledError:
            await self._store_waiting()
            raise

    async def _receive(self, known: bytes | None) -> None:
        """Read one reply; what goes wrong with it is in the result. Raises `StoreError`."""
        includes, job = self._includes, self._job

        def convert(value: object, raw: str) -> OrderFacts | None:
            return listed_facts(value, raw, includes)

        end = job.end + _AHEAD if job.end.date() >= self._desk.now().date() else job.end
        quick = quick_columns(includes)
        batches: Batches[OrderFacts | OrderColumns] = self._provider.information.listed(
            job.list, job.start, end, includes, convert, quick=quick, known=known
        )
        try:
            async with batches:
                async for batch in batches:
                    self._waiting += batch
                    self._received += len(batch)
                    self._on_orders(self._received)
                    if len(self._waiting) >= _BATCH:
                        await self._store_behind()
            self._digest, self._same = batches.tally.digest, batches.tally.same
        except ApiError as error:
            self._result.trouble = error
        finally:
            self._result.unreadable = batches.tally.rejected

    async def _note_end(self) -> WindowResult:
        result, (profile, list_name, start, end, _, at) = self._result, self._request
        write = self._desk.cache.write
        days = [] if result.trouble is not None else as_single_days(self._job, self._dates)
        if days:
            result.changed += await write(fetched_windows.finish_window_by_days, profile, list_name, days, at)
            return result
        if result.trouble is None and self._digest and not result.unreadable and not self._refused:
            result.changed += await write(reply_digests.finish_with_digest, self._request, self._digest, self._numbers)
            return result
        error = None if result.trouble is None else result.trouble.sentence
        count = result.orders if error is None else None
        result.changed += await write(fetched_windows.finish_window, profile, list_name, start, end, at, count, error)
        return result

    async def _accept_unchanged(self) -> bool:
        assert self._digest is not None
        unchanged = await self._desk.cache.write(reply_digests.accept_unchanged, self._request, self._digest)
        if unchanged is not None:
            self._result.orders, self._result.changed = unchanged
            self._on_orders(unchanged.orders)
        return unchanged is not None

    async def _store_behind(self) -> None:
        """Store the orders that wait while the next ones come; one batch at a time, so that few are held."""
        await self._note_stored()
        self._begin_storing()

    async def _store_waiting(self) -> None:
        await self._store_behind()
        await self._note_stored()

    def _begin_storing(self) -> None:
        batch, self._waiting = self._waiting, []
        if batch:
            profile, list_name, at = self._request.profile, self._request.list_name, self._request.at
            written = self._desk.cache.begin_write(order_store.store_orders, profile, list_name, batch, at)
            self._storing = batch, written

    async def _note_stored(self) -> None:
        """Wait until the batch before is stored, and add it to the result. Raises `StoreError`."""
        if self._storing is None:
            return
        (batch, written), self._storing = self._storing, None
        stored = await outcome(written, report_failure=True)
        self._result.orders += len(batch)
        self._result.changed += stored.new + stored.changed
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


async def merge_segments(desk: Desk) -> None:
    """Merge the small segments of the search index, if there are many. Raises `StoreError`.

    Takes seconds after a long list, in short steps: call it where nobody waits for the end.
    """
    while await desk.cache.write(merging.merge_step):
        pass


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
