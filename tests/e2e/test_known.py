"""Known values end to end: an order for a known consignee, a copy and a change, all by keys."""

from tests.e2e.an_order import FIELDS, enter_least
from tests.e2e.steps import wait_until_submitted
from tests.support.accessibility import Call
from tests.support.window import Window, WindowFactory


def field(window: Window, name: str) -> str:
    """What stands in a field."""
    return window.find(name, "text").text


def test_a_known_consignee_is_completed_by_keys_and_the_order_is_cloned(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("New order")
    enter_least(window, "E2E-KNOWN-1")
    window.keys("ctrl+Return")
    wait_until_submitted(window, "E2E-KNOWN-1")

    window.wait_for(lambda: field(window, "Order reference") == "", "a new order")
    window.keys("alt+2")
    window.keys_for(FIELDS["Name"][:3].lower())
    window.wait_for(lambda: window.find("Suggestions", "list").node.children, "offers")
    window.keys("Down", "Tab")
    window.wait_for(lambda: field(window, "Phone") == FIELDS["Phone"], "the whole consignee")
    assert {name: field(window, name) for name in ("Name", "City", "ZIP")} == {
        name: FIELDS[name] for name in ("Name", "City", "ZIP")
    }
    window.wait_for_words("Filled in")
    window.keys("alt+z")
    window.wait_for(lambda: field(window, "Phone") == "", "the consignee as it was")

    window.keys("ctrl+3")  # the outbox
    window.find("Outbox", "table").focus()
    window.keys("Down")
    window.find("What was sent", "panel")
    window.keys("ctrl+d")
    window.wait_for_words("A new order like E2E-KNOWN-1")
    assert (field(window, "Order reference"), field(window, "Phone")) == ("", FIELDS["Phone"])
    window.keys_for("E2E-KNOWN-2")
    window.keys("ctrl+Return")
    wait_until_submitted(window, "E2E-KNOWN-2")
    window.close()


def test_a_template_is_kept_and_begun_from_by_keys(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("New order")
    window.find("Bill-to code", "text").type("ACMEBT")
    window.keys("alt+t")
    window.keys("Return")  # the first entry of the menu, which is no part of the tree
    name = window.find("Name of the template", "text")
    # Without a window manager no second window gets the keyboard, so its text is set as a screen reader sets it.
    assert window.bus.call(Call(name.node.ref, "EditableText", "SetTextContents", "s", ("Stores",)))[0]
    window.find("Save template", "push button").press()
    window.wait_for_words("Template Stores saved")
    window.keys("ctrl+n")
    window.wait_for(lambda: field(window, "Bill-to code") == "", "a new order")
    window.keys("alt+t")
    window.keys("1")
    window.wait_for(lambda: field(window, "Bill-to code") == "ACMEBT", "what the template fixes")
    window.close()
