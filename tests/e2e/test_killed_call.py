"""Requests that a killed window, a cut network or a flood of bytes leaves behind.

The provider counts what it was sent: a request whose end nobody knows is said to be in doubt at the next start, is not
sent again by itself, and waits for a person.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.settings_steps import enter_connection, save, wait_until_connected
from tests.e2e.steps import references
from tests.e2e.test_console import ORDER, open_operation
from tests.e2e.test_steps import agree_to_production, wait_until_at
from tests.support.fault_server import INFORMATION, MANAGEMENT, FaultServer
from tests.support.faults import Answer, Gate, held, json_answer, truncated
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop

QUOTE, SLOTS, RESERVE, FACILITIES = "/Quote/submit", "/PartnerA/getSlot", "/PartnerA/reserveSlot", "/Facilities"
OFFER = {"slots": [{"slotId": "S-1", "date": "2031-03-24", "from": "08:00", "to": "12:00"}]}
TEXT = {"type": "string"}
QUOTED = {"type": "object", "properties": {"orderReferenceNumber": TEXT}}
DESCRIPTION = {
    "openapi": "3.0.1",
    "info": {"title": "Order management", "version": "v1"},
    "paths": {QUOTE: {"post": {"requestBody": {"content": {"application/json": {"schema": QUOTED}}}}}},
}
LONG = 50_000_000  # bytes
GROWTH = 900_000  # KiB: the 32 MiB that are read, as a text, as values and as rows
STALL = 3.0  # seconds on a computer that does other things too


@pytest.fixture
def gate(fault_server: FaultServer) -> Iterator[Gate]:
    """What is sent is taken, and answered once the gate is open: after the test."""
    made = fault_server.gate()
    yield made
    made.release()


def connected(desktop: Desktop, open_window: WindowFactory, provider: FaultServer) -> Window:
    """A window that works with this provider, and that finds its secret again at the next start."""
    desktop.session.start_keyring()
    for path in ("/Order/test", "/Quote/test"):
        provider.serve(MANAGEMENT + path, Answer(200))
    provider.serve(MANAGEMENT + "/Integration/crossReference", json_answer([]))
    provider.serve(INFORMATION + "/audit", json_answer([]))
    window = open_window()
    tokens = provider.tokens
    facts = {**provider.addresses, "client_id": tokens.client_id, "client_secret": tokens.client_secret}
    enter_connection(window, facts)
    save(window)
    return window


def test_a_quote_on_its_way_is_in_doubt_at_the_next_start(
    desktop: Desktop, open_window: WindowFactory, fault_server: FaultServer, gate: Gate
) -> None:
    fault_server.plan(held(after=gate), QUOTE, times=None)
    fault_server.serve(f"{MANAGEMENT}/swagger/v1/swagger.json", json_answer(DESCRIPTION))
    window = connected(desktop, open_window, fault_server)
    window.go("Quotes")
    wait_until_at(window, "Order reference number")
    window.keys_for("KILLED-1")
    window.keys("ctrl+Return")
    agree_to_production(window)
    fault_server.wait_for(1, QUOTE)
    window.run.kill()

    again = open_window()
    decide_not_arrived(again, "KILLED-1")
    again.go("Quotes")
    again.wait_for_words("KILLED-1")
    again.close()
    assert len(fault_server.seen(QUOTE)) == 1


def decide_not_arrived(window: Window, about: str) -> None:
    """Find a request in doubt in the outbox, and say that it did not arrive."""
    wait_until_connected(window)
    window.wait_for_words("1 needs? you")
    window.go("Outbox")
    window.wait_for_words(f"{about}.*may have arrived")
    window.find("It did not arrive", "push button").press()
    window.wait_for(lambda: "may have arrived" not in window.words(), "the end of the doubt")


def test_a_reservation_on_its_way_is_in_doubt_at_the_next_start(
    desktop: Desktop, open_window: WindowFactory, fault_server: FaultServer, gate: Gate
) -> None:
    fault_server.book.submit(json.dumps(ORDER).encode())
    fault_server.serve(MANAGEMENT + SLOTS, json_answer(OFFER))
    fault_server.plan(held(after=gate), RESERVE, times=None)
    window = connected(desktop, open_window, fault_server)
    open_order(window)
    window.find("Delivery slots", "push button").press()
    window.find("Get slots", "push button").press()
    window.wait_for_words("24 Mar 2031")
    window.find("Reserve this slot…", "push button").press()
    window.find("Reserve it", "push button").press()
    fault_server.wait_for(1, RESERVE)
    window.run.kill()

    again = open_window()
    decide_not_arrived(again, "24 Mar 2031")
    open_order(again)
    again.wait_for_words("24 Mar 2031.*Did not arrive")
    again.close()
    assert len(fault_server.seen(RESERVE)) == 1


def open_order(window: Window) -> None:
    """Show the one order beside the list."""
    reference = ORDER["orderReferenceNumber"]
    window.go("Orders")
    window.wait_for(lambda: references(window) == [reference], "the order")
    window.find("Orders", "table").focus()
    window.keys("Home", "Return")
    window.find("Copy reference", "push button")


def test_a_call_on_its_way_is_in_doubt_at_the_next_start(
    desktop: Desktop, open_window: WindowFactory, fault_server: FaultServer, gate: Gate
) -> None:
    fault_server.plan(held(after=gate), QUOTE)
    fault_server.serve(MANAGEMENT + QUOTE, json_answer({"quoteNumber": "Q-2"}))
    window = connected(desktop, open_window, fault_server)
    window.go("Console")
    send_quote(window, "KILLED-2")
    window.find("Send it", "push button").press()
    fault_server.wait_for(1, QUOTE)
    window.run.kill()

    again = open_window()
    wait_until_connected(again)
    again.go("Console")
    again.keys("alt+6")
    history = again.find("History", "table")
    again.wait_for(lambda: [row[1] for row in history.rows()] == ["in doubt"], "the doubt in the history")
    again.keys("Return")
    again.wait_for_words("This was being sent, and Waybill has seen no answer to it. It may have arrived.")
    assert again.find("Body as JSON", "text").text == json.dumps({"orderReferenceNumber": "KILLED-2"})

    again.keys("ctrl+Return")
    again.wait_for_words("nobody knows whether it arrived. Send it once more")
    again.find("Send nothing", "push button").press()
    again.wait_for(lambda: not again.seek("Send it once more", "push button"), "the end of the question")
    assert len(fault_server.seen(QUOTE)) == 1
    again.keys("ctrl+Return")
    again.find("Send it once more", "push button").press()
    again.wait_for_words("✓ 200")
    assert len(fault_server.seen(QUOTE)) == 2
    again.close()


def send_quote(window: Window, reference: str) -> None:
    """Type a quote into the console, and press the key that sends it."""
    open_operation(window, "POST", QUOTE)
    window.find("Body as JSON", "text").type(json.dumps({"orderReferenceNumber": reference}))
    window.keys("ctrl+Return")


def test_an_answer_that_breaks_off_says_so_and_nothing_is_asked_again(
    desktop: Desktop, open_window: WindowFactory, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + FACILITIES, json_answer([{"facilityCode": f"F{at:04}"} for at in range(1_000)]))
    fault_server.serve(MANAGEMENT + QUOTE, json_answer({"quoteNumber": "Q-3"}))
    fault_server.plan(truncated(600), FACILITIES, times=None)
    fault_server.plan(truncated(5), QUOTE)
    window = connected(desktop, open_window, fault_server)
    window.go("Console")
    open_operation(window, "GET", FACILITIES)
    window.keys("ctrl+Return")
    window.wait_for_words("The provider's answer broke off in the middle")
    send_quote(window, "CUT-1")
    window.find("Send it", "push button").press()
    window.wait_for_words("The provider's answer broke off in the middle.*column 2 on")
    window.close()
    assert [len(fault_server.seen(path)) for path in (FACILITIES, QUOTE)] == [1, 1]


@pytest.mark.anew  # its memory is looked at
def test_an_answer_of_fifty_megabytes_is_cut_and_the_window_stays_live(
    desktop: Desktop, open_window: WindowFactory, fault_server: FaultServer
) -> None:
    record = json.dumps({"facilityCode": "F0001", "name": "A facility in Memphis", "zip": "38104"}).encode()
    body = b"[" + b",".join([record] * (LONG // len(record))) + b"]"
    fault_server.serve(MANAGEMENT + FACILITIES, Answer(200, body))
    window = connected(desktop, open_window, fault_server)
    window.go("Console")
    open_operation(window, "GET", FACILITIES)
    search = window.find("Find an operation", "text")
    before = peak(window)
    window.keys("ctrl+Return")
    longest = 0.0

    def look() -> bool:
        nonlocal longest
        begun = time.monotonic()
        search.states()
        longest = max(longest, time.monotonic() - begun)
        return "The answer was longer than Waybill reads" in window.words()

    window.wait_for(look, "the answer, cut")
    window.find("Text", "radio button").press()
    window.wait_for_words("The first 4,000,000 characters of [0-9,]+ characters are shown")
    for letter in "quote":  # the text is filled in meanwhile
        search.type(letter)
        look()
    grown = peak(window) - before
    assert longest < STALL
    assert grown < GROWTH
    window.close()


def peak(window: Window) -> int:
    """The most memory that the window's process has had so far, in KiB."""
    status = Path(f"/proc/{window.run.process.pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
