"""*Today* on a morning with trouble of each kind: its lines, an order beside them, put off, done, empty, its rules."""

import random
from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt

from app.ui.orders.filter.attention_dialog import AttentionDialog
from app.ui.theme.theme import SIZES
from app.ui.today.today_page import TodayPage
from tests.shots.data import PRACTICE
from tests.shots.stage import Stage
from tests.support.mornings import DAY, TODAY, TROUBLES, Morning, keep_morning

Scene = Callable[[Stage], Awaitable[None]]
_MORNING, _CALM = "morning", "calm"


def _today(stage: Stage) -> TodayPage:
    stage.shell.go("today")
    page = stage.shell.page("today")
    assert isinstance(page, TodayPage)
    return page


async def _morning(stage: Stage, key: str, made: Morning) -> TodayPage:
    """The page on a connection of its own, which a scene before this one may have filled already."""
    await stage._use(key, "Not connected.")
    assert stage.shell.desk is not None
    page = _today(stage)
    await stage.settle()
    if page.board.count or page.states.state_text.startswith("Nothing needs"):
        return page
    await keep_morning(stage.shell.desk, made)
    page.reload()
    await stage.settle()
    return page


def _troubled() -> Morning:
    made = Morning(random.Random(11))
    for kinds in TROUBLES.values():
        for kind in (*kinds, *kinds[:1]):
            kind(made)
    made.add(
        requested_delivery=TODAY,
        phone="901-555-0142",
        consignee_name="Renée O'Brien-Featherstonehaugh and Daughters Fine Furniture",
        city="New Orleans",
    )
    return made


async def today_morning(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.list.go_to(page.list.lines.nearest(8))
    stage.shell.today.show(page.board.count)


async def today_order(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.list.go_to(page.list.lines.nearest(12))
    page.open_current()


async def today_snooze(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.side.close()
    page.snooze()


async def today_undo(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.finish()


async def today_done(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.tabs["done"].setChecked(True)


async def today_snoozed_none(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.bar.clear()
    page.tabs["snoozed"].setChecked(True)


async def today_rules(stage: Stage) -> None:
    page = await _morning(stage, _MORNING, _troubled())
    page.tabs["todo"].setChecked(True)
    page.open_rules()
    await stage.settle()
    (stage.dialog,) = [each for each in page.findChildren(AttentionDialog) if each.isVisible()]


async def today_none(stage: Stage) -> None:
    made = Morning(random.Random(1))
    for days in range(7, 11):
        made.add(requested_delivery=TODAY + days * DAY)
    await _morning(stage, _CALM, made)


async def today_nothing_yet(stage: Stage) -> None:
    await stage.use_empty_desk("Starting practice…")
    _today(stage)


async def today_full_desk(stage: Stage) -> None:
    """A thousand orders and more."""
    await stage.use_full_desk()
    assert stage.shell.desk is not None
    assert stage.shell.desk.profile.id == PRACTICE
    page = _today(stage)
    await stage.settle()
    stage.press(Qt.Key.Key_Down)
    page.list.setFocus()


async def today_large_text(stage: Stage) -> None:
    SIZES.choose(150, compact=False)
    await today_morning(stage)


TODAY_SCENES: tuple[Scene, ...] = (
    today_morning,
    today_order,
    today_snooze,
    today_undo,
    today_done,
    today_snoozed_none,
    today_rules,
    today_none,
    today_nothing_yet,
    today_full_desk,
    today_large_text,
)
NARROW_TODAY_SCENES: tuple[Scene, ...] = (today_morning, today_order, today_rules, today_none)
