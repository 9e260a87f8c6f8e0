"""Audits against the fault server and the practice service: audits that came are stored, missing windows are named."""

from datetime import date, datetime, timedelta

import pytest

from app.desk.audits import audit_sync
from app.desk.desk import Desk
from app.store.cache.audits.audit_rows import AnswerFacts, AuditHead, AuditQuery
from tests.support.fault_server import INFORMATION, Answer, FaultServer, Seen
from tests.support.faults import answered, json_answer, truncated
from tests.support.listed_orders import TODAY

pytestmark = pytest.mark.asyncio


def record(number: int, days_ago: int, **more: object) -> dict[str, object]:
    made = TODAY - timedelta(days=days_ago)
    return {
        "auditId": number,
        "auditType": "Loading",
        "auditFacility": "F012",
        "auditVendor": "Two Brothers Moving",
        "auditScore": 81.5,
        "auditDate": int(made.timestamp() * 1_000),
    } | more


QUESTIONS = [
    {
        "auditId": 1,
        "auditorName": "Denise Walker",
        "auditorEmail": "d@provider.example",
        "orderNumber": "771002",
        "cmpAWCDomicle": "F012",
        "detailName": f"LD-0{number}",
        "detailDescription": "Is every piece scanned?",
        "detailValue": answer,
        **({"imageUrl": f"/download/audit/audit-1-{number}.jpg"} if answer == "No" else {}),
    }
    for number, answer in ((1, "Yes"), (2, "No"))
]


@pytest.fixture
def world(fault_server: FaultServer) -> list[dict[str, object]]:
    """The provider's audits; a test changes them as it likes."""
    made: list[dict[str, object]] = []

    def in_range(seen: Seen) -> Answer:
        first, last = (date.fromisoformat(seen.query[name]) for name in ("StartDate", "EndDate"))
        return json_answer(
            [
                each
                for each in made
                if first <= datetime.fromtimestamp(int(str(each["auditDate"])) / 1_000).date() <= last
            ]
        )

    fault_server.serve(INFORMATION + "/audit", in_range)
    return made


async def numbers(desk: Desk) -> list[int]:
    return [line.number for line in await audit_sync.page(desk, AuditQuery(desk.profile.id, sort="number"), 1_000, 0)]


async def test_windows_lie_side_by_side_and_cover_exactly_the_days() -> None:
    for days in (1, 7, 31, 32, 90, 365, 4_000):
        cut = audit_sync.windows(TODAY.date(), days)
        asked = [first + timedelta(days=each) for first, last in cut for each in range((last - first).days + 1)]
        assert sorted(asked) == [TODAY.date() - timedelta(days=each) for each in range(min(days, 365))][::-1]
        assert cut == sorted(cut, reverse=True)


async def test_a_year_is_asked_for_in_windows_newest_first_and_known_afterwards(
    desk_today: Desk, fault_server: FaultServer, world: list[dict[str, object]]
) -> None:
    world += [record(number, number * 3) for number in range(100)]
    told: list[tuple[int, int]] = []
    result = await audit_sync.refresh(desk_today, 365, lambda done, of: told.append((done, of)))
    assert result == audit_sync.Refreshed(100)
    assert sorted(await numbers(desk_today)) == list(range(100))
    asked = [each.query for each in fault_server.seen("/audit")]
    assert asked[0] == {"StartDate": "2026-10-21", "EndDate": "2026-11-20"}
    assert told == [(done, 12) for done in range(12)]
    assert [(each.first, each.last) for each in await audit_sync.coverage(desk_today)] == audit_sync.windows(
        TODAY.date(), 365
    )
    assert all(each.error is None for each in await audit_sync.coverage(desk_today))


async def test_a_window_that_fails_keeps_its_reason_and_the_others_are_fetched(
    desk_today: Desk, fault_server: FaultServer, world: list[dict[str, object]]
) -> None:
    world += [record(number, number) for number in range(80)]
    second = audit_sync.windows(TODAY.date(), 80)[1]

    def planner(seen: Seen) -> object:
        return answered(Answer(500)) if seen.query.get("StartDate") == second[0].isoformat() else None

    fault_server.plan_by(planner)  # type: ignore[arg-type]
    result = await audit_sync.refresh(desk_today, 80)
    assert result.missing == (second,)
    assert "failed" in result.trouble
    assert len(await numbers(desk_today)) == 80 - 31
    reasons = {each.first: each.error for each in await audit_sync.coverage(desk_today)}
    assert reasons.pop(second[0]) == result.trouble
    assert set(reasons.values()) == {None}
    fault_server.plan_by(None)
    assert await audit_sync.refresh(desk_today, 80) == audit_sync.Refreshed(80)


async def test_audits_before_a_break_are_stored_and_none_is_dropped(
    desk_today: Desk, fault_server: FaultServer, world: list[dict[str, object]]
) -> None:
    world += [record(number, 0) for number in range(600)]
    await audit_sync.refresh(desk_today, 7)
    world[:] = [record(number, 0, auditScore=50.0) for number in range(600)]
    fault_server.plan(truncated(40_000), "/audit", times=None)
    result = await audit_sync.refresh(desk_today, 7)
    assert result.trouble
    assert 0 < result.audits < 600
    assert len(await numbers(desk_today)) == 600


async def test_trouble_that_the_next_window_would_meet_too_ends_the_refresh(
    desk_today: Desk, fault_server: FaultServer, world: list[dict[str, object]]
) -> None:
    fault_server.plan(answered(Answer(403)), "/audit", times=None)
    result = await audit_sync.refresh(desk_today, 365)
    assert len(result.missing) == 12
    assert len(fault_server.seen("/audit")) == 1
    desk_today.provider = None
    desk_today.trouble = "Not connected yet."
    assert (await audit_sync.refresh(desk_today, 40)).trouble == "Not connected yet."
    assert await audit_sync.refresh_audit(desk_today, 1) == "Not connected yet."


async def test_a_record_without_a_number_is_counted_and_costs_no_other(
    desk_today: Desk, world: list[dict[str, object]]
) -> None:
    world += [record(1, 0), record(2, 0, auditId=None), record(3, 0, auditId=-7), record(4, 0, auditId=2**70)]
    world.append(record(5, 40, auditId=None))
    result = await audit_sync.refresh(desk_today, 90)
    first, second, _ = audit_sync.windows(TODAY.date(), 90)
    assert (result.audits, result.unreadable, result.unreadable_in) == (1, 4, (first, second))
    assert await numbers(desk_today) == [1]


async def test_the_questions_of_an_audit_are_known_once_asked_for(desk_today: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(INFORMATION + "/audit/1", json_answer(QUESTIONS))
    assert await audit_sync.refresh_audit(desk_today, 1) == ""
    told = await audit_sync.detail(desk_today, 1)
    assert told is not None
    assert told.head == AuditHead("Denise Walker", "d@provider.example", "F012", "771002")
    assert told.answers[1] == AnswerFacts("LD-02", "Is every piece scanned?", "No", "/download/audit/audit-1-2.jpg")


async def test_a_row_that_says_nothing_of_a_question_is_no_answer(desk_today: Desk, fault_server: FaultServer) -> None:
    """Such as the one row of an audit without questions, which tells its auditor alone."""
    only = {name: QUESTIONS[0].get(name) for name in ("auditId", "auditorName")}
    fault_server.serve(INFORMATION + "/audit/1", json_answer([only, {"detailName": "", "imageUrl": ""}]))
    assert await audit_sync.refresh_audit(desk_today, 1) == ""
    told = await audit_sync.detail(desk_today, 1)
    assert told is not None
    assert told.answers == ()
    assert told.head.auditor == "Denise Walker"


async def test_an_audit_that_is_gone_says_so_and_what_was_known_stays(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(INFORMATION + "/audit/1", json_answer(QUESTIONS))
    await audit_sync.refresh_audit(desk_today, 1)
    fault_server.serve(INFORMATION + "/audit/1", Answer(404))
    assert "no audit with this number" in await audit_sync.refresh_audit(desk_today, 1)
    told = await audit_sync.detail(desk_today, 1)
    assert told is not None
    assert len(told.answers) == 2


async def test_many_audits_are_asked_for_a_few_at_once_and_each_failure_is_named(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    for number in range(20):
        answer = Answer(500) if number == 7 else json_answer([QUESTIONS[0] | {"auditId": number}])
        fault_server.serve(f"{INFORMATION}/audit/{number}", answer)
    told: list[int] = []
    failed = await audit_sync.refresh_many(desk_today, range(20), told.append)
    assert set(failed) == {7}
    assert told == list(range(1, 21))
    assert await audit_sync.detail(desk_today, 19) is not None


async def test_a_cache_that_fails_is_reported_and_ends_the_refresh(
    desk_today: Desk, fault_server: FaultServer, world: list[dict[str, object]]
) -> None:
    world += [record(number, number) for number in range(60)]
    await desk_today.cache.opened()
    desk_today.cache.close_now()
    result = await audit_sync.refresh(desk_today, 60)
    assert result.trouble
    assert len(result.missing) == 2
    assert len(fault_server.seen("/audit")) == 1
    fault_server.serve(INFORMATION + "/audit/1", json_answer(QUESTIONS))
    assert await audit_sync.refresh_audit(desk_today, 1)


async def test_practice_has_audits_that_are_understood_whole(practice_desk: Desk) -> None:
    result = await audit_sync.refresh(practice_desk, 365)
    assert result.trouble == ""
    assert result.audits > 10
    query = AuditQuery(practice_desk.profile.id, sort="score", descending=False)
    worst, *_ = await audit_sync.page(practice_desk, query, 5, 0)
    assert await audit_sync.refresh_audit(practice_desk, worst.number) == ""
    told = await audit_sync.detail(practice_desk, worst.number)
    assert told is not None
    assert told.line.whole
    assert told.head.auditor
    assert any(each.photo for each in told.answers)


async def test_a_provider_that_asks_for_a_rest_is_not_asked_for_the_other_windows(
    desk_today: Desk, fault_server: FaultServer
) -> None:
    busy = Answer(429, headers=(("Retry-After", "300"),))
    fault_server.plan(answered(busy), "/audit", times=None)
    found = await audit_sync.refresh(desk_today, 90)
    assert len(fault_server.seen("/audit")) == 1
    assert "It asks to wait 300 s" in found.trouble
    assert sum((last - first).days + 1 for first, last in found.missing) >= 90, "all of it is named as missing"
    assert 290 < desk_today.timing.backoff_seconds <= 300
    await audit_sync.refresh_audit(desk_today, 1)
    assert desk_today.timing.backing_off
