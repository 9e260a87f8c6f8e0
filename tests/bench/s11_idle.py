"""S11: what the open window costs while nothing happens: 100,000 orders in the table, refreshed each minute.

The figure is the median of as many minutes as there are rounds, in per cent of a core; the yardstick is one per cent.
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


def run(rounds: int) -> Result:
    """Fill a practice service whose clock stands, open a window on it, and watch it for `rounds` minutes."""
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        options = ("--orders", str(ORDERS), "--switch", "arrivals=0", "--clock", "0")
        practice = start_practice(Path(folder) / "practice", *options)
        try:
            command = [sys.executable, "-m", "tests.bench.idle_window", f"{folder}/desk", json.dumps(practice.facts)]
            done = subprocess.run(
                [*command, str(rounds)], env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
        finally:
            practice.stop()
    found = json.loads(done.stdout)
    minutes = ", ".join(f"{share:.2f}" for share in found["shares"])
    note = f"{found['orders']:,} orders, {found['refreshes']} refreshes, minute by minute {minutes} %"
    return Result(statistics.median(found["shares"]), 1.0, note)


MEASURE = Measure("S11", "idle with the table open, refreshing each minute", "one per cent of a core", "%", 1.0, run)
