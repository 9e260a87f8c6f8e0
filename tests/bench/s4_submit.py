"""S4, second part: the longest stall of the window while 10,000 orders are submitted, outbox or orders in sight.

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

ORDERS = 10_000
PAGES = ("outbox", "orders")  # in sight, turn about


def run(rounds: int) -> Result:
    """Submit all of them from a new window process each time, each against a practice service of its own."""
    found: list[Found] = []
    for turn in range(rounds):
        with tempfile.TemporaryDirectory() as folder, private_display() as environment:
            world = ("--orders", "50", "--audits", "1", "--switch", "arrivals=0")
            practice = start_practice(Path(folder) / "practice", *world)
            try:
                arguments = [f"{folder}/desk", json.dumps(practice.facts), str(ORDERS), PAGES[turn % 2]]
                found.append(window_run("submit_window", environment, *arguments))
            finally:
                practice.stop()
    last = found[-1]
    return longest_stall(
        found,
        f"{last['accepted']:,} orders taken, {last['otherwise'] or 'none otherwise'}, queued in {last['queued_s']} s "
        f"and sent in {last['seconds']} s",
    )


MEASURE = Measure("S4-SUBMIT", f"longest stall while {ORDERS:,} orders leave", "a 60 Hz frame", "ms", 3.0, run)
