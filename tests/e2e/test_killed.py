"""A window that is killed while somebody types."""

import time
from pathlib import Path

import pytest

from tests.support.window import Element, Window, WindowFactory
from tests.support.window_process import all_gone

SECOND = 1.0  # what may be missing is what was typed in the last second
TYPED = " ".join(f"word{at:02}" for at in range(30))


@pytest.mark.parametrize("moment", [2.0, 3.5])  # two, since one could by chance come right after a draft was kept
def test_at_most_the_last_second_is_missing_and_practice_ends_too(open_window: WindowFactory, moment: float) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("New order")
    window.find("Order reference", "text").type("E2E-KILLED-1")
    seen = type_and_watch(window, window.find("Delivery instructions", "text"), long_enough=moment)
    children = window.run.children()
    window.run.kill()
    killed = time.monotonic()
    assert all_gone(children, patience=10), "the practice service outlives its window"

    surely = [text for at, text in seen if at < killed - SECOND][-1]
    again = open_window()
    again.go("New order")
    again.wait_for(lambda: again.find("Order reference", "text").text == "E2E-KILLED-1", "the draft")
    kept = again.find("Delivery instructions", "text").text
    assert 10 < len(surely) < len(TYPED)  # it was killed in the middle of a word
    assert TYPED.startswith(kept)
    assert kept.startswith(surely), f"{surely!r} stood there a second before"
    again.close()


def type_and_watch(window: Window, field: Element, long_enough: float) -> list[tuple[float, str]]:
    """Type without a pause, and look at what stands in the field; moments and texts, up to a while after the start."""
    field.focus()
    typing = window.desktop.begin("type", "--delay", "25", "--", TYPED)
    seen: list[tuple[float, str]] = [(time.monotonic(), "")]
    while seen[-1][0] < seen[0][0] + long_enough:
        seen.append((time.monotonic(), field.text))
    typing.kill()
    typing.wait()
    # A key that is held down would repeat itself in the next window.
    window.desktop.do("keyup", "space", *sorted(set(TYPED) - {" "}))
    return seen


def test_a_cell_that_is_still_open_counts_too(open_window: WindowFactory) -> None:
    window = open_window()
    window.go("New order")
    window.find("Freight lines", "table").focus()
    window.keys_for("SOFA")
    window.wait_for(lambda: is_kept(window.run.data, b'"commodity": "SOFA"'), "the open cell on the disk")
    window.run.kill()
    again = open_window()
    again.go("New order")
    again.wait_for(lambda: again.find("Freight lines", "table").rows()[0][0] == "Commodity: SOFA", "the open cell")
    again.close()


def is_kept(folder: Path, text: bytes) -> bool:
    """Whether a text can be found in any file of a folder."""
    return any(text in each.read_bytes() for each in folder.glob("journal*") if each.is_file())
