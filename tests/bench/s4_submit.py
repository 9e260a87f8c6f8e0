"""S4, second part: the longest stall of the window while 10,000 orders are submitted, outbox or orders in sight.

The yardstick is one frame of a 60 Hz screen. The figure is the median over the runs of each run's longest stall; the
note holds the 99.9th percentile, the time and the memory of the last run. The practice service runs beside it, on the
same processors.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.harness import Measure, Result
from tests.bench.s4_fetch import FRAME_MS
from tests.support.display import private_display
from tests.support.practice_process import start_practice

ORDERS = 10_000
PAGES = ("outbox", "orders")  # in sight, turn about


def run(rounds: int) -> Result:
    """Submit all of them from a new window process each time, each against a practice service of its own."""
    found: list[dict[str, Any]] = []
    for turn in range(rounds):
        with tempfile.TemporaryDirectory() as folder, private_display() as environment:
            world = ("--orders", "50", "--audits", "1", "--switch", "arrivals=0")
            practice = start_practice(Path(folder) / "practice", *world)
            try:
                arguments = [f"{folder}/desk", json.dumps(practice.facts), str(ORDERS), PAGES[turn % 2]]
                command = [sys.executable, "-m", "tests.bench.submit_window", *arguments]
                done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
                found.append(json.loads(done.stdout))
            finally:
                practice.stop()
    last = found[-1]
    slowest = statistics.median(each["stall_p999_ms"] for each in found)
    note = (
        f"{last['accepted']:,} orders taken, {last['otherwise'] or 'none otherwise'}, queued in {last['queued_s']} s "
        f"and sent in {last['seconds']} s, p99.9 {slowest} ms, peak {last['peak_mib']} MiB of which "
        f"{last['peak_before_mib']} before"
    )
    return Result(statistics.median(each["stall_max_ms"] for each in found), FRAME_MS, note)


MEASURE = Measure("S4-SUBMIT", f"longest stall while {ORDERS:,} orders leave", "a 60 Hz frame", "ms", 3.0, run)
