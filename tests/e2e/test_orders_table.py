"""The orders table by keys alone, and its filters through the accessibility tree, on the practice world."""

import re
from functools import partial

from tests.e2e.steps import references
from tests.support.accessibility import Call
from tests.support.window import Element, Window, WindowFactory


def listed(window: Window) -> list[list[str]]:
    """The first rows of the provider's orders; none while one of them is blank still, since those that are not on
    screen are read only once somebody asks for them."""
    tables = window.seek("Orders", "table")
    rows = tables[0].rows() if tables else []
    return [row for row in rows if not row[0].startswith("In the outbox")] if all(row[0] for row in rows) else []


def states(window: Window) -> set[str]:
    """The codes in the status column."""
    return {row[0].split()[1] for row in listed(window)}


def fill(window: Window, name: str, text: str) -> None:
    """Write into a field of another window than the main one, as a screen reader does."""
    field = window.find(name, "text").node.ref
    assert window.bus.call(Call(field, "EditableText", "SetTextContents", "s", (text,)))[0]


def columns(window: Window) -> list[str]:
    """What stands in the list of columns."""
    return [each.name for each in window.find("Columns", "list").node.children]


def _sorted_by(window: Window, title: str) -> bool:
    table = window.find("Orders", "table")
    place = table.titles().index(title)
    found = [row[place] for row in listed(window)]
    return bool(found) and found == sorted(found, key=str.casefold)


def _closed(window: Window, chip: str) -> bool:
    return not window.seek(chip, "list")


def _distances(window: Window, name: str) -> list[int]:
    """From line to line of a list; empty as long as it is not open or has no lines."""
    return window.find(name, "list").distances() if window.seek(name, "list") else []


def view(window: Window, name: str) -> Element:
    return window.find(re.compile(rf"^{name}(, [\d,]+ orders?)?$"), "radio button")


def test_filter_views_columns_and_palette_by_keys_alone(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    window.keys("ctrl+f")
    window.keys_for("status:dso ")
    window.wait_for(lambda: states(window) == {"DSO"}, "dispatched orders alone")
    window.keys("Return")  # into the table
    window.keys("ctrl+k")
    window.keys_for("save as new view")
    window.wait_for(lambda: window.seek("Search or command", "text"), "the palette")
    window.keys("Return")
    # Keys reach the main window alone here: there is no window manager that would give them to another.
    fill(window, "Name of the view", "On the road")
    window.find("Save", "push button").press()
    window.wait_for(lambda: "checked" in view(window, "On the road").states(), "the new view shown")
    window.keys("ctrl+Next")  # round to the first view
    window.wait_for(lambda: "checked" in view(window, "Open").states(), "the open orders")
    window.wait_for(lambda: states(window) - {"DSO"}, "orders of other states too")  # the newest may all be of one
    window.keys("F8")
    fill(window, "Find a column", "phone")
    lines = window.wait_for(lambda: columns(window) if "City" not in columns(window) else [], "columns of phones alone")
    assert lines[:2] == ["Consignee", "Phone"], "the heading, and the first column below it"
    window.find("Close", "push button").press()
    window.wait_for(lambda: not window.seek("Columns", "list"), "the list of columns closed")
    window.keys("ctrl+k")
    window.keys_for("sort by city")
    window.keys("Return")
    window.wait_for(lambda: _sorted_by(window, "City"), "orders sorted by city")
    window.close()


def test_lists_that_open_for_the_first_time_have_lines_of_their_full_height(open_window: WindowFactory) -> None:
    # On a screen, read aloud: a list is asked where its lines stand before it has its style.
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    for chip in ("Scheduled", "Late", "Status"):
        window.find(chip, "push button").press()
        lines = window.wait_for(partial(_distances, window, chip), "the lines of the chip")
        assert min(lines) >= 24, chip
        window.keys("Escape")
        window.wait_for(partial(_closed, window, chip), "the chip closed")
    window.keys("F8")
    lines = window.wait_for(partial(_distances, window, "Columns"), "the lines of the columns")
    assert len(lines) > 10
    assert min(lines) >= 24
    window.find("Close", "push button").press()
    window.close()


def test_a_chip_and_a_view_through_the_tree(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders of the practice world")
    window.find("Status", "push button").press()
    lines = window.wait_for(lambda: window.find("Status", "list").node.children, "what can be chosen")
    assert any(re.fullmatch(r"Dispatched \(DSO\)  [\d,]+", each.name) for each in lines)
    window.find("Filter orders", "text").type("status:dso,pln")
    window.wait_for(lambda: states(window) <= {"DSO", "PLN"} and states(window), "orders of two states")
    window.find("Status: Dispatched (DSO) or Planned (PLN)", "push button")
    found = window.wait_for(lambda: references(window) if listed(window) else [], "their references")
    view(window, "Completed").press()
    window.wait_for(lambda: states(window) == {"CMP"}, "completed orders")
    assert window.find("Filter orders", "text").text == ""
    shown = window.wait_for(lambda: references(window) if listed(window) else [], "their references")
    assert set(shown).isdisjoint(found)
    window.close()
