"""S16: each plot of insights among a million orders, and the count of the likely late, from asked for to painted.

The yardstick is one SQL GROUP BY over the same columns in the same SQLite file. The line has the group with the largest
ratio; its note has all of them. `WAYBILL_BENCH_FOLDER` keeps the filled store between runs, and `WAYBILL_BENCH_ORDERS`
names another number of orders.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from app.store.cache.index.segments import index_some
from app.store.cache.order_rows import OrderFacts
from app.store.cache.order_store import store_orders
from app.store.cache.schema.cache_schema import CACHE
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from tests.bench.harness import Measure, Result
from tests.bench.world import PRACTICE
from tests.support.display import private_display

TODAY = datetime(2026, 11, 20, 9, 30)
ORDERS = int(os.environ.get("WAYBILL_BENCH_ORDERS", "1000000"))
_BATCH = 500
_OPEN = 0.1  # of all orders
_TYPES, _STATES = ("HOME", "STORE", "BUILD"), ("STD", "AVL", "PLN", "DSO")


def made(count: int, seed: int = 5) -> Iterator[tuple[bool, OrderFacts]]:
    """Orders of a year at 60 facilities, and whether each is open."""
    chance = random.Random(seed)
    for at in range(count):
        is_open = chance.random() < _OPEN
        delivered = TODAY - timedelta(minutes=chance.randrange(365 * 24 * 60))
        received = (TODAY if is_open else delivered) - timedelta(days=2 + int(chance.expovariate(0.25)))
        imported = received - timedelta(days=1 + chance.randrange(6))
        number = 70_000_000 + at
        yield (
            is_open,
            OrderFacts(
                number,
                json.dumps(
                    {"OrderNumber": number, "DeliveryType": "HOME", "Remarks": "Call before 9, second floor, no lift"}
                ),
                crn=f"CRN-{at:07}",
                state=chance.choice(_STATES) if is_open else "CMP",
                consignee_name=f"Consignee {at % 9_000}",
                city="Memphis",
                facility_id=f"F{chance.randrange(60):03}",
                delivery_type=chance.choice(_TYPES),
                imported_at=imported.replace(second=0),
                received_at=received.replace(second=0),
                requested_delivery=(received + timedelta(days=1 + chance.randrange(9))).replace(hour=0, minute=0),
                loaded_at=None if is_open else delivered - timedelta(hours=chance.randrange(4, 30)),
                delivered_at=None if is_open else delivered,
            ),
        )


def filled(count: int, spare: Path) -> Path:
    """A data folder whose cache holds so many orders, indexed: a kept one, or a new one under `spare`."""
    folder = Path(os.environ.get("WAYBILL_BENCH_FOLDER") or spare) / f"insights-{count}-{CACHE.application_id:x}"
    done = folder / "filled"
    if not done.exists():
        _fill(folder, count)
        done.touch()
    return folder


def _fill(folder: Path, count: int) -> None:
    place = DataDir(folder)
    place.create()
    cache = Database(place.cache, CACHE)
    batches: dict[bool, list[OrderFacts]] = {True: [], False: []}
    try:
        for is_open, order in made(count):
            batch = batches[is_open]
            batch.append(order)
            if len(batch) == _BATCH:
                cache.write_now(store_orders, PRACTICE, "open" if is_open else "completed", batch, TODAY)
                batch.clear()
        for is_open, batch in batches.items():
            cache.write_now(store_orders, PRACTICE, "open" if is_open else "completed", batch, TODAY)
        while cache.write_now(index_some, enough=1):
            pass
    finally:
        cache.close_now()


def run(rounds: int) -> Result:
    """Every group, in one process over one store."""
    with tempfile.TemporaryDirectory() as spare, private_display() as environment:
        folder = filled(ORDERS, Path(spare))
        command = [sys.executable, "-m", "tests.bench.insights_window", str(folder), str(max(rounds, 5))]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, tuple[float, float]] = json.loads(done.stdout)
    said = ", ".join(f"{name} {ours:.0f} of {yard:.0f} ms" for name, (ours, yard) in found.items())
    worst = max(found.values(), key=lambda each: each[0] / each[1])
    return Result(*worst, f"{ORDERS:,} orders; {said}")


MEASURE = Measure(
    "S16",
    "a plot of insights, or the likely late, asked for → painted",
    "one GROUP BY over its columns",
    "ms",
    1.0,
    run,
)
