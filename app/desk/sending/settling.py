"""Settles writes in doubt by evidence, and confirms accepted writes by reading the order back.

Invariants: nothing is claimed that the provider did not show. A write in doubt becomes accepted if it arrived; if it
did not, it goes back to the queue and is held there for a person. Only a new order whose reference was used for nothing
else is resent without a person, once (`resend`). Without evidence a write stays in doubt, with what is known as its
note. Within a team a person at any desk may decide too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus, OrderState
from app.contract.information import Order
from app.contract.replies import decode, read_status
from app.desk.desk import Desk
from app.desk.sending import evidence, resend
from app.desk.sending import sending_words as words
from app.desk.sending.evidence import Evidence, Judgement, ask_lists, listed_order
from app.desk.sending.order_status import ask_status
from app.desk.sending.payload_differences import compares, read_back
from app.desk.sync import fetch_window
from app.store.cache import order_query
from app.store.cache.order_rows import OrderDetail
from app.store.journal import held_writes, own_evidence, write_store
from app.store.journal.records import WriteRow, WriteState
from app.store.sqlite.text_values import local
from app.store.store_errors import WrongState

_MOST_UNANSWERED = 3  # requests in a row without an answer, after which a pass ends; not the breaker's threshold
_BATCH = 200  # writes in one pass: the others have their turn in the next pass
# A cancelled order may never show it: its status is "not found" while other orders are open (services.md, "Order
# status", step 2).
_ASKED_FOR = timedelta(days=3)


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
    """Look for evidence about writes in doubt; how many are settled now.

    Nothing is asked while the provider wants a pause. Raises `StoreError`.
    """
    unanswered = 0
    absent: list[_Absent] = []
    doubts = await desk.journal.read(own_evidence.writes_in_doubt, desk.profile.id)
    if doubts and (settled := await settle_by_team(desk, doubts)):
        doubts = await desk.journal.read(own_evidence.writes_in_doubt, desk.profile.id)
    else:
        settled = 0
    for each in _in_turn(desk, doubts)[:_BATCH]:
        if desk.provider is None or unanswered == _MOST_UNANSWERED or desk.timing.backing_off:
            break
        at = desk.now()  # before the request: what the provider says may be as old as that
        found, judged = await _judge(desk, each)
        to_resend = await resend.record_look(desk, each, at) if judged.definitely_absent else None
        write = to_resend or each
        desk.timing.record_evidence_check(write.id)
        unanswered = 0 if found.status is not None else _MOST_UNANSWERED if found.busy else unanswered + 1
        if judged.finding in ("absent", "refused"):
            absent.append(_Absent(write, judged, to_resend is not None))
        elif judged.finding == "person":
            await _explain(desk, write, judged.note)
        else:
            settled += await _settle(desk, write, judged)
    return settled + await _settle_absent(desk, absent)


async def settle_by_team(desk: Desk, doubts: Sequence[WriteRow]) -> int:
    """Settle doubts as people at other desks of the team decided; how many are settled. Raises `StoreError`."""
    if desk.team is None:
        return 0
    settled = 0
    for each in await desk.team.settlements({write.reference for write in doubts}):
        found = await desk.journal.read(
            own_evidence.doubt_of, desk.profile.id, each.kind, each.reference, each.queued_at, each.sha256,
            each.tried_at,
        )  # fmt: skip
        if found is None:
            continue
        state: WriteState = "accepted" if each.arrived else "withdrawn"
        said = words.decided_by(each.person, arrived=each.arrived)
        try:
            await desk.journal.write(write_store.settle, found.id, state, said, desk.now(), change=found.change)
        except WrongState:
            continue  # it was settled here meanwhile
        desk.breaker.record_settled(found.id)
        settled += 1
    return settled


def _in_turn(desk: Desk, writes: Sequence[WriteRow]) -> list[WriteRow]:
    """The writes checked longest ago first, so that a few without evidence never hide the others."""
    return sorted(writes, key=lambda each: desk.timing.evidence_order(each.id))


async def _judge(desk: Desk, write: WriteRow) -> tuple[Evidence, Judgement]:
    story = await desk.journal.read(write_store.write_story, write.id)
    last = story.attempts[-1] if story.attempts else None
    tried_at = write.queued_at if last is None else last.ended_at or last.started_at
    waited = desk.timing.since_attempt(write.reference, tried_at, desk.timing.instant(desk.now()))
    found = await evidence.gather(desk, write.reference)
    payload = None if story.row.damaged else story.payload
    # "No such order" is also said of an order in the import queue: the order that is there now may be that one.
    was_absent = write.verdict == "new" and not await desk.journal.read(own_evidence.sent_by_another_write, write)
    if was_absent and desk.team is not None:
        was_absent = await desk.team.sent_by_others(write.reference) is None
    judged = evidence.judge(write, payload, was_absent=was_absent, waited=waited, evidence=found)
    if payload is None and judged.finding != "arrived":
        return found, Judgement("person", judged.sentence)  # damaged bytes are not sent again, whatever is known
    if judged.finding == "absent" and last is not None and last.outcome == "rejected":
        # The refusal was of a resend. Now that the first attempt is known to be absent, the refusal is the outcome.
        refusal = (last.sentence or "").removesuffix(words.SECOND_ATTEMPT).rstrip()
        return found, Judgement("refused", f"{refusal} {judged.sentence}")
    return found, judged


@dataclass(frozen=True, slots=True)
class _Absent:
    """A write of which the order status shows nothing; `to_resend`: Waybill resends it after a second look."""

    write: WriteRow
    judged: Judgement
    to_resend: bool


async def _settle_absent(desk: Desk, absent: Sequence[_Absent]) -> int:
    """Settle the writes that neither list shows: the status of a closed order may be "not found" (services.md)."""
    if not absent:
        return 0
    trouble = await ask_lists(desk, min(local(each.write.queued_at) for each in absent))
    settled = 0
    for each in absent:
        write = each.write
        line = await listed_order(desk, write.reference)
        if write.kind == "submit" and trouble:
            await _explain(desk, write, words.lists_unknown(trouble))
        elif write.kind == "submit" and line is not None:
            await _explain(desk, write, words.listed(line.number))
        elif each.to_resend:
            await _explain(desk, write, f"{each.judged.sentence} {words.RESEND_PLANNED}")
        else:
            settled += await _settle(desk, write, each.judged)
    return settled


async def _explain(desk: Desk, write: WriteRow, sentence: str) -> None:
    if sentence != write.note:
        await desk.journal.write(write_store.set_note, write.id, sentence, desk.now(), change=write.change)


async def _settle(desk: Desk, write: WriteRow, judged: Judgement) -> int:
    try:
        if judged.finding in ("arrived", "refused"):
            state: WriteState = "accepted" if judged.finding == "arrived" else "rejected"
            await desk.journal.write(write_store.settle, write.id, state, judged.note, desk.now(), change=write.change)
        else:
            await desk.journal.write(
                held_writes.requeue_on_hold, write.id, judged.note, desk.now(), change=write.change
            )
    except WrongState:
        return 0  # a person has decided about it since it was read
    # A write that got lost still counts for the breaker: the next one may get lost in the same way.
    if judged.finding != "absent":
        desk.breaker.record_settled(write.id)
    return 1


async def confirm_accepted(desk: Desk) -> int:
    """Read back what was accepted; how many writes are confirmed now. Raises `StoreError`."""
    confirmed = 0
    for write_id in await desk.journal.read(own_evidence.replaced_writes, desk.profile.id, words.REPLACED):
        await desk.journal.write(write_store.set_note, write_id, words.REPLACED, desk.now())
    moved = words.ACCEPTED_BEFORE_MOVE
    for write_id in await desk.journal.read(own_evidence.accepted_before_move, desk.profile.id, moved):
        await desk.journal.write(write_store.set_note, write_id, moved, desk.now())
    requests = _RequestBudget(desk, _BATCH)
    accepted = await desk.journal.read(own_evidence.unconfirmed_writes, desk.profile.id, words.NOT_SHOWN_CANCELLED)
    for write in _in_turn(desk, accepted):
        if desk.provider is None:
            break
        shown = _shows_cancellation if write.kind == "cancel" else _shows_submission
        sentence = await shown(desk, write, requests)
        if sentence is None:
            continue
        try:
            await desk.journal.write(write_store.settle, write.id, "confirmed", sentence, desk.now())
        # A person, or the queue, has changed it while the provider was asked.
        except WrongState:
            continue
        confirmed += 1
    return confirmed


@dataclass(slots=True)
class _RequestBudget:
    """How many single orders may still be asked for in this pass."""

    desk: Desk
    left: int

    def take(self, write: WriteRow) -> bool:
        timing = self.desk.timing
        if self.left == 0 or timing.backing_off or not timing.may_check_confirmation(write.id):
            return False
        self.left -= 1
        timing.record_confirmation_check(write.id)
        return True


async def _shows_submission(desk: Desk, write: WriteRow, requests: _RequestBudget) -> str | None:
    """The sentence that confirms a submission, or None while nothing does."""
    seen = await _seen_since(desk, write, requests)
    if seen is None:
        return None
    order = Order.model_validate(decode(seen.raw.encode("utf-8", "replace")))
    story = await desk.journal.read(write_store.write_story, write.id)
    number = seen.line.number
    if story.row.damaged:
        await _explain(desk, write, words.accepted_but_damaged(number))
        return None
    if not compares(story.payload, order):
        # Confirmed means that fields were read back. That an order of this reference exists is less than that.
        if write.reference == order.CRN:
            await _explain(desk, write, words.nothing_to_compare(number))
        return None
    differences = read_back(story.payload, order)
    if not differences:
        return words.confirmed(number)
    shown = [(each.path, each.before, each.after) for each in differences]
    await _explain(desk, write, words.other_values(number, shown))
    return None


async def _seen_since(desk: Desk, write: WriteRow, requests: _RequestBudget) -> OrderDetail | None:
    """The order as the provider showed it after the acceptance, from a list or by its number."""
    number = await _number_of(desk, write)
    lines = await desk.reader.read(order_query.find_crn, desk.profile.id, write.reference)
    listed = [each.number for each in lines if each.list == "open"]
    # Without a number in the reply only the open list counts: a closed order of the reference may be an older one.
    for each in listed if number is None else [number]:
        seen = await _if_asked_after(desk, write, each)
        if (
            seen is None
            and each not in listed
            and requests.take(write)
            and not await fetch_window.refresh_order(desk, each)
        ):
            seen = await _if_asked_after(desk, write, each)
        if seen is not None and seen.line.state != OrderState.CAN:
            return seen
    return None


async def _if_asked_after(desk: Desk, write: WriteRow, number: int) -> OrderDetail | None:
    """The order as last seen, if the request for it began after the write was accepted."""
    seen = await desk.reader.read(order_query.order_detail, desk.profile.id, number)
    return seen if seen is not None and desk.timing.requested_after(seen.seen_at, write.change) else None


async def _number_of(desk: Desk, write: WriteRow) -> int | None:
    """The system number that the provider gave when it accepted the write, in a reply that speaks of this order."""
    story = await desk.journal.read(write_store.write_story, write.id)
    replies = [each.reply for each in story.attempts if each.outcome == "accepted" and each.reply]
    if not replies:
        return None
    reading = read_status(replies[-1], write.reference)
    return reading.system_number if reading.mentions_reference else None


async def _shows_cancellation(desk: Desk, write: WriteRow, requests: _RequestBudget) -> str | None:
    """The sentence that confirms a cancellation, or None while nothing does."""
    if write.verdict in evidence.CANCELLED_PROVES_NOTHING:  # a person sent it anyway
        await _explain(desk, write, evidence.CANCELLED_PROVES_NOTHING[write.verdict])
        return None
    if desk.provider is None or not requests.take(write):
        return None
    try:
        status = await ask_status(desk, desk.provider, write.reference)
    except ApiError as error:
        desk.timing.back_off(error.rest)
        return None  # the next pass asks again
    if status.mentions_reference and status.status is ManagementStatus.CANCELLED:
        return words.CANCELLED
    accepted = desk.timing.since_attempt(write.reference, write.changed_at, desk.timing.instant(desk.now()))
    if accepted >= _ASKED_FOR:
        await _explain(desk, write, words.NOT_SHOWN_CANCELLED)  # `unconfirmed_writes` leaves it out by this note
    return None


async def settle(desk: Desk) -> Settled:
    """Settle doubts, then confirm what was accepted. Raises `StoreError`."""
    # The journal's counter, not a flag: notes and first misses are changes too, and several functions write them.
    before = await desk.journal.read(own_evidence.last_change)
    doubts, confirmed = await settle_doubts(desk), await confirm_accepted(desk)
    changed = await desk.journal.read(own_evidence.last_change) != before
    return Settled(doubts, confirmed, changed, len(await resend.ready(desk)))
