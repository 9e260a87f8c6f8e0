"""A real window that fetches a year of orders from a practice service and watches its own pulse.

Started by `s4_fetch` as a process of its own. Prints one JSON line and ends.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

from app.desk.orders import stored_orders
from app.desk.sync import fetch_window
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse, peak_mib

_YEAR = 3  # the fourth choice of how far back


async def fetch(opened: Opened) -> None:
    shell = opened.shell
    finished = asyncio.Event()
    shell.orders.refresher.finished.connect(finished.set)
    before, pulse, began = peak_mib(), Pulse(), time.perf_counter()
    shell.orders.fetching.controls.horizon.setCurrentIndex(_YEAR)
    await finished.wait()
    seconds = time.perf_counter() - began
    await fetch_window.index_pending(opened.desk)  # what came is taken into the search index, and the window lives on
    stalls = pulse.stop()
    counted = await stored_orders.counts(opened.desk)
    results = shell.orders.refresher.results.values()
    found = {
        "orders": sum(counted.values()),
        "trouble": " ".join(each.trouble for each in results),
        "seconds": round(seconds, 2),
        **stalls,
        "peak_before_mib": round(before, 1),
        "peak_mib": round(peak_mib(), 1),
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    sys.exit(in_a_window(Path(sys.argv[1]), json.loads(sys.argv[2]), fetch))
