"""Trouble around a connection: each has a clear sentence, and nothing typed is lost."""

import pytest

from tests.e2e.an_order import FIELDS, FREIGHT, enter_least
from tests.e2e.settings_steps import LABELS, NAME, enter_connection, save, try_it
from tests.support.practice_process import PracticeFactory, PracticeProcess
from tests.support.window import Window, WindowFactory

NOBODY_THERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("auth_url", NOBODY_THERE, f"{NOBODY_THERE} could not be reached: nothing listens at that address."),
        ("auth_url", "provider.example", "An address begins with https://"),
        ("client_secret", "not-the-secret", "The provider does not accept this client id with this secret."),
        ("client_id", "nobody", "The provider does not accept this client id with this secret."),
    ],
    ids=["nobody there", "no address", "wrong secret", "wrong id"],
)
def test_what_is_wrong_with_a_connection_is_said_beside_its_field(
    open_window: WindowFactory, practice: PracticeProcess, name: str, text: str, sentence: str
) -> None:
    window = open_window()
    typed = enter_connection(window, practice.facts, **{name: text})
    try_it(window)
    told = "client_secret" if name == "client_id" else name
    window.wait_for(lambda: window.find(LABELS[told], "text").description == sentence, f"{sentence!r} at {told}")
    window.wait_for_words(r"Nothing was saved; what you typed stays here\.|To put right: Authorisation address\.")
    assert entered(window, typed) == typed
    window.close()


def entered(window: Window, typed: dict[str, str]) -> dict[str, str]:
    """What stands in these fields; the secret by its length alone, since that is all that is shown of it."""
    found = {label: window.find(label, "text").text for label in typed}
    secret = LABELS["client_secret"]
    assert len(found[secret]) == len(typed[secret])
    return found | {secret: typed[secret]}


@pytest.mark.parametrize("name", ["base_url", "info_base_url"])
def test_an_address_of_one_service_that_does_not_answer_is_named_beside_it(
    open_window: WindowFactory, practice: PracticeProcess, name: str
) -> None:
    window = open_window()
    typed = enter_connection(window, practice.facts, **{name: NOBODY_THERE})
    try_it(window)
    sentence = f"{NOBODY_THERE} could not be reached: nothing listens at that address."
    window.wait_for(lambda: window.find(LABELS[name], "text").description == sentence, f"{sentence!r} at {name}")
    window.wait_for_words("Nothing was saved; what you typed stays here.")
    assert entered(window, typed) == typed
    window.close()


def test_without_a_permission_the_order_is_kept_and_without_a_keyring_the_secret_is_asked_for_again(
    open_window: WindowFactory, practice: PracticeProcess
) -> None:
    window = open_window()
    enter_connection(window, practice.facts, "limited_")
    window.wait_for_words("This computer offers no keyring that keeps secrets safely. Secrets are kept in memory")
    try_it(window)
    window.wait_for_words(r"Not granted\. Orders can be written here but not sent\.")
    save(window)
    window.wait_for_words("Its secret is kept in memory until Waybill is closed")

    window.go("New order")
    enter_least(window, "E2E-LIMITED-1")
    window.find("Submit order", "push button").press()
    window.go("Outbox")
    window.wait_for(lambda: "does not allow this" in story(window, "E2E-LIMITED-1"), "the reason in the outbox")
    window.close()

    again = open_window()
    again.wait_for_words("The client secret is not on this computer. Enter it in Settings.")
    again.go("Outbox")
    again.wait_for(lambda: story(again, "E2E-LIMITED-1").startswith("! Held"), "the order, held for a person")
    again.go("Settings")
    again.find(f"Change {NAME}", "push button").press()
    assert again.find("Client id", "text").text == "practice-limited"
    again.close()


def story(window: Window, reference: str) -> str:
    """The row of an order in the outbox, in one line; empty while it is not there."""
    tables = window.seek("Outbox", "table")
    rows = tables[0].rows() if tables else []
    return next((" ".join(row) for row in rows if reference in row), "")


def test_a_provider_that_goes_away_leaves_what_was_seen_and_takes_nothing_that_was_typed(
    open_window: WindowFactory, practice_factory: PracticeFactory
) -> None:
    provider = practice_factory("--clock", "0")
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    window.go("Orders")
    window.wait_for_words(r"as of \d\d:\d\d:\d\d")
    seen = window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    provider.stop()

    window.find("Refresh", "push button").press()
    window.wait_for_words("! No refresh since .* nothing listens at that address")
    window.wait_for_words("were not refreshed. What was seen before is still shown")
    assert window.find("Orders", "table").rows() == seen

    window.go("New order")
    enter_least(window, "E2E-OFFLINE-1")
    window.find("Submit order", "push button").press()
    window.go("Outbox")
    window.wait_for(lambda: "nothing listens" in story(window, "E2E-OFFLINE-1"), "the reason in the outbox")
    window.go("New order")
    enter_least(window, "E2E-OFFLINE-2")
    window.wait_for_words("Draft saved")
    window.close()

    again = open_window()
    again.go("Outbox")
    again.wait_for(lambda: story(again, "E2E-OFFLINE-1").startswith("◔ Queued"), "the order, still queued")
    again.go("New order")
    again.wait_for(lambda: again.find("Order reference", "text").text == "E2E-OFFLINE-2", "the draft")
    assert again.find("Name", "text").text == FIELDS["Name"]
    assert [row[0] for row in again.find("Freight lines", "table").rows()] == ["Commodity: SOFA", "Commodity: CHAIR"]
    assert len(FREIGHT[1]) == 2
    again.close()


def test_a_practice_service_that_dies_is_said_and_can_be_started_again(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.run.kill_children()
    window.wait_for_words("The practice service has stopped")
    window.find("Restart practice", "push button").press()
    window.wait_for_words("✓ Connected, last answer")
    window.close()
