"""S14: a file of 10,000 orders with three freight lines each, from the drop to all verdicts that need no network.

The yardstick is what cannot be saved: reading the workbook by the same reader within the process, and one pass of the
contract's check over the finished drafts. Ours reads in a process of its own, finds and maps the columns, makes the
drafts, checks them, and asks journal and cache about every reference. The note quotes the memory of 100,000 rows.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from app.contract.check import check_draft
from app.contract.submission import OrderSubmission
from tests.bench.harness import Measure, Result, alternate
from tests.bench.import_rows import checked, offline_desk, write_book

_ROOT = Path(__file__).resolve().parents[2]
ORDERS = 10_000
MANY = 100_000


def run(rounds: int) -> Result:
    """Both, turn and turn about; then the memory of a large file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = folder / "orders.xlsx"
        write_book(book, ORDERS)
        desk = offline_desk(folder)
        sheet, _ = asyncio.run(checked(desk, book))
        drafts = [sheet.draft(key) for key in sheet.orders]

        def ours() -> float:
            began = time.perf_counter()
            _, verdicts = asyncio.run(checked(desk, book))
            took = time.perf_counter() - began
            assert Counter(each.kind for each in verdicts.found.values()) == {"create": ORDERS}
            return took

        def yardstick() -> float:
            from python_calamine import CalamineWorkbook

            began = time.perf_counter()
            rows = CalamineWorkbook.from_path(str(book)).get_sheet_by_index(0).to_python()
            found = [check_draft(draft) for draft in drafts]
            took = time.perf_counter() - began
            assert len(rows) == ORDERS + 1
            assert all(isinstance(each, OrderSubmission) for each in found)
            return took

        result = alternate(ours, yardstick, rounds)
        for each in (desk.journal, desk.reader, desk.cache):
            each.close_now()
        return Result(result.ours, result.yardstick, f"{ORDERS:,} orders; {_memory(folder)}")


def _memory(folder: Path) -> str:
    book, place = folder / "many.xlsx", folder / "many"
    place.mkdir()
    write_book(book, MANY)
    command = [sys.executable, "-m", "tests.bench.import_rows", str(book), str(place)]
    said = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = json.loads(said)
    more = found["after_mb"] - found["before_mb"]
    return f"{found['rows']:,} rows take {more:.0f} MB beside the program's {found['before_mb']:.0f}"


MEASURE = Measure(
    "S14", "10,000 orders of a file, from the drop to the verdicts", "reader and check alone", "s", 2.0, run
)
