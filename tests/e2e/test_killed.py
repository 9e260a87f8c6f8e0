"""A window that is killed while a cell is open, or while a cancellation can still be undone.

Typing into a field, killed at any moment, is among the faults.
"""

import re
from pathlib import Path

import pytest

from tests.e2e.steps import references
from tests.support.window import Window, WindowFactory

pytestmark = pytest.mark.anew


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


@pytest.mark.parametrize("decided", ["Cancel the order", "Keep the order"])
def test_a_cancellation_that_could_still_be_undone_is_not_sent_unasked(
    open_window: WindowFactory, decided: str
) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    reference = window.wait_for(lambda: references(window), "orders")[0]
    show_alone(window, reference)
    window.keys("Return", "ctrl+Delete")
    window.find("Cancel the order", "push button").press()
    window.wait_for_words(f"Order {reference} is about to be cancelled")
    window.run.kill()
    again = open_window()
    again.wait_for_words(f"The cancellation of {reference} waits for your decision. Waybill ended while")
    again.wait_for_words("✓ Connected, last answer")
    show_alone(again, f"outbox: {reference}", reference)
    assert again.words().count("waits for your decision"), "connected, it is not sent either"
    again.find("Decide…", "push button").press()
    again.find(decided, "push button").press()
    if decided == "Cancel the order":
        again.wait_for_words("No order here matches this filter", patience=90)
    else:
        again.wait_for_words(f"Order {reference} was not cancelled")
        again.wait_for(lambda: references(again) == [reference], "the order alone")
    again.wait_for(lambda: not re.search("decision|about to be", again.words()), "every word about the decision to go")
    again.close()


def show_alone(window: Window, *rows: str) -> None:
    """Filter the orders by the reference of the last of these."""
    window.keys("ctrl+1", "ctrl+f", "ctrl+a")
    window.keys_for(rows[-1])
    window.wait_for(lambda: references(window) == [*rows], f"{rows} in the list")


def is_kept(folder: Path, text: bytes) -> bool:
    """Whether a text can be found in any file of a folder."""
    return any(text in each.read_bytes() for each in folder.glob("journal*") if each.is_file())
