"""A second connection entered through Settings: capability card, a real keyring, and every way it can go wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.steps import whole_way
from tests.support.practice_process import PracticeProcess
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop

PracticeFactory = Callable[..., PracticeProcess]
LABELS = {
    "base_url": "Order management address",
    "info_base_url": "Order information address",
    "auth_url": "Authorisation address",
    "client_id": "Client id",
    "client_secret": "Client secret",
}


@pytest.fixture
def provider(practice_factory: PracticeFactory) -> PracticeProcess:
    """A provider of its own, apart from the one that the window starts for practice."""
    return practice_factory("--orders", "60", "--audits", "2")


def fill(window: Window, facts: dict[str, str], prefix: str = "", **other: str) -> dict[str, str]:
    """Fill the form for a new connection; what was typed."""
    window.go("Settings")
    window.find("Connect to your provider", "push button").press()
    window.find("Name of this connection", "text").type("Acme Freight")
    typed = {
        "base_url": facts["base_url"],
        "info_base_url": facts["info_base_url"],
        "auth_url": facts["auth_url"],
        "client_id": facts[f"{prefix}client_id"],
        "client_secret": facts[f"{prefix}client_secret"],
    } | other
    for name, text in typed.items():
        if name == "client_secret":
            type_secret(window, text)
        else:
            window.find(LABELS[name], "text").type(text)
    return typed


def type_secret(window: Window, secret: str) -> None:
    """A screen reader cannot read a secret back, so it is typed by keys."""
    window.find("Client secret", "text").focus()
    window.keys("ctrl+a")
    window.keys_for(secret)


def kept_texts(folder: Path) -> bytes:
    """All that lies below a folder."""
    return b"".join(each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())


def test_a_connection_from_settings_with_a_real_keyring(
    desktop: Desktop, open_window: WindowFactory, provider: PracticeProcess, tmp_path: Path
) -> None:
    desktop.session.start_keyring(unlocked=True)
    window = open_window(tmp_path / "desk")
    typed = fill(window, provider.facts, "other_")
    window.find("Test connection", "push button").press()
    window.wait_for_words("Connected. The provider allows:")
    window.find("Save and use", "push button").press()
    window.wait_for_words("Acme Freight was saved")
    window.wait_for_words("Connected, last answer")
    assert "Practice: nothing leaves this computer" not in window.words()
    whole_way(window, "E2E-ACME-1")
    window.close()
    assert typed["client_secret"].encode() not in kept_texts(tmp_path / "desk")

    again = open_window(tmp_path / "desk")
    again.wait_for_words("Connected, last answer")  # nobody typed the secret this time
    again.wait_for(lambda: again.find("Connection in use", "combo box").text.startswith("Acme Freight"), "the profile")
    again.close()


@pytest.mark.parametrize(
    ("prefix", "other", "words"),
    [
        ("", {"auth_url": "http://127.0.0.1:9"}, "could not be reached"),
        ("", {"client_secret": "not-the-secret"}, "(id|secret)"),
        ("", {"auth_url": "no address"}, "address"),
    ],
    ids=["wrong address", "wrong secret", "no address"],
)
def test_what_goes_wrong_is_said_and_nothing_typed_is_lost(
    open_window: WindowFactory, provider: PracticeProcess, prefix: str, other: dict[str, str], words: str
) -> None:
    window = open_window()
    typed = fill(window, provider.facts, prefix, **other)
    window.find("Test connection", "push button").press()
    window.wait_for_words("(Nothing was saved|Still to fill in)")
    window.wait_for_words(words)
    for name, text in typed.items():
        if name != "client_secret":
            assert window.find(LABELS[name], "text").text == text
    window.close()


def test_a_missing_permission_and_a_missing_keyring_are_said(
    open_window: WindowFactory, provider: PracticeProcess
) -> None:
    window = open_window()
    fill(window, provider.facts, "limited_")
    window.wait_for_words("keyring")
    window.find("Test connection", "push button").press()
    window.wait_for_words("Orders can be written here but not sent")
    window.find("Save and use", "push button").press()
    window.wait_for_words("Its secret is kept in memory until Waybill is closed")
    window.wait_for_words("Connected, last answer")
    window.close()


def test_a_provider_that_goes_away_is_said_and_what_was_seen_stays(
    open_window: WindowFactory, provider: PracticeProcess
) -> None:
    window = open_window()
    fill(window, provider.facts)
    window.find("Save and use", "push button").press()
    window.wait_for_words("Connected, last answer")
    window.go("Orders")
    seen = window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    provider.stop()
    window.find("Refresh", "push button").press()
    window.wait_for_words("No usable answer since", patience=90)
    window.wait_for_words("what was seen before is still shown")
    assert window.find("Orders", "table").rows() == seen
    window.close()
