"""Every control that a person can work, on every page and in every pane, has a name that a screen reader speaks."""

from tests.e2e.an_order import enter_least
from tests.e2e.steps import wait_until_submitted
from tests.support.accessibility import Node
from tests.support.window import Window, WindowFactory

WORKED = {"push button", "button menu", "radio button", "check box", "text", "combo box", "table", "list"}


def nameless(window: Window) -> list[str]:
    """The controls without a name, and what is spoken as markup, drawn in lines."""
    tree = window.tree(described=True)
    return [each.drawn() for each in tree.walk() if (each.role in WORKED and not named(each)) or marked_up(each)]


def named(node: Node) -> bool:
    """Whether it is called something, in letters."""
    return any(letter.isalpha() for letter in node.called)


def marked_up(node: Node) -> bool:
    """Whether a screen reader would have to read tags aloud: a tooltip written for the eye does that."""
    return any(tag in text for text in (node.name, node.description) for tag in ("<span", "<br", "&lt;", "&amp;"))


def test_every_control_of_every_page_has_a_name(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    found = {}
    for page in ("Orders", "New order", "Outbox", "Console", "Settings"):
        window.go(page)
        found[page] = nameless(window)
    window.find("Connect to your provider", "push button").press()
    window.find("Name of this connection", "text")
    found["the form of a connection"] = nameless(window)
    window.close()
    assert {place: controls for place, controls in found.items() if controls} == {}


def test_every_control_beside_the_pages_has_a_name(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    found = {}
    window.go("New order")
    enter_least(window, "E2E-NAMES-1")
    window.find("Submit order", "push button").press()
    wait_until_submitted(window, "E2E-NAMES-1")
    found["a message"] = nameless(window)
    window.go("Outbox")
    window.find("Outbox", "table").focus()
    window.keys("Home")
    window.find("What was sent", "panel")
    found["the story of a write"] = nameless(window)
    window.go("Orders")
    window.find("Filter orders", "text").focus()
    window.keys("Return", "Down")  # goes into the table; what was just sent stands above the provider's first order
    window.find("Order", "panel")
    window.wait_for(lambda: "enabled" in window.find("Cancel order…", "push button").states(), "the order")
    found["an order"] = nameless(window)
    window.find("Cancel order…", "push button").press()
    window.find("Keep the order", "push button")
    found["the confirmation"] = nameless(window)
    window.find("Keep the order", "push button").press()
    window.wait_for(lambda: not window.seek("Keep the order"), "no question")
    window.keys("F1")
    window.find("Close", "push button")
    found["the keys"] = nameless(window)
    window.close()
    assert {place: controls for place, controls in found.items() if controls} == {}


def test_every_control_of_a_form_in_the_console_has_a_name(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("Console")
    window.wait_for_words("description of")
    found = {}
    for typed in ("POST /Truck/submit", "GET /Facilities"):
        window.find("Find an operation", "text").type(typed)
        window.keys("Return")
        window.wait_for(lambda: window.seek(typed, "label"), typed)  # noqa: B023 (asked in this turn)
        found[typed] = nameless(window)
        window.keys("alt+1")
    window.keys("Return", "ctrl+Return")
    window.wait_for_words("✓ 200 OK")
    found["an answer"] = nameless(window)
    window.keys("alt+6")
    found["the history"] = nameless(window)
    window.close()
    assert {place: controls for place, controls in found.items() if controls} == {}
