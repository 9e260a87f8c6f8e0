"""The second start: the orders are there at once, and what is typed before the program is whole is not lost."""

from functools import partial
from pathlib import Path

import pytest

from tests.e2e.steps import references
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop, WindowProcess

pytestmark = pytest.mark.anew


def leave_a_still(open_window: WindowFactory) -> list[str]:
    """Run the program until it shows orders, and close it; their references."""
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    found = window.wait_for(lambda: references(window), "orders")
    window.close()
    assert still_of(window).exists()
    return found


def still_of(window: Window) -> Path:
    return window.run.data / "still.bin"


def test_keys_typed_into_the_still_filter_the_orders(open_window: WindowFactory, desktop: Desktop) -> None:
    wanted = leave_a_still(open_window)[0]
    again = open_window(at_once=partial(type_at_once, desktop, wanted))
    again.wait_for(lambda: references(again) == [wanted], "the order whose reference was typed, alone")
    again.close()
    assert still_of(again).exists()


def type_at_once(desktop: Desktop, text: str, run: WindowProcess) -> None:
    desktop.do("windowfocus", "--sync", run.window_id)
    desktop.do("key", "--clearmodifiers", "ctrl+f")
    desktop.do("type", "--clearmodifiers", "--delay", "2", "--", text)


def test_a_start_that_is_killed_behind_the_still_spoils_nothing(
    open_window: WindowFactory, desktop: Desktop, tmp_path: Path
) -> None:
    found = leave_a_still(open_window)
    killed = WindowProcess(desktop, tmp_path / "desk", tmp_path / "killed.txt")
    assert killed.window_id
    killed.kill()
    assert not (killed.data / "still.bin").exists(), "a still is used once"
    again = open_window()
    again.wait_for(lambda: set(references(again)) >= set(found[:3]), "the orders of before")
    again.close()
