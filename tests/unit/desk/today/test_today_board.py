"""*Today* on mornings whose trouble is known: just that, in order, with the true reason; what is put off; the cost."""

import json
import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import apsw
import pytest

from app.desk.desk import Desk
from app.desk.filter import resolve_filter
from app.desk.filter.filter_language import parse
from app.desk.orders import stored_orders, watched_orders
from app.desk.reasons import reason_rules
from app.desk.reasons.clause_on_row import holds
from app.desk.reasons.order_reasons import reasons_of
from app.desk.reasons.reason_rules import ALL_RULES, RULES, save_rule
from app.desk.today import put_off
from app.desk.today.board import Board, TodayLine, count_board, count_by_rule, read_board
from app.store.cache import order_query, order_store, trouble_query
from app.store.cache.index import key_sets
from app.store.cache.order_rows import OrderQuery
from app.store.cache.schema.conditions import FIELDS, STEPS, Clause
from app.store.journal import held_writes, write_store
from app.store.journal.records import WriteKind
from tests.support.mornings import DAY, NOW, TODAY, TROUBLES, Expected, Morning, in_order, keep_morning, make_morning
from tests.support.order_facts import facts


@pytest.fixture
def morning_desk(offline_desk: Desk) -> Desk:
    """A desk on a morning that stands still."""
    return replace(offline_desk, now=lambda: NOW)


def shown(board: Board) -> list[Expected]:
    return [
        Expected(each.rule.name, line.title, line.reason.what, line.reason.why, line.reason.since)
        for each in board.groups
        for line in each.lines
    ]


def expected(made: Morning) -> list[Expected]:
    return [replace(each, worse=0) for each in in_order(made)]


def line_of(board: Board, title: str) -> TodayLine:
    return next(line for each in board.groups for line in each.lines if line.title == title)


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(10))
async def test_a_morning_has_exactly_its_trouble_the_worst_first(morning_desk: Desk, seed: int) -> None:
    made = make_morning(seed)
    await keep_morning(morning_desk, made, indexed=seed % 2 == 0)
    board = await read_board(morning_desk)
    assert shown(board) == expected(made)
    assert board.count == len(made.expected) == await count_board(morning_desk)
    assert board.snoozed == board.done == ()


@pytest.mark.asyncio
@pytest.mark.parametrize("name", [*TROUBLES, "changed-open"])
async def test_a_rule_finds_its_trouble_and_nothing_does_without_it(morning_desk: Desk, name: str) -> None:
    desk, made = morning_desk, Morning(random.Random(7))
    for trouble in TROUBLES.get(name, TROUBLES["changed"]):
        trouble(made)
    if name == "changed-open":
        made.watched.clear()
    await keep_morning(desk, made)
    for rule in ALL_RULES:
        await save_rule(desk, replace(rule, on=rule.name == name))
    board = await read_board(desk)
    assert [each.rule.name for each in board.groups] == [name]
    assert sorted(line.title for line in board.groups[0].lines) == sorted(each.title for each in made.expected)
    rule = board.groups[0].rule
    assert (await count_by_rule(desk, ALL_RULES))[name] == board.count == len(made.expected)
    await save_rule(desk, replace(rule, on=False))
    assert (await read_board(desk)).count == 0
    assert (await count_by_rule(desk, [replace(rule, on=False)]))[name] == len(made.expected), "what it would find"


@pytest.mark.asyncio
async def test_numbers_of_rules_move_their_edges(morning_desk: Desk) -> None:
    desk, made = morning_desk, Morning(random.Random(1))
    for days in (1, 2, 3):
        made.add(requested_delivery=TODAY - days * DAY)
    await keep_morning(desk, made)
    rules = {each.name: each for each in ALL_RULES}
    for days, left in ((1, 3), (2, 2), (3, 1), (4, 0)):
        await save_rule(desk, replace(rules["overdue"], days=days))
        assert await count_board(desk) == left
        rule = (await reason_rules.load_rules(desk))[reason_rules.PLACES["overdue"]]
        assert rule.words().startswith(f"Due {days} day")


@pytest.mark.asyncio
async def test_an_order_stands_once_under_the_worst_and_says_what_else_is_wrong(morning_desk: Desk) -> None:
    made = Morning(random.Random(1))
    title = made.add(
        state="AVL", received_at=TODAY - 9 * DAY, requested_delivery=TODAY - 2 * DAY, estimated_receive=TODAY - 9 * DAY
    )
    await keep_morning(morning_desk, made)
    board = await read_board(morning_desk)
    assert [(each.rule.name, each.count) for each in board.groups] == [("overdue", 1)]
    assert line_of(board, title).also == ("Not scheduled",)


@pytest.mark.asyncio
async def test_a_likely_late_order_is_listed_with_its_ground_and_can_be_put_off(morning_desk: Desk) -> None:
    desk, made = morning_desk, Morning(random.Random(1))
    for _ in range(24):  # took ten days, and had five
        began = TODAY - 30 * DAY
        made.add(
            "completed",
            state="CMP",
            facility_id="MEM01",
            imported_at=began,
            requested_delivery=began + 5 * DAY,
            delivered_at=began + 10 * DAY,
        )
    title = made.add(facility_id="MEM01", imported_at=TODAY - DAY, requested_delivery=TODAY + 4 * DAY)
    made.add(facility_id="MEM01", imported_at=TODAY - DAY, requested_delivery=TODAY + 20 * DAY)
    await keep_morning(desk, made)
    board = await read_board(desk)
    assert [(each.rule.name, each.count) for each in board.groups] == [("likely-late", 1)]
    line = line_of(board, title)
    assert line.reason.what == "Likely late"
    assert line.reason.why.startswith("9 of 10 at MEM01 ")
    assert await count_board(desk) == 1
    assert await count_board(desk, foretell=False) == 0
    assert (await count_by_rule(desk, ALL_RULES))["likely-late"] == 1
    assert await titles_by_why(desk, "likely-late") == [title]
    await put_off.keep_put_off(desk, line.key, put_off.done_today(line.reason, NOW))
    board = await read_board(desk)
    assert (board.count, [each.title for each in board.done]) == (0, [title])
    await save_rule(desk, replace(ALL_RULES[reason_rules.PLACES["likely-late"]], on=False))
    assert (await read_board(desk)).groups == ()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("first", "columns", "why"),
    [
        ("imported_at", {}, "imported Tue 10 Nov; 9 of 10 at MEM01 are delivered within 9 days of import"),
        (
            "received_at",
            {"state": "AVL"},
            "received Tue 10 Nov; 9 of 10 at MEM01 are delivered within 9 days of receipt",
        ),
        ("loaded_at", {"state": "DSO"}, "loaded Tue 10 Nov; 9 of 10 at MEM01 are delivered within 9 days of loading"),
    ],
)
async def test_an_order_that_waits_longer_than_usual_at_its_facility_is_stuck(
    morning_desk: Desk, first: str, columns: dict[str, Any], why: str
) -> None:
    desk, made = morning_desk, Morning(random.Random(1))
    for number in range(20):  # nine of ten took 9 days, the others 15
        began, took = TODAY - 60 * DAY, (9 if number < 18 else 15) * DAY
        done = {"state": "CMP", "facility_id": "MEM01", "requested_delivery": began, "delivered_at": began + took}
        made.add("completed", **{"imported_at": began - 9 * DAY, first: began, **done})
    stuck = {"facility_id": "mem01" if first == "loaded_at" else "MEM01", **columns}
    title = made.add(**{"imported_at": TODAY - 10 * DAY, **stuck, first: TODAY - 10 * DAY})
    made.add(**{"imported_at": TODAY - 9 * DAY, **stuck, first: TODAY - 9 * DAY})
    made.add(**{"imported_at": TODAY - 40 * DAY, **stuck, first: TODAY - 40 * DAY, "facility_id": "NEW01"})
    await keep_morning(desk, made)
    for rule in ALL_RULES:
        await save_rule(desk, replace(rule, on=rule.name == "stuck"))
    board = await read_board(desk)
    assert [(each.rule.name, each.count) for each in board.groups] == [("stuck", 1)]
    assert line_of(board, title).reason.why == why.replace("MEM01", stuck["facility_id"])
    assert await count_board(desk, foretell=False) == 0
    assert (await count_by_rule(desk, ALL_RULES))["stuck"] == 1
    assert await titles_by_why(desk, "stuck") == [title]
    assert await titles_by_why(desk, "stuck,overdue") == [title]
    assert await titles_by_why(desk, "likely-late") == []  # that rule is off


async def titles_by_why(desk: Desk, names: str) -> list[str]:
    """The references that `why:` finds."""
    query = await resolve_filter.resolve(desk, parse(f"why:{names}", TODAY.date()), "number", descending=False)
    found = await desk.reader.read(order_query.page_orders, query, 50)
    return [each.crn or "" for each in found]


# Put off, and done


async def one_overdue(desk: Desk, **columns: Any) -> str:
    made = Morning(random.Random(1))
    title = made.add(**{"requested_delivery": TODAY - 2 * DAY, **columns})
    await keep_morning(desk, made)
    return title


@pytest.mark.asyncio
async def test_a_snooze_ends_at_its_time(morning_desk: Desk) -> None:
    desk = morning_desk
    title = await one_overdue(desk)
    line = line_of(await read_board(desk), title)
    entry = put_off.snoozed(line.reason, NOW + timedelta(hours=1), NOW, " waits for a call \n")
    assert await put_off.keep_put_off(desk, line.key, entry) is None
    board = await read_board(desk)
    assert (board.count, [each.title for each in board.snoozed], board.done) == (0, [title], ())
    assert await count_board(desk) == 0
    kept = board.snoozed[0].put_off
    assert kept is not None
    assert (kept.words, kept.until) == ("waits for a call", NOW + timedelta(hours=1))
    later = replace(desk, now=lambda: NOW + timedelta(minutes=59, seconds=59))
    assert (await read_board(later)).count == 0
    later = replace(desk, now=lambda: NOW + timedelta(hours=1))
    board = await read_board(later)
    assert (board.count, board.snoozed) == (1, ())


@pytest.mark.asyncio
async def test_done_for_today_ends_tomorrow_and_can_be_undone(morning_desk: Desk) -> None:
    desk = morning_desk
    title = await one_overdue(desk)
    line = line_of(await read_board(desk), title)
    before = await put_off.keep_put_off(desk, line.key, put_off.done_today(line.reason, NOW))
    board = await read_board(desk)
    assert (board.count, [each.title for each in board.done], board.snoozed) == (0, [title], ())
    late_evening = replace(desk, now=lambda: datetime(2026, 11, 20, 23, 59))
    assert (await read_board(late_evening)).count == 0
    next_day = replace(desk, now=lambda: datetime(2026, 11, 21, 0, 0))
    assert (await read_board(next_day)).count == 1
    undone = await put_off.keep_put_off(desk, line.key, before)
    assert undone is not None
    assert undone.done
    assert (await read_board(desk)).count == 1


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("change", "shows"),
    [
        ({"scheduled_delivery": TODAY - DAY}, True),  # planned later than it was requested: worse
        ({"extra": {"ProofOfDelivery": [{"Folder": "DAM"}]}}, False),  # damage comes after overdue
        ({"remarks": "call"}, False),
        ({"estimated_receive": TODAY}, False),
    ],
)
async def test_a_snooze_ends_when_matters_get_worse(morning_desk: Desk, change: dict[str, Any], shows: bool) -> None:
    desk = morning_desk
    title = await one_overdue(desk)
    line = line_of(await read_board(desk), title)
    await put_off.keep_put_off(desk, line.key, put_off.snoozed(line.reason, NOW + 9 * DAY, NOW))
    assert line.order is not None
    told: dict[str, Any] = {
        "crn": title,
        "state": "STD",
        "imported_at": TODAY - 5 * DAY,
        "requested_delivery": TODAY - 2 * DAY,
    }
    changed = facts(line.order.number, **{**told, **change})
    await desk.cache.write(order_store.store_orders, desk.profile.id, "open", [changed], NOW)
    board = await read_board(desk)
    assert (board.count, len(board.snoozed)) == ((1, 0) if shows else (0, 1))


@pytest.mark.asyncio
async def test_a_snoozed_order_that_vanishes_shows_and_one_that_is_mended_is_forgotten(morning_desk: Desk) -> None:
    desk = morning_desk
    title = await one_overdue(desk)
    line = line_of(await read_board(desk), title)
    await put_off.keep_put_off(desk, line.key, put_off.snoozed(line.reason, NOW + 9 * DAY, NOW))
    assert line.order is not None
    told: dict[str, Any] = {"crn": title, "imported_at": TODAY - 5 * DAY, "requested_delivery": TODAY - 2 * DAY}
    gone = facts(line.order.number, state="AVL", **told)
    await desk.cache.write(order_store.store_orders, desk.profile.id, "other", [gone], NOW)
    assert [each.rule.name for each in (await read_board(desk)).groups] == ["vanished"]
    done = facts(line.order.number, state="CMP", delivered_at=TODAY, **told)
    await desk.cache.write(order_store.store_orders, desk.profile.id, "completed", [done], NOW + timedelta(minutes=1))
    board = await read_board(desk)
    assert (board.count, board.snoozed) == (0, ())


@pytest.mark.asyncio
async def test_writes_audits_and_loads_are_put_off_too(morning_desk: Desk) -> None:
    desk, made = morning_desk, Morning(random.Random(3))
    for name in ("refused", "low-audit", "overage"):
        TROUBLES[name][0](made)
    await keep_morning(desk, made)
    board = await read_board(desk)
    assert board.count == 3
    for group in board.groups:
        for line in group.lines:
            await put_off.keep_put_off(desk, line.key, put_off.done_today(line.reason, NOW))
    board = await read_board(desk)
    assert (board.count, len(board.done)) == (0, 3)


@pytest.mark.asyncio
async def test_entries_that_are_over_or_odd_are_dropped(morning_desk: Desk) -> None:
    desk = morning_desk
    title = await one_overdue(desk)
    line = line_of(await read_board(desk), title)
    await put_off.keep_put_off(desk, "order:1", put_off.snoozed(line.reason, NOW - DAY, NOW - 2 * DAY))
    await put_off.keep_put_off(desk, line.key, put_off.snoozed(line.reason, NOW + DAY, NOW))
    assert list(await put_off.read_put_offs(desk)) == [line.key]
    from app.store.journal import setting_store

    odd = {"order:1": 3, "order:2": {"until": "soon"}, "order:3": {"until": NOW.isoformat(), "at": NOW.isoformat()}}
    await desk.journal.write(setting_store.write_setting, f"today/{desk.profile.id}", odd)
    assert await put_off.read_put_offs(desk) == {}
    assert (await read_board(desk)).count == 1


# The row and the index say the same


_DATES = [*[None] * 5, *(TODAY + days * DAY + timedelta(hours=9) for days in (-31, -9, -3, -2, -1, 0, 1, 2, 9))]


def _any_order(chance: random.Random, number: int) -> Any:
    folders = chance.choice((None, [], ["POD"], ["DAM", "POD"], ["BOL"], ["RF"]))
    flags = (None, True, False)
    return facts(
        number,
        crn=chance.choice((None, f"R-{number}", f"r-{number % 5}")),
        state=chance.choice((None, "STD", "AVL", "DSO", "CMP", "CAN")),
        city=chance.choice((None, "Memphis", "São Paulo", "memphis")),
        zip=chance.choice((None, "38103", "37000-1234")),
        facility_id=chance.choice((None, "MEM01", "mem01")),
        imported_at=chance.choice(_DATES),
        requested_delivery=chance.choice(_DATES),
        scheduled_delivery=chance.choice(_DATES),
        delivered_at=chance.choice(_DATES),
        received_at=chance.choice(_DATES),
        loaded_at=chance.choice(_DATES),
        estimated_receive=chance.choice(_DATES),
        is_received=chance.choice(flags),
        is_delivered=chance.choice(flags),
        extra=None if folders is None else {"ProofOfDelivery": [{"Folder": each} for each in folders]},
    )


_CLAUSES = [
    *(Clause(name, (value,)) for name, field in FIELDS.items() if field.kind == "date" for value in ("any", "none")),
    *(Clause(name, first=TODAY.date(), last=TODAY.date() + 2 * DAY) for name in ("due", "loaded", "imported")),
    *(Clause(name, last=TODAY.date() - 2 * DAY) for name in ("received_on", "estimated", "delivered_on", "due")),
    *(Clause(name, (days,)) for name in ("late", "over") for days in ("1", "3", "9")),
    Clause("late"),
    *(Clause(step, days) for step in STEPS for days in (("2", ""), ("", "3"), ("0", "0"))),
    *(Clause("has", (code,)) for code in ("POD", "any", "none", "dam")),
    *(Clause(name, (flag,)) for name in ("received", "delivered") for flag in ("yes", "no", "none")),
    Clause("state", ("CMP", "CAN")),
    Clause("state", ("",)),
    Clause("city", ("são paulo", "MEMPHIS")),
    Clause("city", ("",)),
    Clause("facility", ("MEM01",)),
    Clause("zip", ("381",)),
    Clause("zip", ("37000-12",)),
    Clause("zip", ("",)),
    Clause("list", ("open", "other")),
    Clause("reference", ("R-1001", "R-3")),
    Clause("number", ("1001", "1002", "x")),
    Clause("changed", ("yes",)),
]


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_row_and_the_index_agree_about_every_clause_and_rule(morning_desk: Desk) -> None:
    desk, chance, profile = morning_desk, random.Random(5), morning_desk.profile.id
    for name in ("open", "completed", "other"):
        first = {"open": 1_000, "completed": 2_000, "other": 3_000}[name]
        orders = [_any_order(chance, number) for number in range(first, first + 900)]
        await desk.cache.write(order_store.store_orders, profile, name, orders, NOW - DAY)
    changed = [facts(number, crn=f"R-{number}", state="STD") for number in range(1_000, 1_040)]
    await desk.cache.write(order_store.store_orders, profile, "open", changed, NOW)
    every = await desk.reader.read(order_query.page_orders, OrderQuery(profile, None), 9_000, 0)
    assert len(every) == 2_700
    for clause in (*_CLAUSES, *(each._replace(negated=True) for each in _CLAUSES)):
        query = OrderQuery(profile, None, clauses=(clause,), today=TODAY.date())
        found = {line.number for line in await desk.reader.read(order_query.page_orders, query, 9_000, 0)}
        assert found == {line.number for line in every if holds(clause, line, TODAY.date())}, clause
    await watched_orders.watch(desk, [line for line in every if line.number % 3 == 0])
    watched = set(await watched_orders.watched(desk))
    met: list[str] = []
    for rule in RULES:
        on = replace(rule, on=True)
        found = await numbers_found(desk, rule.name) if rule.on else set()
        by_row = {line.number for line in every if reasons_of(line, [on], TODAY.date(), watched)}
        assert not rule.on or found == by_row, rule
        met += [rule.name] if by_row else []
    assert met == [rule.name for rule in RULES], "the orders meet every rule"


async def numbers_found(desk: Desk, rule: str) -> set[int]:
    """What `why:` finds."""
    query = await resolve_filter.resolve(desk, parse(f"why:{rule}", TODAY.date()), "number", descending=False)
    lines = await desk.reader.read(order_query.page_orders, query, 9_000, 0)
    assert await stored_orders.count(desk, query) == len(lines)
    return {line.number for line in lines}


# The cost


@pytest.mark.asyncio
async def test_counting_reads_no_order_and_scans_no_table_of_orders(morning_desk: Desk) -> None:
    desk = morning_desk
    await keep_morning(desk, make_morning(3))
    plans: dict[str, list[str]] = {}

    def explain(c: apsw.Connection, sql: str, bindings: Any) -> bool:
        if not sql.startswith("EXPLAIN") and sql not in plans:
            plans[sql] = []
            plans[sql] = [row[3] for row in c.cursor().execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]
        return True

    def traced(c: apsw.Connection, on: bool) -> None:
        c.exec_trace = (lambda _cursor, sql, bindings: explain(c, sql, bindings)) if on else None

    await desk.reader.read(traced, True)
    count = await count_board(desk)
    counting = set(plans)
    board = await read_board(desk)
    await desk.reader.read(traced, False)
    assert board.count == count > 20
    scans = [(sql, step) for sql, steps in plans.items() for step in steps if step.startswith("SCAN")]
    assert [each for each in scans if each[1].split()[1] in _LARGE] == []
    assert not any("consignee_name" in sql for sql in counting), "counting reads no row of an order"
    assert any("consignee_name" in sql for sql in plans)


_LARGE = {
    "orders",
    "seen",
    "raw_orders",
    "search_texts",
    "postings",
    "departed",
    "audits",
}  # but not `change_marks`: all of them are asked for


@pytest.mark.asyncio
async def test_a_group_of_thousands_is_counted_whole_and_shows_its_worst(
    morning_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, made = morning_desk, Morning(random.Random(1))
    for days in range(1, 201):
        made.add(requested_delivery=TODAY - days * DAY)
        made.add(state="AVL", received_at=TODAY - days * DAY)
    await keep_morning(desk, made)
    monkeypatch.setattr(trouble_query, "FEW", 40)
    board = await read_board(desk, 10)
    overdue, unscheduled = board.groups
    assert (overdue.rule.name, overdue.count) == ("overdue", 200)
    assert [line.reason.days for line in overdue.lines] == list(range(200, 190, -1))
    assert (unscheduled.rule.name, unscheduled.count) == ("unscheduled", 198)
    assert [line.reason.days for line in unscheduled.lines] == list(range(200, 190, -1))


@pytest.mark.asyncio
async def test_the_earliest_days_are_found_by_the_index(morning_desk: Desk) -> None:
    desk, made = morning_desk, Morning(random.Random(1))
    for days in range(30):
        made.add(requested_delivery=TODAY - days * DAY)
    made.add()
    await keep_morning(desk, made)
    span = (TODAY.date() - 99 * DAY, TODAY.date() + DAY)

    def earliest(c: apsw.Connection, enough: int) -> list[int]:
        every = key_sets.keys_of_groups(c, desk.profile.id, ((Clause("list", ("open",)),),), TODAY.date())
        return [key & 0xFFFFFF for key in key_sets.earliest_of(c, every, "due", enough, span)]

    assert await desk.reader.read(earliest, 3) == [20_028, 20_029, 20_030]
    assert len(await desk.reader.read(earliest, 31)) == 31, "with those that have no day"


def test_no_rule_is_left_out() -> None:
    assert {rule.name for rule in ALL_RULES} == {*TROUBLES, "changed-open", "likely-late", "stuck"}


@pytest.mark.asyncio
async def test_a_line_about_a_write_knows_whom_to_call(morning_desk: Desk) -> None:
    desk, made = morning_desk, Morning(random.Random(3))
    cancelled = made.add(phone="901-555-0102", city="Memphis")
    await keep_morning(desk, made)
    consignee = {"consigneeName": "Ann Lee", "city": "Boston", "phone1": "617-555-0101"}
    body = json.dumps({"orderReferenceNumber": "W-1", "consignee": consignee}).encode()
    writes: list[tuple[WriteKind, str, bytes]] = [
        ("submit", "W-1", body), ("cancel", cancelled, b"{}"), ("submit", "W-2", b"{}"),
    ]  # fmt: skip
    for kind, reference, payload in writes:
        write = await desk.journal.write(
            write_store.queue_write, desk.profile.id, kind, reference, payload, NOW.astimezone()
        )
        await desk.journal.write(held_writes.hold, write, "It is closed.", NOW.astimezone())
    board = await read_board(desk)
    told = {
        line.title: (line.sent.consignee_name, line.sent.city, line.sent.phone)
        for line in board.groups[0].lines
        if line.sent is not None
    }
    assert told == {
        "W-1": ("Ann Lee", "Boston", "617-555-0101"),
        cancelled: ("J. Rivera", "Memphis", "901-555-0102"),
        "W-2": (None, None, None),
    }
    line = line_of(board, "W-1")
    await put_off.keep_put_off(desk, line.key, put_off.done_today(line.reason, NOW))
    done = (await read_board(desk)).done[0]
    assert done.sent is not None
    assert done.sent.phone == "617-555-0101"
