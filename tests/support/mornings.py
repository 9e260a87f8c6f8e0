"""Mornings made by a seed: a store with known trouble among orders that are well, and what *Today* has to say of it.

Written by hand: every kind of trouble names its rule, what is wrong and why in the words that a person reads.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from app.desk.desk import Desk
from app.desk.orders import watched_orders
from app.store.cache import kept_answers, order_query, order_store
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AuditFacts
from app.store.cache.index import segments
from app.store.cache.order_rows import ListName, OrderFacts
from app.store.journal import held_writes, review_store, write_store
from tests.support.journals import bring_to
from tests.support.order_facts import facts

NOW = datetime(2026, 11, 20, 8, 30)
TODAY = datetime(2026, 11, 20)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Expected:
    """One line that *Today* must have: its rule, its title, what is wrong, why, and since when."""

    rule: str
    title: str
    what: str
    why: str
    since: date | None
    worse: int = 0  # within its rule, the most first


@dataclass(slots=True)
class Morning:
    """The orders by list, numbers that are watched, orders that change after they were looked at, and other trouble."""

    chance: random.Random
    orders: dict[ListName, list[OrderFacts]] = field(default_factory=lambda: {"open": [], "completed": [], "other": []})
    watched: list[int] = field(default_factory=list)
    later: list[OrderFacts] = field(default_factory=list)
    writes: list[tuple[str, str]] = field(default_factory=list)  # reference, state
    audits: list[AuditFacts] = field(default_factory=list)
    reviewed: list[int] = field(default_factory=list)
    loads: list[tuple[str, int, datetime]] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    number: int = 20_000

    def add(self, to: ListName = "open", **columns: Any) -> str:
        """Add an order; returns its reference."""
        self.number += 1
        reference = f"STR-{self.number}"
        told = {"crn": reference, "state": "STD", "imported_at": TODAY - 5 * DAY, "consignee_name": "J. Rivera"}
        self.orders[to].append(facts(self.number, **{**told, **columns}))
        return reference

    def expect(self, rule: str, title: str, what: str, why: str, since: datetime | None, worse: int = 0) -> None:
        """Expect a line."""
        self.expected.append(Expected(rule, title, what, why, None if since is None else since.date(), worse))


def said(when: datetime) -> str:
    """`Fri 30 Oct`."""
    return f"{when:%a} {when.day} {when:%b}"


def late_words(days: int) -> str:
    return "1 day late" if days == 1 else f"{days} days late"


def overdue_never_received(made: Morning) -> None:
    days = made.chance.randrange(1, 60)
    due = TODAY - days * DAY
    made.expect("overdue", made.add(requested_delivery=due), late_words(days), f"never received, was due {said(due)}",
                due, days)  # fmt: skip


def overdue_loaded(made: Morning) -> None:
    days = made.chance.randrange(1, 60)
    due = TODAY - days * DAY
    reference = made.add(state="DSO", received_at=due - DAY, is_received=True, scheduled_delivery=due, loaded_at=due)
    made.expect("overdue", reference, late_words(days), f"loaded {said(due)}, due {said(due)}", due, days)


def overdue_received(made: Morning) -> None:
    days = made.chance.randrange(1, 60)
    due, received = TODAY - days * DAY, TODAY - (days + 2) * DAY
    reference = made.add(state="AVL", received_at=received, scheduled_delivery=due)
    why = f"received {said(received)}, not loaded, was due {said(due)}"
    made.expect("overdue", reference, late_words(days), why, due, days)


def overdue_not_scheduled(made: Morning) -> None:
    days = made.chance.randrange(4, 60)
    due = TODAY - days * DAY
    reference = made.add(state="AVL", received_at=due, requested_delivery=due)
    why = f"received {said(due)}, never scheduled, was requested for {said(due)}"
    made.expect("overdue", reference, late_words(days), why, due, days)


def damaged(made: Morning) -> None:
    code, what, word = made.chance.choice((("DAM", "Damage", "Damaged"), ("RF", "Refused freight", "Refused freight")))
    delivered = TODAY - made.chance.randrange(0, 8) * DAY
    documents = {"ProofOfDelivery": [{"Folder": code}, {"Folder": "POD"}]}
    reference = made.add("completed", state="CMP", delivered_at=delivered, extra=documents)
    made.expect("damaged", reference, what, f"{code} {word}", delivered, (TODAY - delivered).days)


def undelivered(made: Morning) -> None:
    days = made.chance.randrange(1, 30)
    loaded = TODAY - days * DAY
    reference = made.add(state="DSO", is_received=True, loaded_at=loaded)
    why = f"loaded {said(loaded)}, no day of delivery is known"
    made.expect("undelivered", reference, "Not delivered", why, loaded, days)


def scheduled_late(made: Morning) -> None:
    over = made.chance.randrange(1, 9)
    requested = TODAY + 3 * DAY
    scheduled = requested + over * DAY
    reference = made.add(
        state="PLN", received_at=TODAY - DAY, requested_delivery=requested, scheduled_delivery=scheduled
    )
    why = f"requested for {said(requested)}, scheduled for {said(scheduled)}"
    what = "Scheduled 1 day late" if over == 1 else f"Scheduled {over} days late"
    made.expect("scheduled-late", reference, what, why, requested, over)


def soon(made: Morning) -> None:
    away = made.chance.randrange(0, 2)
    due, estimate = TODAY + away * DAY, TODAY - DAY
    reference = made.add(requested_delivery=due, estimated_receive=estimate)
    why = f"not received, receipt is estimated for {said(estimate)}"
    made.expect("soon", reference, ("Due today", "Due tomorrow")[away], why, TODAY - 5 * DAY, -away)


def unreceived(made: Morning) -> None:
    days = made.chance.randrange(2, 30)
    estimate = TODAY - days * DAY
    reference = made.add(estimated_receive=estimate, requested_delivery=TODAY + 9 * DAY)
    made.expect("unreceived", reference, "Not received", f"receipt was estimated for {said(estimate)}", estimate, days)


def unscheduled(made: Morning) -> None:
    days = made.chance.randrange(3, 30)
    received, requested = TODAY - days * DAY, TODAY + 9 * DAY
    reference = made.add(state="AVL", received_at=received, requested_delivery=requested)
    why = f"received {said(received)}, requested for {said(requested)}"
    made.expect("unscheduled", reference, "Not scheduled", why, received, days)


def without_proof(made: Morning) -> None:
    days = made.chance.randrange(2, 31)
    delivered = TODAY - days * DAY
    documents = {"ProofOfDelivery": [{"Folder": "BOL"}]}
    reference = made.add("completed", state="CMP", delivered_at=delivered, delivered_by="Lee", extra=documents)
    made.expect("no-proof", reference, "No proof of delivery", f"delivered {said(delivered)} by Lee", delivered, days)


def vanished(made: Morning) -> None:
    reference = made.add("other", state="AVL")
    made.expect("vanished", reference, "On no list", "gone from open, and not completed", None, 5)


def watched_change(made: Morning) -> None:
    reference = made.add(remarks="leave at dock")
    made.watched.append(made.number)
    told: dict[str, Any] = {"crn": reference, "state": "STD", "imported_at": TODAY - 5 * DAY}
    told["consignee_name"] = "J. Rivera"
    made.later.append(facts(made.number, **told, remarks="call first"))
    made.expect("changed", reference, "Changed", "remarks changed since you looked", NOW)


def refused(made: Morning) -> None:
    reference = f"W-{len(made.writes)}"
    made.writes.append((reference, "rejected"))
    made.expect("refused", reference, "Refused", "It ended", NOW)


def in_doubt(made: Morning) -> None:
    reference = f"W-{len(made.writes)}"
    made.writes.append((reference, "in_doubt"))
    made.expect("in-doubt", reference, "In doubt", "It ended", NOW)


def held(made: Morning) -> None:
    reference = f"W-{len(made.writes)}"
    made.writes.append((reference, "held"))
    made.expect("held", reference, "Waits for you", "It is closed", NOW)


def low_audit(made: Morning) -> None:
    score = made.chance.randrange(10, 70)
    number = 800 + len(made.audits)
    at = TODAY - made.chance.randrange(0, 2) * DAY + timedelta(hours=7)
    made.audits.append(AuditFacts(number, at, "Loading", "MEM01", "Lone Star", float(score)))
    made.expect("low-audit", f"Audit {number}", f"Score {score} of 100", "Loading at MEM01", at, -score)


def overage(made: Morning) -> None:
    items, load = made.chance.randrange(1, 9), f"L-{len(made.loads)}"
    asked = NOW - made.chance.randrange(0, 8) * DAY
    made.loads.append((load, items, asked))
    what = "1 item over" if items == 1 else f"{items} items over"
    made.expect("overage", f"Load {load}", what, f"as the provider said {said(asked)} at 08:30", asked, items)


TROUBLES: dict[str, Sequence[Callable[[Morning], None]]] = {
    "in-doubt": [in_doubt],
    "refused": [refused],
    "held": [held],
    "vanished": [vanished],
    "overdue": [overdue_never_received, overdue_loaded, overdue_received, overdue_not_scheduled],
    "damaged": [damaged],
    "undelivered": [undelivered],
    "scheduled-late": [scheduled_late],
    "soon": [soon],
    "unreceived": [unreceived],
    "unscheduled": [unscheduled],
    "no-proof": [without_proof],
    "overage": [overage],
    "low-audit": [low_audit],
    "changed": [watched_change],
}
ORDER = list(TROUBLES)


def _with(*folders: str) -> dict[str, object]:
    return {"ProofOfDelivery": [{"Folder": each} for each in folders]}


def well(made: Morning) -> None:
    """Orders, audits and loads that need nobody, each at the edge of a rule."""
    soon_enough = TODAY + 4 * DAY
    near_misses: list[tuple[ListName, dict[str, Any]]] = [
        ("open", {"requested_delivery": soon_enough}),
        ("open", {"state": "DSO", "scheduled_delivery": TODAY, "received_at": TODAY - DAY}),
        ("open", {"state": "DSO", "requested_delivery": TODAY}),
        ("open", {"state": "AVL", "received_at": TODAY - 2 * DAY}),
        ("open", {"estimated_receive": TODAY - DAY}),
        ("open", {"state": "DSO", "loaded_at": TODAY, "scheduled_delivery": TODAY}),
        ("open", {"state": "CAN", "requested_delivery": TODAY - 9 * DAY}),
        ("open", {"requested_delivery": soon_enough, "scheduled_delivery": soon_enough}),
        ("open", {"extra": {"ProofOfDelivery": [{"Folder": "BOL"}]}}),
        ("completed", {"state": "CMP", "delivered_at": TODAY - 3 * DAY}),  # its documents are not known
        ("completed", {"state": "CMP", "delivered_at": TODAY - 3 * DAY, "extra": _with("POD")}),
        ("completed", {"state": "CMP", "delivered_at": TODAY - DAY, "extra": {"ProofOfDelivery": []}}),
        ("completed", {"state": "CMP", "delivered_at": TODAY - 31 * DAY, "extra": {"ProofOfDelivery": []}}),
        ("completed", {"state": "CMP", "delivered_at": TODAY - 9 * DAY, "extra": _with("DAM", "POD")}),
        ("other", {"state": "CAN"}),
        ("other", {"state": "CMP"}),
    ]  # fmt: skip
    for to, columns in made.chance.sample(near_misses, len(near_misses)):
        made.add(to, **columns)
    made.writes += [("W-sent", "accepted"), ("W-waits", "queued")]
    made.audits += [
        AuditFacts(700, TODAY - 2 * DAY, "Loading", "MEM01", None, 12.0),  # too long ago
        AuditFacts(701, TODAY, "Loading", "MEM01", None, 70.0),  # not low
        AuditFacts(702, TODAY, "Loading", "MEM01", None, 11.0),  # reviewed
        AuditFacts(703, TODAY - 40 * DAY, "Loading", "MEM01", None, 99.0),  # tells the scale
    ]
    made.reviewed.append(702)
    made.loads += [("L-none", 0, NOW), ("L-old", 4, NOW - 8 * DAY)]


def make_morning(seed: int) -> Morning:
    """The morning of a seed: none to four of each kind of trouble, among what is well."""
    made = Morning(random.Random(seed))
    well(made)
    kinds = [kind for kinds in TROUBLES.values() for kind in kinds for _ in range(made.chance.randrange(0, 5))]
    made.chance.shuffle(kinds)
    for kind in kinds:
        kind(made)
    return made


async def keep_morning(desk: Desk, made: Morning, *, indexed: bool = True) -> None:
    """Put a morning into the stores; `indexed`: the search index has caught up."""
    profile = desk.profile.id
    for name, orders in made.orders.items():
        for at in range(0, len(orders), 500):
            await desk.cache.write(order_store.store_orders, profile, name, orders[at : at + 500], NOW - 2 * DAY)
    lines = await desk.reader.read(order_query.orders_numbered, profile, made.watched)
    assert await watched_orders.watch(desk, lines) == ""
    if made.later:
        await desk.cache.write(order_store.store_orders, profile, "open", made.later, NOW)
    while indexed and await desk.cache.write(segments.index_some, enough=1) > 0:
        pass
    for reference, state in made.writes:
        write = await desk.journal.write(write_store.queue_write, profile, "submit", reference, b"{}", NOW.astimezone())
        if state == "held":
            await desk.journal.write(held_writes.hold, write, "It is closed.", NOW.astimezone())
        else:
            bring_to(desk.journal, write, state, NOW.astimezone())  # type: ignore[arg-type]
    await desk.cache.write(audit_store.store_audits, profile, made.audits, NOW)
    for audit in made.reviewed:
        await desk.journal.write(review_store.put_review, profile, audit, "", '{"reviewed": true}', NOW.astimezone())
    for load, items, asked in made.loads:
        question = json.dumps({"load": load})
        await desk.cache.write(kept_answers.keep_answer, profile, "overage", question, asked, items, "[]")


def in_order(made: Morning) -> list[Expected]:
    """What *Today* must show, from top to bottom."""
    places = {each.title: place for place, each in enumerate(made.expected)}
    return sorted(
        made.expected, key=lambda each: (ORDER.index(each.rule), -each.worse, _number(each), places[each.title])
    )


def _number(each: Expected) -> int:
    return int(each.title.rpartition("-")[2]) if each.title.startswith("STR-") else 0
