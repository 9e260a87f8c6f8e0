"""Settles doubts by evidence and confirms what was accepted by reading it back. Claims nothing that was not shown.

A doubt that evidence settles becomes accepted, or goes back to the queue and is held there: it is a person who sends it
again. What evidence cannot settle stays in doubt, with what is known written beside it.
"""

from dataclasses import dataclass

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus, OrderState
from app.contract.information import Order
from app.contract.replies import decode, read_status
from app.desk import evidence, sync
from app.desk.desk import Desk
from app.desk.differences import read_back
from app.store import cache, journal
from app.store.cache_rows import OrderDetail
from app.store.errors import WrongState
from app.store.journal_rows import WriteRow, WriteState

_DOUBT: tuple[WriteState, ...] = ("in_doubt",)
_ACCEPTED: tuple[WriteState, ...] = ("accepted",)
_DOUBTS_AT_ONCE = 50
_CONFIRMED_AT_ONCE = 200
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Settled:
    """How many doubts were settled, and how many accepted writes were confirmed."""

    doubts: int = 0
    confirmed: int = 0

    @property
    def changed(self) -> bool:
        """Whether the journal says anything new."""
        return bool(self.doubts or self.confirmed)


async def settle_doubts(desk: Desk) -> int:
    """Look for evidence about every write in doubt; how many are settled now. Raises `StoreError`."""
    settled = 0
    for write in await desk.journal.read(journal.writes_page, desk.profile.id, _DOUBT, _DOUBTS_AT_ONCE):
        if desk.provider is None:
            break
        settled += await _settle(desk, write)
    return settled


async def _settle(desk: Desk, write: WriteRow) -> int:
    told = await desk.journal.read(journal.write_story, write.id)
    found = await evidence.gather(desk, write.reference)
    last_tried = max((each.started_at for each in told.attempts), default=write.queued_at)
    judged = evidence.judge(
        write, told.payload, was_absent=write.verdict == "new", last_tried=last_tried, evidence=found
    )
    try:
        match judged.finding:
            case "arrived":
                await desk.journal.write(journal.settle, write.id, "accepted", judged.sentence, desk.now())
            case "absent":
                await desk.journal.write(journal.offer_again, write.id, judged.sentence, desk.now())
            case _:
                if judged.sentence != write.note:
                    await desk.journal.write(journal.explain, write.id, judged.sentence, desk.now())
                return 0
    except WrongState:
        return 0  # a person has settled it meanwhile
    return 1


async def confirm_accepted(desk: Desk) -> int:
    """Read back what was accepted; how many writes are confirmed now. Raises `StoreError`."""
    confirmed = 0
    accepted = await desk.journal.read(journal.writes_page, desk.profile.id, _ACCEPTED, _CONFIRMED_AT_ONCE)
    latest: dict[str, int] = {}
    for write in accepted:
        latest.setdefault(write.reference, write.id)
    for write in accepted:
        if desk.provider is None:
            break
        superseded = latest[write.reference] != write.id
        sentence = await _shown(desk, write, superseded=superseded)
        if sentence is None:
            continue
        try:
            await desk.journal.write(journal.settle, write.id, "confirmed", sentence, desk.now())
        except WrongState:
            continue
        confirmed += 1
    return confirmed


async def _shown(desk: Desk, write: WriteRow, *, superseded: bool) -> str | None:
    """The sentence that confirms a write, or None while nothing does."""
    if write.kind == "cancel":
        return await _shown_cancelled(desk, write)
    if superseded:
        return None  # what is there now is a later change, which proves nothing of this one
    seen = await _seen_since(desk, write)
    if seen is None:
        return None
    order = Order.model_validate(decode(seen.raw.encode("utf-8", "replace")))
    apart = read_back(await desk.journal.read(journal.payload, write.id), order)
    if not apart:
        return f"Read back as number {seen.line.number}: what the provider returns agrees with what was sent."
    words = "; ".join(f"{each.path}: sent {each.before}, it says {each.after}" for each in apart[:_NAMED])
    more = f" and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
    sentence = f"Accepted as number {seen.line.number}, but the provider shows other values. {words}{more}."
    if sentence != write.note:
        await desk.journal.write(journal.explain, write.id, sentence, desk.now())
    return None


async def _seen_since(desk: Desk, write: WriteRow) -> OrderDetail | None:
    """The order as the provider told it after it was accepted: from a list, or asked for by its number."""
    accepted_at = write.changed_at.replace(microsecond=0)
    number = await _number_of(desk, write)
    lines = await desk.reader.read(cache.find_crn, desk.profile.id, write.reference)
    # Without a number from the provider an older, closed order of the same reference must not be taken for this one.
    numbers = [number] if number is not None else [each.number for each in lines if each.list == "open"]
    if number is not None and number not in [each.number for each in lines] and await sync.refresh_order(desk, number):
        return None
    for each in numbers:
        seen = await desk.reader.read(cache.order_detail, desk.profile.id, each)
        if seen is not None and seen.seen_at >= accepted_at and seen.line.state != OrderState.CAN:
            return seen
    return None


async def _number_of(desk: Desk, write: WriteRow) -> int | None:
    """The system number that the provider gave when it accepted the write."""
    told = await desk.journal.read(journal.write_story, write.id)
    replies = [each.reply for each in told.attempts if each.outcome == "accepted" and each.reply]
    return read_status(replies[-1], write.reference).system_number if replies else None


async def _shown_cancelled(desk: Desk, write: WriteRow) -> str | None:
    assert desk.provider is not None
    try:
        status = await desk.provider.management.order_status(reference=write.reference)
    except ApiError:
        return None  # asked again the next time
    if status.mentions_reference and status.status is ManagementStatus.CANCELLED:
        return "The provider says: Cancelled."
    return None


async def settle(desk: Desk) -> Settled:
    """Both, in turn. Raises `StoreError`."""
    return Settled(await settle_doubts(desk), await confirm_accepted(desk))
