"""TYPING: `kill -9` while somebody types into a real window: at most what was typed in the last second is missing.

Real keys reach a real window, and what stands in its field is read as a screen reader reads it, with the moment. The
next start has to show a beginning of what was typed, with all that stood there a second before the kill. The practice
service that the killed window had started ends too.
"""

import random
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from tests.faults.harness import Fault, Report
from tests.support.window import Element, Window
from tests.support.window_process import all_gone, private_desktop

_SECOND = 1.0
_TYPED = " ".join(f"word{at:02}" for at in range(30))
_MOMENTS = (1.3, 4.0)  # seconds of typing; all of it takes longer


def run(size: int, seed: int) -> Report:
    """`size` kills, each followed by a start."""
    chance, report = random.Random(seed), Report()
    shortest = len(_TYPED)
    with tempfile.TemporaryDirectory() as name, private_desktop() as desktop:
        folder = Path(name)
        before: list[tuple[float, str]] = []
        for number in range(size + 1):
            window = Window(desktop, folder / "desk", folder, anew=False)
            window.go("New order")
            if number:
                shortest = min(shortest, _compare(window, number - 1, before, report))
            if number == size:
                window.close()
                break
            window.keys("ctrl+n")
            before = _type_until_killed(window, number, chance.uniform(*_MOMENTS), report)
    report.note = f"at most {len(_TYPED)} characters were typed, at least {shortest} of them were kept"
    return report


def _type_until_killed(window: Window, number: int, seconds: float, report: Report) -> list[tuple[float, str]]:
    """Type, watch, kill; the texts of the field, with their moments in seconds before the kill."""
    window.wait_for(lambda: window.find("Order reference", "text").text == "", "a blank form")
    window.find("Order reference", "text").type(f"TYPED-{number}")
    seen = type_and_watch(window, window.find("Delivery instructions", "text"), seconds)
    children = window.run.children()
    window.run.kill()
    killed = time.monotonic()
    report.tried += 1
    report.check(all_gone(children, patience=10), f"kill {number}: the practice service outlives its window")
    return [(killed - at, text) for at, text in seen]


def _compare(window: Window, number: int, before: list[tuple[float, str]], report: Report) -> int:
    """Compare the text that the next start shows with the texts that were seen; how many characters were kept."""
    reference = window.find("Order reference", "text")
    window.wait_for(lambda: reference.text == f"TYPED-{number}", f"the draft of kill {number}")
    kept = window.find("Delivery instructions", "text").text
    surely = [text for ago, text in before if ago > _SECOND][-1]
    where = f"kill {number}: {kept[-20:]!r} was kept, {surely[-20:]!r} stood there a second before"
    report.check(_TYPED.startswith(kept) and kept.startswith(surely), where)
    return len(kept)


def type_and_watch(window: Window, field: Element, seconds: float) -> list[tuple[float, str]]:
    """Type without a pause, and look at what stands in the field; moments and texts, up to so long after the start."""
    field.focus()
    typing = window.desktop.begin("type", "--delay", "22", "--", _TYPED)
    seen: list[tuple[float, str]] = [(time.monotonic(), "")]
    while seen[-1][0] < seen[0][0] + seconds:
        seen.append((time.monotonic(), field.text))
    typing.kill()
    typing.wait()
    # A key that is held down would repeat itself in the next window.
    window.desktop.do("keyup", "space", *sorted(set(_TYPED) - {" "}))
    assert all(later.startswith(earlier) for (_, earlier), (_, later) in pairwise(seen))
    return seen


FAULT = Fault("TYPING", "kill -9 while somebody types: at most the last second is missing", run, 2, 100)
