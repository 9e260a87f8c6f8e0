"""Sends an import as one batch through the outbox: frozen, fed in portions, paused, resumed, stopped.

Invariants: the bytes of every order of the batch are in the journal before the first is sent. An order enters the
outbox in the transaction that notes that it did, so it enters once, whenever the program ends. Only a portion is in the
outbox at a time, so an order from the form does not wait behind ten thousand of a file.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from app.contract.submission import wire_bytes
from app.desk.bulk import bulk_words as words
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.sending import outbox
from app.store.journal import held_writes, import_store, write_store
from app.store.journal.import_store import FileRow, FrozenOrder, ImportRow, Newest

BatchState = Literal["running", "paused", "stopped", "done"]
PORTION = 96  # orders of imports that are queued or being sent at a time
_AT_ONCE = 200  # orders in one transaction: others who write wait for a few milliseconds
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """An import as the outbox shows it: one row. The numbers are of orders; they add up to `total`.

    `waiting` are those not in the outbox yet; `under_way` queued or sending there; `needs_person` in doubt, held or
    refused; `accepted` accepted or confirmed; `not_sent` withdrawn, overtaken by a later change, or left by a stop.
    """

    id: int
    name: str
    kind: Literal["submit", "cancel"]
    state: BatchState
    note: str
    begun_at: datetime
    changed_at: datetime
    total: int
    waiting: int
    under_way: int
    needs_person: int
    accepted: int
    not_sent: int

    @property
    def ended(self) -> int:
        """How many orders nothing more happens to by itself."""
        return self.total - self.waiting - self.under_way


_COUNTED: dict[str, str] = {
    "waiting": "waiting",
    "queued": "under_way",
    "sending": "under_way",
    "held": "needs_person",
    "in_doubt": "needs_person",
    "rejected": "needs_person",
    "accepted": "accepted",
    "confirmed": "accepted",
}
# States in which an order of an ended import is counted alike from then on.
_FINAL = {"accepted", "confirmed", "withdrawn", "forgotten", import_store.OVERTAKEN, import_store.STOPPED}


# Freezing


async def freeze(desk: Desk, sheet: ImportSheet, verdicts: ImportVerdicts, progress: Progress) -> int | None:
    """Store the import: all rows, and the exact bytes of the orders that are sent; its id. It runs from then on.

    None if no order is to be sent: nothing is stored then. Raises `StoreError`; `Stopped`, and nothing is sent then.
    """
    keys = [key for key in sheet.orders if verdicts.is_sent(key)]
    if not keys:
        return None
    async with desk.freezing:
        return await in_thread(lambda: _freeze(desk, sheet, verdicts, keys, progress), progress)


def _freeze(desk: Desk, sheet: ImportSheet, verdicts: ImportVerdicts, keys: Sequence[int], progress: Progress) -> int:
    journal, table = desk.journal, sheet.table
    progress.total, progress.done = len(keys) + len(sheet), 0
    # First: a write that comes while the rows are stored counts as later.
    newest = journal.read_now(import_store.newest)
    import_id = journal.write_now(
        import_store.begin, desk.profile.id, table.name, "submit", table.digest, list(sheet.titles), desk.now()
    )
    try:
        for orders in _portions((_frozen(sheet, verdicts, key, newest) for key in keys), _AT_ONCE):
            journal.write_now(import_store.add_orders, import_id, orders)
            progress.done += len(orders)
            progress.checkpoint()
        rows = (file_row(sheet, verdicts, row) for row in range(len(sheet)))
        for first, block in enumerate(_portions(rows, import_store.ROWS_OF_A_BLOCK)):
            journal.write_now(import_store.add_rows, import_id, first * import_store.ROWS_OF_A_BLOCK, block)
            progress.done += len(block)
            progress.checkpoint()
    except Stopped:
        journal.write_now(import_store.delete, import_id)
        raise
    # Last: nothing of an import is queued before all of it is stored.
    journal.write_now(import_store.launch, import_id, desk.now())
    return import_id


def _frozen(sheet: ImportSheet, verdicts: ImportVerdicts, key: int, now: Newest) -> FrozenOrder:
    submission = sheet.submission(key)
    assert submission is not None  # an order with issues is never sent
    # The newest write at the time of the verdict, not of now: a write in between overtakes this order.
    looked = verdicts.looked.get(key, now)
    return FrozenOrder(key, submission.orderReferenceNumber, wire_bytes(submission), looked, verdicts.found[key].agreed)


def file_row(sheet: ImportSheet, verdicts: ImportVerdicts, row: int) -> FileRow:
    """A row with its verdict, for the receipt."""
    order = sheet.order_of(row)
    verdict = None if order is None else verdicts.found.get(order.key)
    if order is None or verdict is None:
        return FileRow(sheet.number(row), -1, "", "", sheet.rows[row], sheet.kinds(row))
    said = [each.sentence for each in order.issues if each.row == row]
    sentence = " ".join([verdict.sentence, *said])
    place = order.key if verdicts.is_sent(order.key) else -1
    return FileRow(
        sheet.number(row), place, words.KIND_TITLES[verdict.kind], sentence, sheet.rows[row], sheet.kinds(row)
    )


def _portions(items: Iterator[T], size: int) -> Iterator[list[T]]:
    block: list[T] = []
    for each in items:
        block.append(each)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block


# Feeding


async def feed(desk: Desk) -> int:
    """Put the next orders of the running imports into the outbox; how many. The sender is to be woken after that.

    Ends imports of which nothing is left. Raises `StoreError`.
    """
    if not await desk.journal.read(import_store.has_running, desk.profile.id):
        return 0
    return len(await desk.journal.write(import_store.feed, desk.profile.id, desk.now(), PORTION, outbox.UNDO))


async def run(desk: Desk, on_change: Callable[[], None] = lambda: None) -> None:
    """Feed and send until the running imports have nothing more that can be sent now. Raises `StoreError`.

    For callers without a window; the window's sender and `background/import_feeder` do the same by the clock.
    """
    await feed(desk)
    while True:
        outcomes = await outbox.drain(desk, on_change)
        # What waits for its turn stays in the outbox: without new orders another pass would only ask again.
        if not all(each.go_on for each in outcomes) or not await feed(desk):
            return


# Reading


async def summaries(desk: Desk, limit: int = 50) -> list[BatchSummary]:
    """The imports of the desk's connection, the latest first. Raises `StoreError`."""
    found = await desk.journal.read(import_store.imports_page, desk.profile.id, limit)
    return [await _summary(desk, each) for each in found]


async def summary(desk: Desk, import_id: int) -> BatchSummary:
    """One import. Raises `StoreError`."""
    return await _summary(desk, await desk.journal.read(import_store.import_row, import_id))


async def _summary(desk: Desk, row: ImportRow) -> BatchSummary:
    counts = desk.ended_imports.get(row.id)
    if counts is None:
        counts = await desk.journal.read(import_store.order_counts, row.id)
        if row.state in ("done", "stopped") and counts.keys() <= _FINAL:
            # Pages ask again at each change of the journal, and a journal holds the imports of months.
            desk.ended_imports[row.id] = counts
    numbers = dict.fromkeys(("waiting", "under_way", "needs_person", "accepted", "not_sent"), 0)
    for each, count in counts.items():
        numbers[_COUNTED.get(each, "not_sent")] += count
    assert row.state != "freezing"  # it is on no page yet
    return BatchSummary(
        row.id, row.name, row.kind, row.state, row.note, row.begun_at, row.changed_at, sum(counts.values()), **numbers
    )


async def import_of(desk: Desk, write_id: int) -> int | None:
    """The import that a write of the outbox is part of. Raises `StoreError`."""
    return await desk.journal.read(import_store.import_of, write_id)


# A person decides


async def pause(desk: Desk, import_id: int) -> None:
    """Feed no more until `resume`. What is in the outbox already is sent. Raises `StoreError`."""
    await desk.journal.write(import_store.pause, import_id, words.PAUSED_BY_PERSON, desk.now())


async def resume(desk: Desk, import_id: int) -> None:
    """Go on with a paused import; `feed` is to be called after it. Raises `StoreError`."""
    await desk.journal.write(import_store.resume, import_id, desk.now())


async def stop(desk: Desk, import_id: int) -> int:
    """End an import: what has not left is not sent, in the outbox either; how many orders. Raises `StoreError`."""
    return await desk.journal.write(
        import_store.stop, import_id, words.STOPPED_BY_PERSON, words.WITHDRAWN_BY_STOP, desk.now()
    )


async def alike(desk: Desk, write_id: int) -> tuple[int, ...]:
    """The writes of the same import that wait for a person for the same reason as this one, itself among them.

    Empty for a write that is part of no import, or that waits for nobody. Raises `StoreError`.
    """
    return tuple(await desk.journal.read(import_store.alike, write_id))


async def send_alike(desk: Desk, write_id: int) -> int:
    """A person sends this held write and all `alike`; how many. Raises `StoreError`."""
    chosen = await alike(desk, write_id)
    rows = await outbox.writes_by_id(desk, chosen)
    released = [each for each in rows.values() if each.held is not None]
    for each in released:
        await desk.journal.write(held_writes.release, each.id, desk.now(), each)
        desk.urgent.add(each.id)
    return len(released)


async def withdraw_alike(desk: Desk, write_id: int) -> int:
    """A person withdraws this write and all `alike`; how many. Raises `StoreError`."""
    chosen = await alike(desk, write_id)
    rows = await outbox.writes_by_id(desk, chosen)
    for each in rows.values():
        await desk.journal.write(
            write_store.settle, each.id, "withdrawn", words.WITHDRAWN_ALIKE, desk.now(), seen=each.state
        )
        desk.breaker.record_settled(each.id)
    return len(rows)
