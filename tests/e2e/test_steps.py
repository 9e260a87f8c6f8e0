"""How many steps the set tasks take, done with real keys in a real window, each seen to have come true.

`MEASURED` is what the table in README.md says: a change that costs a step, or spares one, is seen here. With `-s` the
keys of each task are printed.
"""

import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.ui.base.rail import ENTRIES, rail_key
from tests.e2e.an_order import FREIGHT, enter_least
from tests.e2e.flow_steps import CONSIGNEE
from tests.e2e.settings_steps import enter_connection, save
from tests.e2e.steps import references, wait_until_submitted
from tests.support.contract_samples import changed, sample
from tests.support.drag_source import drag_source, drag_to, let_go
from tests.support.practice_calls import MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory, PracticeProcess
from tests.support.steps_taken import Task
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop
from tests.ui.bulk.import_help import line, write_csv

README = Path(__file__).resolve().parents[2] / "README.md"
MEASURED = {
    "new order, known consignee, 2 freight lines, 5 scanned barcodes": 11,
    "new order from nothing": 12,
    "clone with a new reference": 3,
    "change one field of an open order": 4,
    "cancel one": 4,
    "cancel five": 5,
    "find an order by part of a phone number": 1,
    "20 barcodes by scanner": 2,
    "the overage of an order's load": 2,
    "an unknown operation called twice, one field changed": 7,
    "a quote from nothing": 3,
    "a truck from a template, with another load": 3,
    "first import of an unknown file": 5,
    "second import of the same kind": 2,
    "a morning of 20 troubles, worked off in Today": 41,
    "the same 20 in Orders, marked as watched": 65,
}
Desk = tuple[Window, Caller]
SENT_FROM_HERE = 1 << 39  # of the id of a known value, see `store.cache.known_values`
FROM = (1_350, 930)  # a corner of the screen that the window does not cover


@pytest.fixture
def provider(practice_factory: PracticeFactory) -> PracticeProcess:
    return practice_factory("--switch", "import-queue=1")


@pytest.fixture
def desk(open_window: WindowFactory, provider: PracticeProcess) -> Iterator[Desk]:
    """A window that works with a provider whose counter can be looked behind."""
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    yield window, Caller(provider.facts)
    window.close()


def done(task: Task) -> None:
    """The task has come true: say how, and hold it to the table."""
    sys.stdout.write(f"{task.line}\n")
    assert len(task.steps) == MEASURED[task.name], task.line


def text_of(window: Window, name: str) -> str:
    return window.find(name, "text").text


def wait_until_at(window: Window, field: str) -> None:
    """Wait until the keyboard is in a field: a person looks before typing."""
    window.wait_for(lambda: "focused" in window.find(field, "text").states(), f"the keyboard in {field}")


def kept(window: Window, caller: Caller, reference: str, at_least: int = 1) -> dict[str, Any]:
    """What the provider holds of an order, as soon as it was submitted so many times."""

    def look() -> dict[str, Any] | None:
        found = caller.behind_the_counter(reference)
        return found[0]["body"] if len(found) == 1 and found[0]["submissions"] >= at_least else None

    return window.wait_for(look, f"{reference} at the provider")


def test_the_readme_says_what_is_measured() -> None:
    section = README.read_text(encoding="utf-8").partition("## How many steps")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in section.splitlines() if line.startswith("| ")]
    assert {task: int(steps) for task, steps, _ in rows[1:]} == MEASURED
    for task, steps, keys in rows[1:]:
        each = re.sub(r"(\d+) × \(([^)]*)\)", lambda found: " ".join([found[2]] * int(found[1])), keys)
        assert len(re.split(r"[ ,…]+", each.strip(" …"))) == int(steps), task


def test_orders_are_entered(desk: Desk) -> None:
    window, caller = desk
    entered_from_nothing(window, caller)
    scanned_twenty(window, caller)
    entered_for_a_known_consignee(window, caller)
    shown_overage(window)
    quoted(window)
    sent_a_truck(window)


def entered_from_nothing(window: Window, caller: Caller) -> None:
    task = Task(window, "new order from nothing")
    task.press("ctrl+n")
    wait_until_at(window, "Order reference")
    task.type("STEPS-1")
    for text in ("MEM01", CONSIGNEE["consigneeName"]):
        task.press("F4")
        task.type(text)
    task.press("Tab")
    task.type(CONSIGNEE["streetAddress"])
    task.press("F4")
    for name in ("city", "state", "zip"):
        task.type(CONSIGNEE[name])
        task.press("Tab")
    task.type(CONSIGNEE["phone1"])
    task.press("F4")
    for text in ("SOFA", "1"):
        task.type(text)
        task.press("Tab")
    task.type("62.5")
    task.press("ctrl+Return")
    wait_until_submitted(window, "STEPS-1")
    body = kept(window, caller, "STEPS-1")
    assert body["consignee"] == CONSIGNEE
    assert body["freightDetails"] == [{"commodity": "SOFA", "count": 1, "volume": 62.5}]
    done(task)


def scanned_twenty(window: Window, caller: Caller) -> None:
    window.keys("ctrl+n")
    wait_until_at(window, "Order reference")
    window.keys_for("STEPS-20")
    for text in ("MEM01", "Rivera"):
        window.keys("F4")
        window.keys_for(text)
    window.wait_for(lambda: window.find("Suggestions", "list").node.children, "offers")
    window.keys("Down", "Tab")
    window.wait_for(lambda: text_of(window, "Phone") == CONSIGNEE["phone1"], "the whole consignee")
    window.keys_for("CHAIR\t20\t310")

    task = Task(window, "20 barcodes by scanner")
    codes = [f"WB{number:08}" for number in range(20)]
    task.press("alt+4")
    task.scan(*codes)
    window.wait_for(lambda: len(window.find("Barcodes", "table").rows()) == 20, "20 barcodes")
    task.press("shift+Tab")
    task.type("TRL-4471")
    window.keys("ctrl+Return")
    body = kept(window, caller, "STEPS-20")
    items = [{"commodity": "CHAIR", "barcode": code, "count": 1} for code in codes]
    assert body["barcoding"] == {"receivingLoadNumber": "TRL-4471", "barcodeItemDetails": items}
    done(task)
    window.wait_for(lambda: is_known(window, "chair"), "what is usual of a chair")


def is_known(window: Window, commodity: str) -> bool:
    """Whether the program has learnt what is usual of it, which it does a moment after an order was taken.

    From what was sent: the provider's list names commodities too, but has no volumes.
    """
    cache = f"{(window.run.data / 'cache.sqlite3').as_uri()}?mode=ro"
    with closing(sqlite3.connect(cache, uri=True)) as connection:
        known = "SELECT 1 FROM known_values WHERE key = ? AND id & ?"
        return bool(connection.execute(known, (commodity, SENT_FROM_HERE)).fetchall())


def entered_for_a_known_consignee(window: Window, caller: Caller) -> None:
    task = Task(window, "new order, known consignee, 2 freight lines, 5 scanned barcodes")
    task.press("ctrl+n")
    wait_until_at(window, "Order reference")
    task.type("STEPS-2")
    task.press("F4")
    task.type("MEM01")
    task.press("F4")
    task.type("riv")
    window.wait_for(lambda: window.find("Suggestions", "list").node.children, "offers")
    task.press("Down", "Tab")
    window.wait_for(lambda: text_of(window, "Phone") == CONSIGNEE["phone1"], "the whole consignee")
    task.type("SOFA")
    task.press("Tab")
    task.type("2")
    task.press("Return")
    task.type("CHAIR")
    task.press("Tab")
    task.type("3")
    task.press("alt+4")
    task.scan("WB1001", "WB1002", "CHAIR", "WB1003", "WB1004", "WB1005")
    window.wait_for(lambda: len(window.find("Barcodes", "table").rows()) == 5, "5 barcodes")
    task.press("shift+Tab")
    task.type("TRL-4472")
    # The volumes, which are sent as they stand: of each line as soon as its usual figures are found.
    window.wait_for_words("Freight line 1: .* cu ft; Freight line 2: .* cu ft")
    task.press("ctrl+Return")
    body = kept(window, caller, "STEPS-2")
    assert body["consignee"] == CONSIGNEE
    assert body["freightDetails"] == [
        {"commodity": "SOFA", "count": 2, "volume": 125},
        {"commodity": "CHAIR", "count": 3, "volume": 46.5},
    ]
    assert [each["commodity"] for each in body["barcoding"]["barcodeItemDetails"]] == ["SOFA"] * 2 + ["CHAIR"] * 3
    done(task)


def shown_overage(window: Window) -> None:
    """Of the order of 20 barcodes, which named its load."""
    window.keys("ctrl+1", "F5")
    task = Task(window, "the overage of an order's load")
    show(window, task, "STEPS-20", "STEPS-20")
    task.press("ctrl+shift+l")
    window.wait_for_words(r"Load TRL-4471")
    window.wait_for_words(r"(\bas of just now|No overage listed on load TRL-4471)")
    done(task)


def page_key(name: str) -> str:
    return next(rail_key(each) for each in ENTRIES if each.name == name).lower()


def quoted(window: Window) -> None:
    task = Task(window, "a quote from nothing")
    task.press(page_key("quotes"))
    wait_until_at(window, "Order reference number")
    task.type("STEPS-30")
    task.press("Tab")
    task.type("ACME")
    task.press("ctrl+Return")
    agree_to_production(window)
    window.wait_for_words("The provider accepted it: Quote number: Q-")
    done(task)


def agree_to_production(window: Window) -> None:
    """Say yes to the question of a production connection. In practice nothing asks, so the two keys are not counted."""
    window.find("Go back", "push button")
    Task(window, "not counted").answer("Tab", "Return")


def answer_by_typing(window: Window, text: str) -> None:
    """Type into the dialog that stands before the window, and press Enter there."""
    pid = str(window.run.process.pid)
    search = ("search", "--all", "--onlyvisible", "--pid", pid, "--name", "^Waybill$")
    box = window.wait_for(lambda: window.desktop.do(*search).split(), "a dialog")
    window.desktop.do("windowfocus", "--sync", box[0], "type", "--args", "1", "--delay", "2", text, "key", "Return")


def sent_a_truck(window: Window) -> None:
    """The template is kept before: what is counted begins with it."""
    window.keys(page_key("trucks"))
    wait_until_at(window, "Load number")
    window.keys("Tab")
    window.keys_for("MEM01")
    window.keys("ctrl+shift+s")
    window.find("Name of the template", "text")
    answer_by_typing(window, "Yard run")
    window.wait_for_words("Template “Yard run” is kept")
    window.keys("ctrl+1")
    task = Task(window, "a truck from a template, with another load")
    task.press("ctrl+k")
    task.type("yard run")
    window.wait_for_words("template of a truck")
    task.press("Return")
    wait_until_at(window, "Load number")
    task.type("TRL-4480")
    task.press("ctrl+Return")
    agree_to_production(window)
    window.wait_for_words("The provider accepted it: Truck number: T-")
    done(task)


def test_orders_are_found_changed_cloned_and_cancelled(desk: Desk) -> None:
    window, caller = desk
    submit_before(caller)
    sent_from_here(window, caller)
    window.keys("ctrl+1", "F5")
    changed_in_one_field(window, caller)
    cloned(window, caller)
    found_by_phone(window)
    cancelled_one(window, caller)
    cancelled_five(window, caller)


def test_orders_are_imported(desk: Desk, desktop: Desktop, tmp_path: Path) -> None:
    """A file as another program writes it: titles of its own, and one that says nothing."""
    window, caller = desk
    titles = [
        "Order No",
        "Ship To",
        "Address 1",
        "Town",
        "St",
        "Post Code",
        "Tel",
        "Hub",
        "Service",
        "SKU",
        "Qty",
        "X7",
    ]
    window.keys("ctrl+1")
    for name, numbers in (("first import of an unknown file", (1, 2)), ("second import of the same kind", (3, 4))):
        rows = [line(f"FILE-{number}") for number in numbers]
        path = write_csv(tmp_path, *rows, titles=titles, name=f"{numbers[0]}.csv")
        task = Task(window, name)
        with drag_source(desktop, FROM[0] - 20, FROM[1] - 20, path):
            drag_to(desktop, FROM, window.run, (600, 400))
            window.wait_for_words("Drop it to import its orders")
            let_go(desktop)
            window.find("Rows of the file", "table")
        task.steps.append("drop")
        if numbers == (1, 2):
            window.wait_for_words("Still without a column")
            task.press("F4", "Down", "Return")
        window.find("Send 2 orders: 2 new", "push button")
        task.press("ctrl+Return")
        for number in numbers:
            assert kept(window, caller, f"FILE-{number}")["freightDetails"][0]["volume"] == 84.5
        done(task)


def submit_before(caller: Caller) -> None:
    """Orders of another desk: six, five of them of one PO number."""
    for number in range(6):
        body = sample("order_least.json") | {
            "orderReferenceNumber": f"OTHER-{number}",
            "poNumber": "PO-OF-FIVE" if number else "PO-OF-ONE",
        }
        body = changed(body, "consignee.phone1", "901-555-7788" if number == 0 else "212-555-0100")
        assert caller.post(f"{MANAGEMENT}/Order/submit", body).status == 200


def sent_from_here(window: Window, caller: Caller) -> None:
    """An order that this desk has sent, and that the provider lists as open."""
    window.go("New order")
    enter_least(window, "STEPS-3")
    window.keys("ctrl+Return")
    kept(window, caller, "STEPS-3")


def show(window: Window, task: Task, typed: str, reference: str) -> None:
    """Find an order, from wherever one is on the page: type what is known of it, and go to it once it is there."""
    window.keys("ctrl+1")  # where the task begins
    task.type(typed)
    window.wait_for(lambda: references(window) == [reference], f"{reference} alone in the table")
    task.press("Return")
    window.wait_for(lambda: window.find("Order", "panel") and reference in window.words(), f"{reference} beside it")


def changed_in_one_field(window: Window, caller: Caller) -> None:
    task = Task(window, "change one field of an open order")
    show(window, task, "STEPS-3", "STEPS-3")
    window.wait_for(lambda: "enabled" in window.find("Change order", "push button").states(), "the whole order")
    task.press("ctrl+e")
    window.wait_for_words("This is STEPS-3. This desk last sent it")
    wait_until_at(window, "Name")
    task.press("shift+Tab")
    task.type("2027-01-08")
    task.press("ctrl+Return")
    body = kept(window, caller, "STEPS-3", 2)
    assert body["requestedDeliveryDate"] == "2027-01-08"
    assert body["freightDetails"][0]["commodity"] == FREIGHT[1][0][0]
    done(task)


def cloned(window: Window, caller: Caller) -> None:
    task = Task(window, "clone with a new reference")
    show(window, task, "STEPS-3", "STEPS-3")
    task.press("ctrl+d")
    window.wait_for_words("A new order like STEPS-3")
    wait_until_at(window, "Order reference")
    task.type("STEPS-4")
    task.press("ctrl+Return")
    old, new = kept(window, caller, "STEPS-3", 2), kept(window, caller, "STEPS-4")
    assert new == old | {"orderReferenceNumber": "STEPS-4"}
    done(task)


def found_by_phone(window: Window) -> None:
    task = Task(window, "find an order by part of a phone number")
    show(window, task, "5557788", "OTHER-0")
    done(task)


def cancelled_one(window: Window, caller: Caller) -> None:
    task = Task(window, "cancel one")
    show(window, task, "OTHER-0", "OTHER-0")
    task.press("ctrl+Delete")
    window.find("Keep the order", "push button")
    task.answer("Tab", "Return")
    window.wait_for_words("Order OTHER-0 is about to be cancelled")
    done(task)


def cancelled_five(window: Window, caller: Caller) -> None:
    five = [f"OTHER-{number}" for number in range(1, 6)]
    task = Task(window, "cancel five")
    window.keys("ctrl+1")  # where the task begins
    task.type("PO-OF-FIVE")
    window.wait_for(lambda: sorted(references(window)) == five, "the five of one PO number")
    task.press("Return", "ctrl+a", "ctrl+Delete")
    window.find("Keep the orders", "push button")
    task.answer("Tab", "Return")
    window.wait_for(lambda: all(is_cancelled(caller, each) for each in ["OTHER-0", *five]), "all six cancelled")
    done(task)


def is_cancelled(caller: Caller, reference: str) -> bool:
    return [each["cancelled"] for each in caller.behind_the_counter(reference)] == [True]


def test_an_unknown_operation_is_called_twice(open_window: WindowFactory) -> None:
    """In practice, where nothing asks; a production connection asks before each write, with two more keys."""
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    task = Task(window, "an unknown operation called twice, one field changed")
    task.press("ctrl+0")
    wait_until_at(window, "Find an operation")
    window.wait_for_words("description of")  # it came with the first visit, and is there at once from then on
    task.type("slot")
    task.press("Return", "Tab", "Tab")
    wait_until_at(window, "Zip")
    task.type("38104")
    task.press("ctrl+Return")
    window.wait_for_words("✓ 200 OK")
    window.find("Text", "radio button").press()  # to look at it, which is no part of the task
    first = facility_named(window, "")
    task.press("ctrl+a")
    task.type("37203")
    task.press("ctrl+Return")
    facility_named(window, first)
    assert '"zip": "37203"' in text_of(window, "Body as JSON")
    done(task)
    window.close()


def facility_named(window: Window, before: str) -> str:
    """The facility that the answer names, once it is another one than before: that of the ZIP that was sent."""

    def look() -> str:
        shown = window.seek("Text", "text")
        found = re.search(r'"providerFacilityCode": "(\w+)"', shown[0].text) if shown else None
        return found[1] if found is not None and found[1] != before else ""

    return window.wait_for(look, "an answer that names another facility")
