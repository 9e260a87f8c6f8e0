"""One order with every field of the contract filled, and how a person enters it."""

from tests.support.window import Element, Window

FIELDS = {
    "PO number": "PO-7719",
    "Bill-to code": "ACMEBT",
    "Manufacturer code": "OAKLEIGH",
    "Sold by (company or store)": "Acme Home, Beale Street",
    "Facility code": "MEM01",
    "Ships to the facility": "2026-12-01",
    "Facility receives it": "2026-12-03",
    "Requested delivery": "2026-12-08",
    "Name": "Josefina Rivera",
    "Street address": "1420 Vance Avenue",
    "Unit, suite, floor": "Suite 9",
    "City": "Memphis",
    "State": "TN",
    "ZIP": "38104",
    "Phone": "901-555-0142",
    "Second phone": "901-555-0143",
    "Email": "j.rivera@example.com",
    "Load number (inbound truck or trailer)": "TRL-4471",
    "Delivery instructions": "Call the gate first.\nLeave nothing on the porch.",
}
CHOICES = {"Delivery type": "HOME", "Facility": "I give the facility code"}
# The rows of each grid: the button that adds a row, and the cells.
ROWS = {
    "Freight lines": ("Add freight line", [["SOFA", "1", "62.5", "148"], ["CHAIR", "2", "31", "74.25"]]),
    "Barcodes": (
        "Add barcode",
        [["WB0001", "SOFA", "1", "Three-seat sofa", "GRP-1"], ["WB0002", "CHAIR", "2", "Dining chair", "GRP-1"]],
    ),
    "References": ("Add reference", [["LOADREF", "4471-B"], ["DEPT", "17"]]),
}


def enter_order(window: Window, reference: str) -> None:
    """Fill every field of the form on New order, by name; the grids key by key."""
    window.find("Order reference", "text").type(reference)
    for name, text in FIELDS.items():
        window.find(name, "text").type(text)
    for name, words in CHOICES.items():
        window.find(name, "combo box").choose(words)
    for name, (add, rows) in ROWS.items():
        enter_rows(window, name, add, rows)


def enter_rows(window: Window, grid: str, add: str, rows: list[list[str]]) -> None:
    """Type rows into a grid, cell by cell with Tab between them, as one does."""
    for at, cells in enumerate(rows):
        _enter_row(window, window.find(grid, "table"), add, at, cells)


def _enter_row(window: Window, table: Element, add: str, at: int, cells: list[str]) -> None:
    if at < len(table.rows()):
        table.focus()
    else:
        window.find(add, "push button").press()
        window.wait_for(lambda: len(table.rows()) > at, f"row {at + 1} of {table.node.name}")
    window.keys_for("\t".join(cells) + "\t")
    window.wait_for(lambda: [_cells(each) for each in table.rows()[at:]] == [cells], f"{cells} in {table.node.name}")


def _cells(spoken: list[str]) -> list[str]:
    """`Count: 2` → `2`."""
    return [each.partition(": ")[2] for each in spoken]
