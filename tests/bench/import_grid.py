"""The grid of a file of 100,000 rows: how long a step of scrolling takes until it is painted.

The yardstick is one frame of a 60 Hz screen. The figure is the 95th percentile over 200 steps: lines, screens, jumps.
Notes say how it was with 1,000 rows, how long the file took from the drop to its rows and to all verdicts that need no
network, and what the window holds more for it.
"""

import statistics
import tempfile

from tests.bench.harness import Measure, Result
from tests.bench.stalls import FRAME_MS, Found, window_run
from tests.support.display import private_display

SIZES = (1_000, 100_000)


def run(_rounds: int) -> Result:
    """Scroll in a window process for each size."""
    found: list[Found] = []
    with private_display() as environment:
        for size in SIZES:
            with tempfile.TemporaryDirectory() as folder:
                found.append(window_run("import_window", environment, folder, str(size)))
    few, many = found
    note = (
        f"median {statistics.median(many['painted']):.1f} ms, {few['rows']:,} rows: {_p95(few):.1f} ms; "
        f"rows shown after {many['shown_s']:.1f} s, all verdicts after {many['known_s']:.1f} s, "
        f"{many['extra_mib']:.0f} MiB more"
    )
    return Result(_p95(many), FRAME_MS, note)


def _p95(found: Found) -> float:
    return float(sorted(found["painted"])[int(len(found["painted"]) * 0.95)])


MEASURE = Measure("S14-GRID", "100,000 rows of a file: a step of scrolling, p95", "a 60 Hz frame", "ms", 1.0, run)
