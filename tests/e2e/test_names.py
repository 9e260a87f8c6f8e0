"""Every control that a person can work, on every page and in every pane, has a name that a screen reader speaks."""

import re
from collections.abc import Iterable

from app.ui.base.rail import ENTRIES
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
    for page in (entry.title for entry in ENTRIES):
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


def test_every_control_of_an_audit_and_of_a_question_has_a_name(open_window: WindowFactory) -> None:
    window = open_window()
    window.go("Audits")
    window.wait_for(lambda: window.find("Audits", "table").rows(), "audits")
    window.find("Filter audits", "text").focus()
    window.keys("Down", "Return")
    photos = window.wait_for(lambda: window.seek(re.compile("^Photo 1: "), "list item"), "the photos")
    found = {"an audit": nameless(window)}
    assert re.match(r"Photo 1: \S+  .+", photos[0].node.called), "a photo says which question it answers"
    assert in_turn(names(window, "push button", "check box", "list"), _OF_AN_AUDIT)
    answers = window.find("Questions and answers", "list").node.children
    assert any(re.search(r", (low|failed)\b", each.name) for each in answers) or _all_well(answers)
    window.keys("z")
    window.find("Answers", "table")
    found["a question over all audits"] = nameless(window)
    window.close()
    assert {place: controls for place, controls in found.items() if controls} == {}


_OF_AN_AUDIT = [
    *("List", "PDF report", "Mark reviewed", "Flag audit", "Flag photo", "Low and failed", "Questions and answers"),
    *("Fit", "100 %, full size", "Photos"),
]


def _all_well(answers: Iterable[Node]) -> bool:
    """Whether no answer reads as one that is low or failed."""
    return not any(re.search(r"\?, (No|Partly)\b", each.name) for each in answers)


def names(window: Window, *roles: str) -> list[str]:
    """What the elements of these roles are called, in the order in which a screen reader goes through them."""
    return [each.called for each in window.tree().walk() if each.role in roles and each.called]


def in_turn(found: list[str], wanted: list[str]) -> bool:
    """Whether the wanted ones stand among those found, each after the one before it."""
    left = iter(found)
    return all(any(re.match(each, one) for one in left) for each in wanted)


def reached(window: Window, key: str, most: int) -> list[str]:
    """What the keyboard comes to by pressing a key again and again."""
    found = []
    for _ in range(most):
        window.keys(key)
        focused = [each.called for each in window.tree().walk() if "focused" in each.states and each.role in WORKED]
        found += focused[-1:]
    return found


def test_today_is_read_in_the_order_of_its_use(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    window.keys("ctrl+t")
    lines = window.find("What needs somebody, the worst first", "list")
    window.wait_for(lambda: window.seek(re.compile(r"^To do [1-9]"), "radio button"), "something to do")
    assert nameless(window) == []
    items = names(window, "list item")
    assert re.match(r".+, \d+\. .+\.", items[0]), "a group begins with its name, its count and its rule"
    assert re.match(r"\S+, .+, .+", items[1]), "a line says which order, what is wrong, and why"
    # By its tree: what is chosen from, the lines, and what is done with the one that is chosen.
    order = ["To do", "Snoozed", "Done", "Rules…", "Open", "Look up", "Copy", "Change", "Snooze…", "Done for today"]
    assert in_turn(names(window, "radio button", "push button"), order)
    # By its keys: from the list through its buttons.
    lines.focus()
    assert in_turn(reached(window, "Tab", 7), ["Open", "Look up", "Change", "Snooze…", "Done for today"])
    lines.focus()
    assert in_turn(reached(window, "shift+Tab", 3), ["Rules…", "To do"])
    assert "lines need somebody" in window.words() or "line needs somebody" in window.words()
    window.close()


def test_insights_are_read_in_the_order_of_their_use(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    window.keys("ctrl+shift+i")
    window.wait_for_words("as of ")
    assert nameless(window) == []
    marks = [each for each in window.tree().walk() if each.role == "list" and each.children]
    assert marks
    for plot in marks:
        assert plot.called, "a plot is called by its title"
        assert all(each.name for each in plot.children), plot.called
    # By its tree: what the plots are about, what is done with all of them, then one after the other.
    said = names(window, "push button", "list", "label")
    titles = [each.called for each in marks]
    chips = ["Days", "Facility", "Delivery"]
    assert in_turn(said, [*chips, "Read again", "Weekly page", *(re.escape(each) for each in titles)])
    # By its keys: from chip to chip, to the buttons, and into the first plot.
    window.find(re.compile("^Days"), "push button").focus()
    assert in_turn(reached(window, "Tab", 8), ["Facility", "Delivery", "Read again", "Weekly page"])
    window.close()
