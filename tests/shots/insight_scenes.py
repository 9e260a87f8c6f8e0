"""The insights page: many orders, few, none, one mark pointed at, and the lower plots."""

import random
from collections.abc import Awaitable, Callable
from datetime import timedelta

import apsw
from PySide6.QtCore import Qt

from app.store.cache import fetched_windows, order_store
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AnswerFacts, AuditFacts, AuditHead
from app.store.cache.index import segments
from app.store.cache.order_rows import OrderFacts
from app.store.journal import write_store
from app.store.journal.records import Outcome
from app.ui.insights.insights_page import InsightsPage
from app.ui.theme.theme import SIZES
from tests.shots.data import NOW
from tests.shots.stage import Stage
from tests.support.order_facts import facts

FULL, FEW = "insights", "insights-few"
_DAY = timedelta(days=1)
_FACILITIES = (("MEM01", 5), ("DAL02", 4), ("ATL01", 3), ("ONT03", 2), ("CHI07 with a very long name of its own", 2))
_REASONS = (
    "The provider refused it: consignee.zip: The field must have 5 or 9 digits.",
    "The provider refused it: freightDetails[0].commodity: “SOFA3” is not a commodity of this client.",
    "The provider refused it: requestedDeliveryDate: The day has passed.",
)


def _completed(chance: random.Random, number: int, days: int) -> OrderFacts:
    names = [name for name, _ in _FACILITIES]
    place = chance.choices(names, [weight for _, weight in _FACILITIES])[0]
    slow = 3 if place == "ATL01" and days < 30 else 0
    delivered = NOW - days * _DAY
    took = 2 + int(chance.expovariate(0.4)) + slow
    loaded = delivered - timedelta(hours=chance.choice((6, 9, 30)))
    late = chance.random() < (0.35 if slow else 0.1)
    return facts(
        number,
        state="CMP",
        crn=f"CRN-{number}",
        facility_id=place,
        delivery_type=chance.choice(("HOME", "HOME", "STORE", "BUILD")),
        imported_at=delivered - (took + chance.randrange(1, 6)) * _DAY,
        received_at=delivered - took * _DAY,
        loaded_at=loaded,
        requested_delivery=delivered - (chance.randrange(1, 5) if late else -chance.randrange(2)) * _DAY,
        delivered_at=delivered,
    )


def _open(chance: random.Random, number: int) -> OrderFacts:
    age = int(chance.expovariate(0.12))
    imported = NOW - age * _DAY
    return facts(
        number,
        state=chance.choice(("STD", "AVL", "PLN", "DSO")),
        facility_id=chance.choice(_FACILITIES)[0],
        delivery_type="HOME",
        imported_at=imported,
        received_at=imported + 2 * _DAY if age > 2 else None,
        requested_delivery=NOW + chance.randrange(-3, 12) * _DAY,
    )


def _fill_cache(c: apsw.Connection, profile: str, completed: int, listed: int) -> None:
    chance = random.Random(7)
    done = [_completed(chance, 500_000 + at, at * 84 // completed) for at in range(completed)]
    order_store.store_orders(c, profile, "completed", done, NOW)
    order_store.store_orders(c, profile, "open", [_open(chance, 600_000 + at) for at in range(listed)], NOW)
    start = NOW - 70 * _DAY
    fetched_windows.finish_window(
        c, profile, "completed", start.replace(hour=0, minute=0, second=0), NOW, NOW, completed
    )
    while segments.index_some(c):
        pass


def _fill_audits(c: apsw.Connection, profile: str) -> None:
    chance = random.Random(8)
    audits = [
        AuditFacts(at, NOW - at % 80 * _DAY, "Dock", chance.choice(_FACILITIES)[0], "Vendor", chance.randrange(55, 100))
        for at in range(1, 121)
    ]
    audit_store.store_audits(c, profile, audits, NOW)
    questions = ("Is the dock clear?", "Are the pallets wrapped?", "Is the seal intact?", "Are the lights on?")
    for each in audits[:80]:
        answers = [
            AnswerFacts(f"LD-{place:02}", text, chance.choice(("Yes", "Yes", "Yes", "Partly", "No")), None)
            for place, text in enumerate(questions)
        ]
        audit_store.store_answers(c, profile, each.number, AuditHead("A", "a@example.com", "", ""), answers, NOW)


def _fill_journal(c: apsw.Connection, profile: str) -> None:
    chance = random.Random(9)
    for at in range(160):
        queued = NOW - timedelta(days=at * 80 / 160, hours=chance.randrange(5))
        write = write_store.queue_write(c, profile, "submit", f"IN-{at}", b"{}", queued)
        attempt = write_store.begin_attempt(c, write, queued)
        refused = chance.random() < 0.15
        outcome: Outcome = "rejected" if refused else "accepted"
        sentence = chance.choice(_REASONS) if refused else "Accepted."
        write_store.end_attempt(c, attempt, outcome, queued + timedelta(seconds=2), sentence=sentence)
        if not refused and chance.random() < 0.9:
            after = queued + timedelta(minutes=chance.randrange(1, 90))
            write_store.settle(c, write, "confirmed", "Read back.", after)


async def _show(stage: Stage, profile: str) -> InsightsPage:
    await stage._use(profile, "Not connected.")
    stage.shell.go("insights")
    page = stage.shell.page("insights")
    assert isinstance(page, InsightsPage)
    page.reload()
    await stage.settle()
    page.area.verticalScrollBar().setValue(0)
    return page


async def insights_full(stage: Stage) -> None:
    known = await stage.cache.read(lambda c: c.execute("SELECT 1 FROM partitions WHERE profile = ?", (FULL,)).get)
    if known is None:
        await stage.cache.write(_fill_cache, FULL, 900, 240)
        await stage.cache.write(_fill_audits, FULL)
        await stage.journal.write(_fill_journal, FULL)
    await _show(stage, FULL)


async def insights_mark(stage: Stage) -> None:
    await insights_full(stage)
    page = stage.shell.page("insights")
    assert isinstance(page, InsightsPage)
    page.cards["on_time_weeks"].view.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Down):
        stage.press(key)


async def insights_middle(stage: Stage) -> None:
    await insights_full(stage)
    page = stage.shell.page("insights")
    assert isinstance(page, InsightsPage)
    page.area.ensureWidgetVisible(page.cards["sent"])
    page.area.verticalScrollBar().setValue(page.cards["steps"].y())


async def insights_end(stage: Stage) -> None:
    await insights_full(stage)
    page = stage.shell.page("insights")
    assert isinstance(page, InsightsPage)
    page.area.verticalScrollBar().setValue(page.area.verticalScrollBar().maximum())


async def insights_days(stage: Stage) -> None:
    await insights_full(stage)
    page = stage.shell.page("insights")
    assert isinstance(page, InsightsPage)
    page.chips.open_chip("facility")
    await stage.settle()


async def insights_few(stage: Stage) -> None:
    known = await stage.cache.read(lambda c: c.execute("SELECT 1 FROM partitions WHERE profile = ?", (FEW,)).get)
    if known is None:
        await stage.cache.write(_fill_cache, FEW, 14, 3)
    await _show(stage, FEW)


async def insights_large_text(stage: Stage) -> None:
    SIZES.choose(150, compact=False)
    await insights_full(stage)


async def insights_nothing(stage: Stage) -> None:
    await _show(stage, "empty")


Scene = Callable[[Stage], Awaitable[None]]
INSIGHT_SCENES: tuple[Scene, ...] = (
    insights_full, insights_mark, insights_middle, insights_end, insights_days, insights_few, insights_nothing,
    insights_large_text,
)  # fmt: skip
NARROW_INSIGHT_SCENES: tuple[Scene, ...] = (insights_full, insights_mark, insights_few)
