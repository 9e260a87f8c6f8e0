"""Rules by which an order needs attention, as data: a sentence each, clauses that say the same, and a limit in days.

A rule can be switched off and its limit changed, each for one connection; a rule that is off finds nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.store.cache.index.terms import clause_holds
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import NONE, YES, Clause

_CHOICE = "attention"
LONGEST = 365
_CLOSED = Clause("state", ("CMP", "CAN"), negated=True)
_OPEN = Clause("list", ("open",))


@dataclass(frozen=True, slots=True)
class Rule:
    """`sentence` has `{days}` where the limit stands: the age of the date `since`, or the least of a field."""

    name: str
    title: str
    sentence: str
    clauses: tuple[Clause, ...]
    days: int = 0  # the limit; 0 is none
    since: str = ""  # the date whose age the limit is for
    least: str = ""  # the field whose least number of days the limit is
    on: bool = True

    def words(self) -> str:
        """The rule as a person reads it."""
        return self.sentence.format(days=f"{self.days:,} day{'' if self.days == 1 else 's'}")

    def asks(self, today: date) -> tuple[Clause, ...]:
        """The clauses of which all hold for an order that meets the rule today."""
        more: list[Clause] = []
        if self.since:
            more.append(Clause(self.since, last=today - timedelta(days=self.days)))
        if self.least:
            more.append(Clause(self.least, (str(max(self.days, 1)),)))
        return (*self.clauses, *more)


RULES: tuple[Rule, ...] = (
    Rule(
        "unscheduled",
        "Not scheduled",
        "Received {days} ago or more, and not scheduled.",
        (_OPEN, _CLOSED, Clause("scheduled", (NONE,)), Clause("delivered_on", (NONE,))),
        days=3,
        since="received_on",
    ),
    Rule(
        "unreceived",
        "Not received",
        "Was to be received {days} ago or more, and is not.",
        (_OPEN, _CLOSED, Clause("received_on", (NONE,)), Clause("received", (YES,), negated=True)),
        days=2,
        since="estimated",
    ),
    Rule(
        "scheduled-late",
        "Scheduled late",
        "Scheduled {days} or more after the requested day.",
        (_OPEN, _CLOSED, Clause("delivered_on", (NONE,))),
        days=1,
        least="over",
    ),
    Rule(
        "undelivered",
        "Not delivered",
        "Loaded {days} ago or more, and not delivered.",
        (_OPEN, _CLOSED, Clause("delivered_on", (NONE,)), Clause("delivered", (YES,), negated=True)),
        days=1,
        since="loaded",
    ),
    Rule(
        "overdue",
        "Overdue",
        "Due {days} ago or more, and not delivered.",
        (_OPEN, _CLOSED, Clause("delivered_on", (NONE,))),
        days=1,
        least="late",
    ),
    Rule(
        "vanished",
        "Vanished",
        "Gone from the open orders, and neither completed nor cancelled.",
        (Clause("list", ("other",)), _CLOSED),
    ),
)


async def load_rules(desk: Desk) -> tuple[Rule, ...]:
    """The rules as they are set for this connection. Raises `StoreError`."""
    return read_rules(await read_choice(desk, _CHOICE))


async def keep_rule(desk: Desk, rule: Rule) -> None:
    """Keep whether a rule is on, and its limit. Raises `StoreError`."""
    rules = [rule if each.name == rule.name else each for each in await load_rules(desk)]
    await keep_choice(desk, _CHOICE, {each.name: {"on": each.on, "days": each.days} for each in rules})


def read_rules(kept: object) -> tuple[Rule, ...]:
    """The rules with what was kept of them; what is not understood is as it was shipped."""
    records = kept if isinstance(kept, Mapping) else {}
    return tuple(_set(rule, records.get(rule.name)) for rule in RULES)


def _set(rule: Rule, record: object) -> Rule:
    if not isinstance(record, Mapping):
        return rule
    days, on = record.get("days"), record.get("on")
    if type(days) is int and 1 <= days <= LONGEST and rule.days:
        rule = replace(rule, days=days)
    return replace(rule, on=on) if isinstance(on, bool) else rule


def alternatives(rules: tuple[Rule, ...], today: date, names: tuple[str, ...] = ()) -> tuple[tuple[Clause, ...], ...]:
    """What a query's `either` is for orders that meet one of the rules that are on, or of those named."""
    chosen = [rule for rule in rules if rule.on and (not names or rule.name in names)]
    return tuple(rule.asks(today) for rule in chosen)


def rules_met(line: OrderLine, rules: tuple[Rule, ...], today: date) -> tuple[Rule, ...]:
    """The rules that an order meets, of those that are on."""
    return tuple(
        rule for rule in rules if rule.on and all(clause_holds(each, line, today) for each in rule.asks(today))
    )
