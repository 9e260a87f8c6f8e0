"""The whole way of an order in practice, on a fresh machine."""

from tests.e2e.steps import whole_way
from tests.support.window import WindowFactory


def test_an_order_from_the_form_to_its_cancellation(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("Practice: nothing leaves this computer")
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    whole_way(window, "E2E-PRACTICE-1")
    window.close()


def test_a_window_that_is_worked_from_its_first_moment(open_window: WindowFactory) -> None:
    window = open_window()
    window.go("New order")  # while the client is still being loaded and practice is starting
    window.find("Order reference", "text").type("E2E-FIRST-1")
    for page in ("Settings", "Outbox", "Orders"):
        window.go(page)
    window.wait_for_words("✓ Connected, last answer")
    window.close()


def test_a_window_that_is_closed_in_its_first_moment(open_window: WindowFactory) -> None:
    open_window().close()  # while the made-up world is still being written
    again = open_window()
    again.wait_for_words("✓ Connected, last answer")
    again.wait_for(lambda: again.find("Orders", "table").rows(), "orders of the practice world")
    again.close()
