"""The whole order, every field of all six sections, in one way alone: by keys, or through the accessibility tree.

The provider then holds exactly what was typed. No helper is used that would take another way in between.
"""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.an_order import CHOICES, FIELDS, ROWS, SENT, enter_least
from tests.e2e.settings_steps import enter_connection, save
from tests.e2e.steps import wait_until_submitted
from tests.support.accessibility import Call
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeFactory
from tests.support.window import Element, Window, WindowFactory

Desk = tuple[Window, Caller]
# What Tab comes by, from the reference on, each with the keys that are pressed there.
SECTIONS_BY_TAB = (
    *("Order reference", "PO number", "Delivery type", "Bill-to code", "Manufacturer code"),
    *("Sold by (company or store)", "Facility", "Facility code"),
    *("Ships to the facility", "Facility receives it", "Requested delivery", "Name", "Street address"),
    *("Unit, suite, floor", "City", "State", "ZIP", "Phone", "Second phone", "Email"),
)


@pytest.fixture
def desk(open_window: WindowFactory, practice_factory: PracticeFactory) -> Iterator[Desk]:
    provider = practice_factory()
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    yield window, Caller(provider.facts)
    window.close()


def arrived(desk: Desk, reference: str) -> None:
    """The provider holds the order, every field as it was typed, and one of it."""
    window, caller = desk
    wait_until_submitted(window, reference)
    [kept] = window.wait_for(lambda: caller.behind_the_counter(reference), f"{reference} at the provider")
    assert kept["body"] == {"orderReferenceNumber": reference} | SENT


def has_keyboard(window: Window) -> str:
    """What has the keyboard, by what it is called."""

    def look() -> str:
        found = [each.called for each in window.tree().walk() if "focused" in each.states and each.called]
        return found[-1].partition(".")[0] if found else ""

    return window.wait_for(look, "anything that has the keyboard")


def tab_to(window: Window, name: str) -> None:
    window.keys("Tab")
    window.wait_for(lambda: has_keyboard(window) == name, f"the keyboard at {name!r}")


def test_by_keys_alone(desk: Desk) -> None:
    window, _ = desk
    window.keys("ctrl+2")
    window.wait_for(lambda: has_keyboard(window) == "Order reference", "the keyboard at the reference")
    window.keys_for("E2E-KEYS-1")
    for name in SECTIONS_BY_TAB[1:]:
        tab_to(window, name)
        if name == "Delivery type":
            window.keys("Down")
        elif name in FIELDS:
            window.keys_for(FIELDS[name])
    window.keys("Tab")  # into the freight
    window.keys_for("\t".join(ROWS["Freight lines"][1][0]))
    window.keys("Return")
    window.keys_for("\t".join(ROWS["Freight lines"][1][1]) + "\t")
    window.wait_for(lambda: has_keyboard(window) == "Add freight line", "the keyboard behind the freight")
    tab_to(window, "Load number (inbound truck or trailer)")
    window.keys_for(FIELDS["Load number (inbound truck or trailer)"])
    for name in ("Scan barcodes", "Begin group", "Barcodes"):
        tab_to(window, name)
    enter_rows(window, "Barcodes")
    for name in ("Add barcode", "References"):
        tab_to(window, name)
    enter_rows(window, "References")
    for name in ("Add reference", "Delivery instructions"):
        tab_to(window, name)
    first, second = FIELDS["Delivery instructions"].split("\n")
    window.keys_for(first)
    window.keys("Return")
    window.keys_for(second)
    window.wait_for_words("Ready to submit")
    window.keys("ctrl+Return")
    arrived(desk, "E2E-KEYS-1")


def enter_rows(window: Window, grid: str) -> None:
    """In an empty grid: Enter begins each row; stays in the last cell."""
    for at, cells in enumerate(ROWS[grid][1], 1):
        window.keys("Return")
        wait_for_rows(window, grid, at)
        window.keys_for("\t".join(cells))


def wait_for_rows(window: Window, grid: str, count: int) -> None:
    window.wait_for(lambda: len(window.find(grid, "table").rows()) == count, f"{count} rows of {grid}")


def test_through_the_tree_alone(desk: Desk) -> None:
    window, _ = desk
    window.go("New order")
    window.find("Order reference", "text").type("E2E-TREE-2")
    for name, text in FIELDS.items():
        window.find(name, "text").type(text)
    for name, words in CHOICES.items():
        select(window, window.find(re.compile(rf"^{name}(\.|$)"), "combo box"), words)
    for grid, (add, rows) in ROWS.items():
        for at, cells in enumerate(rows):
            fill_row(window, grid, add, at, cells)
    window.wait_for_words("Ready to submit")
    window.find("Submit order", "push button").press()
    arrived(desk, "E2E-TREE-2")


def test_every_list_of_the_form_is_chosen_from_through_the_tree(open_window: WindowFactory) -> None:
    window = open_window()
    window.go("New order")
    enter_least(window, "E2E-TREE-3")
    choose_line(window, "Scanned by commodity", "CHAIR")
    window.wait_for_words("Now scanning CHAIR")
    window.find("City", "text").type("")
    choose_line(window, "Still to do", "City")
    window.wait_for(lambda: "focused" in window.find("City", "text").states(), "the keyboard in City")
    window.find("City", "text").type(FIELDS["City"])
    window.find("Submit order", "push button").press()
    wait_until_submitted(window, "E2E-TREE-3")
    window.wait_for(lambda: window.find("Name", "text").text == "", "a new order")
    window.wait_for(lambda: offered(window), "what is known")
    choose_line(window, "Suggestions", FIELDS["Name"])
    window.wait_for(lambda: window.find("Phone", "text").text == FIELDS["Phone"], "the whole consignee")
    window.close()


def offered(window: Window) -> bool:
    """Type a name until it is known: it is learnt when nothing else is under way."""
    window.find("Name", "text").type("")
    window.find("Name", "text").type("riv")
    return bool(window.seek("Suggestions", "list"))


def choose_line(window: Window, name: str, words: str) -> None:
    """Select a line of a list, as a screen reader does."""
    lines = window.wait_for(lambda: window.find(name, "list").node.children, f"lines in {name}")
    [line] = [each for each in lines if each.name.startswith(words)]
    assert window.bus.call(Call(line.ref, "Action", "DoAction", "i", (0,)))[0]


def select(window: Window, choice: Element, words: str) -> None:
    """Choose as a screen reader does: select the line in the list that belongs to the combo box."""
    (lines,) = window.bus.call(Call(choice.node.ref, "Accessible", "GetChildren"))[0]
    children = window.bus.call(Call(tuple(lines), "Accessible", "GetChildren"))[0]
    names = [window.bus.value(tuple(each), "Accessible", "Name") for each in children]
    assert window.bus.call(Call(tuple(lines), "Selection", "SelectChild", "i", (names.index(words),)))[0]
    window.wait_for(lambda: choice.text == words, f"{words!r} chosen in {choice.node.called}")


def fill_row(window: Window, grid: str, add: str, at: int, cells: list[str]) -> None:
    table = window.find(grid, "table")
    if at == len(table.rows()):
        window.find(add, "push button").press()
        wait_for_rows(window, grid, at + 1)
    for place, (title, text) in enumerate(zip(table.titles(), cells, strict=True)):
        write_cell(window, table, title, at, place, text)


def write_cell(window: Window, table: Element, title: str, row: int, place: int, text: str) -> None:
    """Choose a cell as a screen reader does, and write into the field that stands for it."""
    grid = table.node.name
    name = f"{title} of {grid}, row {row + 1}"
    if not window.seek(name, "text"):
        cell = window.bus.call(Call(table.node.ref, "Table", "GetAccessibleAt", "ii", (row, place)))[0]
        assert window.bus.call(Call(tuple(cell), "Action", "DoAction", "i", (0,)))[0]
    line = window.find(name, "text")
    assert window.bus.call(Call(line.node.ref, "EditableText", "SetTextContents", "s", (text,)))[0]
    window.wait_for(lambda: text in " ".join(table.rows()[row]), f"{text!r} in {name}")
