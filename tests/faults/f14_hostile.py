"""F14: hostile texts in every place that shows text: shown letter for letter; no link, no file, no call.

Children lead windows of their own, each with a part of the texts. No list names the places: a plain
word goes first, and wherever that word is seen, the hostile texts have to be seen.
"""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support.children import run_child
from tests.support.hostile import SIXTY

_AT_ONCE = 3
_LEAST_PLACES = 800  # fewer, and the window was not led through all of them
# An ampersand and a control character that Python takes for a blank: these were shown otherwise once.
_FIRST = (5, 18)
_LAST_WORDS = 2_000


def run(size: int, seed: int) -> Report:
    """`size` texts: those that were once shown wrongly, and others by the seed."""
    rest = [number for number in range(len(SIXTY)) if number not in _FIRST]
    random.Random(seed).shuffle(rest)
    numbers = [*_FIRST, *rest][:size]
    parts = [part for at in range(_AT_ONCE) if (part := numbers[at::_AT_ONCE])] if size > len(_FIRST) else [numbers]
    report, places = Report(), set[int]()
    with quick_folder() as folder, ThreadPoolExecutor(_AT_ONCE) as pool:
        for told, end in pool.map(lambda at: _child(folder / str(at), parts[at]), range(len(parts))):
            report.check(not end, f"a window ended with {end}")
            for each in told:
                _judge(report, each, places)
    report.note = f"{min(places, default=0):,} to {max(places, default=0):,} places a text"
    return report


def _judge(report: Report, told: dict[str, object], places: set[int]) -> None:
    number, found = int(str(told["text"])), told["found"]
    assert isinstance(found, list)
    report.tried += number >= 0
    if number >= -1:
        places.add(int(str(told["places"])))
        report.check(int(str(told["places"])) >= _LEAST_PLACES, f"text {number}: only {told['places']} places")
    report.found += [f"text {number}: {each}" for each in found]


def _child(folder: Path, numbers: list[int]) -> tuple[list[dict[str, object]], str]:
    """A child's findings about each text, and its exit status if the child failed."""
    folder.mkdir()
    nowhere = f"unix:path={folder}/no-bus"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DBUS_SESSION_BUS_ADDRESS": nowhere}
    environment |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    words = [str(folder / "work"), *map(str, numbers)]
    status, printed, complaints = run_child("tests.faults.hostile_child", words, environment, window=True)
    told = [json.loads(line) for line in printed.splitlines()]
    complete = len(told) == len(numbers) + 2
    if status == 0 and not complaints and complete:
        return told, ""
    return told, f"status {status} after {len(told)} texts: {complaints[-_LAST_WORDS:]}"


FAULT = Fault("F14", "hostile texts in every place: letter for letter, no link, no file", run, 2, len(SIXTY))
