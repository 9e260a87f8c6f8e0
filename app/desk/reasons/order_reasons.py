"""The reasons why an order needs somebody, in words, from its row alone.

Invariant: a reason says only what the row says, so it is true as long as the row is.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from app.desk.reasons import reasons_words as words
from app.desk.reasons.clause_on_row import all_hold, days_late, days_over, due_day
from app.desk.reasons.reason_rules import DAMAGE_FOLDERS, Rule
from app.store.cache.order_rows import OrderLine


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something needs somebody: the rule's name, what is wrong, why, and since when.

    `days` sorts within a rule, the most first. `mark` grows when matters get worse otherwise than by mere waiting.
    """

    rule: str
    what: str
    why: str
    since: date | None
    days: int = 0
    mark: int = 0

    @property
    def sentence(self) -> str:
        """The reason in words: `14 days late: never received, was due Fri 30 Oct`."""
        return words.what_and_why(self.what, self.why)


def reasons_of(
    line: OrderLine, rules: Sequence[Rule], today: date, watched: Collection[int], names_of: Callable[[str], str] = str
) -> tuple[Reason, ...]:
    """All reasons of an order, the worst first. `names_of` gives the title of a changed column."""
    return tuple(
        reason_by(rule.name, line, today, names_of)
        for rule in rules
        if rule.source == "orders" and any(all_hold(clauses, line, today) for clauses in rule.groups_on(today, watched))
    )


def reason_by(rule: str, line: OrderLine, today: date, names_of: Callable[[str], str] = str) -> Reason:
    """The reason of an order that this rule finds."""
    if rule in ("changed", "changed-open"):
        return _changed(rule, line, names_of)
    return _REASONS[rule](line, today)


def _vanished(line: OrderLine, today: date) -> Reason:
    return Reason("vanished", words.ON_NO_LIST, words.left_open(""), None, _age(line.imported_at, today))


def _overdue(line: OrderLine, today: date) -> Reason:
    due, late = due_day(line), days_late(line, today)
    assert due is not None
    said = words.day(due, today)
    if line.loaded_at is not None:
        why = words.loaded_not_delivered(words.day(line.loaded_at.date(), today), said)
    elif line.received_at is None and not line.is_received:
        why = words.never_received(said)
    else:
        received = "" if line.received_at is None else words.day(line.received_at.date(), today)
        planned = line.scheduled_delivery is not None
        why = words.received_not_loaded(received, said) if planned else words.received_not_scheduled(received, said)
    return Reason("overdue", words.days_late(late), why, due, late, max(days_over(line), 0))


def _damaged(line: OrderLine, today: date) -> Reason:
    found = [code for code in (line.folders or "").split() if code in DAMAGE_FOLDERS]
    what = words.REFUSED_FREIGHT if "RF" in found else words.DAMAGED
    why = words.documents(dict.fromkeys(found))
    since = line.delivered_at or line.loaded_at or line.received_at
    return Reason("damaged", what, why, None if since is None else since.date(), _age(since, today), len(found))


def _undelivered(line: OrderLine, today: date) -> Reason:
    assert line.loaded_at is not None
    due = due_day(line)
    why = words.loaded_not_delivered(words.day(line.loaded_at.date(), today), words.day(due, today) if due else "")
    return Reason("undelivered", words.NOT_DELIVERED, why, line.loaded_at.date(), _age(line.loaded_at, today))


def _scheduled_late(line: OrderLine, today: date) -> Reason:
    requested, scheduled = line.requested_delivery, line.scheduled_delivery
    assert requested is not None
    assert scheduled is not None
    over = days_over(line)
    why = words.asked_and_planned(words.day(requested.date(), today), words.day(scheduled.date(), today))
    return Reason("scheduled-late", words.scheduled_late(over), why, requested.date(), over, over)


def _soon(line: OrderLine, today: date) -> Reason:
    due = due_day(line)
    assert due is not None
    estimate = "" if line.estimated_receive is None else words.day(line.estimated_receive.date(), today)
    left = (due - today).days
    why = words.not_received_yet(estimate)
    return Reason("soon", words.due_in(left, words.day(due, today)), why, _day(line.imported_at), -left)


def _unreceived(line: OrderLine, today: date) -> Reason:
    assert line.estimated_receive is not None
    estimated = line.estimated_receive.date()
    why = words.estimated(words.day(estimated, today))
    return Reason("unreceived", words.NOT_RECEIVED, why, estimated, _age(line.estimated_receive, today))


def _unscheduled(line: OrderLine, today: date) -> Reason:
    assert line.received_at is not None
    requested = "" if line.requested_delivery is None else words.day(line.requested_delivery.date(), today)
    why = words.received_on(words.day(line.received_at.date(), today), requested)
    return Reason("unscheduled", words.NOT_SCHEDULED, why, line.received_at.date(), _age(line.received_at, today))


def _without_proof(line: OrderLine, today: date) -> Reason:
    assert line.delivered_at is not None
    why = words.delivered_without(words.day(line.delivered_at.date(), today), line.delivered_by or "")
    return Reason("no-proof", words.NO_PROOF, why, line.delivered_at.date(), _age(line.delivered_at, today))


def _changed(rule: str, line: OrderLine, names_of: Callable[[str], str]) -> Reason:
    fields = line.changed.split()
    named = ", ".join(name for name in map(names_of, fields) if name)
    why = words.changed_fields(named) if named else words.CHANGED_SINCE
    return Reason(rule, words.CHANGED, why, None, 0, len(fields))


_REASONS: dict[str, Callable[[OrderLine, date], Reason]] = {
    "vanished": _vanished,
    "overdue": _overdue,
    "damaged": _damaged,
    "undelivered": _undelivered,
    "scheduled-late": _scheduled_late,
    "soon": _soon,
    "unreceived": _unreceived,
    "unscheduled": _unscheduled,
    "no-proof": _without_proof,
}


def _day(when: datetime | None) -> date | None:
    return None if when is None else when.date()


def _age(when: datetime | None, today: date) -> int:
    return 0 if when is None else (today - when.date()).days
