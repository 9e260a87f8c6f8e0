"""S1: from the start of the process to a painted window with 100,000 orders in the store, against a bare window.

Both sides are timed by the same clock, outside: from the moment before the process is started to the arrival of the
first line it prints, which each prints once its window has been painted. Both run on a private Xvfb of 1920×1080, and
both find their modules compiled, as every start but the first does, whatever this environment says of that.

Ours finds the still that the run before has left (`ui/still`), as every start after a proper end does: the unmeasured
turn leaves the first one. `--time-to-ready` says when the page itself was there, in its second line.
"""

import os
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
PACKED, PACKED_BARE = "WAYBILL_PACKED", "WAYBILL_PACKED_BARE"  # `dev.py bench --packed` names both programs by these


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
    """Both from source."""
    ours = [sys.executable, "-m", "app"]
    return _against(ours, [sys.executable, BARE], rounds, "from source")


def run_packed(rounds: int) -> Result:
    """Both packed in the same way."""
    return _against([os.environ[PACKED]], [os.environ[PACKED_BARE]], rounds, "packed")


def _against(ours: Sequence[str | Path], bare: Sequence[str | Path], rounds: int, how: str) -> Result:
    """Fill a store, then start both programs in turn."""
    with tempfile.TemporaryDirectory() as folder, private_display() as environment:
        fill_cache(Path(folder), ORDERS)
        compiled = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        return alternate(
            lambda: first_line([*ours, "--data-dir", folder, "--time-to-ready"], compiled),
            lambda: first_line(bare, compiled),
            rounds,
            f"{how}, {ORDERS:,} orders, Xvfb 1920x1080",
        )


MEASURE = Measure("S1", "process start to painted window", "a bare PySide6 window", "s", 1.25, run)
_OF_PACKED = Measure("S1P", "the same of the packed program", "a bare window packed alike", "s", 1.25, run_packed)
# Only where `dev.py bench --packed` has made both programs.
MEASURES = (MEASURE, _OF_PACKED) if {PACKED, PACKED_BARE} <= set(os.environ) else (MEASURE,)
