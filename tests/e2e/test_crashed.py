"""A program that crashed: the next start says so, and after two crashes a start does nothing by itself."""

import os
import signal

import pytest

from tests.support.window import WindowFactory

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
