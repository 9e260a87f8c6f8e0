"""F7: many starts at once, on a folder that is free, or whose owner has just been killed; and how soon it is back.

The starts are the real program, from source or, if WAYBILL_PACKED names it, packed. One of them opens its window and
stays; each of the others leaves with status 0 after the owner has answered at its door. A start after a kill is ready
within two seconds, or within three times a start on a free folder in the same minute where the computer is that slow.
"""

import json
import os
import random
import subprocess
import time
from pathlib import Path

from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder
from tests.support import targets

_PATIENCE = 120.0  # seconds for all of them; it takes a tenth of that on a computer that does nothing else
_GOAL = 2.0  # seconds from the start to a window that can be used
_SLOWER = 3.0


def run(size: int, seed: int) -> Report:
    """`size` starts at once on a free folder, as many on one whose owner was killed, and one alone after a kill."""
    report, chance = Report(), random.Random(seed)
    with quick_folder() as folder:
        free = _ready_after(folder / "other", report)
        data = folder / "data"
        owner = _crowd(data, size, report, chance, "on a free folder")
        if owner is not None:
            _kill(owner)
            owner = _crowd(data, size, report, chance, "after the owner was killed")
        if owner is not None:
            _kill(owner)
            again = _ready_after(data, report)
            limit = max(_GOAL, _SLOWER * free)
            report.check(again < limit, f"ready {again:.2f} s after a kill; on a free folder it took {free:.2f} s")
            report.note = f"ready {again:.2f} s after the owner was killed, {free:.2f} s on a free folder"
    return report


def _start(data: Path, *words: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [*targets.program(), "--data-dir", str(data), *words]
    return subprocess.Popen(
        command, cwd=targets.folder(), env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def _crowd(data: Path, size: int, report: Report, chance: random.Random, when: str) -> "subprocess.Popen[str] | None":
    """Start so many at once; the owner, if there is exactly one. Otherwise all of them are ended."""
    started = [_start(data) for _ in range(size)]
    chance.shuffle(started)
    deadline = time.monotonic() + _PATIENCE
    while sum(each.poll() is None for each in started) > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    staying = [each for each in started if each.poll() is None]
    for each in started:
        if each not in staying:
            report.tried += 1
            said = each.communicate()[0]
            fine = each.returncode == 0 and "has come forward" in said
            report.check(fine, f"{when}: one left with status {each.returncode}, saying {said[-300:]!r}")
    report.tried += 1
    if not report.check(len(staying) == 1, f"{when}: {len(staying)} of {size} stayed"):
        for each in staying:
            _kill(each)
        return None
    return staying[0]


def _ready_after(data: Path, report: Report) -> float:
    """Seconds from the start of the process until its window was painted and usable."""
    report.tried += 1
    started = time.monotonic()
    process = _start(data, "--time-to-ready")
    assert process.stdout is not None
    line = process.stdout.readline()
    if "painted_s" in line:  # a still of the last view: the page itself follows
        line = process.stdout.readline()
    elapsed = time.monotonic() - started
    rest = process.communicate()[0]
    report.check("ready_s" in line and json.loads(line)["ready_s"] > 0, f"it did not come up: {line}{rest}")
    return elapsed


def _kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


FAULT = Fault("F7", "starts at once and an owner killed: one owner, back at once", run, 5, 50)
