"""The steps of a person on the page Settings."""

from collections.abc import Mapping

from tests.support.window import Window

NAME = "Acme Freight"
# The form's labels, by the names that the practice service gives to what belongs there.
LABELS = {
    "base_url": "Order management address",
    "info_base_url": "Order information address",
    "auth_url": "Authorisation address",
    "client_id": "Client id",
    "client_secret": "Client secret",
}


def enter_connection(window: Window, facts: Mapping[str, str], prefix: str = "", **other: str) -> dict[str, str]:
    """Fill the form for a new connection, as the client `prefix` and with some texts replaced; label and text."""
    window.go("Settings")
    window.find("Connect to your provider", "push button").press()
    typed = {label: facts[name if "url" in name else f"{prefix}{name}"] for name, label in LABELS.items()}
    typed |= {LABELS[name]: text for name, text in other.items()}
    typed["Name of this connection"] = NAME
    for label, text in typed.items():
        if label != LABELS["client_secret"]:
            window.find(label, "text").type(text)
    # A screen reader can neither read nor set a secret as it would another text: it is typed by keys.
    window.find(LABELS["client_secret"], "text").focus()
    window.keys_for(typed[LABELS["client_secret"]])
    return typed


def try_it(window: Window) -> None:
    """Press Test connection."""
    window.find("Test connection", "push button").press()


def save(window: Window) -> None:
    """Press Save and use, and wait until the provider has answered."""
    window.find("Save and use", "push button").press()
    window.wait_for_words(f"{NAME} was saved")
    wait_until_connected(window)


def wait_until_connected(window: Window) -> None:
    """Wait until the window works with the connection that was entered, and its provider has answered."""
    window.wait_for_words("✓ Connected, last answer")
    window.wait_for(lambda: window.find("Connection in use", "combo box").text.startswith(NAME), NAME)
