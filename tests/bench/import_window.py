"""A real window with a file of many rows on the Import page; scrolls through it and times each step until painted.

Started by `import_grid` as a process of its own, with a folder and the number of rows. Prints one JSON line and ends.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.ui.bulk.bulk_page import BulkPage
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import resident_mib
from tests.ui.bulk.import_help import line, write_csv

STEPS = 200


def write_file(folder: Path, rows: int) -> Path:
    """A file of orders; every hundredth has a cell to correct."""
    return write_csv(folder, *(_row(number) for number in range(rows)), name="many.csv")


def _row(number: int) -> list[str]:
    wrong = {"ZIP": ""} if number % 100 == 50 else {}
    return line(f"MANY-{number}", Consignee=f"Consignee {number}", Phone=f"901-555-{number % 10_000:04}", **wrong)


def places(last: int) -> Iterator[int]:
    """Where a hand goes: three rows on, a screen on, now and then anywhere."""
    chance, at = random.Random(5), 0
    for _ in range(STEPS):
        step = chance.random()
        at = chance.randrange(last) if step < 0.2 else at + (20 if step < 0.5 else 3)
        at %= max(last, 1)
        yield at


async def work(opened: Opened, folder: Path, rows: int) -> None:
    path = write_file(folder, rows)
    before = resident_mib()
    opened.shell.go("bulk")
    page = opened.shell.page("bulk")
    assert isinstance(page, BulkPage)
    began = time.perf_counter()
    page.open_files([path])
    while page.model.rowCount() < rows:  # noqa: ASYNC110  # the page tells nobody
        await asyncio.sleep(0.01)
    shown = time.perf_counter() - began
    while len(page.session.verdicts.found) < rows:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    known = time.perf_counter() - began
    page.session.stop_asking()
    await asyncio.sleep(1)
    bar, painted = page.grid.verticalScrollBar(), []
    for place in places(bar.maximum()):
        start = time.perf_counter()
        bar.setValue(place)
        page.grid.viewport().repaint()
        painted.append((time.perf_counter() - start) * 1_000)
        await asyncio.sleep(0)
    QApplication.sendPostedEvents()
    print(
        json.dumps(
            {
                "painted": sorted(painted), "shown_s": shown, "known_s": known, "rows": page.model.rowCount(),
                "extra_mib": resident_mib() - before,
            }
        ),
        flush=True,
    )  # fmt: skip


if __name__ == "__main__":
    _folder, _rows = sys.argv[1:]
    sys.exit(in_a_window(Path(_folder) / "desk", None, lambda opened: work(opened, Path(_folder), int(_rows))))
