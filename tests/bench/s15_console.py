"""The console: how long the form of an operation, and a description of 200 operations, take from asked for to painted.

The yardstick is one frame of a 60 Hz screen. The figures are medians over the runs of each run's median.
"""

import statistics
import tempfile
from functools import partial

from tests.bench.harness import Measure, Result
from tests.bench.stalls import FRAME_MS, Found, window_run
from tests.support.display import private_display


def run(name: str, rounds: int) -> Result:
    """Open the console in a new window process each time."""
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        found = [window_run("console_window", environment, f"{folder}/desk-{turn}") for turn in range(rounds)]
    note = f"longest form {max(each['form_max_ms'] for each in found)} ms"
    return Result(float(statistics.median(each[name] for each in found)), FRAME_MS, note)


FORM = Measure("S15", "the form of an order asked for → painted", "a 60 Hz frame", "ms", 3.0, partial(run, "form_ms"))
LIST = Measure(
    "S15-LIST",
    "a description of 200 operations asked for → painted",
    "a 60 Hz frame",
    "ms",
    12.0,
    partial(run, "list_ms"),
)
