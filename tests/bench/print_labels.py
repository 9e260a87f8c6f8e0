"""Printing: the longest stall of the window while 5,000 labels of 4 × 6 in are written into a PDF.

The yardstick is one frame of a 60 Hz screen. The figure is the median over the runs of each run's longest stall; the
note holds the 99.9th percentile, the time, and what came of it in the last run.
"""

import tempfile

from tests.bench.harness import Measure, Result
from tests.bench.stalls import Found, longest_stall, window_run
from tests.support.display import private_display

LABELS = 5_000


def run(rounds: int) -> Result:
    """Print all of them from a new window process each time."""
    found: list[Found] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder, private_display() as environment:
            found.append(window_run("print_window", environment, folder, str(LABELS)))
    last = found[-1]
    return longest_stall(found, f"{last['said']} in {last['seconds']} s, {last['bytes'] / 1e6:.1f} MB")


MEASURE = Measure("PRINT", f"longest stall while {LABELS:,} labels are printed", "a 60 Hz frame", "ms", 1.0, run)
