"""The network is pulled while an order is on its way: the window says what it does not know, and finds it out itself.

Each stage leaves a picture of the screen beside the test's other files.
"""

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import apsw

from app.desk.sending.evidence import GRACE
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from tests.e2e.settings_steps import enter_connection, save, wait_until_connected
from tests.e2e.steps import references, submit_order, wait_until_taken
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeFactory, PracticeProcess
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop

# The service acts, then answers a byte a second; or it takes the request and thinks for ten minutes before it acts.
ACTS_AND_DRAGS = ("--switch", "slow-body=1,fault-on=Order/submit")
THINKS = ("--switch", "latency=600000,fault-on=Order/submit")


def bring_back(factory: PracticeFactory, gone: PracticeProcess, data: Path) -> PracticeProcess:
    """The same service at the same address, with all it kept, as it should be."""
    port = urlsplit(gone.facts["base_url"]).port
    return factory("--port", str(port), "--switch", "import-queue=1", data=data)


def connect(window: Window, provider: PracticeProcess) -> None:
    enter_connection(window, provider.facts)
    save(window)


def in_outbox(window: Window, reference: str) -> str:
    """State and words of this reference in the outbox."""
    tables = window.seek("Outbox", "table")
    rows = tables[0].rows() if tables else []
    return next((f"{row[0]} | {row[-1]}" for row in rows if row[1] == reference), "")


def among_orders(window: Window, reference: str) -> list[str]:
    """How this reference stands in the orders table."""
    window.go("Orders")
    window.find("Filter orders", "text").type(reference)
    return window.wait_for(lambda: references(window), f"{reference} among the orders")


def test_an_order_that_arrived_although_the_answer_never_came(
    desktop: Desktop, open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    data = tmp_path / "provider"
    provider = practice_factory("--clock", "1", *ACTS_AND_DRAGS, data=data)
    window = open_window()
    connect(window, provider)
    submit_order(window, "E2E-DOUBT-1")
    arrived = Caller(provider.facts)
    window.wait_for(lambda: arrived.behind_the_counter("E2E-DOUBT-1"), "the order at the provider")
    window.go("Outbox")
    window.wait_for(lambda: in_outbox(window, "E2E-DOUBT-1").startswith("▶ Sending"), "the order on its way")
    desktop.picture(tmp_path / "1-sending.png")
    provider.kill()

    window.wait_for(lambda: in_outbox(window, "E2E-DOUBT-1").startswith("! In doubt"), "the doubt")
    window.wait_for_words("Order E2E-DOUBT-1 may have arrived")
    desktop.picture(tmp_path / "2-in-doubt.png")
    assert among_orders(window, "E2E-DOUBT-1") == ["outbox: E2E-DOUBT-1"]
    desktop.picture(tmp_path / "3-among-the-orders.png")

    back = bring_back(practice_factory, provider, data)
    window.go("Outbox")
    wait_until_taken(window, ["E2E-DOUBT-1", "Order"])  # nobody has done anything
    window.wait_for(lambda: "Order E2E-DOUBT-1 may have arrived" not in window.words(), "the end of the message")
    desktop.picture(tmp_path / "4-resolved.png")
    window.go("Orders")
    window.wait_for(lambda: references(window) == ["E2E-DOUBT-1"], "the order in the provider's list", patience=90)
    desktop.picture(tmp_path / "5-listed.png")
    [kept] = Caller(back.facts).behind_the_counter("E2E-DOUBT-1")
    assert kept["submissions"] == 1
    window.close()


def test_a_new_order_that_never_arrived_is_sent_again_by_itself(
    desktop: Desktop, open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    data = tmp_path / "provider"
    provider = practice_factory("--clock", "1", *THINKS, data=data)
    desktop.session.start_keyring()
    window = open_window()
    connect(window, provider)
    submit_order(window, "E2E-DOUBT-2")
    window.go("Outbox")
    window.wait_for(lambda: in_outbox(window, "E2E-DOUBT-2").startswith("▶ Sending"), "the order on its way")
    provider.kill()
    window.wait_for(lambda: in_outbox(window, "E2E-DOUBT-2").startswith("! In doubt"), "the doubt")
    back = bring_back(practice_factory, provider, data)
    window.wait_for(lambda: "import queue" in in_outbox(window, "E2E-DOUBT-2"), "the grace", patience=90)
    desktop.picture(tmp_path / "1-may-be-in-the-import-queue.png")
    window.close()
    let_grace_pass(tmp_path / "desk")

    again = open_window()
    wait_until_connected(again)
    again.go("Outbox")
    desktop.picture(tmp_path / "2-looked-for-again.png")
    wait_until_taken(again, ["E2E-DOUBT-2", "Order"])  # nobody has done anything
    again.find("Outbox", "table").focus()
    again.keys("Home")
    story = again.find("Attempts, replies and exact content", "text")
    again.wait_for(lambda: "Sent again by Waybill at" in story.text, "who sent it again, and why")
    desktop.picture(tmp_path / "3-sent-again.png")
    [kept] = Caller(back.facts).behind_the_counter("E2E-DOUBT-2")
    assert kept["submissions"] == 1
    again.close()


def let_grace_pass(folder: Path) -> None:
    """As if the window had stayed closed for as long as an order may wait in the import queue."""
    journal = Journal(DataDir(folder).journal)

    def earlier(c: apsw.Connection) -> None:
        seconds = (GRACE + timedelta(seconds=30)).total_seconds()
        c.execute(
            """
            UPDATE attempts SET started_at = strftime('%Y-%m-%dT%H:%M:%fZ', started_at, ?1),
                                ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', ended_at, ?1)
            """,
            (f"-{seconds:.0f} seconds",),
        )

    journal.write_now(earlier)
    journal.close_now()
