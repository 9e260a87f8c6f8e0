"""Views of orders and audits, rules of attention and watched orders, each kept for its connection; their results."""

import json
from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from app.desk.audits import audit_views
from app.desk.audits.audit_filter import Narrowing
from app.desk.audits.audit_views import AUDITS, AuditsView
from app.desk.connections import connection_choices, saved_views
from app.desk.connections.saved_views import NameTaken
from app.desk.desk import Desk
from app.desk.filter import resolve_filter
from app.desk.filter.filter_language import parse
from app.desk.filter.order_views import ORDERS, SHIPPED, View
from app.desk.orders import watched_orders
from app.desk.reasons import reason_rules
from app.desk.reasons.reason_rules import ALL_RULES
from app.desk.sending import outbox
from app.store.cache import order_query, order_store
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AuditFacts
from app.store.cache.order_rows import COMMON_SORTS, INDEXED, ListName
from app.store.cache.schema.conditions import Clause
from tests.support.desks import submission
from tests.support.order_facts import facts

DAY = timedelta(days=1)


async def keep(desk: Desk, number: int, to: ListName = "open", **columns: Any) -> None:
    await desk.cache.write(order_store.store_orders, desk.profile.id, to, [facts(number, **columns)], desk.now())


async def found(desk: Desk, typed: str) -> list[int]:
    query = await resolve_filter.resolve(desk, parse(typed, desk.now().date()), "number", descending=False)
    lines = await desk.reader.read(order_query.page_orders, query, 100, 0)
    assert await desk.reader.read(order_query.count_orders, query) == len(lines)
    return [line.number for line in lines]


@pytest.mark.asyncio
async def test_views_are_kept_in_their_order(offline_desk: Desk) -> None:
    desk = offline_desk
    assert await saved_views.load_views(desk, ORDERS) == SHIPPED
    mine = View("Mine", "late", "crn", descending=False, columns=("crn", "state"))
    assert await saved_views.save_view(desk, ORDERS, mine) == (*SHIPPED, mine)
    renamed = View("Ours", "late", "crn", descending=False)
    assert await saved_views.save_view(desk, ORDERS, renamed, "Mine") == (*SHIPPED, renamed)
    moved = await saved_views.order_views(desk, ORDERS, ["Ours", "Watched"])
    assert [each.name for each in moved][:3] == ["Ours", "Watched", "Open"]
    assert await saved_views.delete_view(desk, ORDERS, "Open") == await saved_views.load_views(desk, ORDERS)
    assert "Open" in [each.name for each in await saved_views.restore_shipped(desk, ORDERS)]
    await saved_views.keep_views(desk, ORDERS, [mine])
    assert await saved_views.load_views(desk, ORDERS) == (mine,)


@pytest.mark.asyncio
async def test_a_view_s_name(offline_desk: Desk) -> None:
    for name, words in (("", "needs a name"), ("open", "called “open” already"), ("x" * 41, "at most 40")):
        with pytest.raises(NameTaken, match=words):
            await saved_views.save_view(offline_desk, ORDERS, View(name, ""))
    await saved_views.save_view(offline_desk, ORDERS, View("OPEN", "late"), "Open")


def test_odd_records_are_passed_over() -> None:
    read = saved_views.read_views(
        ORDERS, [1, {"name": "a"}, {"name": "b", "filter": "late", "sort": "x; DROP", "columns": 3}]
    )
    assert read == (View("b", "late"),)
    assert saved_views.read_views(ORDERS, []) == ()
    assert reason_rules.read_rules({"overdue": {"days": True, "on": "no"}, "vanished": 3}) == ALL_RULES
    assert reason_rules.read_rules({"overdue": {"days": 400}, "low-audit": {"score": 101}}) == ALL_RULES


def test_shipped_views_are_understood() -> None:
    for view in SHIPPED:
        assert not parse(view.filter, date(2026, 3, 1)).problems
        assert view.sort in {*INDEXED, *COMMON_SORTS}, "nobody waits for a shipped view"


@pytest.mark.asyncio
async def test_views_of_audits_are_kept_beside_those_of_orders(offline_desk: Desk) -> None:
    desk = offline_desk
    told = Narrowing("wrap", "left", ("Loading",), (), ("Lone Star", "Us"), "low", "-6..today")
    mine = AuditsView("Open", told, "score", descending=False, by="vendor")
    assert await saved_views.save_view(desk, AUDITS, mine) == (*audit_views.SHIPPED, mine)
    assert await saved_views.load_views(desk, AUDITS) == (*audit_views.SHIPPED, mine)
    assert await saved_views.load_views(desk, ORDERS) == SHIPPED
    assert await saved_views.delete_view(desk, AUDITS, "All") == (*audit_views.SHIPPED[1:], mine)
    assert (await saved_views.restore_shipped(desk, AUDITS))[-1] == audit_views.SHIPPED[0]
    with pytest.raises(NameTaken, match="called “flagged” already"):
        await saved_views.save_view(desk, AUDITS, replace(mine, name="flagged"), "Open")


@pytest.mark.parametrize(
    "part",
    [
        {"mark": "newer"}, {"score": "many"}, {"score": 3}, {"days": "some day"}, {"kind": "Loading"}, {"vendor": [1]},
        {"text": None},
    ],
)  # fmt: skip
def test_a_view_of_audits_with_an_odd_part_is_passed_over(part: dict[str, object]) -> None:
    kept = [
        {"name": "odd", "narrowing": part},
        {"name": "bare"},
        {"name": "plain", "narrowing": {}, "sort": "x", "by": 1},
    ]
    assert saved_views.read_views(AUDITS, kept) == (AuditsView("plain"),)


def test_shipped_views_of_audits_are_kept_as_they_are() -> None:
    for view in audit_views.SHIPPED:
        assert saved_views.read_views(AUDITS, json.loads(json.dumps([asdict(view)]))) == (view,)


@pytest.mark.asyncio
async def test_low_is_counted_on_the_scale_of_the_provider_and_the_range_is_kept(offline_desk: Desk) -> None:
    desk = offline_desk
    assert await audit_views.read_range(desk) == 0
    low = AuditsView("Low", Narrowing(score="low"))
    assert await audit_views.view_count(desk, low) == 0
    scores = (5.0, 3.5, 3.4, 0.0, None)
    facts_of = [AuditFacts(at, desk.now(), score=score) for at, score in enumerate(scores)]
    await desk.cache.write(audit_store.store_audits, desk.profile.id, facts_of, desk.now())
    assert await audit_views.view_count(desk, low) == 2
    await audit_views.save_range(desk, 365)
    assert await audit_views.read_range(desk) == 365
    await connection_choices.keep_choice(desk, "audits range", ["odd"])
    assert await audit_views.read_range(desk) == 0


@pytest.mark.asyncio
async def test_what_shipped_views_find(offline_desk: Desk) -> None:
    desk = offline_desk
    today = datetime.combine(desk.now().date(), datetime.min.time())
    await keep(desk, 1, state="DSO", scheduled_delivery=today + timedelta(hours=9))
    await keep(desk, 2, state="DSO", scheduled_delivery=today - DAY)
    await keep(desk, 3, "completed", state="CMP", delivered_at=today)
    await keep(desk, 4, "completed", state="CMP", delivered_at=today, extra={"ProofOfDelivery": [{"Folder": "POD"}]})
    await keep(desk, 5, "completed", state="CMP", delivered_at=today, extra={"ProofOfDelivery": [{"Folder": "BOL"}]})
    await keep(desk, 6, "other", state="AVL")
    lines = await desk.reader.read(order_query.orders_numbered, desk.profile.id, [4, 6])
    assert await watched_orders.watch(desk, lines) == ""
    wanted = {
        "Open": [1, 2],
        "Completed": [3, 4, 5],
        "Due today": [1],
        "Late": [2],
        "Needs attention": [2, 6],
        "Completed without POD": [5],
        "Watched": [4, 6],
    }
    for view in SHIPPED:
        assert await found(desk, view.filter) == wanted[view.name], view
        assert await resolve_filter.view_count(desk, view) == len(wanted[view.name])
    assert await found(desk, "-watched list:completed") == [3, 5]
    query = await resolve_filter.view_query(desk, SHIPPED[0])
    assert (query.list, query.clauses) == ("open", ()), "one list needs no clause"
    assert dict(await resolve_filter.value_counts(desk, query, "state")) == {"DSO": 2}


@pytest.mark.asyncio
async def test_rules_can_be_set(offline_desk: Desk) -> None:
    desk = offline_desk
    today = datetime.combine(desk.now().date(), datetime.min.time())
    await keep(desk, 1, state="AVL", received_at=today - 3 * DAY)
    await keep(desk, 2, state="AVL", received_at=today - 2 * DAY)
    await keep(desk, 3, state="DSO", loaded_at=today - DAY)
    await keep(desk, 4, state="STD", estimated_receive=today - 2 * DAY)
    await keep(desk, 5, state="PLN", requested_delivery=today + DAY, scheduled_delivery=today + 3 * DAY)
    await keep(desk, 6, state="CAN", received_at=today - 9 * DAY)
    assert await found(desk, "is:attention") == [1, 3, 4, 5]
    assert await found(desk, "attention:unscheduled") == [1]
    rules = {rule.name: rule for rule in await reason_rules.load_rules(desk) if rule.source == "orders"}
    met = {name: await found(desk, f"why:{name}") for name in rules}
    named = {"unscheduled": [1], "undelivered": [3], "unreceived": [4], "scheduled-late": [5]}
    assert met == {name: named.get(name, []) for name in rules}
    await reason_rules.save_rule(desk, replace(rules["unscheduled"], days=2))
    await reason_rules.save_rule(desk, replace(rules["undelivered"], on=False))
    assert await found(desk, "is:attention") == [1, 2, 4, 5]
    assert await found(desk, "attention:undelivered") == [], "a rule that is off finds nothing"
    rule = next(each for each in await reason_rules.load_rules(desk) if each.name == "unscheduled")
    assert (rule.days, rule.words()) == (2, "Received 2 days ago or more, and not scheduled.")
    assert replace(rule, days=1).words() == "Received 1 day ago or more, and not scheduled."
    for name in rules:
        await reason_rules.save_rule(desk, replace(rules[name], on=False))
    assert await found(desk, "is:attention") == []


@pytest.mark.asyncio
async def test_a_change_of_a_watched_order_is_told_once(offline_desk: Desk) -> None:
    desk = offline_desk
    await keep(desk, 1, state="AVL")
    lines = await desk.reader.read(order_query.orders_numbered, desk.profile.id, [1])
    await watched_orders.watch(desk, lines)
    await watched_orders.watch(desk, lines)
    assert list(await watched_orders.watched(desk)) == [1]
    assert list(await watched_orders.take_changes(desk)) == []
    await keep(desk, 1, state="DSO")
    assert [line.state for line in await watched_orders.take_changes(desk)] == ["DSO"]
    assert list(await watched_orders.take_changes(desk)) == []
    await watched_orders.unwatch(desk, [1])
    await keep(desk, 1, state="PLN")
    assert list(await watched_orders.take_changes(desk)) == []
    await connection_choices.keep_choice(desk, "watched", ["odd"])
    assert await watched_orders.watched(desk) == {}


@pytest.mark.asyncio
async def test_too_many_cannot_be_watched(offline_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_orders, "MOST", 1)
    for number in (1, 2):
        await keep(offline_desk, number)
    lines = await offline_desk.reader.read(order_query.orders_numbered, offline_desk.profile.id, [1, 2])
    assert "Stop watching some first" in await watched_orders.watch(offline_desk, lines)
    assert await watched_orders.watched(offline_desk) == {}


@pytest.mark.asyncio
async def test_what_is_in_the_outbox_and_what_is_missing(offline_desk: Desk) -> None:
    desk = offline_desk
    await keep(desk, 1, crn="R-1")
    await keep(desk, 2, crn="R-2")
    await outbox.queue_submission(desk, submission("R-1"), None)
    assert await found(desk, "is:outbox") == [1]
    assert await found(desk, "-is:outbox") == [2]
    asked = parse("reference:r-2,R-9 number:1,7", desk.now().date())
    query = await resolve_filter.resolve(desk, asked, "number", descending=True)
    missing = await resolve_filter.find_unmatched(desk, query)
    assert (missing.numbers, missing.references) == (("7",), ("R-9",))
    assert query.clauses[0] == Clause("reference", ("r-2", "R-9"))
