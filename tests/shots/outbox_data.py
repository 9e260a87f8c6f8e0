"""A desk whose outbox holds a write for every message that the outbox can show of one."""

import json
from datetime import timedelta

import apsw

from app.contract.codes import ManagementStatus
from app.contract.replies import StatusReading
from app.contract.submission import Cancellation, wire_bytes
from app.desk.sending.evidence import Evidence, judge
from app.desk.sending.sending_words import needs_permission
from app.store.journal import held_writes, write_store
from app.store.journal.records import Outcome, WriteKind
from app.store.journal.recovery import unfinished_writes
from app.store.journal.recovery.rebuild import UNCERTAIN
from tests.shots.data import NOW, ago, payload
from tests.support.damage import spoil

DESK = "messages"
TURNED_AWAY = needs_permission("The provider does not allow this with the permissions it has given.")
_BROKE_OFF = (
    "https://orders.provider.example broke the connection off without an answer. Whether it arrived is not known: "
    "look it up before sending it again."
)


def fill_messages(c: apsw.Connection) -> None:
    """The oldest are the confirmed ones, the latest those that need a person."""
    _died(c)
    _ended(c)
    _on_their_way(c)
    _held(c)
    _in_doubt(c)
    _refused(c)
    _damaged(c)


def _queue(c: apsw.Connection, reference: str, kind: WriteKind = "submit") -> int:
    body = payload(reference) if kind == "submit" else wire_bytes(Cancellation(orderReferenceNumber=reference))
    return write_store.queue_write(c, DESK, kind, reference, body, ago(90))


def _try(
    c: apsw.Connection,
    write: int,
    outcome: Outcome,
    sentence: str,
    status: int | None = None,
    reply: bytes | None = None,
) -> int:
    began = ago(80)
    attempt = write_store.begin_attempt(c, write, began, "new")
    ended = began + timedelta(seconds=2)
    write_store.end_attempt(
        c, attempt, outcome, ended, http_status=status, reply=reply, reply_type="application/json", sentence=sentence
    )
    return write


def _accepted(c: apsw.Connection, reference: str, kind: WriteKind = "submit") -> int:
    what = "the order as number 772310. Status: Pending Receipt." if kind == "submit" else "the cancellation."
    reply = json.dumps({"orderReferenceNumber": reference, "systemOrderNumber": 772310}).encode()
    return _try(c, _queue(c, reference, kind), "accepted", f"The provider accepted {what}", 200, reply)


def _ended(c: apsw.Connection) -> None:
    agrees = "Confirmed as 772301; what the provider returns matches what you sent."
    write_store.settle(c, _accepted(c, "M-CONFIRMED"), "confirmed", agrees, ago(60))
    write_store.settle(c, _accepted(c, "M-CANCELLED", "cancel"), "confirmed", "The provider says: Cancelled.", ago(59))
    undone = _queue(c, "M-TAKEN-BACK", "cancel")
    write_store.settle(c, undone, "withdrawn", "Undone before it was sent.", ago(58))
    given_up = _doubt(c, "M-GIVEN-UP", _BROKE_OFF)
    words = "Withdrawn by a person's decision, without knowing whether it arrived."
    write_store.settle(c, given_up, "withdrawn", words, ago(57))
    _accepted(c, "M-ACCEPTED-CANCEL", "cancel")
    arrived = _doubt(c, "M-ARRIVED", _BROKE_OFF)
    shown = "It arrived: the provider had no such order before and now says Pending Receipt."
    write_store.settle(c, arrived, "accepted", shown, ago(56))
    person = _doubt(c, "M-PERSON-SAYS", _BROKE_OFF)
    write_store.settle(c, person, "accepted", "A person found that it had arrived.", ago(55))
    replaced = _accepted(c, "M-REPLACED")
    later = "A later change of the same order was accepted before this one was read back."
    write_store.set_note(c, replaced, later, ago(54))
    other = _accepted(c, "M-OTHER-VALUES")
    values = (
        "Accepted as number 772310, but the provider shows other values. consignee.zip: sent 38103, it says 38104; "
        "requestedDeliveryDate: sent 2026-12-01, it says 2026-12-03; deliveryType: sent HOME, it says STORE and 2 more."
    )
    write_store.set_note(c, other, values, ago(53))
    nothing = "The provider shows it as number 772310. It returns nothing of the order that could be compared with "
    write_store.set_note(c, _accepted(c, "M-NOTHING-COMPARED"), f"{nothing}what was sent.", ago(52))


def _on_their_way(c: apsw.Connection) -> None:
    write_store.begin_attempt(c, _queue(c, "M-SENDING"), NOW)
    nothing = "https://orders.provider.example could not be reached: nothing listens at that address."
    offline = _queue(c, "M-OFFLINE")
    for _ in range(12):
        _try(c, offline, "not_sent", nothing)
    _try(c, _queue(c, "M-NOT-ALLOWED"), "not_authorised", TURNED_AWAY, 403)
    for reference, words in (
        (
            "M-NOT-ASKED",
            "Not sent: the order's status could not be asked for. The provider failed while handling this (500).",
        ),
        ("M-IN-IMPORT", "Waits. The provider says: In Import Queue. What was sent before is not processed yet."),
        (
            "M-SENT-BEFORE",
            "Waits. The provider has no order with this reference. What this desk sent before may not be processed "
            "yet.",
        ),
    ):
        write = _queue(c, reference)
        write_store.set_note(c, write, words, ago(20))
        held_writes.mark_unasked(c, write, unasked=reference == "M-NOT-ASKED")


def _held(c: apsw.Connection) -> None:
    second = "The provider has no order with this reference. This desk has sent this reference before, so "
    held: tuple[tuple[str, WriteKind, str], ...] = (
        ("M-MAYBE-SECOND", "submit", f"{second}sending may create a second order."),
        ("M-NOTHING-THERE", "cancel", "The provider has no order with this reference, so there is nothing to cancel."),
        ("M-CLOSED", "cancel", "The provider says: Complete. There is nothing left to cancel."),
        ("M-ON-THE-TRUCK", "cancel", "The order is out for delivery already. Cancel it anyway?"),
    )
    for reference, kind, words in held:
        held_writes.hold(c, _queue(c, reference, kind), words, ago(15))
    offered = _doubt(c, "M-OFFERED-AGAIN", _BROKE_OFF)
    held_writes.requeue_on_hold(c, offered, "The provider shows nothing of the order. It can be sent again.", ago(14))


def _doubt(c: apsw.Connection, reference: str, sentence: str, kind: WriteKind = "submit") -> int:
    return _try(c, _queue(c, reference, kind), "unknown", sentence)


def _died(c: apsw.Connection) -> None:
    write_store.begin_attempt(c, _queue(c, "M-DIED"), ago(70))
    unfinished_writes.end_open_attempts(c, ago(65))


def _in_doubt(c: apsw.Connection) -> None:
    busy = "The provider answered that it is busy (503). Whether it acted is not known."
    _try(c, _queue(c, "M-BUSY"), "busy", busy, 503)
    for reference, kind, status, seconds in _EVIDENCE:
        write = _doubt(c, reference, _BROKE_OFF, kind)
        told = write_store.write_story(c, write)
        waited = timedelta(seconds=seconds)
        found = Evidence(status, trouble="" if status else "The provider answered that it is busy (503).")
        new = reference != "M-BEFORE-TOO"
        judged = judge(told.row, told.payload, was_absent=new, waited=waited, evidence=found)
        write_store.set_note(c, write, judged.sentence, ago(5))
    listed = "The order status shows nothing of it, but an order with this reference is listed as number 771475."
    write_store.set_note(c, _doubt(c, "M-LISTED", _BROKE_OFF), listed, ago(4))
    unknown = (
        "The order status shows nothing of it, and the lists are not known. The provider answered that it is busy."
    )
    write_store.set_note(c, _doubt(c, "M-NO-LISTS", _BROKE_OFF), unknown, ago(4))


def _damaged(c: apsw.Connection) -> None:
    """One that a repaired journal has brought back in part, and one whose bytes were found to be others at the last
    look."""
    doubt = _doubt(c, "M-DAMAGED", _BROKE_OFF)
    spoil(c, doubt)
    write_store.set_note(c, doubt, UNCERTAIN, ago(3))
    queued = _queue(c, "M-DAMAGED-UNSENT")
    spoil(c, queued)
    held_writes.hold(c, queued, "Found damaged at the last look, and not sent.", ago(3))


def _said(status: ManagementStatus | None, *, mentions: bool = True, found: bool = True) -> StatusReading:
    return StatusReading(status, mentions, None, found, "")


# What the provider shows of a write in doubt, so many seconds after it was tried.
_EVIDENCE: tuple[tuple[str, WriteKind, StatusReading | None, int], ...] = (
    ("M-NO-EVIDENCE", "submit", None, 30),
    ("M-NOT-SEEN-YET", "submit", _said(None, mentions=False, found=False), 15),
    ("M-ANOTHER-ORDER", "submit", _said(ManagementStatus.COMPLETE, mentions=False), 30),
    ("M-CLOSED-SINCE", "submit", _said(ManagementStatus.COMPLETE), 30),
    ("M-BEFORE-TOO", "submit", _said(ManagementStatus.PENDING_RECEIPT), 30),
    ("M-UNREADABLE", "submit", _said(None), 30),
    ("M-CANCEL-UNSEEN", "cancel", _said(None, mentions=False, found=False), 30),
    ("M-CANCEL-LATE", "cancel", _said(ManagementStatus.COMPLETE), 30),
    ("M-CANCEL-OPEN", "cancel", _said(ManagementStatus.PENDING_RECEIPT), 15),
)


def _refused(c: apsw.Connection) -> None:
    problem = json.dumps({"title": "There is no open order with this reference.", "status": 400}).encode()
    words = "The provider refused it: There is no open order with this reference."
    _try(c, _queue(c, "M-REFUSED-CANCEL", "cancel"), "rejected", words, 400, problem)
