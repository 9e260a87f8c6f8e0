"""A real window with its table open, refreshing each minute from a practice service in which nothing happens.

Started by `s11_idle` as a process of its own. Prints one JSON line and ends.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path

from app.desk.known import known_data
from app.desk.orders import stored_orders
from app.desk.sync import fetch_window
from tests.bench.bench_window import Opened, in_a_window

_YEAR = 3  # the fourth choice of how far back
_SETTLING_S = 75.0  # until the clock has refreshed once


async def watch(opened: Opened) -> None:
    refresher = opened.shell.orders.refresher
    finished = asyncio.Event()
    refresher.finished.connect(finished.set)
    opened.shell.orders.fetching.controls.horizon.setCurrentIndex(_YEAR)
    await finished.wait()
    await fetch_window.index_pending(opened.desk)
    while await known_data.learn_some(opened.desk):
        pass
    await asyncio.sleep(_SETTLING_S)
    ran: list[int] = []
    refresher.finished.connect(lambda: ran.append(1))
    shares = [await _one_minute() for _ in range(int(sys.argv[3]))]
    counted = await stored_orders.counts(opened.desk)
    print(json.dumps({"orders": sum(counted.values()), "refreshes": len(ran), "shares": shares}), flush=True)


async def _one_minute() -> float:
    """The share of a core that this process takes in a minute, in per cent."""
    began, before = time.monotonic(), _processor_seconds()
    await asyncio.sleep(60)
    return 100 * (_processor_seconds() - before) / (time.monotonic() - began)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(in_a_window(Path(sys.argv[1]), json.loads(sys.argv[2]), watch))
