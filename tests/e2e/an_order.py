"""One order with every field of the contract filled, and how a person enters it."""

import re
from collections.abc import Iterable

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
REQUIRED = ("Facility code", "Name", "Street address", "City", "State", "ZIP", "Phone")
CHOICES = {"Delivery type": "HOME", "Facility": "I give the facility code"}
# The rows of each grid: the button that adds a row, and the cells.
FREIGHT = ("Add freight line", [["SOFA", "1", "62.5", "148"], ["CHAIR", "2", "31", "74.25"]])
ROWS = {
    "Freight lines": FREIGHT,
    "Barcodes": (
        "Add barcode",
        [["WB0001", "SOFA", "1", "Three-seat sofa", "GRP-1"], ["WB0002", "CHAIR", "2", "Dining chair", "GRP-1"]],
    ),
    "References": ("Add reference", [["LOADREF", "4471-B"], ["DEPT", "17"]]),
}
# What the provider has to receive of it, by the contract's names: written by hand, independent of the program.
SENT = {
    "poNumber": "PO-7719",
    "billToCode": "ACMEBT",
    "manufacturerCode": "OAKLEIGH",
    "providerFacilityCode": "MEM01",
    "useConsigneeAddressToDetermineFaclityCode": False,
    "consignee": {
        "consigneeName": "Josefina Rivera",
        "streetAddress": "1420 Vance Avenue",
        "streetAddress2": "Suite 9",
        "city": "Memphis",
        "state": "TN",
        "zip": "38104",
        "phone1": "901-555-0142",
        "phone2": "901-555-0143",
        "email": "j.rivera@example.com",
    },
    "deliveryType": "HOME",
    "shipDate": "2026-12-01",
    "estimatedReceiveDate": "2026-12-03",
    "requestedDeliveryDate": "2026-12-08",
    "intermediateConsignee": "Acme Home, Beale Street",
    "freightDetails": [
        {"commodity": "SOFA", "count": 1, "volume": 62.5, "weight": 148},
        {"commodity": "CHAIR", "count": 2, "volume": 31, "weight": 74.25},
    ],
    "barcoding": {
        "receivingLoadNumber": "TRL-4471",
        "barcodeItemDetails": [
            {
                "commodity": "SOFA",
                "barcode": "WB0001",
                "count": 1,
                "description": "Three-seat sofa",
                "groupBarcode": "GRP-1",
            },
            {
                "commodity": "CHAIR",
                "barcode": "WB0002",
                "count": 2,
                "description": "Dining chair",
                "groupBarcode": "GRP-1",
            },
        ],
    },
    "otherReferenceNumbers": [{"type": "LOADREF", "value": "4471-B"}, {"type": "DEPT", "value": "17"}],
    "deliveryInstructions": "Call the gate first.\nLeave nothing on the porch.",
}


def enter_order(window: Window, reference: str) -> None:
    """Fill every field of the form on New order, by name; the grids key by key."""
    enter_fields(window, reference, FIELDS)
    for name, words in CHOICES.items():
        window.find(re.compile(rf"^{name}(\.|$)"), "combo box").choose(words)  # a hint may follow its name
    for name, (add, rows) in ROWS.items():
        enter_rows(window, name, add, rows)


def enter_least(window: Window, reference: str) -> None:
    """Fill only what an order cannot go without."""
    enter_fields(window, reference, REQUIRED)
    enter_rows(window, "Freight lines", *FREIGHT)


def enter_fields(window: Window, reference: str, names: Iterable[str]) -> None:
    """Fill the reference and these fields."""
    window.find("Order reference", "text").type(reference)
    for name in names:
        window.find(name, "text").type(FIELDS[name])


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
