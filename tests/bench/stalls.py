"""What the measures of a pulse share: a window as a process of its own, and its longest stall beside a frame."""

import json
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tests.bench.harness import Result

FRAME_MS = 1000 / 60
_LONGEST_S = 900.0  # a window that waits for an answer that nobody gives would hold up all measures
Found = dict[str, Any]


def window_run(module: str, environment: Mapping[str, str], *arguments: str) -> Found:
    """Run one of the windows beside this module to its end: what it says it found."""
    command = [sys.executable, "-m", "tests.bench.as_started", module, *arguments]
    done = subprocess.run(
        command, env=dict(environment), stdout=subprocess.PIPE, text=True, check=True, timeout=_LONGEST_S
    )
    found: Found = json.loads(done.stdout)
    return found


def longest_stall(found: Sequence[Found], words: str) -> Result:
    """The median of each run's longest stall; `words` say what the last run did."""
    last = found[-1]
    slowest = statistics.median(each["stall_p999_ms"] for each in found)
    work = statistics.median(each["work_max_ms"] for each in found)
    words = f"{words}, p99.9 {slowest:.1f} ms, at most {work:.1f} ms of it at work"
    note = f"{words}, peak {last['peak_mib']} MiB of which {last['peak_before_mib']} before"
    return Result(statistics.median(each["stall_max_ms"] for each in found), FRAME_MS, note)
