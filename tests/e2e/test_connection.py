"""A provider of one's own, entered through Settings, with its secret in a real keyring."""

from pathlib import Path

from tests.e2e.an_order import SENT
from tests.e2e.settings_steps import LABELS, enter_connection, save, try_it, wait_until_connected
from tests.e2e.steps import submit_order, wait_until_taken, whole_way
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeFactory
from tests.support.window import WindowFactory
from tests.support.window_process import Desktop

CARD = (
    "See open and completed orders",
    "Submit and cancel orders, look up their status, list facilities",
    "See audits and their photos",
)


def test_an_order_at_a_provider_of_ones_own_with_the_secret_in_the_keyring(
    desktop: Desktop, open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    provider = practice_factory("--switch", "import-queue=1")
    desktop.session.start_keyring()
    window = open_window()
    window.wait_for_words("Practice: nothing leaves this computer")

    secret = enter_connection(window, provider.facts, "other_")[LABELS["client_secret"]]
    assert secret not in window.find("Client secret", "text").text
    try_it(window)
    window.wait_for_words("Connected. The provider allows:")
    assert all(line in window.words() for line in CARD)
    save(window)
    assert "Practice: nothing leaves this computer" not in window.words()

    whole_way(window, "E2E-ACME-1")
    window.close()
    assert files_with(tmp_path, secret) == []

    again = open_window()
    wait_until_connected(again)  # nobody has typed the secret this time
    again.close()
    assert files_with(tmp_path, secret) == []


def test_every_field_reaches_the_provider_as_it_was_typed(
    open_window: WindowFactory, practice_factory: PracticeFactory
) -> None:
    provider = practice_factory()
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    submit_order(window, "E2E-FIELDS-1")
    wait_until_taken(window, ["E2E-FIELDS-1", "Order"])
    [kept] = Caller(provider.facts).behind_the_counter("E2E-FIELDS-1")
    assert kept["body"] == {"orderReferenceNumber": "E2E-FIELDS-1"} | SENT
    assert kept["submissions"] == 1
    window.close()


def files_with(folder: Path, secret: str) -> list[Path]:
    """The files below a folder, other than the provider's own, in which a secret can be read."""
    wanted = [secret.encode(), secret.encode("utf-16-le")]
    files = (
        each for each in folder.rglob("*") if each.is_file() and "practice" not in each.relative_to(folder).parts[0]
    )
    return [each for each in files if any(word in each.read_bytes() for word in wanted)]
