"""Three people of a team at one provider, each with a window of their own, and a real PostgreSQL between them.

Each stage leaves a picture of the screen beside the test's other files.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.an_order import enter_least
from tests.e2e.settings_steps import enter_connection, save
from tests.support.postgres import TeamDatabase
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeFactory
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop, private_desktop

WIDE, HIGH = 1_100, 800
# The service takes an order and answers a while later, so that there is time to look on.
SLOWLY = ("--switch", "latency=25000,fault-on=Order/submit,import-queue=1")
SEEN_WITHIN_S = 2.0


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    """A desktop with room for three windows side by side."""
    with private_desktop(f"{3 * WIDE}x{HIGH}x24") as made:
        yield made


def join(window: Window, team: TeamDatabase, name: str, person: str) -> None:
    """Join the team through Settings, as a person does."""
    role = next(each for each in team.people if each.startswith(name))
    window.go("Settings")
    window.find("Join a team…", "push button").press()
    typed = {
        "Server": team.place.host,
        "Port": str(team.place.port),
        "Database": team.place.database,
        "Your role there": role,
        "Your name, as the team sees it": person,
        "File of certificate authorities to trust (optional)": team.place.authorities,
    }
    for label, text in typed.items():
        window.find(label, "text").type(text)
    window.find("Password", "text").focus()
    window.keys_for(team.people[role])
    window.find("Join", "push button").press()
    window.wait_for_words(f"Connected as {person}")


def in_outbox(window: Window, reference: str) -> str:
    """State and words of this reference in the outbox."""
    tables = window.seek("Outbox", "table")
    rows = tables[0].rows() if tables else []
    return next((f"{row[0]} | {row[-1]}" for row in rows if row[1] == reference), "")


def test_one_sends_another_sees_it_and_a_third_is_kept_from_the_same_order(
    desktop: Desktop,
    open_window: WindowFactory,
    practice_factory: PracticeFactory,
    team_database: TeamDatabase,
    tmp_path: Path,
) -> None:
    provider = practice_factory("--clock", "1", *SLOWLY)
    people = {"anna": "Anna Keller", "ben": "Ben Okafor", "cleo": "Cleo Marchetti"}
    windows: list[Window] = []
    for place, (name, person) in enumerate(people.items()):
        # No keyring: on one computer three people would share what it has.
        window = open_window(tmp_path / name, variables={"PGHOSTADDR": "127.0.0.1"})
        windows.append(window)
        desktop.do("windowsize", "--sync", window.run.window_id, str(WIDE), str(HIGH))
        desktop.do("windowmove", window.run.window_id, str(place * WIDE), "0")
        enter_connection(window, provider.facts)
        save(window)
        join(window, team_database, name, person)
    anna, ben, cleo = windows
    desktop.picture(tmp_path / "1-joined.png")

    ben.go("Outbox")
    ben.find("Whose", "combo box").choose("Anna Keller")
    for window in (anna, cleo):
        window.go("New order")
        enter_least(window, "E2E-TEAM-1")
        window.wait_for_words("Anna Keller is changing this order" if window is cleo else "Ready to submit")
    # Both have the order in their form, and both are told.
    anna.wait_for_words("Cleo Marchetti is changing this order")
    desktop.picture(tmp_path / "2-two-change-one-order.png")

    anna.find("Submit order…", "push button").press()
    anna.find("Send anyway", "push button").press()
    anna.wait_for_words(r"Order E2E-TEAM-1 (is|waits)")
    began = time.monotonic()
    ben.wait_for(lambda: in_outbox(ben, "E2E-TEAM-1"), "the order of Anna in Ben's outbox")
    assert time.monotonic() - began < SEEN_WITHIN_S
    cleo.find("Submit order", "push button").press()
    cleo.go("Outbox")
    cleo.wait_for(lambda: "Anna Keller is sending this order" in in_outbox(cleo, "E2E-TEAM-1"), "Cleo's order waiting")
    ben.wait_for(lambda: in_outbox(ben, "E2E-TEAM-1").startswith("▶ Sending"), "Anna's order on its way")
    desktop.picture(tmp_path / "3-one-sends-one-sees-one-waits.png")
    assert Caller(provider.facts).behind_the_counter("E2E-TEAM-1") == []  # the service thinks before it acts

    ben.wait_for(lambda: in_outbox(ben, "E2E-TEAM-1").startswith("✓"), "Anna's order taken", patience=90)
    [kept] = Caller(provider.facts).behind_the_counter("E2E-TEAM-1")
    assert kept["submissions"] == 1
    desktop.picture(tmp_path / "4-taken.png")
    for window in windows:
        window.close()
