"""How a window's pulse is taken: a precise timer that should fire every two milliseconds.

Whatever lies between two firings beyond that, the window could not have answered a key in. On a machine that has other
work, much of that is waiting for a processor; what the window's own thread worked meanwhile is told beside it.
"""

import resource
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

_PULSE_MS = 2


class Pulse(QObject):
    """Gaps between firings of a precise timer, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self.work: list[float] = []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_PULSE_MS)

    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.gaps.append((now - self._last) * 1000 - _PULSE_MS)
        self.work.append((worked - self._worked) * 1000)
        self._last, self._worked = now, worked

    def stop(self) -> dict[str, float]:
        """Stop, and tell how it went, in milliseconds."""
        self._timer.stop()
        gaps = sorted(self.gaps)
        return {
            "stall_p99_ms": round(gaps[int(len(gaps) * 0.99)], 1),
            "stall_p999_ms": round(gaps[int(len(gaps) * 0.999)], 1),
            "stall_max_ms": round(gaps[-1], 1),
            "work_max_ms": round(max(self.work), 1),
            "pulses": len(gaps),
        }


def peak_mib() -> float:
    """The most memory this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mib() -> float:
    """The memory that this process holds now, in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")
