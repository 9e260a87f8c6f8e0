"""Orders from a file, end to end: one dropped by a real drag from another program, one by the keyboard alone."""

import csv
from pathlib import Path

from tests.e2e.settings_steps import enter_connection, save
from tests.support.drag_source import drag_source, drag_to, let_go
from tests.support.practice_calls import Caller
from tests.support.practice_process import PracticeFactory
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop
from tests.ui.bulk.import_help import line, write_csv

FROM = (1_350, 930)  # a corner of the screen that the window does not cover


def grid_rows(window: Window) -> list[list[str]]:
    found = window.seek("Rows of the file", "table")
    return found[0].rows() if found else []


def wait_for_verdicts(window: Window, *verdicts: str) -> None:
    """Wait until a screen reader hears these verdicts, row by row; the reason of each follows it."""
    window.wait_for(
        lambda: [row[0].partition(".")[0] for row in grid_rows(window)] == list(verdicts), f"the verdicts {verdicts}"
    )


def open_by_dialog(window: Window, path: Path) -> None:
    """Answer the file dialog: it is another window, which gets no keys here."""
    window.find("File name:", "text").type(str(path))
    window.seek("Open", "push button")[-1].press()


def take_keyboard_back(window: Window) -> None:
    """After a dialog X gives the keyboard to the window, but nobody tells Qt so: a window manager would.

    So it goes to the root window, which has the smallest number, and comes from there with the next key.
    """
    root = min(window.desktop.do("search", "--all", "--name", "").split(), key=int)
    window.desktop.do("windowfocus", root)


def save_by_dialog(window: Window, path: Path) -> None:
    window.find("File name:", "text").type(str(path))
    window.seek("Save", "push button")[-1].press()


def test_a_file_dropped_on_another_page_is_read_corrected_sent_and_sends_nothing_again(
    open_window: WindowFactory, practice_factory: PracticeFactory, desktop: Desktop, tmp_path: Path
) -> None:
    provider = practice_factory("--switch", "import-queue=0")
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    caller = Caller(provider.facts)
    window.keys("ctrl+1")
    path = write_csv(tmp_path, line("DROP-1"), line("DROP-2"), line("DROP-3", ZIP=""))
    with drag_source(desktop, FROM[0] - 20, FROM[1] - 20, path):
        drag_to(desktop, FROM, window.run, (600, 400))
        window.wait_for_words("Drop it to import its orders")
        let_go(desktop)
        wait_for_verdicts(window, "New order", "New order", "To correct")
        window.keys("F4")
        window.keys_for("38103")
        window.keys("Return")
        wait_for_verdicts(window, *["New order"] * 3)
        window.find("Send 3 orders: 3 new", "push button")
        window.keys("ctrl+Return")
        window.wait_for_words(r"✓ Done\. 3 of 3 sent\.", patience=90)
        assert [caller.behind_the_counter(f"DROP-{number}")[0]["submissions"] for number in (1, 2, 3)] == [1, 1, 1]
        window.find("Save the receipt…", "push button").press()
        receipt = tmp_path / "receipt.csv"
        save_by_dialog(window, receipt)
        window.wait_for_words("receipt.csv says how all 3 rows ended")
        with receipt.open(encoding="utf-8-sig", newline="") as file:
            assert [row["Reference"] for row in csv.DictReader(file)] == ["DROP-1", "DROP-2", "DROP-3"]

        # The same file once more: what it says was sent, but for the ZIP that was typed here.
        write_csv(tmp_path, line("DROP-1"), line("DROP-2"), line("DROP-3"))
        drag_to(desktop, FROM, window.run, (600, 400))
        window.wait_for_words("Drop it to import its orders")
        let_go(desktop)
        window.wait_for_words(r"Nothing to send: all 3 orders are as this file says\.")
        assert "enabled" not in window.find("Nothing to send", "push button").states()
    assert [caller.behind_the_counter(f"DROP-{number}")[0]["submissions"] for number in (1, 2, 3)] == [1, 1, 1]
    window.close()


def test_a_file_is_imported_by_the_keyboard_alone(
    open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    provider = practice_factory("--switch", "import-queue=0")
    window = open_window()
    enter_connection(window, provider.facts)
    save(window)
    path = write_csv(tmp_path, line("KEYS-1"), line("KEYS-2", City="Memphs"), line("KEYS-3", City="Memphs", Count="x"))
    window.keys("ctrl+4", "ctrl+o")
    open_by_dialog(window, path)
    wait_for_verdicts(window, "New order", "New order", "To correct")
    take_keyboard_back(window)
    window.keys("F4")
    window.keys_for("3")
    window.keys("Return")
    wait_for_verdicts(window, *["New order"] * 3)
    window.keys("ctrl+h")
    window.find("Find", "text").type("Memphs")
    window.find("Replace by", "text").type("Memphis")
    window.find("Replace by", "text").focus()
    window.keys("Return")
    window.wait_for_words("2 cells changed")
    window.keys("Escape")
    wait_for_verdicts(window, *["New order"] * 3)
    window.find("Send 3 orders: 3 new", "push button")
    window.keys("ctrl+Return")
    window.wait_for_words(r"✓ Done\. 3 of 3 sent\.", patience=90)
    caller = Caller(provider.facts)
    kept = [caller.behind_the_counter(f"KEYS-{number}")[0]["body"] for number in (1, 2, 3)]
    assert [each["consignee"]["city"] for each in kept] == ["Memphis"] * 3
    assert kept[2]["freightDetails"][0]["count"] == 3
    window.close()
