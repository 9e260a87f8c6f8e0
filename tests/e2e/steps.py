"""The steps of a person with one order, page by page, in any connection."""

from tests.e2e.an_order import enter_order
from tests.support.window import Window

CONSIGNEE = "Josefina Rivera"


def submit_order(window: Window, reference: str) -> None:
    """Fill the form with every field and submit it."""
    window.go("New order")
    window.wait_for_words("Nothing typed yet")  # an untouched form lists no mistakes
    enter_order(window, reference)
    window.wait_for_words("Ready to submit")
    assert not window.find("Still to do", "list").node.children
    window.wait_for_words("New order$")  # the verdict beside the button
    window.find("Submit order", "push button").press()
    wait_until_submitted(window, reference)


def wait_until_submitted(window: Window, reference: str) -> None:
    """What is said of an order that was submitted follows it: it may have been taken by the time one looks."""
    window.wait_for_words(rf"(Order {reference} (is|waits)|taken order {reference}\b)")


def wait_until_taken(window: Window, *expected: list[str]) -> None:
    """Wait in the outbox until the provider has taken these, as reference and kind, latest first."""
    window.go("Outbox")
    window.wait_for(lambda: taken(window) == list(expected), f"{expected} taken", patience=90)


def taken(window: Window) -> list[list[str]]:
    """Reference and kind of what the provider has taken, latest first; empty while anything else is there too."""
    tables = window.seek("Outbox", "table")
    rows = tables[0].rows() if tables else []
    good = ("✓ Accepted", "✓ Confirmed")
    return [row[1:3] for row in rows] if all(row[0] in good for row in rows) else []


def show_order(window: Window, reference: str) -> None:
    """Filter the orders by a reference and open the one that is found, once it is out of the import queue."""
    window.go("Orders")
    window.find("Filter orders", "text").type(reference)
    window.wait_for(lambda: references(window) == [reference], f"{reference} in the table", patience=90)
    window.find("Filter orders", "text").focus()
    window.keys("Return")
    window.find("Order", "panel")


def references(window: Window) -> list[str]:
    """The references in the orders table; those that are in the outbox still as "outbox: REFERENCE".

    Empty until every row is read.
    """
    tables = window.seek("Orders", "table")
    if not tables:
        return []
    place = tables[0].titles().index("Reference")
    marks = {True: "outbox: ", False: ""}
    rows = tables[0].rows()
    if not all(row[place] for row in rows):
        return []  # some rows are counted and not read yet
    return [f"{marks[row[0].startswith('In the outbox')]}{row[place]}" for row in rows]


def look_up(window: Window) -> None:
    """Ask for the status of the order that is shown."""
    window.find("Look up status", "push button").press()
    window.wait_for_words(r"The provider says: (Pending Receipt|Received)\.")


def cancel(window: Window, reference: str) -> None:
    """Cancel the order that is shown, after saying yes, and wait until it has left the open orders."""
    window.find("Cancel order…", "push button").press()
    window.wait_for_words(f"Cancel order {reference} for {CONSIGNEE}")
    window.find("Cancel the order", "push button").press()
    window.wait_for_words(f"Order {reference} is about to be cancelled")
    window.wait_for_words("No order here matches this filter", patience=90)


def whole_way(window: Window, reference: str) -> None:
    """From the empty form to the cancellation."""
    submit_order(window, reference)
    wait_until_taken(window, [reference, "Order"])
    show_order(window, reference)
    look_up(window)
    cancel(window, reference)
    wait_until_taken(window, [reference, "Cancellation"], [reference, "Order"])
