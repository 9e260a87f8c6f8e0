"""A program that crashed: the next start says so, and after two crashes a start does nothing by itself."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.window import Window, WindowFactory
from tests.support.window_process import private_desktop, until

pytestmark = pytest.mark.anew


def test_a_crash_is_told_and_after_two_nothing_happens_by_itself(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    os.kill(window.run.process.pid, signal.SIGSEGV)
    window.run.ended()
    window = open_window()
    window.wait_for_words("Waybill ended unexpectedly the last time. What was typed and sent before is kept.")
    window.find("Show report", "push button").press()
    window.wait_for_words("This is all that was noted.")
    window.wait_for_words("✓ Connected, last answer")
    os.kill(window.run.process.pid, signal.SIGSEGV)
    window.run.ended()
    window = open_window()
    window.wait_for_words("Waybill failed twice in a row, so this is a safe start")
    assert "Not connected yet" in window.words()
    window.find("Work as usual", "push button").press()
    window.wait_for_words("✓ Connected, last answer")
    window.close()
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    assert "unexpectedly" not in window.words()
    window.close()


def test_a_display_that_goes_away_is_told_unless_the_program_was_asked_to_end(tmp_path: Path) -> None:
    data, note = tmp_path / "desk", tmp_path / "desk" / "logs" / "run.json"
    with private_desktop() as desktop:
        window = Window(desktop, data, tmp_path)
        window.wait_for_words("✓ Connected, last answer")
    assert window.run.ended() == 1
    assert "The display that Waybill was shown on is gone." in window.run.printed
    assert "Traceback" not in window.run.printed
    with private_desktop() as desktop:
        window = Window(desktop, data, tmp_path)
        window.wait_for_words("Waybill was broken off the last time: it was ended from outside, or the desktop")
        window.wait_for_words("✓ Connected, last answer")
        # As a session ends: the program is asked, and the display is gone before it has closed everything.
        os.kill(window.run.process.pid, signal.SIGTERM)
        assert until(lambda: not note.exists() or '"ending": true' in note.read_text())
    assert window.run.ended() in (0, 1)
    with private_desktop() as desktop:
        window = Window(desktop, data, tmp_path)
        window.wait_for_words("✓ Connected, last answer")
        assert "broken off" not in window.words()
        window.close()
