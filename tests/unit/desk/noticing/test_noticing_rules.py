"""When nothing is noticed, what counts as noticed before, and what a notice may say."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest

from app.desk.desk import Desk
from app.desk.noticing.notice_choices import KINDS, Kind, NoticeChoices, keep_choices, read_choices
from app.desk.noticing.notice_facts import Fact, Reading, read_facts
from app.desk.noticing.notice_ledger import Ledger, keep_ledger, read_ledger, sift
from app.desk.noticing.notice_text import Place, compose
from app.desk.orders.watched_orders import unwatch
from app.desk.reasons.reason_rules import load_rules, save_rule
from app.store.journal import setting_store
from tests.support.mornings import (
    NOW,
    Morning,
    in_doubt,
    keep_morning,
    low_audit,
    refused,
    soon,
    watched_change,
    well,
)

DAY = date(2026, 11, 20)


def at(clock: str, day: int = 20) -> datetime:
    return datetime.combine(date(2026, 11, day), time.fromisoformat(clock))


# Quiet hours


@pytest.mark.parametrize(
    ("start", "end", "clock", "quiet"),
    [
        ("18:00", "07:00", "17:59", False),
        ("18:00", "07:00", "18:00", True),
        ("18:00", "07:00", "23:59", True),
        ("18:00", "07:00", "00:00", True),
        ("18:00", "07:00", "06:59", True),
        ("18:00", "07:00", "07:00", False),
        ("12:00", "13:30", "11:59", False),
        ("12:00", "13:30", "12:00", True),
        ("12:00", "13:30", "13:29", True),
        ("12:00", "13:30", "13:30", False),
        ("09:00", "09:00", "03:00", True),
        ("00:00", "06:00", "00:00", True),
        ("22:00", "00:00", "23:30", True),
        ("22:00", "00:00", "00:00", False),
    ],
)
def test_quiet_hours_go_over_midnight_and_end_on_the_minute(start: str, end: str, clock: str, quiet: bool) -> None:
    choices = NoticeChoices(quiet=True, quiet_from=time.fromisoformat(start), quiet_to=time.fromisoformat(end))
    assert choices.is_quiet(at(clock)) is quiet
    assert not replace(choices, quiet=False).is_quiet(at(clock))


@pytest.mark.usefixtures("in_chicago")
def test_the_hour_that_comes_twice_is_quiet_both_times() -> None:
    """On 1 November 2026 Chicago's clocks go from 02:00 back to 01:00."""
    choices = NoticeChoices(quiet=True, quiet_from=time(1), quiet_to=time(2))
    first = datetime(2026, 11, 1, 1, 30).timestamp()
    both = [datetime.fromtimestamp(first + late) for late in (0, 3_600)]
    assert [each.hour for each in both] == [1, 1]
    assert [choices.is_quiet(each) for each in both] == [True, True]
    assert not choices.is_quiet(datetime.fromtimestamp(first + 5_400))


@pytest.mark.asyncio
async def test_choices_are_kept_and_rubbish_names_nobody(offline_desk: Desk) -> None:
    journal = offline_desk.journal
    assert await read_choices(journal) == NoticeChoices()
    assert not NoticeChoices().references
    chosen = NoticeChoices(frozenset({"soon"}), True, time(22, 30), time(5), True)
    await keep_choices(journal, chosen)
    assert await read_choices(journal) == chosen
    await keep_choices(journal, replace(chosen, kinds=frozenset()))
    assert (await read_choices(journal)).kinds == frozenset()
    wrong: list[object] = [[], "all", {"kinds": "refused", "quiet": 1, "from": "25:00", "to": 7, "references": "yes"}]
    for rubbish in wrong:
        await journal.write(setting_store.write_setting, "notices", rubbish)
        assert await read_choices(journal) == NoticeChoices()


@pytest.mark.asyncio
async def test_the_administrator_switches_notices_off(offline_desk: Desk) -> None:
    await offline_desk.journal.write(setting_store.write_setting, "administrator", {"ids": {}, "off": ["notices"]})
    assert (await read_choices(offline_desk.journal)).off


# What was noticed before


def reading(*marks: tuple[int, str], kind: Kind = "refused", scope: str = "") -> Reading:
    return Reading(tuple(Fact(kind, key, mark, f"R-{key}") for key, mark in marks), scope)


def keys(facts: Sequence[Fact]) -> list[int]:
    return [each.key for each in facts]


def test_what_is_there_at_first_is_no_news_and_everything_else_is_news_once() -> None:
    new, ledger = sift(Ledger(), "refused", reading((1, "1"), (2, "1")), DAY)
    assert new == []
    new, ledger = sift(ledger, "refused", reading((1, "1"), (2, "1"), (3, "1")), DAY)
    assert keys(new) == [3]
    again, same = sift(ledger, "refused", reading((1, "1"), (2, "1"), (3, "1")), DAY)
    assert (again, same) == ([], ledger)
    new, ledger = sift(ledger, "refused", reading((1, "2"), (3, "1")), DAY)
    assert keys(new) == [1], "refused once more"


def test_what_a_person_sees_anyway_is_no_news_later() -> None:
    _, ledger = sift(Ledger(), "refused", reading(), DAY)
    new, ledger = sift(ledger, "refused", reading((1, "1")), DAY, silent=True)
    assert new == []
    assert sift(ledger, "refused", reading((1, "1")), DAY)[0] == []


def test_what_goes_and_comes_back_is_no_news_for_a_month() -> None:
    """The cache was deleted, and is fetched anew."""
    _, ledger = sift(Ledger(), "soon", reading(kind="soon"), DAY)
    new, ledger = sift(ledger, "soon", reading((1, "2026-11-21"), kind="soon"), DAY)
    assert keys(new) == [1]
    _, ledger = sift(ledger, "soon", reading(kind="soon"), DAY + timedelta(days=30))
    assert sift(ledger, "soon", reading((1, "2026-11-21"), kind="soon"), DAY + timedelta(days=30))[0] == []
    assert keys(sift(ledger, "soon", reading((1, "2026-11-28"), kind="soon"), DAY)[0]) == [1], "due on another day"
    _, later = sift(ledger, "soon", reading(kind="soon"), DAY + timedelta(days=31))
    assert keys(sift(later, "soon", reading((1, "2026-11-21"), kind="soon"), DAY)[0]) == [1]


def test_what_a_longer_horizon_brings_is_no_news() -> None:
    _, ledger = sift(Ledger(), "soon", reading(kind="soon", scope="30"), DAY)
    new, ledger = sift(ledger, "soon", reading((1, "a"), (2, "a"), kind="soon", scope="90"), DAY)
    assert new == []
    assert keys(sift(ledger, "soon", reading((1, "a"), (3, "a"), kind="soon", scope="90"), DAY)[0]) == [3]


def test_a_watched_order_is_news_when_it_changes_and_not_when_it_is_watched() -> None:
    _, ledger = sift(Ledger(), "watched", reading(kind="watched"), DAY)
    new, ledger = sift(ledger, "watched", reading((1, "open STD"), kind="watched"), DAY)
    assert new == []
    # For a while nothing is known of it: the cache was deleted.
    new, ledger = sift(ledger, "watched", reading((1, ""), kind="watched"), DAY)
    assert new == []
    assert keys(sift(ledger, "watched", reading((1, "open DSO"), kind="watched"), DAY)[0]) == [1]
    _, unwatched = sift(ledger, "watched", reading(kind="watched"), DAY)
    assert sift(unwatched, "watched", reading((1, "open DSO"), kind="watched"), DAY)[0] == []


def test_a_ledger_has_its_bounds() -> None:
    _, ledger = sift(Ledger(), "refused", reading(*((each, "1") for each in range(6_000))), DAY)
    assert len(ledger.kinds["refused"].marks) == 5_000
    assert min(ledger.kinds["refused"].marks) == 1_000


@pytest.mark.asyncio
async def test_a_ledger_is_kept_without_any_name(offline_desk: Desk) -> None:
    assert await read_ledger(offline_desk) == Ledger()
    _, ledger = sift(Ledger(), "refused", reading((1, "1")), DAY)
    _, ledger = sift(ledger, "soon", reading((7, "2026-11-21"), kind="soon", scope="30"), DAY)
    await keep_ledger(offline_desk, ledger)
    assert await read_ledger(offline_desk) == ledger
    kept = await offline_desk.journal.read(setting_store.read_setting, f"noticed/{offline_desk.profile.id}")
    assert "R-" not in f"{kept}"
    wrong: list[object] = [[], {"refused": 3}, {"refused": {"scope": "", "marks": {"x": ["1", "2026"]}}}]
    for each in wrong:
        await offline_desk.journal.write(setting_store.write_setting, f"noticed/{offline_desk.profile.id}", each)
        assert not (await read_ledger(offline_desk)).knows("refused"), "looked at for the first time"


# The facts


@pytest.mark.asyncio
async def test_each_kind_has_just_its_facts(offline_desk: Desk) -> None:
    desk = replace(offline_desk, now=lambda: NOW)
    made = Morning(random.Random(3))
    well(made)
    for trouble in (refused, refused, in_doubt, soon, low_audit, watched_change):
        trouble(made)
    await keep_morning(desk, made)
    rules = {"refused": "refused", "in-doubt": "in-doubt", "soon": "soon", "watched": "changed"}
    for kind in KINDS:
        found = (await read_facts(desk, kind, 30)).facts
        if kind == "low-audit":
            assert [f"Audit {each.called}" for each in found] == titles(made, "low-audit")
        else:
            assert sorted(each.called for each in found) == titles(made, rules[kind])
    await unwatch(desk, made.watched)
    assert (await read_facts(desk, "watched", 30)).facts == ()
    rule = next(each for each in await load_rules(desk) if each.name == "soon")
    before = (await read_facts(desk, "soon", 30)).scope
    await save_rule(desk, replace(rule, days=3))
    assert (await read_facts(desk, "soon", 30)).scope != before, "another rule is another question"
    await save_rule(desk, replace(rule, on=False))
    assert (await read_facts(desk, "soon", 30)).facts == (), "not wanted in Today"


def titles(made: Morning, rule: str) -> list[str]:
    return sorted(each.title for each in made.expected if each.rule == rule)


@pytest.mark.asyncio
async def test_a_watched_order_that_is_not_fetched_yet_is_not_a_change(offline_desk: Desk) -> None:
    made = Morning(random.Random(3))
    watched_change(made)
    await keep_morning(offline_desk, made)
    elsewhere = replace(offline_desk, reader=offline_desk.cache)
    await offline_desk.cache.write(lambda c: c.execute("DELETE FROM orders").fetchall())
    assert [each.mark for each in (await read_facts(elsewhere, "watched", 30)).facts] == [""]


# The words


def fact(kind: Kind, key: int, called: str, *, cancels: bool = False) -> Fact:
    return Fact(kind, key, "1", called, cancels)


@pytest.mark.parametrize(
    ("facts", "heading", "place"),
    [
        ([fact("refused", 7, "CRN-7")], "An order was refused", Place("write", (7,), called="An order was refused")),
        (
            [fact("refused", 7, "CRN-7"), fact("refused", 8, "CRN-8"), fact("refused", 9, "CRN-9")],
            "3 orders were refused",
            Place("writes", (7, 8, 9), called="3 orders were refused"),
        ),
        (
            [fact("refused", 7, "CRN-7", cancels=True)],
            "A cancellation was refused",
            Place("write", (7,), called="A cancellation was refused"),
        ),
        (
            [fact("in-doubt", 7, "CRN-7", cancels=True), fact("in-doubt", 8, "CRN-8")],
            "2 orders and cancellations are in doubt",
            Place("writes", (7, 8), called="2 orders and cancellations are in doubt"),
        ),
        ([fact("watched", 7, "CRN-7")], "A watched order has changed", Place("order", (7,))),
        ([fact("soon", 7, "CRN-7")], "An order is about to be late", Place("order", (7,))),
        (
            [fact("soon", 7, "CRN-7"), fact("soon", 8, "CRN-8")],
            "2 orders are about to be late",
            Place("today", rule="soon"),
        ),
        ([fact("low-audit", 7, "7")], "An audit scored low", Place("audit", (7,))),
        ([fact("refused", 7, "CRN-7"), fact("soon", 8, "CRN-8")], "2 things need you", Place("today")),
    ],
)
def test_a_notice_says_what_it_is_about_and_leads_there(facts: list[Fact], heading: str, place: Place) -> None:
    notice = compose("acme", facts, references=False, practice=False)
    assert (notice.heading, notice.place, notice.profile) == (heading, place, "acme")
    assert "CRN" not in notice.heading + notice.body
    assert "computer" not in notice.body


def test_references_stand_in_a_notice_only_with_leave() -> None:
    facts = [fact("refused", each, f"CRN-{each}") for each in range(5)]
    assert compose("a", facts, references=False, practice=False).body == "Click to see them."
    assert compose("a", facts, references=True, practice=False).body == "CRN-0, CRN-1, CRN-2 and 2 more"
    assert compose("a", facts[:2], references=True, practice=False).body == "CRN-0, CRN-1"


def test_several_kinds_are_counted_each_and_practice_says_that_it_is() -> None:
    facts = [fact("refused", 1, "A"), fact("in-doubt", 2, "B"), fact("in-doubt", 3, "C")]
    body = compose("practice", facts, references=True, practice=True).body
    assert body.splitlines() == [
        "An order was refused",
        "2 orders are in doubt",
        "In practice: nothing has left this computer.",
    ]
