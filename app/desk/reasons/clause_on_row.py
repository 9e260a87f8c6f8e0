"""Tells from an order's row alone whether clauses hold for it.

The search index answers the same for many orders at once (`store.cache.index.key_sets`). Invariant: both agree, so a
reason that is said about an order is one by which the filter finds it. A test compares them over orders of all sorts.
"""

from collections.abc import Sequence
from datetime import date, datetime

from app.store.cache.index.terms import ascii_folded, order_number
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import ANY, FIELDS, NO, NONE, STEPS, YES, Clause
from app.store.sqlite.search_text import plain


def holds(clause: Clause, line: OrderLine, today: date) -> bool:
    """Whether the clause holds for the order on this day. Not for `changed_on`: a row does not know its past."""
    kind = FIELDS[clause.field].kind
    if kind == "documents":
        # Neither the clause nor its negation holds for documents that are not known.
        return line.folders is not None and _has_documents(clause, line.folders) is not clause.negated
    return _found(clause, kind, line, today) is not clause.negated


def all_hold(clauses: Sequence[Clause], line: OrderLine, today: date) -> bool:
    """Whether all clauses hold for the order on this day."""
    return all(holds(clause, line, today) for clause in clauses)


def due_day(line: OrderLine) -> date | None:
    """The day on which the order is due: the scheduled one, else the requested one."""
    due = line.scheduled_delivery or line.requested_delivery
    return None if due is None else due.date()


def days_late(line: OrderLine, today: date) -> int:
    """By how many days an order is, or was, later than its due day; below one if it is not late."""
    due = due_day(line)
    if due is None or line.state == "CAN":
        return 0
    end = today if line.delivered_at is None else line.delivered_at.date()
    return (end - due).days


def days_over(line: OrderLine) -> int:
    """How many days after the requested day the order is scheduled; below one if it is not."""
    if line.scheduled_delivery is None or line.requested_delivery is None:
        return 0
    return (line.scheduled_delivery.date() - line.requested_delivery.date()).days


def _found(clause: Clause, kind: str, line: OrderLine, today: date) -> bool:
    if kind == "list":
        return line.list in clause.values
    if kind == "date":
        return _on_days(clause, _day_of(clause.field, line))
    if kind == "days":
        days = days_late(line, today) if clause.field == "late" else days_over(line)
        return days >= (int(clause.values[0]) if clause.values else 1)
    if kind == "took":
        return _took(clause, line)
    if clause.field == "changed":
        return (YES if line.changed else NO) in clause.values
    if kind == "flag":
        flag: bool | None = getattr(line, FIELDS[clause.field].column)
        return (NONE if flag is None else YES if flag else NO) in clause.values
    return _has_value(clause, kind, line)


def _has_value(clause: Clause, kind: str, line: OrderLine) -> bool:
    if clause.field == "number":
        return line.number in map(order_number, clause.values)
    value = str(getattr(line, FIELDS[clause.field].column) or "")
    if clause.field == "reference":
        return bool(value) and ascii_folded(value) in {ascii_folded(each) for each in clause.values}
    value, sought = value.strip(), [each.strip() for each in clause.values]
    if kind == "prefix":
        return any(plain(value).startswith(plain(each)) if each else not value for each in sought)
    return plain(value) in {plain(each) for each in sought}


def _took(clause: Clause, line: OrderLine) -> bool:
    began, ended = (getattr(line, column) for column in STEPS[clause.field])
    if began is None or ended is None or ended.date() < began.date():
        return False
    days, (least, most) = (ended.date() - began.date()).days, clause.values
    return int(least or 0) <= days and (not most or days <= int(most))


def _has_documents(clause: Clause, folders: str) -> bool:
    codes = folders.split()
    return any(
        bool(codes) if value == ANY else not codes if value == NONE else value.upper() in codes
        for value in clause.values
    )


def _day_of(field: str, line: OrderLine) -> date | None:
    if field == "due":
        return due_day(line)
    moment: datetime | None = getattr(line, FIELDS[field].column)
    return None if moment is None else moment.date()


def _on_days(clause: Clause, day: date | None) -> bool:
    if ANY in clause.values or NONE in clause.values:
        return (day is not None and ANY in clause.values) or (day is None and NONE in clause.values)
    if day is None:
        return False
    return (clause.first is None or clause.first <= day) and (clause.last is None or day <= clause.last)
