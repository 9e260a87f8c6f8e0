"""Turns a parsed filter into an `OrderQuery`: looks up what the cache does not know.

Watched and likely late orders become numbers, orders in the outbox become references, attention becomes the clauses of
its rules, and names of facilities become codes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from app.desk.desk import Desk
from app.desk.filter.filter_language import DESK_FIELDS, Filter, parse
from app.desk.filter.order_views import View
from app.desk.orders.watched_orders import watched
from app.desk.reasons.reason_rules import Rule, alternatives, load_rules
from app.store.cache import order_query
from app.store.cache.order_rows import ListName, OrderQuery
from app.store.cache.schema.conditions import Clause
from app.store.journal.outstanding_writes import references_in_outbox

_NAMED: Final = "facility"  # the field whose codes have names that the table shows in their place
_NOTHING: tuple[Clause, ...] = (Clause("number", ()),)


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The numbers and references that a filter names and no order has."""

    numbers: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


async def resolve(
    desk: Desk, parsed: Filter, sort: str, *, descending: bool, list_name: ListName | None = None
) -> OrderQuery:
    """The query of a filter. `list_name` limits it to one list; None is all lists. Raises `StoreError`."""
    today = desk.now().date()
    clauses = tuple(each for each in parsed.clauses if each.field not in DESK_FIELDS)
    if list_name is None and (lists := _one_list(clauses)) is not None:
        list_name, clauses = lists
    clauses = tuple([await _by_codes(desk, each) for each in clauses])
    either: tuple[tuple[Clause, ...], ...] = ()
    for clause in parsed.clauses:
        if clause.field == "watched":
            numbers = tuple(str(number) for number in await watched(desk))
            clauses += (Clause("number", numbers, negated=clause.negated),)
        elif clause.field == "outbox":
            clauses += (
                Clause(
                    "reference", await desk.journal.read(references_in_outbox, desk.profile.id), negated=clause.negated
                ),
            )
        elif clause.field == "likely_late":
            from app.desk.forecast.likely_late import likely_late_orders  # the first paint does without it

            numbers = tuple(map(str, await likely_late_orders(desk)))
            clauses += (Clause("number", numbers, negated=clause.negated),)
        elif clause.field == "attention":
            rules = await load_rules(desk)
            plain = alternatives(rules, today, await watched(desk), clause.values)
            # No group of clauses would mean no condition, and find every order.
            either = (*plain, *await _foretold(desk, rules, clause.values, today)) or (_NOTHING,)
    return OrderQuery(
        desk.profile.id, list_name, parsed.text, sort, descending, clauses=clauses, either=either, today=today
    )


async def _foretold(
    desk: Desk, rules: Sequence[Rule], names: Sequence[str], today: date
) -> tuple[tuple[Clause, ...], ...]:
    """The groups of clauses of the named rules that ask the forecast, as far as they are on. Raises `StoreError`.

    Only where they are named: a forecast reads half a year of orders, which no view should wait for.
    """
    asked = {rule.name for rule in rules if rule.on and rule.source == "forecast" and rule.name in names}
    groups: list[tuple[Clause, ...]] = []
    if "likely-late" in asked:
        from app.desk.forecast.likely_late import likely_late_orders  # the first paint does without it

        numbers = tuple(map(str, await likely_late_orders(desk)))
        groups.append((Clause("list", ("open",)), Clause("number", numbers)))
    if "stuck" in asked:
        from app.desk.forecast.likely_late import read_forecast
        from app.desk.forecast.stuck import usual_of

        groups += usual_of(await read_forecast(desk)).groups(today)
    return tuple(groups)


def _one_list(clauses: tuple[Clause, ...]) -> tuple[ListName, tuple[Clause, ...]] | None:
    """The one list that the clauses name, and the other clauses; None if they do not name exactly one."""
    named = [each for each in clauses if each.field == "list"]
    if len(named) != 1 or named[0].negated or len(named[0].values) != 1:
        return None
    names: dict[str, ListName] = {"open": "open", "completed": "completed", "other": "other"}
    return names[named[0].values[0]], tuple(each for each in clauses if each.field != "list")


async def _by_codes(desk: Desk, clause: Clause) -> Clause:
    """The clause with the names of facilities replaced by their codes."""
    if clause.field != _NAMED:
        return clause
    from app.store.cache import known_values  # the first paint does without it

    codes: list[str] = []
    for value in clause.values:
        found = await desk.reader.read(known_values.codes_named, desk.profile.id, _NAMED, value) if value else (value,)
        codes += found
    return clause._replace(values=tuple(dict.fromkeys(codes)))


async def names_in(desk: Desk, parsed: Filter, query: OrderQuery) -> tuple[dict[Clause, Clause], dict[str, str]]:
    """The facilities of a filter: the query's clause for each of its clauses, and the names of their codes.

    Raises `StoreError`.
    """
    typed, found = ([each for each in of if each.field == _NAMED] for of in (parsed.clauses, query.clauses))
    names = await value_names(desk, _NAMED, dict.fromkeys(code for each in found for code in each.values))
    return dict(zip(typed, found, strict=True)), names


async def view_query(desk: Desk, view: View) -> OrderQuery:
    """The query of a saved view. Raises `StoreError`."""
    parsed = parse(view.filter, desk.now().date())
    return await resolve(desk, parsed, view.sort, descending=view.descending)


async def view_count(desk: Desk, view: View) -> int:
    """How many orders a view shows, exactly. Can be cancelled. Raises `StoreError`."""
    return await desk.reader.read(order_query.count_orders, await view_query(desk, view))


async def counts_on_other_lists(desk: Desk, parsed: Filter) -> dict[ListName, int]:
    """How many orders a filter would find on each list, if it did not name lists; without lists of none.

    Empty if the filter names no list. Raises `StoreError`.
    """
    named = [each for each in parsed.clauses if each.field == "list"]
    if not named:
        return {}
    anywhere = replace(parsed, clauses=tuple(each for each in parsed.clauses if each.field != "list"))
    names: tuple[ListName, ...] = ("open", "completed", "other")
    counts: dict[ListName, int] = {}
    for name in names:
        query = await resolve(desk, anywhere, "number", descending=False, list_name=name)
        counts[name] = await desk.reader.read(order_query.count_orders, query)
    return {name: count for name, count in counts.items() if count}


async def value_counts(desk: Desk, query: OrderQuery, field: str) -> Sequence[tuple[str, int]]:
    """The values of a field among the orders that the query's other clauses find, the most frequent first."""
    return await desk.reader.read(order_query.facets, query, field)


async def value_names(desk: Desk, field: str, values: Iterable[str]) -> dict[str, str]:
    """The names of codes: only facilities have any, and the table shows them instead of their codes."""
    codes = tuple(values)
    if field != _NAMED or not codes:
        return {}
    from app.store.cache import known_values  # the first paint does without it

    return await desk.reader.read(known_values.names_of, desk.profile.id, _NAMED, codes)


async def find_unmatched(desk: Desk, query: OrderQuery) -> Unmatched:
    """The numbers and references that the query names and no order has."""
    found = {}
    for field in ("number", "reference"):
        named = [value for each in query.clauses if each.field == field and not each.negated for value in each.values]
        found[field] = await desk.reader.read(
            order_query.unmatched_values, desk.profile.id, field, tuple(dict.fromkeys(named))
        )
    return Unmatched(found["number"], found["reference"])
