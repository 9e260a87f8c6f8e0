"""Every control of every page has a name that a screen reader speaks."""

from tests.support.accessibility import Node
from tests.support.window import Window, WindowFactory

WORKED = {"push button", "radio button", "text", "password text", "combo box", "table", "list", "check box"}


def nameless(window: Window) -> list[str]:
    """The controls without a name, drawn."""
    return [each.drawn() for each in window.tree().walk() if each.role in WORKED and not called(each)]


def called(node: Node) -> bool:
    """Whether it has a name. The list inside a combo box goes by the combo box's name."""
    return bool(node.name.strip()) or node.called != ""


def test_every_control_of_every_page_has_a_name(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    window.find("Orders", "table").focus()
    window.keys("Home")
    found = {}
    for page in ("Orders", "New order", "Outbox", "Settings"):
        window.go(page)
        found[page] = nameless(window)
    window.find("Connect to your provider", "push button").press()
    window.find("Name of this connection", "text")
    found["Connect"] = nameless(window)
    assert {page: controls for page, controls in found.items() if controls} == {}
    window.close()
