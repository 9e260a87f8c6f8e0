"""The worst audit of last week, two photos flagged with a note, and its report: by keys alone, and through the
accessibility tree alone."""

import re
import sys
from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from tests.support.accessibility import Call
from tests.support.steps_taken import Task
from tests.support.window import Element, Window, WindowFactory

NOTE = "corner crushed"
STEPS = 12
_LONG = 120.0  # practice draws its photos when they are asked for


def audits(window: Window) -> list[list[str]]:
    found = window.seek("Audits", "table")
    return found[0].rows() if found else []


def scores(window: Window) -> list[float]:
    return [float(row[0]) for row in audits(window)]


def save_as(window: Window, path: Path) -> None:
    """Answer the file dialog: it is another window, which gets no keys here."""
    field = window.find("File name:", "text").node.ref
    assert window.bus.call(Call(field, "EditableText", "SetTextContents", "s", (str(path),)))[0]
    window.seek("Save", "push button")[-1].press()  # the page behind the dialog has one too


def report_holds(window: Window, path: Path, number: str) -> None:
    window.wait_for_words(re.escape(path.name), _LONG)
    document = pypdfium2.PdfDocument(path)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    assert f"Audit {number}" in text
    assert text.count(NOTE) >= 2


def test_by_keys_alone(open_window: WindowFactory, tmp_path_factory: pytest.TempPathFactory) -> None:
    window = open_window()
    task = Task(window, "worst audit of last week, two photos flagged with a note, its report")
    task.press("ctrl+5")
    window.wait_for(lambda: audits(window), "audits of the practice world")
    before = len(audits(window))
    task.press("ctrl+Prior")  # round to the last view
    worst = window.find(re.compile("Last week, worst first.*"), "radio button")
    window.wait_for(lambda: "checked" in worst.states(), "the view of last week")
    window.wait_for(lambda: 0 < len(audits(window)) < before, "audits of last week")
    window.wait_for(lambda: scores(window) == sorted(scores(window)), "the worst first")
    numbers = [row[5] for row in audits(window)]
    task.press("Home", "Return")
    for number in numbers:
        wait_open(window, number)
        if photos(window) > 1:
            break
        # No step of the task: which audits last week has depends on the day, and some have one photo only.
        window.keys("shift+s")
    assert photos(window) > 1, "an audit of last week has two photos"
    for keys in ("f", "shift+q"), ("d", "f", "shift+q"):
        task.press(*keys)
        task.type(NOTE)
        task.press("Return")
        window.wait_for(
            lambda: "focused" not in window.find("Note about this photo", "text").states(),
            "the keyboard out of the note",
        )
    two_photos_flagged(window)
    task.press("ctrl+p")
    target = tmp_path_factory.mktemp("report") / "worst.pdf"
    save_as(window, target)
    report_holds(window, target, number)
    sys.stdout.write(f"{task.line}\n")
    assert len(task.steps) <= STEPS
    window.close()


def wait_open(window: Window, number: str) -> None:
    window.wait_for(partial(window.seek, f"Audit {number}"), f"audit {number}")
    window.wait_for(lambda: "enabled" in window.find("Note about this photo", "text").states(), "its first photo")


def photos(window: Window) -> int:
    """How many photos the open audit has."""
    strip = window.seek("Photos", "list")
    return len(strip[0].node.children) if strip else 0


def two_photos_flagged(window: Window) -> None:
    window.wait_for(lambda: len(window.seek(re.compile(".*photo flagged$"), "list item")) == 2, "two photos flagged")


def choose(window: Window, element: Element, words: str) -> None:
    """Choose a line of a list as a screen reader does."""
    names = [each.name for each in element.node.walk() if each.role == "list item"]
    at = next(at for at, name in enumerate(names) if name.startswith(words))
    assert window.bus.call(Call(element.node.ref, "Selection", "SelectChild", "i", (at,)))[0]


def open_worst_with_two_photos(window: Window) -> str:
    """Open it and return its number. Which audits last week has depends on the day, and some have one photo only."""
    table = window.find("Audits", "table").node.ref
    found = scores(window)
    for row in sorted(range(len(found)), key=found.__getitem__):
        number = audits(window)[row][5]
        assert window.bus.call(Call(table, "Table", "AddRowSelection", "i", (row,)))[0]
        wait_open(window, number)
        if photos(window) > 1:
            return number
    raise AssertionError("no audit of last week has two photos")


def test_through_the_tree_alone(open_window: WindowFactory, tmp_path_factory: pytest.TempPathFactory) -> None:
    window = open_window()
    window.find("Audits", "radio button").press()
    window.wait_for(lambda: audits(window), "audits of the practice world")
    before = len(audits(window))
    window.find("Filter by days", "push button").press()
    window.wait_for(lambda: window.seek("Days", "list"), "the days to choose from")
    choose(window, window.find("Days", "list"), "Last week")
    window.wait_for(lambda: 0 < len(audits(window)) < before, "audits of last week")
    number = open_worst_with_two_photos(window)
    for photo in (1, 2):
        window.find("Flag photo").press()
        window.wait_for(lambda: window.seek("Photo flagged"), "the flag")
        window.find("Note about this photo", "text").type(NOTE)
        if photo == 1:
            strip = window.find("Photos", "list")
            assert window.bus.call(Call(strip.node.ref, "Selection", "SelectChild", "i", (1,)))[0]
            window.wait_for(lambda: window.find("Note about this photo", "text").text == "", "the second photo")
    two_photos_flagged(window)
    window.find("PDF report", "push button").press()
    target = tmp_path_factory.mktemp("report") / "worst.pdf"
    save_as(window, target)
    report_holds(window, target, number)
    window.close()
