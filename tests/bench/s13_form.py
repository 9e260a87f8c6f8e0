"""The form at its largest: how long a key keeps the window from answering, with 500 freight lines and 5,000 barcodes.

The yardstick is one frame of a 60 Hz screen. For each key it is the longest stall until the next one, with all that it
brings about: painting, checking, keeping the draft, asking the provider. The figure is the median over the runs of each
run's 95th percentile; the note holds the rest, and how long it takes to submit.
"""

import json
import statistics
import tempfile
from pathlib import Path

from tests.bench.harness import Measure, Result
from tests.bench.stalls import FRAME_MS, Found, window_run
from tests.support.display import private_display
from tests.support.practice_process import start_practice


def run(rounds: int) -> Result:
    """Type into the large form in a new window process each time."""
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        world = ("--orders", "50", "--audits", "1", "--switch", "arrivals=0")
        practice = start_practice(Path(folder) / "practice", *world)
        try:
            for turn in range(rounds):
                arguments = [f"{folder}/desk-{turn}", json.dumps(practice.facts)]
                found.append(window_run("form_window", environment, *arguments))
        finally:
            practice.stop()

    def median(name: str) -> float:
        return float(statistics.median(each[name] for each in found))

    note = (
        f"{found[-1]['keys']} keys a run, median {median('key_median_ms')} ms, longest {median('key_max_ms')} ms, "
        f"the window's own work for a key, p95 {median('busy_p95_ms')} ms, "
        f"p99.9 of all {median('stall_p999_ms')} ms, submitted in {median('submit_s')} s"
    )
    return Result(median("key_p95_ms"), FRAME_MS, note)


MEASURE = Measure("S13", "a key in a form of 500 lines and 5,000 barcodes, p95", "a 60 Hz frame", "ms", 1.0, run)
