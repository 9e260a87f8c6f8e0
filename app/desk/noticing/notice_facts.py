"""The facts that can be noticed, as the stores have them now.

Invariant: a fact is told from all others by kind, key and mark, none of which is a name, so what was noticed can be
kept without keeping whom it was about.
"""

from dataclasses import dataclass

from app.desk.desk import Desk
from app.desk.noticing.notice_choices import Kind
from app.desk.orders.watched_orders import standing, watched
from app.desk.reasons.clause_on_row import due_day
from app.desk.reasons.reason_rules import Rule, load_rules
from app.store.cache import order_query, trouble_query
from app.store.cache.order_rows import OrderLine
from app.store.cache.trouble_query import TroubleQuery
from app.store.journal import write_store
from app.store.journal.records import WriteRow, WriteState

_MOST = trouble_query.FEW
_STATES: dict[str, WriteState] = {"refused": "rejected", "in-doubt": "in_doubt"}


@dataclass(frozen=True, slots=True)
class Fact:
    """`key` says what it is about: the id of a write, the number of an order or audit. `mark` is how that stands: with
    another mark it is another fact. Without a mark nothing is known of it now.

    `called` is how people call it, for a notice that may say so; `cancels` tells a cancellation from an order.
    """

    kind: Kind
    key: int
    mark: str
    called: str = ""
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The facts of a kind, and the `scope` in which they were looked for: in another one, all of them are new."""

    facts: tuple[Fact, ...] = ()
    scope: str = ""


async def read_facts(desk: Desk, kind: Kind, horizon: int) -> Reading:
    """The facts of a kind now; `horizon` is how many days of orders have been fetched. Raises `StoreError`."""
    if kind in _STATES:
        return await _writes(desk, kind)
    if kind == "watched":
        return await _watched(desk)
    rule = next(each for each in await load_rules(desk) if each.name == kind)
    if not rule.on:
        return Reading()  # who does not want it in *Today* does not want it noticed
    return await (_soon(desk, rule, horizon) if kind == "soon" else _low_audits(desk, rule))


async def _writes(desk: Desk, kind: Kind) -> Reading:
    rows = await desk.journal.read(write_store.writes_page, desk.profile.id, (_STATES[kind],), _MOST)
    return Reading(tuple(_of_write(kind, each) for each in rows))


def _of_write(kind: Kind, row: WriteRow) -> Fact:
    # Not the number of the last change: a note about a write in doubt is changed at each look at the provider.
    return Fact(kind, row.id, f"{row.attempts}", row.reference, row.kind == "cancel")


async def _watched(desk: Desk) -> Reading:
    numbers = await watched(desk)
    lines = await desk.reader.read(order_query.orders_numbered, desk.profile.id, list(numbers)) if numbers else []
    here = {each.number: each for each in lines}
    return Reading(tuple(_of_watched(number, here.get(number)) for number in numbers))


def _of_watched(number: int, line: OrderLine | None) -> Fact:
    if line is None:  # the cache was deleted, and it has not been fetched again yet
        return Fact("watched", number, "")
    return Fact("watched", number, standing(line), line.crn or f"{number}")


async def _soon(desk: Desk, rule: Rule, horizon: int) -> Reading:
    today = desk.now().date()
    query = TroubleQuery(desk.profile.id, rule.groups_on(today, ()), rule.first, today)
    nothing = await desk.reader.read(trouble_query.keys_numbered, desk.profile.id, ())
    found, _ = await desk.reader.read(trouble_query.find_trouble, query, nothing, _MOST, _by_number)
    facts = (Fact("soon", each.number, f"{due_day(each)}", each.crn or f"{each.number}") for each in found.lines)
    return Reading(tuple(facts), f"{horizon} days, {rule.days} before")


async def _low_audits(desk: Desk, rule: Rule) -> Reading:
    from app.desk.today.other_troubles import other_troubles  # brings the client, which the first paint does without

    found = await other_troubles(desk, rule)
    facts = (Fact("low-audit", int(each.name), "low", each.name) for each in found)
    return Reading(tuple(facts), f"{rule.days} days, below {rule.score}")


def _by_number(line: OrderLine) -> tuple[int, int]:
    return 0, line.number
