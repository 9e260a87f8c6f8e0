"""What sending an order of a file would do: from what the stores know, then from the provider.

Invariants: a verdict says no more than this desk's journal, its team's log, the stored orders or the provider's answer
say. What this desk or another of its team sent, or what the last file said, is not sent again: so the same file twice
sends nothing, also where a person has changed an order between the two, here or elsewhere.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from app.api.errors import ApiError
from app.contract.codes import ManagementStatus
from app.contract.information import Order
from app.contract.replies import StatusReading, decode
from app.contract.submission import wire_bytes
from app.desk.bulk import bulk_words as words
from app.desk.bulk.outcome import order_contents
from app.desk.bulk.outcome.entered_anew import entered_anew
from app.desk.bulk.rows.import_sheet import FileOrder, ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.sending import batch
from app.desk.sending.order_status import ask_status
from app.desk.sending.payload_differences import Difference, compares, replaced
from app.desk.sending.verdict import judge
from app.desk.sync import fetch_window
from app.desk.team_side import TeamSide, was_last
from app.store.cache import listed_references, order_query
from app.store.cache.order_rows import OrderLine
from app.store.journal import import_store
from app.store.journal.import_store import KnownWrites, Newest
from app.store.journal.records import WriteRow
from app.store.journal.team import team_log
from app.store.sqlite.text_values import local

if TYPE_CHECKING:
    from app.store.team.team_file import OthersWrite

Kind = Literal["create", "update", "unchanged", "blocked", "twice", "second", "refused", "unknown"]
Decision = Literal["", "send", "leave"]
KINDS: tuple[Kind, ...] = ("blocked", "twice", "second", "refused", "unknown", "update", "create", "unchanged")
_WAITING = ("queued", "sending", "in_doubt")
_FAILURES = 3  # in a row, after which nobody is asked any more
_TURN_S = 0.25  # between two looks whether a person stopped the asking


@dataclass(frozen=True, slots=True)
class ImportVerdict:
    """The effect that sending one order would have.

    `create`: no order with this reference is known. `update`: it changes an open order, by `differences` as far as they
    are known. `unchanged`: this desk or another of its team sent the same, or the provider shows the same. `blocked`:
    it has issues. `twice`: the reference is in the file more than once. `second`: the order is closed, so a second one
    would be made. `refused`: the provider refused this very order. `unknown`: nobody can tell.

    `asked_at` is when the provider answered; None for what the stores say.
    """

    kind: Kind
    sentence: str
    differences: tuple[Difference, ...] = ()
    asked_at: datetime | None = None
    status: ManagementStatus | None = None

    @property
    def sends(self) -> bool:
        """Whether it is sent unless a person decides otherwise."""
        return self.kind in ("create", "update")

    @property
    def may_send(self) -> bool:
        """Whether a person may decide to send it."""
        return self.kind not in ("blocked", "twice")

    @property
    def worth_asking(self) -> bool:
        """Whether the provider knows more about it than this desk."""
        return self.asked_at is None and self.kind in ("create", "unknown")

    @property
    def agreed(self) -> str | None:
        """The verdict of the last look to which a person says yes by sending this."""
        return "closed" if self.kind == "second" else None


@dataclass(slots=True)
class ImportVerdicts:
    """The verdicts by the key of the order, and what a person decided about single ones.

    `looked` says for each order what was the newest in the journal when its verdict was found: what is written about
    the order later is by somebody who knew nothing of this file, and is not undone by it.
    """

    found: dict[int, ImportVerdict] = field(default_factory=dict)
    decided: dict[int, Decision] = field(default_factory=dict)
    looked: dict[int, Newest] = field(default_factory=dict)

    def counts(self) -> dict[Kind, int]:
        """How many orders have each verdict; every kind is a key."""
        counted = Counter(each.kind for each in self.found.values())
        return {kind: counted[kind] for kind in KINDS}

    def is_sent(self, key: int) -> bool:
        """Whether this order is sent as things stand."""
        verdict, decision = self.found.get(key), self.decided.get(key, "")
        if verdict is None or not verdict.may_send:
            return False
        return verdict.sends if not decision else decision == "send"

    def decide(self, keys: Iterable[int], decision: Decision) -> int:
        """Decide about orders; those that may not be sent are left out. How many were decided about."""
        wanted = [key for key in keys if key in self.found and self.found[key].may_send]
        for key in wanted:
            self.decided[key] = decision
        return len(wanted)

    def alike(self, key: int) -> tuple[int, ...]:
        """The orders with the same verdict for the same reason, so that one decision can be for all."""
        mine = self.found[key]
        return tuple(
            other for other, each in self.found.items() if (each.kind, each.status) == (mine.kind, mine.status)
        )

    def put(self, key: int, verdict: ImportVerdict) -> None:
        """Keep a new verdict. Another kind of verdict ends a decision to send; an order that was left out stays out."""
        before = self.found.get(key)
        if before is not None and before.kind != verdict.kind and self.decided.get(key) == "send":
            del self.decided[key]
        self.found[key] = verdict


@dataclass(slots=True)
class Asking:
    """The questions to the provider. The window writes `stop`; `waits_until` is set while the provider asks for
    a pause. `trouble` says why the asking ended before its end."""

    total: int = 0
    done: int = 0
    stop: bool = False
    waits_until: datetime | None = None
    trouble: str = ""
    failures: int = 0  # in a row


# What the stores say


async def look_here(
    desk: Desk, sheet: ImportSheet, verdicts: ImportVerdicts, progress: Progress, keys: Iterable[int] | None = None
) -> None:
    """The verdicts that need no network, of all orders or of those with these keys. Raises `StoreError`, `Stopped`.

    The sheet may be changed meanwhile: an order that was is to be looked for again.
    """
    await in_thread(lambda: _look_here(desk, sheet, verdicts, progress, keys), progress)


def _look_here(
    desk: Desk, sheet: ImportSheet, verdicts: ImportVerdicts, progress: Progress, keys: Iterable[int] | None
) -> None:
    twice = _twice(sheet)
    wanted = (
        set(sheet.orders)
        if keys is None
        else {*keys, *twice, *(k for k, v in verdicts.found.items() if v.kind == "twice")}
    )
    chosen = [order for key, order in sheet.orders.items() if key in wanted]
    # Another mapping, or a corrected reference, makes other orders out of the same rows.
    for gone in verdicts.found.keys() - sheet.orders.keys():
        verdicts.found.pop(gone)
        verdicts.decided.pop(gone, None)
        verdicts.looked.pop(gone, None)
    references = {each.reference for each in chosen if not each.wrong}
    # `newest` is read first: a write from here on counts as later. Waiting orders are read before those in the outbox:
    # an order that the feeder moves between the two readings is then seen twice; the other way round, never.
    newest = desk.journal.read_separately_now(import_store.newest)
    waiting = desk.journal.read_separately_now(import_store.waiting_orders, desk.profile.id, references)
    wrote = desk.journal.read_separately_now(import_store.known_writes, desk.profile.id, references)
    shown = desk.reader.read_separately_now(listed_references.shown_orders, desk.profile.id, references - wrote.keys())
    closed = desk.reader.read_separately_now(listed_references.shown_orders, desk.profile.id, wrote.keys())
    known = {**shown, **closed}
    team = desk.team
    theirs = {} if team is None else _latest_theirs(desk, team, wrote, team.standing_now(references))
    # Only now: what another desk did counts by whether it is later than all that this one did.
    anew = entered_anew(desk, wrote, known)
    wrote = {reference: each for reference, each in wrote.items() if reference not in anew}
    progress.total, progress.done = len(chosen), 0
    for order in chosen:
        verdict = _blocked(order) or twice.get(order.key) or _of_waiting(sheet, order, waiting)
        verdict = verdict or _of_stores(desk, sheet, order, wrote, known, theirs)
        if verdict is not None:
            verdicts.looked[order.key] = newest
            verdicts.put(order.key, verdict)
        progress.done += 1
        progress.checkpoint()


def _blocked(order: FileOrder) -> ImportVerdict | None:
    return ImportVerdict("blocked", words.blocked(order.wrong)) if order.wrong else None


def _twice(sheet: ImportSheet) -> dict[int, ImportVerdict]:
    """The verdicts of orders whose reference another order of the file has.

    Where both say the same, the first one is sent. Otherwise nobody can tell which one is meant, so none is.
    """
    first: dict[str, int] = {}
    repeated: dict[str, list[int]] = {}
    for key, order in sheet.orders.items():
        if order.reference and first.setdefault(order.reference, key) != key:
            repeated.setdefault(order.reference, [first[order.reference]]).append(key)
    found = {}
    for keys in repeated.values():
        # All must say the same, not only one and the first: else one of three would be sent although two disagree.
        alike = all(_say_the_same(sheet, keys[0], each) for each in keys)
        for place, key in enumerate(keys):
            other = keys[1] if place == 0 else keys[0]
            if not alike:
                found[key] = ImportVerdict("twice", words.twice_other(sheet.number(other)))
            elif place:
                found[key] = ImportVerdict("twice", words.twice_same(sheet.number(other)))
    return found


def _say_the_same(sheet: ImportSheet, first: int, second: int) -> bool:
    if first == second:
        return True
    one, other = sheet.submission(first), sheet.submission(second)
    return one is not None and other is not None and order_contents.same(wire_bytes(one), wire_bytes(other))


def _of_waiting(sheet: ImportSheet, order: FileOrder, waiting: Mapping[str, bytes]) -> ImportVerdict | None:
    """The verdict on an order that an import under way has not brought to the outbox yet; None for any other."""
    before = waiting.get(order.reference)
    submission = None if before is None else sheet.submission(order.key)
    if before is None or submission is None:
        return None
    payload = wire_bytes(submission)
    if order_contents.same(before, payload):
        return ImportVerdict("unchanged", words.SAME_IN_IMPORT)
    return ImportVerdict("update", words.OTHER_IN_IMPORT, tuple(order_contents.differences(before, payload)))


def _of_stores(
    desk: Desk,
    sheet: ImportSheet,
    order: FileOrder,
    wrote: Mapping[str, KnownWrites],
    shown: Mapping[str, OrderLine],
    theirs: "Mapping[str, tuple[OthersWrite, datetime]]",
) -> ImportVerdict | None:
    known, line, other = wrote.get(order.reference), shown.get(order.reference), theirs.get(order.reference)
    if known is None and line is None and other is None:
        return ImportVerdict("create", words.CREATE_HERE)
    submission = sheet.submission(order.key)
    if submission is None:
        return None  # it was changed since the look began
    payload = wire_bytes(submission)
    if other is not None:
        own: ImportVerdict | None = _of_theirs(known, *other, payload)
    else:
        own = None if known is None else _of_writes(desk, known, payload)
    # The journals before the lists: what the desks have sent, they know for certain.
    if own is not None and own.kind != "update":
        return own
    # Also one of the open list: a provider may list cancelled orders there (notes.md, "cancelled orders in lists").
    if line is not None and line.is_closed:
        return ImportVerdict("second", words.second_order(line.status or line.state or ""))
    if own is not None:
        return own
    return _of_shown(desk, line, payload) if line is not None else ImportVerdict("create", words.CREATE_HERE)


def _latest_theirs(
    desk: Desk, team: TeamSide, wrote: Mapping[str, KnownWrites], standing: "Mapping[str, OthersWrite]"
) -> "dict[str, tuple[OthersWrite, datetime]]":
    """By reference: what another desk did after all that this one did, and when, by this computer's clock."""
    both = [wrote[reference].latest.id for reference in standing if reference in wrote]
    own = desk.journal.read_separately_now(team_log.own_latest, both)
    return {
        reference: (each, team.local_moment(each))
        for reference, each in standing.items()
        if reference not in wrote or was_last(team, each, own.get(wrote[reference].latest.id))
    }


def _of_theirs(known: KnownWrites | None, theirs: "OthersWrite", at: datetime, payload: bytes) -> ImportVerdict:
    """The verdict by what another desk of the team wrote last."""
    person, waits = theirs.person, theirs.state in _WAITING
    if theirs.kind == "cancel":
        return ImportVerdict("second", words.cancellation_waits(person) if waits else words.cancelled_by(person, at))
    before = theirs.payload
    # Where the team does not share orders, equal bytes are known by their digest all the same.
    equal = hashlib.sha256(payload).hexdigest() == theirs.sha256
    if equal or (before is not None and order_contents.same(before, payload)):
        return ImportVerdict("unchanged", words.same_waits(person) if waits else words.unchanged_since(person, at))
    changed = () if before is None else tuple(order_contents.differences(before, payload))
    if known is not None and known.filed is not None and order_contents.same(known.filed, payload):
        return ImportVerdict("unchanged", words.changed_since_file(person, at), changed)
    return ImportVerdict("update", words.waits_theirs(person) if waits else words.changes_theirs(person, at), changed)


def _of_writes(desk: Desk, known: KnownWrites, payload: bytes) -> ImportVerdict | None:
    """The verdict by what this desk wrote; None where that says nothing about this order."""
    latest = known.latest
    # Refused before cancelled before sent: each says more about these very contents than the next.
    if known.refused is not None and order_contents.same(known.refused, payload):
        return ImportVerdict("refused", words.refused_before(latest.note or ""))
    if latest.kind == "cancel" and latest.state != "rejected":
        return ImportVerdict("second", _cancelled(latest))
    if known.sent is None:
        return None
    write, before = known.sent
    if order_contents.same(before, payload):
        return ImportVerdict("unchanged", words.SAME_IN_OUTBOX if write.state in _WAITING else words.SAME_AS_SENT)
    if known.filed is not None and order_contents.same(known.filed, payload):
        said = words.same_as_last_file(words.moment(local(write.queued_at)))
        return ImportVerdict("unchanged", said, tuple(order_contents.differences(before, payload)))
    sentence = words.WAITS_IN_OUTBOX if write.state in _WAITING else words.CHANGES_SENT
    return ImportVerdict("update", sentence, tuple(order_contents.differences(before, payload)))


def _cancelled(cancellation: WriteRow) -> str:
    """The sentence about an order by this desk's cancellation of it, which the provider has not refused."""
    if cancellation.state == "in_doubt":
        return words.CANCELLATION_IN_DOUBT
    if cancellation.state in _WAITING:
        return words.CANCELLATION_WAITS
    return words.cancelled_here(words.moment(local(cancellation.changed_at)))


def _of_shown(desk: Desk, line: OrderLine, payload: bytes) -> ImportVerdict:
    """The verdict by the order that the provider shows, and that this desk did not send."""
    found = desk.reader.read_separately_now(order_query.order_detail, desk.profile.id, line.number)
    if found is None:
        return ImportVerdict("create", words.CREATE_HERE)
    order = Order.model_validate(decode(found.raw.encode("utf-8", "replace")))
    if not compares(payload, order):
        return ImportVerdict("update", words.CHANGES_UNSEEN)
    changed = tuple(replaced(payload, order))
    return (
        ImportVerdict("update", words.CHANGES_SHOWN, changed)
        if changed
        else ImportVerdict("unchanged", words.SAME_AS_SHOWN)
    )


# What the provider says


async def ask_provider(
    desk: Desk,
    sheet: ImportSheet,
    verdicts: ImportVerdicts,
    asking: Asking,
    on_verdict: Callable[[int], None] = lambda key: None,
    keys: Collection[int] | None = None,
) -> None:
    """Ask the provider about the orders that the stores do not know, several at a time, until `asking.stop`.

    Raises `StoreError`.
    """
    wanted = [key for key, each in verdicts.found.items() if each.worth_asking and (keys is None or key in keys)]
    asking.total, asking.done, asking.failures, asking.trouble = len(wanted), 0, 0, ""

    async def ask(key: int) -> None:
        if not await _may_ask(desk, asking):
            return
        verdict = await _ask(desk, sheet, key, asking)
        # A person may have corrected the order while its answer was on the way: the verdict of the correction stays.
        if verdict is not None and key in verdicts.found and verdicts.found[key].worth_asking:
            verdicts.put(key, verdict)
            on_verdict(key)
        asking.done += 1

    await batch.for_each(wanted, ask)
    asking.waits_until = None


async def _may_ask(desk: Desk, asking: Asking) -> bool:
    """Wait while the provider asks for a pause; False once a person stopped the asking, or it goes wrong each time."""
    while desk.timing.backing_off and not asking.stop:
        asking.waits_until = desk.now() + timedelta(seconds=desk.timing.backoff_seconds)
        await asyncio.sleep(_TURN_S)
    asking.waits_until = None
    if desk.provider is None:
        asking.trouble = words.asking_stopped(desk.trouble)
    return not asking.stop and desk.provider is not None and asking.failures < _FAILURES


async def _ask(desk: Desk, sheet: ImportSheet, key: int, asking: Asking) -> ImportVerdict | None:
    order = sheet.orders.get(key)
    if order is None or desk.provider is None:
        return None
    try:
        reading = await ask_status(desk, desk.provider, order.reference)
    except ApiError as error:
        desk.timing.back_off(error.rest)
        # A provider that asks for a pause answers; only silence and errors count as failures.
        if error.rest is None:
            asking.failures += 1
            if asking.failures >= _FAILURES:
                asking.trouble = words.asking_stopped(error.sentence)
        return ImportVerdict("unknown", error.sentence)
    asking.failures = 0
    return await _of_reading(desk, sheet, order, reading)


async def _of_reading(desk: Desk, sheet: ImportSheet, order: FileOrder, reading: StatusReading) -> ImportVerdict:
    kind, sentence = judge(reading)
    now, status = desk.now(), reading.status if reading.mentions_reference else None
    match kind:
        case "new":
            return ImportVerdict("create", words.CREATE_ASKED, asked_at=now)
        case "unknown":
            return ImportVerdict("unknown", sentence, asked_at=now)
        case "closed":
            said = words.second_order("" if status is None else status.value)
            return ImportVerdict("second", said, asked_at=now, status=status)
    found = ImportVerdict("update", words.CHANGES_UNSEEN, asked_at=now, status=status)
    if reading.system_number is None or await fetch_window.refresh_order(desk, reading.system_number):
        return found
    shown = await desk.reader.read(listed_references.shown_orders, desk.profile.id, [order.reference])
    line = shown.get(order.reference)
    submission = sheet.submission(order.key)
    if line is None or submission is None:
        return found
    progress = Progress()
    compared = await in_thread(lambda: _of_shown(desk, line, wire_bytes(submission)), progress)
    return replace(compared, asked_at=now, status=status)
