"""The verdict: what sending an order would do, told before it is sent.

Invariant: a verdict says no more than the provider's own answer.

Submitting replaces an order only while the order is open (trap 1). After completion or cancellation the same reference
makes a second order, and a reference that is used again by mistake silently overwrites another open order.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from app.api.errors import ApiError
from app.contract.codes import CLOSED_STATUSES, ManagementStatus
from app.contract.information import Order
from app.contract.replies import StatusReading, alike, decode
from app.desk.desk import Desk
from app.desk.sending import sending_words as words
from app.desk.sending.order_status import ask_status
from app.desk.sending.payload_differences import Difference, between, compares, read_back, replaced
from app.desk.team_side import was_last
from app.desk.timing import Instant
from app.store.cache import order_query
from app.store.journal import write_store
from app.store.journal.team import team_log
from app.store.store_errors import JournalDamaged

VerdictKind = Literal["new", "changes", "closed", "import_queue", "unknown"]
Compared = Literal["", "sent", "returned"]

_LARGE = 32_768  # bytes

HEADINGS: dict[VerdictKind, str] = {
    "new": "New order",
    "changes": "Changes an open order",
    "closed": "Closed: would create a second order",
    "import_queue": "Waiting in the import queue",
    "unknown": "Cannot tell",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effect of sending, and why. `differences` are the fields that sending would change, as far as known;
    `compared` says with what: with what this desk or its team last sent, or with what the provider returns of it, which
    is less."""

    kind: VerdictKind
    sentence: str
    at: datetime
    differences: tuple[Difference, ...] = ()
    compared: Compared = ""
    status: ManagementStatus | None = None
    alike: str = ""  # another reference that the provider may take for this one
    error: ApiError | None = None  # why the request failed
    definite: bool = False  # the provider said explicitly that it has no such order
    asked: Instant | None = None  # when the request began: the answer may be as old as that
    sent_at: datetime | None = None  # when the write it is compared with was submitted
    sent_by: str = ""  # who in the team submitted it; empty for this desk

    @property
    def heading(self) -> str:
        """The verdict in a few words."""
        return HEADINGS[self.kind]

    @property
    def needs_yes(self) -> bool:
        """Whether a person has to say yes before it is sent."""
        return self.kind == "closed"

    @property
    def nothing_new(self) -> bool:
        """Whether the provider has this very order from this desk already, as far as it tells of it."""
        return self.kind == "changes" and self.compared == "sent" and not self.differences


async def verdict(desk: Desk, reference: str, payload: bytes | None = None) -> Verdict:
    """Ask the provider how this reference stands. Trouble becomes "Cannot tell", never an error."""
    return await compare(desk, await ask(desk, reference), reference, payload)


async def ask(desk: Desk, reference: str) -> Verdict:
    """The verdict without differences: it depends on nothing but the reference and the connection."""
    if desk.provider is None:
        return Verdict("unknown", desk.trouble, desk.now())
    # Taken before the request leaves: its reply must not confirm a write that is accepted only meanwhile.
    asked = desk.timing.instant(desk.now())
    try:
        reading = await ask_status(desk, desk.provider, reference)
    except ApiError as error:
        return Verdict("unknown", error.sentence, desk.now(), error=error, asked=asked)
    kind, sentence = judge(reading)
    other = "" if reading.mentions_reference else alike(reading.raw, reference)
    if other:
        sentence = words.verdict_alike(other, reference)
    status = reading.status if reading.mentions_reference else None
    return Verdict(kind, sentence, desk.now(), status=status, alike=other, definite=reading.definite, asked=asked)


async def compare(desk: Desk, found: Verdict, reference: str, payload: bytes | None) -> Verdict:
    """The verdict with the differences that sending `payload` would make. Sends no request. Raises `StoreError`."""
    if payload is None or found.kind not in ("changes", "import_queue"):
        return replace(found, differences=(), compared="", sent_at=None)
    last = await _last_sent(desk, reference, payload)
    order, seen_at = await _seen(desk, reference)
    if last is not None and last.payload is not None:
        changed = tuple(await differing(last.payload, payload))
        # If another person has changed the order since, sending the same content again undoes that change.
        newer = seen_at is not None and last.is_before(seen_at)
        if changed or order is None or not newer or not read_back(payload, order):
            return replace(found, differences=changed, compared="sent", sent_at=last.sent_at, sent_by=last.sender)
    if order is None or not compares(payload, order):
        return replace(found, differences=(), compared="", sent_at=None)
    return replace(found, differences=tuple(replaced(payload, order)), compared="returned", sent_at=None)


@dataclass(frozen=True, slots=True)
class _Sent:
    """The last submission: its bytes where they are known, when and by whom in the team (empty for this desk), and
    whether it was sent before a moment at which orders were asked for."""

    payload: bytes | None
    sent_at: datetime
    sender: str
    is_before: Callable[[datetime], bool]


async def _last_sent(desk: Desk, reference: str, payload: bytes) -> _Sent | None:
    """The last submission that the provider accepted, from this desk or from another of its team."""
    own = await desk.journal.read(write_store.last_sent, desk.profile.id, reference)
    team = desk.team
    theirs = None if team is None else await team.accepted_from_others(reference)
    if team is not None and theirs is not None:
        latest = {} if own is None else await desk.journal.read(team_log.own_latest, (own.id,))
        if own is None or was_last(team, theirs, latest.get(own.id)):
            # Where the team does not share orders, equal bytes are known by their digest all the same.
            equal = hashlib.sha256(payload).hexdigest() == theirs.sha256
            before = theirs.payload if theirs.payload is not None else payload if equal else None
            return _Sent(before, team.local_moment(theirs), theirs.person, partial(team.was_before, theirs))
    if own is None:
        return None
    number, bytes_ = own.id, await _bytes_of(desk, own.id)
    return _Sent(bytes_, own.queued_at, "", lambda seen_at: desk.timing.requested_after_sending(seen_at, number))


async def differing(before: bytes, after: bytes) -> list[Difference]:
    """The differences between two payloads."""
    # Thousands of rows take longer than a frame: on a thread.
    large = max(len(before), len(after)) > _LARGE
    return await asyncio.to_thread(between, before, after) if large else between(before, after)


def judge(reading: StatusReading) -> tuple[VerdictKind, str]:
    """The verdict of a status reply, and why."""
    if not reading.found:
        return "new", words.VERDICT_NEW
    if not reading.mentions_reference:
        return "unknown", words.VERDICT_ANOTHER_ORDER
    if reading.status is None:
        return "unknown", words.VERDICT_UNREADABLE
    if reading.status in CLOSED_STATUSES:
        return "closed", words.verdict_closed(reading.status.value)
    if reading.status is ManagementStatus.IN_IMPORT_QUEUE:
        return "import_queue", words.verdict_importing(reading.status.value)
    return "changes", words.verdict_changes(reading.status.value)


async def _bytes_of(desk: Desk, write_id: int) -> bytes | None:
    """The bytes of a write; None where they are damaged."""
    try:
        return await desk.journal.read(write_store.payload, write_id)
    except JournalDamaged:
        return None


async def _seen(desk: Desk, reference: str) -> tuple[Order | None, datetime | None]:
    """The open order with this reference as last seen, and when the request for it began."""
    lines = await desk.reader.read(order_query.find_crn, desk.profile.id, reference)
    number = next((line.number for line in lines if line.list == "open"), None)
    found = None if number is None else await desk.reader.read(order_query.order_detail, desk.profile.id, number)
    if found is None:
        return None, None
    return Order.model_validate(decode(found.raw.encode("utf-8", "replace"))), found.seen_at
