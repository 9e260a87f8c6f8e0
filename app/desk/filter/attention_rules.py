"""The rules by which an order needs attention, as data: clauses, and a limit in days.

Each connection can switch a rule off and change its limit. Invariant: a rule that is off finds nothing, and its
sentence (`filter_words.rule_sentence`) says the same as its clauses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.filter import filter_words
from app.store.cache.schema.conditions import NONE, YES, Clause

_CHOICE = "attention"
LONGEST = 365
_NOT_CLOSED = Clause("state", ("CMP", "CAN"), negated=True)
_OPEN = Clause("list", ("open",))


@dataclass(frozen=True, slots=True)
class Rule:
    """An order needs attention if all `clauses` hold, and the limit: the age of a date, or the least of a field."""

    name: str
    clauses: tuple[Clause, ...]
    days: int = 0  # the limit; 0 is none
    since: str = ""  # the date whose age the limit is for
    least: str = ""  # the field whose least number of days the limit is
    on: bool = True

    @property
    def title(self) -> str:
        """The rule's name as a person reads it."""
        return filter_words.RULES[self.name]

    def words(self) -> str:
        """Which orders the rule finds, as a sentence."""
        return filter_words.rule_sentence(self.name, self.days)

    def clauses_on(self, today: date) -> tuple[Clause, ...]:
        """The clauses with the limit: all of them hold for an order that needs attention today."""
        more: list[Clause] = []
        if self.since:
            more.append(Clause(self.since, last=today - timedelta(days=self.days)))
        if self.least:
            more.append(Clause(self.least, (str(max(self.days, 1)),)))
        return (*self.clauses, *more)


RULES: tuple[Rule, ...] = (
    Rule(
        "unscheduled",
        (_OPEN, _NOT_CLOSED, Clause("scheduled", (NONE,)), Clause("delivered_on", (NONE,))),
        days=3,
        since="received_on",
    ),
    Rule(
        "unreceived",
        (_OPEN, _NOT_CLOSED, Clause("received_on", (NONE,)), Clause("received", (YES,), negated=True)),
        days=2,
        since="estimated",
    ),
    Rule(
        "scheduled-late",
        (_OPEN, _NOT_CLOSED, Clause("delivered_on", (NONE,))),
        days=1,
        least="over",
    ),
    Rule(
        "undelivered",
        (_OPEN, _NOT_CLOSED, Clause("delivered_on", (NONE,)), Clause("delivered", (YES,), negated=True)),
        days=1,
        since="loaded",
    ),
    Rule(
        "overdue",
        (_OPEN, _NOT_CLOSED, Clause("delivered_on", (NONE,))),
        days=1,
        least="late",
    ),
    Rule(
        "vanished",
        (Clause("list", ("other",)), _NOT_CLOSED),
    ),
)


async def load_rules(desk: Desk) -> tuple[Rule, ...]:
    """The rules as they are set for this connection. Raises `StoreError`."""
    return read_rules(await read_choice(desk, _CHOICE))


async def save_rule(desk: Desk, rule: Rule) -> None:
    """Save whether a rule is on, and its limit. Raises `StoreError`."""
    rules = [rule if each.name == rule.name else each for each in await load_rules(desk)]
    await keep_choice(desk, _CHOICE, {each.name: {"on": each.on, "days": each.days} for each in rules})


def read_rules(saved: object) -> tuple[Rule, ...]:
    """The rules with the saved choices; a choice that cannot be read counts as the shipped one."""
    records = saved if isinstance(saved, Mapping) else {}
    return tuple(_set(rule, records.get(rule.name)) for rule in RULES)


def _set(rule: Rule, record: object) -> Rule:
    if not isinstance(record, Mapping):
        return rule
    days, on = record.get("days"), record.get("on")
    if type(days) is int and 1 <= days <= LONGEST and rule.days:
        rule = replace(rule, days=days)
    return replace(rule, on=on) if isinstance(on, bool) else rule


def alternatives(rules: tuple[Rule, ...], today: date, names: tuple[str, ...] = ()) -> tuple[tuple[Clause, ...], ...]:
    """A query's `either` for orders that meet any rule that is on, or any of `names` that is on."""
    chosen = [rule for rule in rules if rule.on and (not names or rule.name in names)]
    return tuple(rule.clauses_on(today) for rule in chosen)
