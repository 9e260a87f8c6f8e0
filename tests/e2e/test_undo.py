"""Two orders cancelled, one of them undone by Ctrl+Z: every word on screen is looked at until both are settled."""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.settings_steps import enter_connection, save
from tests.e2e.steps import references
from tests.support.contract_samples import changed, sample
from tests.support.practice_calls import MANAGEMENT, Caller
from tests.support.practice_process import PracticeFactory
from tests.support.window import Window, WindowFactory

BACK, GONE = "UNDO-BACK", "UNDO-GONE"
# What may be said of an order on its way to being cancelled, by what has become of it so far.
PENDING = re.compile(r"\b(about to be cancelled|is cancelled in \d+ seconds?|can still be undone|Undo)\b")
ON_ITS_WAY = re.compile(r"\b(has not left yet|is being sent|on (its|their) way|Cancel · (Queued|Sending))\b")


@pytest.fixture
def desk(open_window: WindowFactory, practice_factory: PracticeFactory) -> Iterator[tuple[Window, Caller]]:
    provider = practice_factory("--switch", "import-queue=1")
    window, caller = open_window(), Caller(provider.facts)
    for reference in (BACK, GONE):
        body = changed(sample("order_least.json"), "orderReferenceNumber", reference)
        assert caller.post(f"{MANAGEMENT}/Order/submit", body).status == 200
    enter_connection(window, provider.facts)
    save(window)
    yield window, caller
    window.close()


def cancel(window: Window, reference: str) -> None:
    window.keys("ctrl+1", "ctrl+f", "ctrl+a")
    window.keys_for(reference)
    window.wait_for(lambda: references(window) == [reference], f"{reference} in the list")
    window.keys("Return", "ctrl+Delete")
    # Without a window manager no second window gets the keyboard.
    window.find("Cancel the order", "push button").press()
    window.wait_for_words(f"Order {reference} is about to be cancelled")


def lines_about(window: Window, reference: str) -> list[str]:
    return [line for line in window.words().splitlines() if reference in line]


def is_cancelled(caller: Caller, reference: str) -> bool:
    """At the provider."""
    return [each["cancelled"] for each in caller.behind_the_counter(reference)] == [True]


def test_no_word_stands_that_is_not_so_any_more(desk: tuple[Window, Caller]) -> None:
    window, caller = desk
    window.keys("F5")
    cancel(window, GONE)
    cancel(window, BACK)
    window.keys("ctrl+z")  # the latest: the other one stays as it is
    window.wait_for_words(f"Order {BACK} was not cancelled")
    assert not any(PENDING.search(line) or ON_ITS_WAY.search(line) for line in lines_about(window, BACK))

    def gone() -> bool:
        # Looked at all the while: of the one that was undone, nothing is said that says it is leaving.
        wrong = [line for line in lines_about(window, BACK) if PENDING.search(line) or ON_ITS_WAY.search(line)]
        assert wrong == []
        return is_cancelled(caller, GONE)

    window.wait_for(gone, "the cancellation at the provider", patience=40)
    window.wait_for(
        lambda: not any(PENDING.search(line) or ON_ITS_WAY.search(line) for line in window.words().splitlines()),
        "every word about what is leaving to go",
        patience=40,
    )
    window.wait_for(
        lambda: "was not cancelled" not in window.words() and "has taken the cancellation" not in window.words(),
        "what only told of a success to go by itself",
        patience=40,
    )
    assert not is_cancelled(caller, BACK)
