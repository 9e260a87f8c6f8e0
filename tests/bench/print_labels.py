"""Printing: the longest stall of the window while 5,000 labels of 4 × 6 in are written into a PDF.

The yardstick is one frame of a 60 Hz screen. The figure is the median over the runs of each run's longest stall; the
note holds the 99.9th percentile, the time, and what came of it in the last run.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from tests.bench.harness import Measure, Result
from tests.bench.s4_fetch import FRAME_MS
from tests.support.display import private_display

LABELS = 5_000


def run(rounds: int) -> Result:
    """Print all of them from a new window process each time."""
    found: list[dict[str, Any]] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder, private_display() as environment:
            command = [sys.executable, "-m", "tests.bench.print_window", folder, str(LABELS)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            found.append(json.loads(done.stdout))
    last = found[-1]
    slowest = statistics.median(each["stall_p999_ms"] for each in found)
    note = (
        f"{last['said']} in {last['seconds']} s, {last['bytes'] / 1e6:.1f} MB, p99.9 {slowest} ms, "
        f"peak {last['peak_mib']} MiB of which {last['peak_before_mib']} before"
    )
    return Result(statistics.median(each["stall_max_ms"] for each in found), FRAME_MS, note)


MEASURE = Measure("PRINT", f"longest stall while {LABELS:,} labels are printed", "a 60 Hz frame", "ms", 1.0, run)
