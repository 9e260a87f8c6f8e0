"""S4, first part: the longest stall of the window while 100,000 orders are fetched over HTTP and stored.

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

from tests.bench.harness import Measure, Result
from tests.support.display import private_display
from tests.support.practice_process import start_practice

ORDERS = 100_000
FRAME_MS = 1000 / 60


def run(rounds: int) -> Result:
    """Fill a practice service, then fetch all of it into an empty store, each time in a new window process."""
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        practice = start_practice(Path(folder) / "practice", "--orders", str(ORDERS), "--switch", "arrivals=0")
        try:
            for turn in range(rounds):
                command = [
                    sys.executable,
                    "-m",
                    "tests.bench.fetch_window",
                    f"{folder}/desk-{turn}",
                    json.dumps(practice.facts),
                ]
                done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
                found.append(json.loads(done.stdout))
        finally:
            practice.stop()
    last = found[-1]
    slowest = statistics.median(each["stall_p999_ms"] for each in found)
    note = (
        f"{last['orders']:,} orders in {last['seconds']} s, p99.9 {slowest} ms, peak {last['peak_mib']} MiB "
        f"of which {last['peak_before_mib']} before, {last['trouble'] or 'no trouble'}"
    )
    return Result(statistics.median(each["stall_max_ms"] for each in found), FRAME_MS, note)


MEASURE = Measure("S4", "longest stall while 100,000 orders arrive", "a 60 Hz frame", "ms", 3.0, run)
