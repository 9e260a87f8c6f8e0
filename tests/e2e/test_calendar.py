"""The calendar of a date as a screen reader meets it: found by its name, worked by keys, gone when it is done."""

from tests.support.window import Element, WindowFactory

FIELD = "Requested delivery"


def test_a_calendar_is_found_by_a_screen_reader_and_worked_by_keys(open_window: WindowFactory) -> None:
    window = open_window()
    window.wait_for_words("✓ Connected, last answer")
    window.go("New order")
    window.find(FIELD, "text").type("2026-12-01")
    window.keys("alt+Down")
    shown = window.find(f"Calendar for {FIELD}", "panel")
    days = window.wait_for(lambda: [each for each in shown.node.walk() if each.role == "table"], "a calendar")
    assert Element(window, days[0]).description.startswith("Tuesday, December 1, 2026. Arrow keys")
    window.keys("Right", "Down", "Return")
    window.wait_for(lambda: window.find(FIELD, "text").text == "2026-12-09", "the day that was chosen")
    assert "focused" in window.find(FIELD, "text").states()
    assert window.seek(f"Calendar for {FIELD}", "panel") == []

    window.keys("alt+Down")
    window.find(f"Calendar for {FIELD}", "panel")
    window.keys("Escape")
    window.wait_for(lambda: not window.seek(f"Calendar for {FIELD}", "panel"), "the calendar to go")
    assert window.find(FIELD, "text").text == "2026-12-09"
    window.close()
