"""A real window that fetches a year of orders from a practice service and watches its own pulse.

Started by `s4_fetch` as a process of its own. A precise timer should fire every two milliseconds; whatever lies between
two firings beyond that, the window could not have answered a key in. Prints one JSON line and ends.
"""

import asyncio
import json
import resource
import sys
import time
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.api.addresses import Addresses, Credentials
from app.api.client import open_provider
from app.desk import orders
from app.runtime.loop import run
from app.runtime.memory import set_libraries_aside
from app.runtime.sink import Sink
from app.store.cache_schema import CACHE
from app.store.database import Database
from app.store.keeping import Journal
from app.store.paths import DataDir
from app.store.profiles import Profile
from app.ui.main_window import MainWindow
from app.ui.page import News, Room
from app.ui.shell import Kept, Shell
from app.ui.theme.theme import Theme

_PULSE_MS = 2
_YEAR = 3  # the fourth choice of how far back


class Pulse(QObject):
    """Gaps between firings of a precise timer, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_PULSE_MS)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1000 - _PULSE_MS)
        self._last = now

    def stop(self) -> None:
        self._timer.stop()


def peak_mib() -> float:
    """The most memory this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def fetch(application: QApplication, folder: Path, facts: dict[str, str]) -> int:
    data = DataDir(folder)
    data.create()
    journal, cache, reader = Journal(data.journal), Database(data.cache, CACHE), Database(data.cache, CACHE)
    sink = Sink()
    theme = Theme(application, "light")
    window = MainWindow(theme)
    shell = Shell(Room(theme, sink, News(), datetime.now), window, Kept(data, journal, cache, reader))
    shell.open_desk(Profile("practice", "Practice", "practice", "", "", "", ""))
    window.show()
    assert shell.desk is not None
    addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    shell.desk.provider = open_provider(addresses, Credentials(facts["client_id"], facts["client_secret"]))
    finished = asyncio.Event()
    shell.orders.refresher.finished.connect(finished.set)
    set_libraries_aside()
    before, pulse, began = peak_mib(), Pulse(), time.perf_counter()
    shell.orders.horizon.setCurrentIndex(_YEAR)
    await finished.wait()
    seconds = time.perf_counter() - began
    pulse.stop()
    counted = await orders.counts(shell.desk)
    results = shell.orders.refresher.results.values()
    gaps = sorted(pulse.gaps)
    print(
        json.dumps(
            {
                "orders": sum(counted.values()),
                "trouble": " ".join(each.trouble for each in results),
                "seconds": round(seconds, 2),
                "stall_p99_ms": round(gaps[int(len(gaps) * 0.99)], 1),
                "stall_p999_ms": round(gaps[int(len(gaps) * 0.999)], 1),
                "stall_max_ms": round(gaps[-1], 1),
                "pulses": len(gaps),
                "peak_before_mib": round(before, 1),
                "peak_mib": round(peak_mib(), 1),
            }
        ),
        flush=True,
    )
    window.hide()
    await shell.aclose()
    for each in (journal, cache, reader):
        await each.close()
    window.let_go()
    return 0


def main() -> int:
    folder, facts = Path(sys.argv[1]), json.loads(sys.argv[2])
    application = QApplication(sys.argv[:1])
    return run(application, lambda: fetch(application, folder, facts))


if __name__ == "__main__":
    sys.exit(main())
