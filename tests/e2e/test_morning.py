"""A morning of twenty troubles, worked off by keys alone: in *Today* down to empty, and for comparison in *Orders*.

Of each order a person wants to know what is wrong and why, has the number to call copied, and is done with it. In
*Orders* nothing says what is done: there a person marks it as watched, and the rows stay.
"""

import asyncio
import random
import re
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path

import pytest

from app.desk.connections import profiles
from app.desk.desk import Desk
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from tests.e2e.steps import references
from tests.e2e.test_steps import done
from tests.support import mornings
from tests.support.mornings import Expected, Morning, in_order, keep_morning
from tests.support.steps_taken import Task
from tests.support.window import Window, WindowFactory

TROUBLES = (
    *(mornings.overdue_never_received,) * 6,
    *(mornings.overdue_loaded,) * 4,
    *(mornings.undelivered,) * 4,
    *(mornings.scheduled_late,) * 6,
)
# A provider that cannot be reached: nothing but what the morning has is ever shown.
NOBODY = Profile("morning", "Morning", "test", *("http://127.0.0.1:9/",) * 3, "nobody")


@pytest.fixture
def morning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Morning:
    """A data folder with twenty troubles among orders that are well, as of today."""
    monkeypatch.setattr(mornings, "TODAY", datetime.combine(datetime.now().date(), time()))
    monkeypatch.setattr(mornings, "NOW", datetime.now())
    made = Morning(random.Random(20))
    mornings.well(made)
    made.orders["completed"], made.orders["other"] = [], []
    made.writes, made.audits, made.reviewed, made.loads = [], [], [], []
    for trouble in TROUBLES:
        trouble(made)
    made.orders["open"] = [replace(each, phone=f"901-555-{each.number % 10_000:04}") for each in made.orders["open"]]
    asyncio.run(_keep(tmp_path / "desk", made))
    return made


async def _keep(folder: Path, made: Morning) -> None:
    place = DataDir(folder)
    place.create()
    journal, cache, reader = Journal(place.journal), Database(place.cache, CACHE), Database(place.cache, CACHE)
    try:
        await profiles.save(journal, NOBODY)
        await profiles.remember_used(journal, NOBODY.id)
        await keep_morning(Desk(NOBODY, journal, cache, reader, datetime.now), made)
    finally:
        for each in (reader, cache, journal):
            each.close_now()


def phone_of(each: Expected) -> str:
    return f"901-555-{int(each.title.rpartition('-')[2]) % 10_000:04}"


def current(window: Window) -> str:
    """The line of *Today* that the keys are about."""
    found = window.seek("What needs somebody, the worst first", "list")
    names = [each.name for each in found[0].node.children if "selected" in each.states] if found else []
    return names[0] if names else ""


def line_about(window: Window, title: str) -> str:
    """The current line, as soon as it is the one of this title."""

    def look() -> str:
        said = current(window)
        return said if said.startswith(title) else ""

    return window.wait_for(look, f"the line of {title}")


def test_today_is_worked_off_to_empty(open_window: WindowFactory, tmp_path: Path, morning: Morning) -> None:
    window = open_window(tmp_path / "desk")
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    task = Task(window, "a morning of 20 troubles, worked off in Today")
    task.press("ctrl+t")
    troubles = in_order(morning)
    window.find(f"To do {len(troubles)}", "radio button")
    for left, each in zip(reversed(range(len(troubles))), troubles, strict=True):
        said = line_about(window, each.title)
        assert each.what in said
        assert each.why in said
        task.press("c")
        window.wait_for_words(f"{phone_of(each)}.*copied|copied.*{phone_of(each)}")
        task.press("d")
        window.find(f"To do {left}", "radio button")
    window.wait_for_words("Nothing needs you")
    assert len(troubles) == 20
    done(task)
    window.close()


def test_the_same_in_orders_leaves_every_row_where_it_was(
    open_window: WindowFactory, tmp_path: Path, morning: Morning
) -> None:
    window = open_window(tmp_path / "desk")
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    troubled = {each.title for each in morning.expected}
    task = Task(window, "the same 20 in Orders, marked as watched")
    task.press(*["ctrl+Next"] * 4)
    window.wait_for(lambda: set(references(window)) == troubled, "the orders that need attention")
    task.press("ctrl+f", "Return")
    for at in range(len(troubled)):
        task.press("ctrl+alt+c", "ctrl+b")
        if at + 1 < len(troubled):
            task.press("Down")
    assert set(references(window)) == troubled, "nothing tells those that are done from the others but the mark"
    done(task)
    window.keys("ctrl+Next", "ctrl+Next")  # the view of what is watched, to see that it came true
    window.wait_for(lambda: set(references(window)) == troubled, "all of them watched")
    window.find(re.compile("^Watched"), "radio button")
    window.close()
