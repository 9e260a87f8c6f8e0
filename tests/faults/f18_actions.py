"""F18: random actions on the real window: no traceback, no remark of Qt, no crash, no hang; objects and memory flat.

Children work at windows of their own, two at a time, each a part of the actions with a seed of its own. The figures of
the last fifth of their sittings are compared with those of the second: by then every page was made once, every library
is loaded, and the caches of fonts and icons are full.

Objects, widgets, files and memory are counted after a window was closed. The memory where the next window has shown
each page is told beside it: closing a window frees 70 of the 105 MB of the heap, but a page of memory stays where one
small block lives on, such as a glyph. So 82 MB stayed resident while 36 were in use; a window that is worked fills such
pages again (98 of 100 MB were in use then), one that has only shown its pages fills a part of them.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from tests.faults.harness import Fault, Report
from tests.faults.places import quick_folder

_ROOT = Path(__file__).resolve().parents[2]
_A_CHILD = 250_000  # actions
_AT_ONCE = 2
# Sittings of a child at full size. A process opens one main window in its life, and each window opened after the first
# leaves 50 to 100 KiB of Qt's behind where all pages were opened, however much is done, and nothing where none was:
# few long sittings, so that growth by actions shows and growth by windows does not.
_SITTINGS = 25
_LEAST_A_SITTING = 300
_LEAST_JUDGED = 100_000  # actions of a child; in fewer, the caches that fill once weigh more than all growth
# Growth from the second fifth to the last that counts as none: the allocator and the collector are never quite still.
_OBJECTS, _MEMORY = 1.02, 1.05
_FILES = 4  # descriptors: a socket or two may wait for its other end as they are counted
_LAST_WORDS = 2_000


def run(size: int, seed: int) -> Report:
    """`size` actions."""
    report = Report()
    parts = [min(_A_CHILD, size - start) for start in range(0, size, _A_CHILD)]
    with quick_folder() as folder, ThreadPoolExecutor(_AT_ONCE) as pool:
        numbers = range(len(parts))
        told = pool.map(lambda number: _child(folder / str(number), seed * 1_000 + number, parts[number]), numbers)
        growth = [_judge(report, seed * 1_000 + number, *each) for number, each in zip(numbers, told, strict=True)]
    if any(growth):
        report.note = "; ".join(each for each in growth if each)
    return report


def _child(folder: Path, seed: int, actions: int) -> tuple[list[dict[str, Any]], str]:
    """A child's findings about its sittings, and its exit status if the child failed."""
    folder.mkdir()
    a_sitting = max(actions // _SITTINGS, _LEAST_A_SITTING)
    command = [sys.executable, "-m", "tests.faults.actions_child", str(folder), str(seed), str(actions), str(a_sitting)]
    nowhere = f"unix:path={folder}/no-bus"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DBUS_SESSION_BUS_ADDRESS": nowhere}
    environment |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode == 0 and not done.stderr:
        return told, ""
    logs = "\n".join(_end_of(folder / name) for name in ("actions.log", "stacks.log"))
    return told, f"status {done.returncode}: {done.stderr[-_LAST_WORDS:]}\n{logs}"


def _end_of(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-_LAST_WORDS:] if log.exists() else ""


def _judge(report: Report, seed: int, told: list[dict[str, Any]], end: str) -> str:
    """Check what a child told; how its figures grew, in words."""
    report.tried += told[-1]["actions"] if told else 0
    report.check(not end, f"a window of seed {seed} ended with {end}")
    for each in told:
        report.found += [f"seed {seed}: {words}" for words in each["faults"]]
        report.check(each["widgets"] == 0, f"seed {seed}: {each['widgets']} widgets outlived their window")
    if not told or told[-1]["actions"] < _LEAST_JUDGED:
        return ""
    fifth = len(told) // 5
    warm, last = told[fifth : 2 * fifth], told[-fifth:]
    grown = {name: _middle(last, name) / _middle(warm, name) for name in ("objects", "rss")}
    opened = _middle(last, "files") - _middle(warm, "files")
    held, shown = ([f"{_middle(each, name) / 1024:.0f}" for each in (warm, last)] for name in ("rss", "shown"))
    words = (
        f"objects {grown['objects']:.3f}, memory {grown['rss']:.3f} ({' to '.join(held)} MiB; "
        f"{' to '.join(shown)} with a window), {opened:+.0f} files in {len(told)} sittings"
    )
    flat = grown["objects"] <= _OBJECTS and grown["rss"] <= _MEMORY and opened <= _FILES
    report.check(flat, f"seed {seed}: not flat: {words}")
    return words


def _middle(told: list[dict[str, Any]], name: str) -> float:
    return median(float(each[name]) for each in told)


FAULT = Fault("F18", "random actions on the window: no traceback, flat", run, 1_200, 1_000_000)
