"""Insights by keys alone on the practice world: from a mark of a plot to its orders, and back."""

from tests.e2e.test_orders_table import listed
from tests.support.window import WindowFactory


def test_from_a_mark_to_its_orders_by_keys_alone(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    window.keys("ctrl+shift+i")
    window.wait_for_words("as of ")
    marks = window.find("Open orders, by age and status", "list").node.children
    assert marks
    assert all(": " in each.name and each.name.endswith(("order", "orders")) for each in marks)
    window.find("Open orders, by age and status", "list").focus()
    window.keys("Return")
    window.wait_for(
        lambda: window.find("Filter orders", "text").text.startswith("list:open status:"), "the mark's filter"
    )
    count = int(marks[0].name.rpartition(": ")[2].split()[0].replace(",", ""))
    window.wait_for(lambda: len(listed(window)) == count or count > len(listed(window)) > 0, "its orders")
