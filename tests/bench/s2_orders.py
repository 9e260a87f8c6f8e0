"""S2, S3 and S9: a million orders in the store, in a real window.

S2 is the 95th percentile, over 200 random keystrokes, of the time from a key in the filter to the painted answer; the
yardstick is one frame of a 60 Hz screen. S2-COUNT is the same until the exact count is known, beside 60 ms. S3 is the
median of a change of sort, a jump to the middle and a change of view, whichever is slowest, beside the frame. S9 is
what the window holds after all of that beyond a bare one, beside 80 MiB. Notes say how each grows from 10,000 orders.

All of them come from the same three windows. `WAYBILL_BENCH_FOLDER` keeps the filled stores between runs.
"""

import functools
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.harness import Measure, Result
from tests.bench.many_orders import filled
from tests.bench.stalls import FRAME_MS, Found, window_run
from tests.support.display import private_display

SIZES = (10_000, 100_000, 1_000_000)
COUNT_MS = 60
EXTRA_MIB = 80
_SEED = 3
_STEPS = ("sort", "jump", "view")


@functools.cache
def _windows() -> tuple[tuple[int, Found], ...]:
    """What each window found, by how many orders it had; the bare window's memory is beside it."""
    found: list[tuple[int, Found]] = []
    with tempfile.TemporaryDirectory() as spare, private_display() as environment:
        for size in SIZES:
            folder = filled(size, Path(spare))
            found.append((size, window_run("orders_window", environment, str(folder), str(size), str(_SEED))))
            command = [sys.executable, "-m", "tests.bench.bare_memory"]
            bare = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            found[-1][1]["bare_mib"] = float(bare.stdout)
    return tuple(found)


def p95(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(len(times) * 0.95)]


def _slowest(found: Found) -> float:
    return max(float(statistics.median(found[step])) for step in _STEPS)


def _more(found: Found) -> float:
    return float(found["resident_mib"] - found["bare_mib"])


def _measured(figure: Callable[[Found], float], yardstick: float, unit: str, more: Callable[[Found], str]) -> Result:
    grown = ", ".join(f"{size:,}: {figure(found):.1f}" for size, found in _windows())
    last = _windows()[-1][1]
    return Result(figure(last), yardstick, f"{grown} {unit}; {more(last)}")


def keys(_rounds: int) -> Result:
    """From a key to the painted answer."""

    def more(found: Found) -> str:
        median = statistics.median(found["painted"])
        return f"median {median:.1f}, the window's own thread busy p95 {p95(found['busy']):.1f} ms"

    return _measured(lambda found: p95(found["painted"]), FRAME_MS, "ms", more)


def counts(_rounds: int) -> Result:
    """From a key to the exact count."""
    return _measured(
        lambda found: p95(found["counted"]),
        COUNT_MS,
        "ms",
        lambda found: f"median {statistics.median(found['counted']):.1f}, slowest {max(found['counted']):.0f} ms",
    )


def steps(_rounds: int) -> Result:
    """Sorting, jumping, changing the view."""
    return _measured(
        _slowest,
        FRAME_MS,
        "ms",
        lambda found: ", ".join(f"{step} {statistics.median(found[step]):.1f}" for step in _STEPS),
    )


def memory(_rounds: int) -> Result:
    """The memory that the window holds beyond a bare one."""
    return _measured(
        _more, EXTRA_MIB, "MiB", lambda found: f"{found['resident_mib']:.0f} in all, bare {found['bare_mib']:.0f}"
    )


_MANY = f"{SIZES[-1]:,} orders"
KEYS = Measure("S2", f"{_MANY}: a key in the filter until it is painted, p95", "a 60 Hz frame", "ms", 0.75, keys)
COUNTS = Measure("S2-COUNT", f"{_MANY}: a key until the exact count, p95", "60 ms", "ms", 1.0, counts)
STEPS = Measure("S3", f"{_MANY}: sort, jump or view until painted", "a 60 Hz frame", "ms", 3.0, steps)
MEMORY = Measure("S9", f"memory with {_MANY} beyond a bare window", "80 MiB", "MiB", 1.0, memory)
