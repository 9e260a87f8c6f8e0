"""S4, first part: the longest stall of the window while 100,000 orders are fetched over HTTP and stored.

The yardstick is one frame of a 60 Hz screen. The figure is the median over the runs of each run's longest stall; the
note holds the 99.9th percentile, the time and the memory of the last run. The practice service runs beside it, on the
same processors.
"""

import json
import tempfile
from pathlib import Path

from tests.bench.harness import Measure, Result
from tests.bench.stalls import Found, longest_stall, window_run
from tests.support.display import private_display
from tests.support.practice_process import start_practice

ORDERS = 100_000


def run(rounds: int) -> Result:
    """Fill a practice service, then fetch all of it into an empty store, each time in a new window process."""
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        practice = start_practice(Path(folder) / "practice", "--orders", str(ORDERS), "--switch", "arrivals=0")
        try:
            for turn in range(rounds):
                where = f"{folder}/desk-{turn}"
                found.append(window_run("fetch_window", environment, where, json.dumps(practice.facts)))
        finally:
            practice.stop()
    last = found[-1]
    return longest_stall(found, f"{last['orders']:,} orders in {last['seconds']} s, {last['trouble'] or 'no trouble'}")


MEASURE = Measure("S4", "longest stall while 100,000 orders arrive", "a 60 Hz frame", "ms", 3.0, run)
