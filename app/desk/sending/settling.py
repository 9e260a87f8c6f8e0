"""Settles doubts by evidence and confirms what was accepted by reading it back. Claims nothing that was not shown.

A doubt that evidence settles becomes accepted, or goes back to the queue and is held there: it is a person who sends it
again. A new order, of a reference that was used for nothing else, is sent again by itself, once (see `resend`). What
evidence cannot settle stays in doubt, with what is known written beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus, OrderState
from app.contract.information import Order
from app.contract.replies import decode, read_status
from app.desk.desk import Desk
from app.desk.sending import provider_evidence, resend
from app.desk.sending.list_evidence import ask_lists, listed
from app.desk.sending.payload_differences import compares, read_back
from app.desk.sending.provider_evidence import SECOND_ATTEMPT, Evidence, Settlement
from app.desk.sync import order_sync
from app.store.cache import order_store
from app.store.cache.order_rows import OrderDetail
from app.store.journal import held_writes, own_evidence, write_store
from app.store.journal.records import WriteRow, WriteState
from app.store.sqlite.text_values import local
from app.store.store_errors import WrongState

_UNANSWERED = 3  # questions without an answer, one after the other: the rest would meet the same
_ASKED_AT_ONCE = 200  # doubts, and orders asked for by number, in one go: the others have their turn the next time
_NAMED = 3
_NOTHING_TO_COMPARE = "It returns nothing of the order that could be compared with what was sent."
_NOT_READ_BACK_DAMAGED = "What was sent is damaged here, so it cannot be compared with what the provider shows."
_ELSEWHERE = "Accepted where this connection led before: the provider it leads to now cannot confirm it."
_REPLACED = "A later change of the same order was accepted before this one was read back."


@dataclass(frozen=True, slots=True)
class Settled:
    """How many doubts were settled, and how many accepted writes were confirmed."""

    doubts: int = 0
    confirmed: int = 0
    journal_changed: bool = False  # also where only the note of a doubt has changed
    to_resend: int = 0  # writes in doubt that the sender is to look up once more and resend

    @property
    def changed(self) -> bool:
        """Whether any write is in another state."""
        return bool(self.doubts or self.confirmed)


async def settle_doubts(desk: Desk) -> int:
    """Look for evidence about the writes in doubt, the latest first, some at a time; how many are settled now.

    Nothing is asked while the provider is to be left alone. Raises `StoreError`.
    """
    settled = unanswered = 0
    absent: list[_Absent] = []
    doubts = await desk.journal.read(own_evidence.writes_in_doubt, desk.profile.id)
    for each in _in_turn(desk, doubts)[:_ASKED_AT_ONCE]:
        if desk.provider is None or unanswered == _UNANSWERED or desk.timing.backing_off:
            break
        at = desk.now()
        found, judged = await _judge(desk, each)
        again = await resend.note_look(desk, each, at) if judged.unknown_there else None
        write = again or each
        desk.timing.record_evidence_check(write.id)
        unanswered = 0 if found.status is not None else _UNANSWERED if found.busy else unanswered + 1
        if judged.finding in ("absent", "refused"):
            absent.append(_Absent(write, judged, again is not None))
        elif judged.finding == "person":
            await _explain(desk, write, judged.sentence)
        else:
            settled += await _settle(desk, write, judged)
    return settled + await _settle_absent(desk, absent)


def _in_turn(desk: Desk, writes: Sequence[WriteRow]) -> list[WriteRow]:
    """Those not looked at for longest first, so that a few of which nothing is proven never hide the others."""
    return sorted(writes, key=lambda each: desk.timing.evidence_order(each.id))


async def _judge(desk: Desk, write: WriteRow) -> tuple[Evidence, Settlement]:
    told = await desk.journal.read(write_store.write_story, write.id)
    last = told.attempts[-1] if told.attempts else None
    tried_at = write.queued_at if last is None else last.ended_at or last.started_at
    waited = desk.timing.since_attempt(write.reference, tried_at, desk.timing.instant(desk.now()))
    found = await provider_evidence.gather(desk, write.reference)
    payload = None if told.row.damaged else told.payload
    # "No such order" is also said of one that waits to be imported: what is there now may be that one.
    was_absent = write.verdict == "new" and not await desk.journal.read(own_evidence.sent_by_another_write, write)
    judged = provider_evidence.judge(write, payload, was_absent=was_absent, waited=waited, evidence=found)
    if payload is None and judged.finding != "arrived":
        return found, Settlement("person", _without_again(judged))
    if judged.finding == "absent" and last is not None and last.outcome == "rejected":
        words = f"{_without_second(last.sentence)} {_without_again(judged)}"
        return found, Settlement("refused", words)
    return found, judged


def _without_again(judged: Settlement) -> str:
    """What is known, of one that cannot be sent again whatever is known."""
    return judged.sentence.removesuffix(provider_evidence.SENT_AGAIN).rstrip()


@dataclass(frozen=True, slots=True)
class _Absent:
    """A write of which the order status shows nothing; `again`, that Waybill may send it again by itself."""

    write: WriteRow
    judged: Settlement
    again: bool


def _without_second(sentence: str | None) -> str:
    """What the provider said when it refused the second attempt, without what was not known of the first one then."""
    return (sentence or "").removesuffix(SECOND_ATTEMPT).rstrip()


async def _settle_absent(desk: Desk, absent: Sequence[_Absent]) -> int:
    """Offer again what is in neither list either: the status of a closed order may be "not found" (services.md)."""
    if not absent:
        return 0
    trouble = await ask_lists(desk, min(local(each.write.queued_at) for each in absent))
    settled = 0
    for each in absent:
        write = each.write
        line = await listed(desk, write.reference)
        if write.kind == "submit" and trouble:
            await _explain(desk, write, f"The order status shows nothing of it, and the lists are not known. {trouble}")
        elif write.kind == "submit" and line is not None:
            words = f"an order with this reference is listed as number {line.number}"
            await _explain(desk, write, f"The order status shows nothing of it, but {words}.")
        elif each.again:
            await _explain(
                desk, write, each.judged.sentence.replace(provider_evidence.SENT_AGAIN, provider_evidence.GOES_AGAIN)
            )
        else:
            settled += await _settle(desk, write, each.judged)
    return settled


async def _explain(desk: Desk, write: WriteRow, sentence: str) -> None:
    if sentence != write.note:
        await desk.journal.write(write_store.set_note, write.id, sentence, desk.now(), change=write.change)


async def _settle(desk: Desk, write: WriteRow, judged: Settlement) -> int:
    try:
        if judged.finding in ("arrived", "refused"):
            state: WriteState = "accepted" if judged.finding == "arrived" else "rejected"
            await desk.journal.write(
                write_store.settle, write.id, state, judged.sentence, desk.now(), change=write.change
            )
        else:
            await desk.journal.write(
                held_writes.requeue_on_hold, write.id, judged.sentence, desk.now(), change=write.change
            )
    except WrongState:
        return 0  # a person has settled it meanwhile, or sent it again
    if judged.finding != "absent":  # what got lost does not say that the next one will not
        desk.breaker.record_settled(write.id)
    return 1


async def confirm_accepted(desk: Desk) -> int:
    """Read back what was accepted; how many writes are confirmed now. Raises `StoreError`."""
    confirmed = 0
    for write_id in await desk.journal.read(own_evidence.replaced_writes, desk.profile.id, _REPLACED):
        await desk.journal.write(write_store.set_note, write_id, _REPLACED, desk.now())
    for write_id in await desk.journal.read(own_evidence.accepted_before_move, desk.profile.id, _ELSEWHERE):
        await desk.journal.write(write_store.set_note, write_id, _ELSEWHERE, desk.now())
    questions = _Questions(desk, _ASKED_AT_ONCE)
    accepted = await desk.journal.read(own_evidence.unconfirmed_writes, desk.profile.id)
    for write in _in_turn(desk, accepted):
        if desk.provider is None:
            break
        shown = _shown_cancelled if write.kind == "cancel" else _shown
        sentence = await shown(desk, write, questions)
        if sentence is None:
            continue
        try:
            await desk.journal.write(write_store.settle, write.id, "confirmed", sentence, desk.now())
        except WrongState:
            continue
        confirmed += 1
    return confirmed


@dataclass(slots=True)
class _Questions:
    """How many single orders may still be asked for in this go."""

    desk: Desk
    left: int

    def take(self, write: WriteRow) -> bool:
        if self.left == 0 or self.desk.timing.backing_off:
            return False
        self.left -= 1
        self.desk.timing.record_evidence_check(write.id)
        return True


async def _shown(desk: Desk, write: WriteRow, questions: _Questions) -> str | None:
    """The sentence that confirms a submission, or None while nothing does."""
    seen = await _seen_since(desk, write, questions)
    if seen is None:
        return None
    order = Order.model_validate(decode(seen.raw.encode("utf-8", "replace")))
    told = await desk.journal.read(write_store.write_story, write.id)
    if told.row.damaged:
        await _explain(desk, write, f"Accepted as number {seen.line.number}. {_NOT_READ_BACK_DAMAGED}")
        return None
    apart = read_back(told.payload, order)
    if not compares(told.payload, order):
        # Confirmed means that something was read back: that there is an order of this reference is less than that.
        if write.reference == order.CRN:
            await _explain(desk, write, f"The provider shows it as number {seen.line.number}. {_NOTHING_TO_COMPARE}")
        return None
    if not apart:
        return f"Read back as number {seen.line.number}: what the provider returns agrees with what was sent."
    words = "; ".join(f"{each.path}: sent {each.before}, it says {each.after}" for each in apart[:_NAMED])
    more = f" and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
    sentence = f"Accepted as number {seen.line.number}, but the provider shows other values. {words}{more}."
    await _explain(desk, write, sentence)
    return None


async def _seen_since(desk: Desk, write: WriteRow, questions: _Questions) -> OrderDetail | None:
    """The order as the provider told it when asked after it was accepted: from a list, or by its number."""
    number = await _number_of(desk, write)
    lines = await desk.reader.read(order_store.find_crn, desk.profile.id, write.reference)
    listed = [each.number for each in lines if each.list == "open"]
    # Without a number from the provider an older, closed order of the same reference must not be taken for this one.
    for each in listed if number is None else [number]:
        seen = await _if_asked_after(desk, write, each)
        if (
            seen is None
            and each not in listed
            and questions.take(write)
            and not await order_sync.refresh_order(desk, each)
        ):
            seen = await _if_asked_after(desk, write, each)
        if seen is not None and seen.line.state != OrderState.CAN:
            return seen
    return None


async def _if_asked_after(desk: Desk, write: WriteRow, number: int) -> OrderDetail | None:
    """The order as it was last seen, if the provider was asked for it after the write was accepted."""
    seen = await desk.reader.read(order_store.order_detail, desk.profile.id, number)
    return seen if seen is not None and desk.timing.requested_after(seen.seen_at, write.change) else None


async def _number_of(desk: Desk, write: WriteRow) -> int | None:
    """The system number that the provider gave when it accepted the write, in a reply that speaks of this order."""
    told = await desk.journal.read(write_store.write_story, write.id)
    replies = [each.reply for each in told.attempts if each.outcome == "accepted" and each.reply]
    if not replies:
        return None
    reading = read_status(replies[-1], write.reference)
    return reading.system_number if reading.mentions_reference else None


async def _shown_cancelled(desk: Desk, write: WriteRow, questions: _Questions) -> str | None:
    """The same for a cancellation."""
    if write.verdict in provider_evidence.PROVES_NO_CANCELLATION:  # let go by a person all the same
        await _explain(desk, write, provider_evidence.PROVES_NO_CANCELLATION[write.verdict])
        return None
    if desk.provider is None or not questions.take(write):
        return None
    try:
        status = await desk.provider.management.order_status(reference=write.reference)
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return None  # asked again the next time
    if status.mentions_reference and status.status is ManagementStatus.CANCELLED:
        return "The provider says: Cancelled."
    return None


async def settle(desk: Desk) -> Settled:
    """Both, in turn. Raises `StoreError`."""
    before = await desk.journal.read(own_evidence.last_change)
    doubts, confirmed = await settle_doubts(desk), await confirm_accepted(desk)
    changed = await desk.journal.read(own_evidence.last_change) != before
    return Settled(doubts, confirmed, changed, len(await resend.ready(desk)))
