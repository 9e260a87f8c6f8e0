"""The pages that are looked at longest, in both themes of high contrast."""

from collections.abc import Awaitable, Callable

from tests.shots.data import wrong_draft
from tests.shots.entry_page import show_draft
from tests.shots.outbox_scenes import outbox_rejected
from tests.shots.settings_scenes import settings_list
from tests.shots.stage import Stage
from tests.shots.today_scenes import today_morning

Scene = Callable[[Stage], Awaitable[None]]


async def contrast_today(stage: Stage) -> None:
    await today_morning(stage)


async def contrast_orders(stage: Stage) -> None:
    await stage.use_full_desk()
    stage.shell.go("orders")
    page = stage.shell.orders
    page.filter.clear()
    page.tabs["open"].click()
    await stage.settle()
    page.open_order(771_002)


async def contrast_entry(stage: Stage) -> None:
    stage.shell.orders.side.close()
    show_draft(stage, wrong_draft()).form.show_all_issues()


async def contrast_outbox(stage: Stage) -> None:
    """With the story of a refused order."""
    await outbox_rejected(stage)


async def contrast_settings(stage: Stage) -> None:
    stage.shell.window.bar.clear()
    await settings_list(stage)


CONTRAST_SCENES: tuple[Scene, ...] = (
    contrast_today, contrast_orders, contrast_entry, contrast_outbox, contrast_settings,
)  # fmt: skip
