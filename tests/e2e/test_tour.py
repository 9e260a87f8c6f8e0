"""The first minutes of a new installation, by keys: five tasks in practice, each seen done by itself."""

import re

from tests.e2e.steps import references
from tests.support.window import Window, WindowFactory

CLONE = "TOUR-COPY-1"


def task(window: Window, number: int) -> None:
    """Wait until the strip says this task."""
    window.wait_for_words(rf"^{number} of 5 · ", patience=90)


def choose_first_order(window: Window) -> str:
    """Filter the orders and open the first one; its reference."""
    window.keys("ctrl+1", "ctrl+f", "ctrl+a")
    window.keys_for("status:std")
    found = window.wait_for(lambda: [each for each in references(window) if "outbox" not in each], "orders")
    window.keys("Return")
    window.find("Order", "panel")
    return found[0]


def test_a_new_person_goes_through_the_tour_by_keys(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("New here. Five short tasks in practice")
    window.keys("F6", "space")
    task(window, 1)
    window.find("First minutes", "panel")

    choose_first_order(window)
    task(window, 2)
    window.wait_for_words("✓ Done: Find an order")

    window.keys("ctrl+d")
    window.wait_for(lambda: window.seek(re.compile("^Order reference"), "text"), "the form")
    window.keys_for(CLONE)
    missing = window.wait_for(lambda: window.find("Still to do", "list").node.children, "the volumes that are missing")
    for _ in missing:
        window.keys("F4")
        window.keys_for("12")
    window.keys("F4")  # the last cell is left
    window.wait_for_words("^(Ready to submit|New order)$")
    window.keys("ctrl+Return")
    task(window, 3)

    choose_first_order(window)
    window.keys("ctrl+d")
    window.wait_for(lambda: window.seek("Scan barcodes", "text"), "the form")
    window.keys("alt+4")
    window.keys_for("WB-TOUR-1")
    window.keys("Return")
    task(window, 4)

    choose_first_order(window)
    window.keys("ctrl+Delete")
    window.find("Cancel the order", "push button").press()  # without a window manager it has no keyboard
    window.wait_for_words("is about to be cancelled")
    window.keys("ctrl+z")
    task(window, 5)

    window.keys("ctrl+5")
    window.wait_for(lambda: window.seek("Audits", "table") and window.find("Audits", "table").rows(), "audits", 90)
    window.keys("Down", "Return")
    window.wait_for(lambda: window.seek(re.compile("^Mark reviewed"), ""), "an audit")
    window.keys("e")
    window.wait_for_words("^That was the tour$")
    window.keys("F6", "Tab", "space")
    window.wait_for(lambda: "That was the tour" not in window.words(), "the end of the tour")
    window.close()
