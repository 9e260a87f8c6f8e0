"""A real window that sends orders by the thousand, a page in sight, and watches its own pulse.

Started by `s4_submit` as a process of its own, with a folder, the facts of a practice service, how many orders, and
which page. Prints one JSON line and ends.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from app.contract.submission import OrderSubmission
from app.desk.sending import outbox
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse, peak_mib
from tests.support.desks import submission

_TOGETHER = 64


def batched(made: list[OrderSubmission], size: int) -> Iterator[list[OrderSubmission]]:
    """So many at a time."""
    return (made[start : start + size] for start in range(0, len(made), size))


async def submit(opened: Opened, count: int, page: str) -> None:
    desk, news = opened.desk, opened.shell.services.news
    opened.shell.go(page)
    made = [submission(f"S4-{number}", f"Consignee {number}") for number in range(count)]
    before, pulse, began = peak_mib(), Pulse(), time.perf_counter()
    for some in batched(made, _TOGETHER):
        await asyncio.gather(*(outbox.queue_submission(desk, each, None) for each in some))
    queued = time.perf_counter()
    news.queue_changed.emit()
    await opened.shell.sending.until_idle()
    sent = time.perf_counter()
    stalls = pulse.stop()
    counted = await outbox.counts(desk)
    found = {
        "accepted": counted["accepted"] + counted["confirmed"],
        "otherwise": {state: number for state, number in counted.items() if number and state != "accepted"},
        "queued_s": round(queued - began, 2),
        "seconds": round(sent - queued, 2),
        **stalls,
        "peak_before_mib": round(before, 1),
        "peak_mib": round(peak_mib(), 1),
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    how_many, shown = int(sys.argv[3]), sys.argv[4]
    folder, facts = Path(sys.argv[1]), json.loads(sys.argv[2])
    sys.exit(in_a_window(folder, facts, lambda opened: submit(opened, how_many, shown)))
