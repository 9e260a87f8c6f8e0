"""S1: from the start of the process to a painted window with 100,000 orders in the store, against a bare window.

Both sides are timed by the same clock, outside: from the moment before the process is started to the arrival of the
first line it prints, which each prints once its window has been painted. Both run on a private Xvfb of 1920×1080, and
both find their modules compiled, as every start but the first does, whatever this environment says of that.

Ours finds the still that the run before has left (`ui/still`), as every start after a proper end does: the unmeasured
turn leaves the first one. `--time-to-ready` says when the page itself was there, in its second line.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.harness import Measure, Result, alternate
from tests.bench.world import fill_cache
from tests.support.display import private_display

ORDERS = 100_000
BARE = Path(__file__).with_name("bare_window.py")


def first_line(command: Sequence[str | Path], environment: Mapping[str, str]) -> float:
    """Seconds from starting `command` to its first line of output. It must end by itself, with status 0."""
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        elapsed = time.perf_counter() - started
        process.stdout.read()
    if not line or process.returncode != 0:
        raise RuntimeError(f"{command} ended with status {process.returncode} after saying {line!r}")
    return elapsed


def run(rounds: int) -> Result:
    """Fill a store, then start both programs in turn."""
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        fill_cache(Path(folder), ORDERS)
        compiled = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        ours = [sys.executable, "-m", "app", "--data-dir", folder, "--time-to-ready"]
        return alternate(
            lambda: first_line(ours, compiled),
            lambda: first_line([sys.executable, BARE], compiled),
            rounds,
            f"from source, {ORDERS:,} orders, Xvfb 1920x1080",
        )


MEASURE = Measure("S1", "process start to painted window", "a bare PySide6 window", "s", 1.5, run)
