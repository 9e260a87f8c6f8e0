"""The board of *Today*: one line for each thing that needs somebody, the worst first, in a group for each rule.

Invariants: an order stands once, under the worst rule that finds it; every count is exact, also where a group shows
only its worst lines; what was put off stands apart and is not counted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from app.desk.desk import Desk
from app.desk.forecast.foretold import Foretold, foretold_reason
from app.desk.forecast.likely_late import Ground, likely_late_orders, read_forecast
from app.desk.forecast.stuck import Usual, usual_of
from app.desk.orders.watched_orders import watched
from app.desk.reasons import reasons_words
from app.desk.reasons.order_reasons import Reason, reason_by, reasons_of
from app.desk.reasons.reason_rules import PLACES, Rule, load_rules
from app.desk.sending.outstanding_orders import OutboxLine, lines_of
from app.desk.today import today_words as words
from app.desk.today.other_troubles import other_troubles
from app.desk.today.put_off import PutOff, read_put_offs
from app.store.cache import order_query, trouble_query
from app.store.cache.order_rows import OrderLine
from app.store.cache.schema.conditions import Clause
from app.store.cache.trouble_query import Keys, TroubleQuery

SHOWN = 100  # lines of a group
_ORDER = "order"
NamesOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class TodayLine:
    """One thing that needs somebody. `kind` and `name` say what: an order and its number, a write and its id, an audit
    and its number, a load and its name. `also` names the other rules that find it; `put_off` is set while it is.

    `sent` is the order of a write, as this desk sent it or knows it.
    """

    kind: str
    name: str
    title: str
    reason: Reason
    also: tuple[str, ...] = ()
    order: OrderLine | None = None
    put_off: PutOff | None = None
    sent: OutboxLine | None = None

    @property
    def key(self) -> str:
        """Tells the line from all others, whatever its reason."""
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class TodayGroup:
    """The finds of one rule: how many, and the worst lines of them."""

    rule: Rule
    count: int
    lines: tuple[TodayLine, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Today: the groups that find something, what was put off (the first to show again first), and what is done."""

    groups: tuple[TodayGroup, ...] = ()
    snoozed: tuple[TodayLine, ...] = ()
    done: tuple[TodayLine, ...] = ()

    @property
    def count(self) -> int:
        """How many things need somebody."""
        return sum(group.count for group in self.groups)


async def count_board(desk: Desk, *, foretell: bool = True) -> int:
    """How many things need somebody, without reading rows; `foretell` as of `read_board`. Raises `StoreError`."""
    return (await read_board(desk, 0, foretell=foretell)).count


async def read_board(desk: Desk, shown: int = SHOWN, names_of: NamesOf = str, *, foretell: bool = True) -> Board:
    """The board as it is now, with at most `shown` lines a group. Raises `StoreError`.

    Without `foretell` no order is called likely late: a forecast is made of half a year of orders.

    `names_of` gives the title of a column that changed, empty for one that has none.
    """
    now = desk.now()
    rules = [rule for rule in await load_rules(desk) if rule.on and (foretell or rule.source != "forecast")]
    names = {rule.name for rule in rules}
    grounds = await likely_late_orders(desk) if "likely-late" in names else {}
    usual = usual_of(await read_forecast(desk)) if "stuck" in names else Usual({})
    judge = _Judge(desk, rules, now.date(), frozenset(await watched(desk)), names_of, grounds, usual)
    put_offs = {key: each for key, each in (await read_put_offs(desk)).items() if now < each.until}
    away = await _put_off_orders(desk, judge, put_offs, now)
    taken = await desk.reader.read(
        trouble_query.keys_numbered, desk.profile.id, [int(line.name) for line in away if line.order is not None]
    )
    groups = []
    for rule in rules:
        if rule.source in ("orders", "forecast"):
            group, taken = await judge.orders(rule, taken, shown)
        else:
            group, put = await judge.others(rule, put_offs, shown, now)
            away += put
        if group.count:
            groups.append(group)
    snoozed = sorted((line for line in away if not _is_done(line)), key=_until)
    return Board(tuple(groups), tuple(snoozed), tuple(sorted(filter(_is_done, away), key=_put_at, reverse=True)))


async def count_by_rule(desk: Desk, rules: Sequence[Rule]) -> dict[str, int]:
    """How many things each of these rules would find if it were on, each alone. Raises `StoreError`."""
    today, numbers = desk.now().date(), await watched(desk)
    found = {}
    for rule in (replace(each, on=True) for each in rules):
        if rule.source == "orders":
            query = TroubleQuery(desk.profile.id, rule.groups_on(today, numbers), rule.first, today)
            found[rule.name] = await _count_of(desk, query)
        elif rule.name == "likely-late":
            found[rule.name] = len(await likely_late_orders(desk))
        elif rule.name == "stuck":
            groups = usual_of(await read_forecast(desk)).groups(today)
            found[rule.name] = await _count_of(desk, TroubleQuery(desk.profile.id, groups, rule.first, today))
        else:
            found[rule.name] = len(await other_troubles(desk, rule))
    return found


async def _count_of(desk: Desk, query: TroubleQuery) -> int:
    nothing = await desk.reader.read(trouble_query.keys_numbered, desk.profile.id, ())
    alone, _ = await desk.reader.read(trouble_query.find_trouble, query, nothing, 0, _by_number)
    return alone.orders


@dataclass(frozen=True, slots=True)
class _Judge:
    """The facts on which the reason of an order depends besides its row."""

    desk: Desk
    rules: Sequence[Rule]
    today: date
    watched: Collection[int]
    names_of: NamesOf
    grounds: Mapping[int, Ground]  # of the orders that are likely late
    usual: Usual

    def reasons(self, line: OrderLine) -> tuple[Reason, ...]:
        found = reasons_of(line, self.rules, self.today, self.watched, self.names_of)
        return Foretold(self.grounds, self.usual).with_reasons(line, found, self.today)

    async def orders(self, rule: Rule, taken: Keys, shown: int) -> tuple[TodayGroup, Keys]:
        """The orders of a rule that no rule before it has taken, and all that are taken then."""
        groups = rule.groups_on(self.today, self.watched)
        if rule.name == "stuck":
            groups = self.usual.groups(self.today)
        elif rule.name == "likely-late":
            groups = ((Clause("list", ("open",)), Clause("number", tuple(map(str, self.grounds)))),)
        query = TroubleQuery(self.desk.profile.id, groups, rule.first, self.today)
        # Sorted on the thread that reads: a thousand reasons are too much for the thread that paints.
        worst = partial(_worst_first, rule.name, self)
        found, taken = await self.desk.reader.read(trouble_query.find_trouble, query, taken, shown, worst)
        lines = [line for each in found.lines if (line := self._line(rule, each)) is not None]
        return TodayGroup(rule, found.orders, tuple(await self._dated(rule, lines))), taken

    def _line(self, rule: Rule, order: OrderLine) -> TodayLine | None:
        reasons = self.reasons(order)
        reason = next((each for each in reasons if each.rule == rule.name), None)
        also = tuple(reasons_words.RULES[each.rule] for each in reasons if PLACES[each.rule] > PLACES[rule.name])
        return None if reason is None else _order_line(order, reason, also)

    async def _dated(self, rule: Rule, lines: list[TodayLine]) -> list[TodayLine]:
        """The lines with the day that their rows do not say."""
        numbers = [int(line.name) for line in lines]
        if rule.name == "vanished":
            read = trouble_query.left_open_at
        elif rule.name in ("changed", "changed-open"):
            read = trouble_query.changed_at
        else:
            return lines
        since = await self.desk.reader.read(read, self.desk.profile.id, numbers)
        return [self._since(line, since.get(int(line.name))) for line in lines]

    def _since(self, line: TodayLine, when: datetime | None) -> TodayLine:
        if when is None:
            return line
        reason = replace(line.reason, since=when.date(), days=(self.today - when.date()).days)
        if line.reason.rule == "vanished":
            reason = replace(reason, why=reasons_words.left_open(reasons_words.day(when.date(), self.today)))
        return replace(line, reason=reason)

    async def others(
        self, rule: Rule, put_offs: dict[str, PutOff], shown: int, now: datetime
    ) -> tuple[TodayGroup, list[TodayLine]]:
        """The finds of a rule that is not about orders, and which of them are put off."""
        here, away = [], []
        for each in await other_troubles(self.desk, rule):
            line = TodayLine(each.kind, each.name, each.title, each.reason)
            entry = put_offs.get(line.key)
            if entry is None or entry.has_ended(each.reason, now):
                here.append(line)
            else:
                away.append(replace(line, put_off=entry))
        if rule.source == "outbox" and shown:
            here[:shown], away = await self._with_orders(here[:shown]), await self._with_orders(away)
        return TodayGroup(rule, len(here), tuple(here[:shown])), away

    async def _with_orders(self, lines: list[TodayLine]) -> list[TodayLine]:
        """Give each line about a write its order: the dispatcher who works it off has to know whom to call."""
        sent = await lines_of(self.desk, [int(line.name) for line in lines])
        return [replace(line, sent=sent.get(int(line.name))) for line in lines]


async def _put_off_orders(desk: Desk, judge: _Judge, put_offs: dict[str, PutOff], now: datetime) -> list[TodayLine]:
    """The orders that are put off and still have a reason no worse than then."""
    kinds = {key: key.partition(":") for key in put_offs}
    numbers = [int(name) for kind, _, name in kinds.values() if kind == _ORDER and name.isdecimal()]
    if not numbers:
        return []
    found = []
    for order in await desk.reader.read(order_query.orders_numbered, desk.profile.id, numbers):
        reasons, entry = judge.reasons(order), put_offs[f"{_ORDER}:{order.number}"]
        if reasons and not entry.has_ended(reasons[0], now):
            also = tuple(reasons_words.RULES[each.rule] for each in reasons[1:])
            found.append(replace(_order_line(order, reasons[0], also), put_off=entry))
    return found


def _order_line(order: OrderLine, reason: Reason, also: tuple[str, ...]) -> TodayLine:
    title = order.crn or words.order_title(order.number)
    return TodayLine(_ORDER, str(order.number), title, reason, also, order)


def _worst_first(rule: str, judge: _Judge, line: OrderLine) -> tuple[int, int]:
    if rule == "likely-late":
        return -foretold_reason(judge.grounds[line.number]).days, line.number
    if rule == "stuck":
        stuck = judge.usual.reason(line, judge.today)
        return 0 if stuck is None else -stuck.days, line.number
    return -reason_by(rule, line, judge.today).days, line.number


def _by_number(line: OrderLine) -> tuple[int, int]:
    return 0, line.number


def _is_done(line: TodayLine) -> bool:
    return line.put_off is not None and line.put_off.done


def _until(line: TodayLine) -> tuple[datetime, str]:
    assert line.put_off is not None
    return line.put_off.until, line.key


def _put_at(line: TodayLine) -> tuple[datetime, str]:
    assert line.put_off is not None
    return line.put_off.at, line.key
