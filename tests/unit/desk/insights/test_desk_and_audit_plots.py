"""The plots of what this desk sent, and of audits, on stores made by hand."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.desk.audits.audit_filter import Narrowing
from app.desk.desk import Desk
from app.desk.insights import insights_words
from app.desk.insights.audit_plots import AuditPlots
from app.desk.insights.desk_plots import DeskPlots
from app.desk.insights.insight_choice import InsightChoice, read_span, weeks
from app.desk.insights.plot_data import Plot
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AnswerFacts, AuditFacts, AuditHead
from app.store.journal import write_store
from app.store.journal.records import Outcome

NOW = datetime(2026, 6, 24, 10, 0)  # a Wednesday
DAY = timedelta(days=1)


@pytest.fixture
def still(offline_desk: Desk) -> Desk:
    return replace(offline_desk, now=lambda: NOW)


async def send(desk: Desk, reference: str, days: float, outcome: Outcome, why: str = "", confirmed_s: int = 0) -> int:
    queued, profile = NOW - days * DAY, desk.profile.id
    write = await desk.journal.write(write_store.queue_write, profile, "submit", reference, b"{}", queued)
    attempt = await desk.journal.write(write_store.begin_attempt, write, queued)
    await desk.journal.write(write_store.end_attempt, attempt, outcome, queued, sentence=why)
    if confirmed_s:
        at = queued + timedelta(seconds=confirmed_s)
        await desk.journal.write(write_store.settle, write, "confirmed", "Read back.", at)
    return write


def desk_plots(desk: Desk, days: str = "-6..today") -> list[Plot]:
    return DeskPlots(desk.journal.read_separately_now, desk.profile.id, InsightChoice(days), NOW.date()).all()


def said(plot: Plot, series: int = 0) -> dict[str, str]:
    assert all(len(place.cells) == len(plot.axis) for place in plot.places), "a table has a title for each cell"
    marks = zip(plot.places, plot.series[series].marks, strict=True)
    return {place.label: mark.words for place, mark in marks if mark is not None}


@pytest.mark.asyncio
async def test_what_was_sent_and_refused(still: Desk) -> None:
    taken = [await send(still, f"A-{at}", 1, "accepted") for at in range(3)]
    zip_refusals = [await send(still, f"B-{at}", 0, "rejected", f"Refused: zip: wrong in B-{at}.") for at in range(2)]
    await send(still, "C", 0, "rejected", "Refused: phone1: too long.")
    await send(still, "D", 0, "unknown")
    await send(still, "E", 7, "accepted")  # the day before the chosen ones
    await still.journal.write(write_store.queue_write, still.profile.id, "cancel", "A-1", b"{}", NOW)
    sent, refused, confirmed = desk_plots(still)
    assert [each.name for each in sent.series] == ["Accepted or confirmed", "Refused", "Waiting or in doubt"]
    assert said(sent, 0) == {"23 Jun": "3 orders"}
    assert said(sent, 1) == {"24 Jun": "3 orders"}
    assert said(sent, 2) == {"24 Jun": "1 order"}
    ((_, _, first), *_) = sent.marks()
    assert first.target is not None
    assert list(first.target.writes) == taken
    assert said(refused) == {"zip: wrong in ….": "2", "phone1: too long.": "1"}
    assert sent.places[-1].cells == (NOW.date(),)
    (mark, _) = refused.series[0].marks
    assert mark is not None
    assert mark.target is not None
    assert list(mark.target.writes) == zip_refusals
    assert mark.target.words == "Refused: Refused: zip: wrong in …."
    assert confirmed.nothing == "No order that was queued on these days has been confirmed."
    assert [each.sentence for each in confirmed.left_out] == [
        "3 accepted orders are not confirmed yet and are left out."
    ]


@pytest.mark.asyncio
async def test_time_until_confirmed_by_week(still: Desk) -> None:
    for at in range(20):
        await send(still, f"A-{at}", 1, "accepted", confirmed_s=60 * (at + 1))
    for at in range(3):
        await send(still, f"B-{at}", 8, "accepted", confirmed_s=60)
    (sent, _, confirmed) = desk_plots(still, "-40..today")
    assert sent.title == "Orders sent from this desk, by week"
    assert sent.places[-1].cells == (NOW.date() - 2 * DAY, NOW.date())
    assert said(confirmed, 0) == {"22 Jun": "10 minutes (20 orders)"}
    assert said(confirmed, 1) == {"22 Jun": "18 minutes (20 orders)"}
    assert "Weeks of fewer than 20" in confirmed.definition


@pytest.mark.asyncio
async def test_audits(still: Desk) -> None:
    profile = still.profile.id
    audits = [AuditFacts(at, NOW - DAY, "Dock", "MEM01" if at < 10 else "DAL02", "V", 60 + at) for at in range(14)]
    odd = [
        AuditFacts(20, NOW - DAY, "Dock", "MEM01", "V", None),
        AuditFacts(21, NOW - 90 * DAY, "Dock", "MEM01", "V", 1),
    ]
    await still.cache.write(audit_store.store_audits, profile, [*audits, *odd], NOW)
    for each in audits[:6]:
        answers = [
            AnswerFacts("LD-1", "Is it clean?", "No" if each.number < 2 else "Yes", None),
            AnswerFacts("LD-2", "Any remarks?", "none that matter", None),
        ]
        await still.cache.write(audit_store.store_answers, profile, each.number, AuditHead(), answers, NOW)

    def plots(choice: InsightChoice) -> list[Plot]:
        return AuditPlots(still.reader.read_separately_now, profile, choice, NOW.date()).all()

    by_facility, by_question = plots(InsightChoice("-6..today"))
    assert said(by_facility) == {"MEM01": "64 (10 audits)"}
    ((_, _, mark),) = by_facility.marks()
    assert (mark.low, mark.high, by_facility.top) == (60, 68, 100)
    assert mark.target is not None
    assert mark.target.audits == Narrowing(facility=("MEM01",), days="2026-06-18..2026-06-24")
    assert [each.sentence for each in by_facility.left_out] == [
        "1 audit without a score is left out.",
        "1 facility with fewer than 5 audits is left out.",
    ]
    left_out = by_facility.left_out[1].target
    assert left_out is not None
    assert left_out.audits == Narrowing(facility=("DAL02",), days="2026-06-18..2026-06-24"), "and these are its rows"
    assert said(by_question) == {"LD-1 Is it clean?": "33 %, 2 of 6"}
    ((_, _, poor),) = by_question.marks()
    assert poor.target is not None
    assert poor.target.question == "LD-1"
    assert [each.sentence for each in by_question.left_out] == [
        "9 audits were never opened: their answers are not known. Across audits, in Audits, fetches them.",
        "1 question with fewer than 5 graded answers is left out.",
    ]
    by_facility, by_question = plots(InsightChoice("-6..today", facilities=("dal02",)))
    assert by_facility.nothing == "Too few for a plot: 4 audits, and 5 of one facility are needed."
    assert by_question.nothing == "The answers are not known yet: questions come with each audit when it is opened."
    assert [each.sentence for each in (*by_facility.left_out, *by_question.left_out)] == [
        "1 facility with fewer than 5 audits is left out.",
        "4 audits were never opened: their answers are not known. Across audits, in Audits, fetches them.",
    ], "only of the facility that was chosen"
    await still.cache.write(audit_store.store_answers, profile, 12, AuditHead(), answers, NOW)
    _, by_question = plots(InsightChoice("-6..today", facilities=("dal02",)))
    assert by_question.nothing == "Too few for a plot: 1 graded answer, and 5 to one question are needed."


def test_days_and_weeks() -> None:
    today = NOW.date()
    assert read_span("-6..today", today) == (today - 6 * DAY, today)
    assert read_span("..today", today) == (today - 365 * DAY, today)
    assert read_span("today..+7", today) == (today, today), "nothing has happened after today"
    assert read_span("+3..+7", today) is None
    assert read_span("soon", today) is None
    assert InsightChoice("soon").span(today) == (today - 83 * DAY, today)
    assert [first.day for first, _ in weeks(today - 9 * DAY, today)] == [15, 22]
    assert insights_words.span(today, today) == "24 Jun 2026", "a week that began today is a day"
