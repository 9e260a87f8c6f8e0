"""A workbook of orders for the measures, and as a program of its own the memory that importing it takes.

`python -m tests.bench.import_rows FILE FOLDER` imports FILE up to its verdicts, in databases in FOLDER, and prints the
largest memory of the process in MB, before and after, as JSON.
"""

import asyncio
import json
import random
import sys
from datetime import datetime
from pathlib import Path

from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.outcome import import_verdicts
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.outcome.watched_folder import open_sheet
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.export.xlsx_file import write_xlsx
from app.desk.files.stoppable_work import Progress
from app.store.journal.profile_store import Profile
from tests.faults.workbench import databases

ONCE = (
    "Reference",
    "PO number",
    "Consignee",
    "Street",
    "City",
    "State",
    "ZIP",
    "Phone",
    "Delivery type",
    "Delivery date",
)
LINE = ("Commodity", "Count", "Volume", "Weight")
LINES = 3


def titles() -> list[str]:
    """The titles: the order's own, then those of three freight lines."""
    return [*ONCE, *(f"{title} {number}" for number in range(1, LINES + 1) for title in LINE)]


def rows_of(count: int) -> list[list[str | int | float]]:
    """So many orders, with names and numbers of their own."""
    chance = random.Random(14)
    found: list[list[str | int | float]] = []
    for number in range(count):
        row: list[str | int | float] = [
            f"CRN-{100_000 + number}", f"PO-{chance.randint(1, 10**7)}", f"Consignee {number} Núñez",
            f"{chance.randint(1, 9_999)} Beale Street", "Memphis", "TN", f"{chance.randint(0, 99_999):05}",
            f"901-555-{chance.randint(0, 9_999):04}", "HOME", "2026-12-24",
        ]  # fmt: skip
        for line in range(LINES):
            row += [
                f"ITEM{line}{chance.randint(0, 99)}",
                chance.randint(1, 20),
                chance.randint(1, 800) / 4,
                chance.randint(1, 400),
            ]
        found.append(row)
    return found


def write_book(path: Path, count: int) -> None:
    """A workbook with so many orders, numbers as numbers."""
    named = titles()
    write_xlsx(path, named, [12] * len(named), rows_of(count), scratch=path.parent)


def offline_desk(folder: Path) -> Desk:
    """A desk without a connection, in a folder of its own."""
    profile = Profile("bench", "Bench", "test", "http://a/", "http://b/", "http://c/", "client")
    return Desk(profile, *databases(folder), datetime.now)


async def checked(desk: Desk, path: Path) -> tuple[ImportSheet, ImportVerdicts]:
    """All that happens to a file between its drop and the verdicts that need no network."""
    sheet, _ = await open_sheet(desk, path, ReadOptions(), Progress())
    verdicts = ImportVerdicts()
    await import_verdicts.look_here(desk, sheet, verdicts, Progress())
    return sheet, verdicts


def _largest_mb() -> float:
    """The largest memory of this process so far. What `getrusage` says begins with that of the parent process."""
    told = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(told.split()[1]) / 1_024


async def _main(path: Path, folder: Path) -> None:
    desk = offline_desk(folder)
    await desk.journal.opened()
    before = _largest_mb()
    sheet, verdicts = await checked(desk, path)
    print(
        json.dumps(
            {"before_mb": before, "after_mb": _largest_mb(), "rows": len(sheet), "verdicts": len(verdicts.found)}
        )
    )
    for each in (desk.journal, desk.reader, desk.cache):
        await each.close()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), Path(sys.argv[2])))
