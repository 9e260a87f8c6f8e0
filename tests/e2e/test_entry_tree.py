"""A whole order through the accessibility tree alone: no key is pressed and no mouse moved."""

from tests.e2e.an_order import FIELDS, FREIGHT, REQUIRED
from tests.support.accessibility import Call
from tests.support.window import Element, Window, WindowFactory


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


def test_an_order_is_entered_and_sent_through_the_tree(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("Connected")
    window.go("New order")
    for name, text in (("Order reference", "E2E-TREE-1"), *((name, FIELDS[name]) for name in REQUIRED)):
        window.find(name, "text").type(text)
    table = window.find("Freight lines", "table")
    add, rows = FREIGHT
    for row, cells in enumerate(rows):
        if row >= len(table.rows()):
            window.find(add, "push button").press()
            window.wait_for(lambda: len(table.rows()) == 2, "a second line")
        for place, (title, text) in enumerate(zip(table.titles(), cells, strict=True)):
            write_cell(window, table, title, row, place, text)
    window.wait_for_words("Ready to submit")
    assert [[each.partition(": ")[2] for each in row] for row in table.rows()] == rows
    window.find("Submit order").press()
    window.wait_for_words("E2E-TREE-1 is in the outbox")
    window.close()
