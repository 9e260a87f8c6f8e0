"""Every operation of both services is called from the window, by its keys, against practice.

The list of operations is `tests/unit/contract/data/operations.json`, written by hand from services.md, which is kept
outside the repository. Values that a call needs are taken from earlier answers, as a person would.
"""

import json
import re
from pathlib import Path
from typing import Any

from tests.e2e.flow_steps import CONSIGNEE
from tests.support.window import Window, WindowFactory

DATA = Path(__file__).parents[1] / "unit" / "contract" / "data" / "operations.json"
LISTED: list[tuple[str, str, int]] = [
    (method, path, status)
    for method, path, *_, status, _, _ in json.loads(DATA.read_text(encoding="utf-8"))["management"]
] + [(method, path, 200) for method, path, *_ in json.loads(DATA.read_text(encoding="utf-8"))["information"]]

REFERENCE = "E2E-CONSOLE-1"
ORDER = {
    "orderReferenceNumber": REFERENCE,
    "useConsigneeAddressToDetermineFaclityCode": True,
    "consignee": CONSIGNEE,
    "freightDetails": [{"commodity": "SOFA", "count": 1, "volume": 62.5}],
}
# What goes to the outbox, in the words that its row has once the provider took it.
OUTBOX = {"/Order/submit": "taken order", "/Order/cancel": "[Cc]ancel"}
BODIES: dict[str, Any] = {
    "/Order/submit": ORDER,
    "/Order/cancel": {"orderReferenceNumber": REFERENCE},
    "/PartnerA/cancel": {"orderReferenceNumber": "E2E-CONSOLE-2"},
    "/PartnerA/reserveSlot": {"slotId": "{{partner_a_get_slot.body.slots[0].slotId}}"},
    "/PartnerB/orderSubmit": ORDER | {"orderReferenceNumber": "E2E-CONSOLE-2"},
    "/PartnerA/getSlot": {"zip": "38104"},
}
# Labels of the form, and what is typed there.
PARAMETERS: dict[str, dict[str, str]] = {
    "/Order/status": {"Order reference number": "E2E-CONSOLE-2"},
    "/orders/{OrderNumber}": {"Order number": "{{open_orders.body[0].OrderNumber}}"},
    "/audit/{AuditId}": {"Audit id": "{{audits.body[0].auditId}}"},
    "/overage/{LoadId}": {"Load id": "TRL-4471"},
    "/overage": {"Load id": "TRL-4471"},
}
# What has to be there before another call can be made.
BEFORE = {
    "/Order/status": "/PartnerB/orderSubmit",
    "/PartnerA/cancel": "/Order/status",
    "/PartnerA/reserveSlot": "/PartnerA/getSlot",
    "/orders/{OrderNumber}": "/orders/open",
    "/audit/{AuditId}": "/audit",
    "/download/audit/{Filename}": "/audit/{AuditId}",
    "/Order/cancel": "/Order/submit",
}


def in_order() -> list[tuple[str, str, int]]:
    """The listing, each operation behind what has to be there before it."""
    found: list[tuple[str, str, int]] = []

    def add(each: tuple[str, str, int]) -> None:
        needed = BEFORE.get(each[1])
        if needed is not None:
            add(next(other for other in LISTED if other[1] == needed))
        if each not in found:
            found.append(each)

    for each in LISTED:
        add(each)
    return found


def open_operation(window: Window, method: str, path: str) -> None:
    """Find an operation by typing it, and go into its form with Enter."""
    window.keys("alt+1")
    search = window.find("Find an operation", "text")
    window.wait_for(lambda: "focused" in search.states(), "the keyboard in the search")
    window.keys_for(f"{method} {path}")
    window.keys("Return")
    window.wait_for(lambda: window.seek(f"{method} {path}", "label"), f"the form of {path}")
    window.wait_for_words("No answer yet")


def fill_in(window: Window, path: str, picture: str) -> None:
    more = {"Filename": picture} if path == "/download/audit/{Filename}" else {}
    for label, text in (PARAMETERS.get(path, {}) | more).items():
        window.find(label, "text").type(text)
    if path in BODIES:
        window.find("Body as JSON", "text").type(json.dumps(BODIES[path], indent=2))


def picture_of(window: Window) -> str:
    """The name of a picture that the audit names which is shown as a table."""
    table = window.find("Table", "table")
    place = table.titles().index("imageUrl")
    rows = window.wait_for(table.rows, "the rows of the audit")
    address = next(row[place] for row in rows if "/download/audit/" in row[place])
    return re.sub(r".*/download/audit/", "", address)


def call(window: Window, path: str, status: int) -> None:
    window.keys("ctrl+Return")
    if path in OUTBOX:
        window.wait_for_words(rf"({OUTBOX[path]}.*{REFERENCE}|{REFERENCE}.*{OUTBOX[path]})", patience=60)
    else:
        window.wait_for_words(rf"^✓ {status} \w+$", patience=60)


def test_every_operation_of_the_contract_is_called_from_the_window(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("Console")
    picture = ""
    for method, path, status in in_order():
        open_operation(window, method, path)
        fill_in(window, path, picture)
        call(window, path, status)
        if path == "/audit/{AuditId}":
            picture = picture_of(window)
    window.keys("alt+6")
    rows = window.wait_for(lambda: _history(window), "the history")
    assert len(rows) == len(LISTED)
    window.close()


def _history(window: Window) -> list[list[str]]:
    rows = window.find("History", "table").rows(most=len(LISTED) + 5)
    return rows if len(rows) >= len(LISTED) else []
