"""The rules by which something needs somebody, as data, the worst first.

A rule about orders says by clauses which orders it finds, so the search index answers it; the others look into the
outbox, at audits, at loads or at the forecast (`desk.today`). Each connection can switch a rule off and change its
numbers. Invariants: a rule that is off finds nothing; its sentence (`reasons_words.rule_sentence`) says the same as its
clauses.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.reasons import reasons_words as words
from app.store.cache.schema.conditions import NONE, YES, Clause

_CHOICE = "attention"
LONGEST = 365  # days
LOW_AUDIT = "low-audit"  # its score is what "low" means wherever audits are shown
PAPER_DAYS = 30  # a proof of delivery that has not come by then is not waited for any more
DAMAGE_FOLDERS = ("DAM", "DMB", "DML", "DMR", "RF")
Source = Literal["orders", "outbox", "audits", "loads", "forecast"]
# An order is found if all clauses of any group hold.
Groups = tuple[tuple[Clause, ...], ...]

_NOT_CLOSED = Clause("state", ("CMP", "CAN"), negated=True)
_OPEN = (Clause("list", ("open",)), _NOT_CLOSED)
AWAITED = (*_OPEN, Clause("delivered_on", (NONE,)))
NOT_RECEIVED = (Clause("received_on", (NONE,)), Clause("received", (YES,), negated=True))
_COMPLETED = Clause("list", ("completed",))


def _vanished(_today: date, _days: int) -> Groups:
    return ((Clause("list", ("other",)), _NOT_CLOSED),)


def _overdue(_today: date, days: int) -> Groups:
    return ((*AWAITED, Clause("late", (str(days),))),)


def _damaged(today: date, days: int) -> Groups:
    has = Clause("has", DAMAGE_FOLDERS)
    return ((*_OPEN, has), (_COMPLETED, has, Clause("delivered_on", first=today - timedelta(days=days))))


def _undelivered(today: date, days: int) -> Groups:
    undelivered = Clause("delivered", (YES,), negated=True)
    return ((*AWAITED, undelivered, Clause("loaded", last=today - timedelta(days=days))),)


def _scheduled_late(_today: date, days: int) -> Groups:
    return ((*AWAITED, Clause("over", (str(days),))),)


def _soon(today: date, days: int) -> Groups:
    due = Clause("due", first=today, last=today + timedelta(days=days))
    # A provider may leave out when an order was received; one that is dispatched or loaded has been.
    on_no_truck = (Clause("state", ("DSO",), negated=True), Clause("loaded", (NONE,)))
    return ((*AWAITED, *NOT_RECEIVED, *on_no_truck, due),)


def _unreceived(today: date, days: int) -> Groups:
    return ((*_OPEN, *NOT_RECEIVED, Clause("estimated", last=today - timedelta(days=days))),)


def _unscheduled(today: date, days: int) -> Groups:
    return ((*AWAITED, Clause("scheduled", (NONE,)), Clause("received_on", last=today - timedelta(days=days))),)


def _without_proof(today: date, days: int) -> Groups:
    delivered = Clause("delivered_on", first=today - timedelta(days=PAPER_DAYS), last=today - timedelta(days=days))
    # Negated, the clause holds only for orders whose documents are known.
    return ((_COMPLETED, delivered, Clause("has", ("POD",), negated=True)),)


def _changed(_today: date, _days: int) -> Groups:
    return ((Clause("changed", (YES,)),),)


def _changed_open(_today: date, _days: int) -> Groups:
    return ((*_OPEN, Clause("changed", (YES,))),)


def _no_orders(_today: date, _days: int) -> Groups:
    return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `days` and `score` are its numbers, 0 for none; `score` is a percentage of the highest score.

    `groups` makes the clauses of a day and a number of days. With `watched`, only watched orders are found. `first`
    is the date field whose earliest days are the worst, for more orders than can be shown.
    """

    name: str
    groups: Callable[[date, int], Groups] = _no_orders
    days: int = 0
    score: int = 0
    source: Source = "orders"
    watched: bool = False
    first: str = "imported"
    on: bool = True

    @property
    def title(self) -> str:
        """The rule's name as a person reads it."""
        return words.RULES[self.name]

    def words(self) -> str:
        """The rule as a sentence."""
        return words.rule_sentence(self.name, self.days, self.score, PAPER_DAYS)

    def groups_on(self, today: date, watched: Collection[int]) -> Groups:
        """The groups of clauses that find the rule's orders today; none if it is off."""
        if not self.on:
            return ()
        only = (Clause("number", tuple(map(str, sorted(watched)))),) if self.watched else ()
        return tuple((*clauses, *only) for clauses in self.groups(today, self.days))


# The worst first: of several reasons, the first one is said.
ALL_RULES: tuple[Rule, ...] = (
    Rule("in-doubt", source="outbox"),
    Rule("refused", source="outbox"),
    Rule("held", source="outbox"),
    Rule("vanished", _vanished),
    Rule("overdue", _overdue, days=1, first="due"),
    Rule("damaged", _damaged, days=7),
    Rule("undelivered", _undelivered, days=1, first="loaded"),
    Rule("scheduled-late", _scheduled_late, days=1, first="requested"),
    Rule("likely-late", source="forecast"),
    Rule("soon", _soon, days=1, first="due"),
    Rule("unreceived", _unreceived, days=2, first="estimated"),
    Rule("unscheduled", _unscheduled, days=3, first="received_on"),
    Rule("stuck", source="forecast"),
    Rule("no-proof", _without_proof, days=2, first="delivered_on"),
    Rule("overage", days=7, source="loads"),
    Rule(LOW_AUDIT, days=1, score=70, source="audits"),
    Rule("changed", _changed, watched=True),
    Rule("changed-open", _changed_open, on=False),
)
# Rules about orders for which a row of the table is enough.
RULES = tuple(rule for rule in ALL_RULES if rule.source == "orders")
# Rules that the filter knows by name: it finds foretold orders too.
FILTER_RULES = tuple(rule for rule in ALL_RULES if rule.source in ("orders", "forecast"))
PLACES: Mapping[str, int] = {rule.name: place for place, rule in enumerate(ALL_RULES)}


async def load_rules(desk: Desk) -> tuple[Rule, ...]:
    """All rules as they are set for this connection, the worst first. Raises `StoreError`."""
    return read_rules(await read_choice(desk, _CHOICE))


async def save_rule(desk: Desk, rule: Rule) -> None:
    """Save whether a rule is on, and its numbers. Raises `StoreError`."""
    rules = [rule if each.name == rule.name else each for each in await load_rules(desk)]
    await keep_choice(
        desk, _CHOICE, {each.name: {"on": each.on, "days": each.days, "score": each.score} for each in rules}
    )


def read_rules(saved: object) -> tuple[Rule, ...]:
    """The rules with the saved choices; a choice that cannot be read counts as the shipped one."""
    records = saved if isinstance(saved, Mapping) else {}
    return tuple(_set(rule, records.get(rule.name)) for rule in ALL_RULES)


def _set(rule: Rule, record: object) -> Rule:
    if not isinstance(record, Mapping):
        return rule
    days, score, on = record.get("days"), record.get("score"), record.get("on")
    if type(days) is int and 1 <= days <= LONGEST and rule.days:
        rule = replace(rule, days=days)
    if type(score) is int and 1 <= score <= 100 and rule.score:
        rule = replace(rule, score=score)
    return replace(rule, on=on) if isinstance(on, bool) else rule


def alternatives(
    rules: Sequence[Rule], today: date, watched: Collection[int], names: Collection[str] = ()
) -> tuple[tuple[Clause, ...], ...]:
    """A query's `either` for orders that meet any rule that is on, or any of `names` that is on."""
    chosen = [rule for rule in rules if not names or rule.name in names]
    return tuple(group for rule in chosen for group in rule.groups_on(today, watched))
