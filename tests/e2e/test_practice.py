"""The whole way of an order in practice, on a fresh machine; and what a killed window leaves."""

from pathlib import Path

from tests.e2e.steps import whole_way
from tests.support.window import WindowFactory
from tests.support.window_process import all_gone


def test_an_order_from_the_form_to_its_cancellation(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("Practice: nothing leaves this computer")
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    whole_way(window, "E2E-PRACTICE-1")
    window.close()


def test_a_killed_window_loses_at_most_the_last_second(open_window: WindowFactory, tmp_path: Path) -> None:
    window = open_window(tmp_path / "desk")
    window.go("New order")
    window.find("Order reference", "text").type("E2E-KILLED-1")
    window.find("Freight lines", "table").focus()
    window.keys_for("SO")  # a cell that is still open counts too
    window.wait_for_words(r"Draft kept \d")
    window.keys_for("FA")
    children = window.run.children()
    window.run.kill()
    assert all_gone(children, 10), "the practice service outlives its window"

    again = open_window(tmp_path / "desk")
    again.go("New order")
    again.wait_for(lambda: again.find("Order reference", "text").text == "E2E-KILLED-1", "the draft")
    (cell, *_) = again.find("Freight lines", "table").rows()[0]
    assert cell in ("Commodity: SO", "Commodity: SOF", "Commodity: SOFA")
    again.close()
