"""Orders as a large shipper has them, made by a seed and put into a cache once: a year of them, all columns filled.

Filling a million takes minutes, so the folder can be kept between runs: `WAYBILL_BENCH_FOLDER` names where. It is made
anew when the cache's schema has changed since.
"""

import json
import os
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from app.store.cache.index.merging import merge_step
from app.store.cache.index.segments import index_some
from app.store.cache.index.sort_order import prepare_sort
from app.store.cache.order_rows import COMMON_SORTS, OrderFacts
from app.store.cache.order_store import store_orders
from app.store.cache.schema.cache_schema import CACHE
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from tests.bench.world import PRACTICE

TODAY = datetime(2026, 11, 20, 9, 30)
FIRST_NUMBER = 70_000_000
_BATCH = 500
_PARTS = ("ma", "ri", "ko", "ter", "lin", "son", "ber", "ga", "no", "vi", "el", "dra", "ham", "pe", "tu", "sha", "wo")
_STATES = ("STD", "AVL", "PLN", "DSO")
_WORDS = {"STD": "Started", "AVL": "Available", "PLN": "Planned", "DSO": "Dispatched", "CMP": "Completed"}
_REMARKS = (
    "Call before 9",
    "Gate code 4471",
    "Second floor, no lift",
    "Leave with neighbour",
    "Fragile",
    "Two persons",
)
_FOLDERS = ("POD", "BOL", "ORD", "LD", "DAM")


class Orders:
    """People, places and firms of a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.first = [self._name(2) for _ in range(400)]
        self.last = [self._name(3) for _ in range(6_000)]
        self.streets = [self._name(3) for _ in range(3_000)]
        self.cities = [(self._name(3), self.chance.choice(("TN", "OK", "NV", "OH", "TX", "GA"))) for _ in range(900)]
        self.facilities = [(f"F{number:03}", f"{self._name(3)} Terminal") for number in range(60)]
        self.brands = [self._name(3) for _ in range(40)]
        self.makers = [f"{self._name(3)} Furniture" for _ in range(120)]

    def _name(self, parts: int) -> str:
        return "".join(self.chance.choice(_PARTS) for _ in range(parts)).title()

    def order(self, number: int) -> OrderFacts:
        """An open order, imported within the last year."""
        pick, roll = self.chance.choice, self.chance.random
        imported = TODAY - timedelta(minutes=int(roll() * roll() * 365 * 24 * 60))
        requested = imported + timedelta(days=3 + int(roll() * 20))
        late = timedelta(days=int(roll() * 4))
        received = imported + timedelta(days=2) if roll() < 0.7 else None
        scheduled = requested.replace(hour=8) + late if received and roll() < 0.7 else None
        state = pick(_STATES)
        city, region = pick(self.cities)
        code, place = pick(self.facilities)
        folders = self.chance.sample(_FOLDERS, self.chance.randrange(3))
        name = f"{pick(self.first)} {pick(self.last)}"
        whole = {"OrderNumber": number, "CRN": f"CRN-{number - FIRST_NUMBER:07}", "StatusId": state}
        whole["ProofOfDelivery"] = [{"Folder": folder, "Filename": f"{folder}.jpg"} for folder in folders]
        return OrderFacts(
            number,
            json.dumps(whole | {"Consignee": {"Name": name}}),
            crn=str(whole["CRN"]),
            state=state,
            status=_WORDS[state],
            consignee_name=name,
            street=f"{self.chance.randrange(1, 9_999)} {pick(self.streets)} St",
            city=city,
            region=region,
            zip=f"{self.chance.randrange(30_000, 45_000)}",
            phone=f"{self.chance.randrange(200, 999)}-555-{self.chance.randrange(10_000):04}",
            facility_id=code,
            facility_name=place,
            manufacturer=pick(self.makers),
            brand=pick(self.brands),
            delivery_type=pick(("HOME", "STORE", "BUILD")),
            bol=f"B{self.chance.randrange(10_000_000):07}",
            pos=f"PO{self.chance.randrange(100_000_000):08}",
            remarks=pick(_REMARKS) if roll() < 0.4 else None,
            imported_at=imported.replace(second=0, microsecond=0),
            estimated_receive=imported.replace(microsecond=0) + timedelta(days=2),
            requested_delivery=requested.replace(hour=0, minute=0, second=0, microsecond=0),
            scheduled_delivery=None if scheduled is None else scheduled.replace(minute=0, second=0, microsecond=0),
            received_at=None if received is None else received.replace(microsecond=0),
            is_received=received is not None,
            is_delivered=False,
        )


def made(count: int, seed: int = 5) -> Iterator[OrderFacts]:
    """`count` orders, the newest number first as a sync brings them."""
    world = Orders(seed)
    return (world.order(FIRST_NUMBER + number) for number in range(count))


def filled(count: int, spare: Path) -> Path:
    """A data folder whose cache holds `count` orders, indexed: a kept one, or a new one under `spare`."""
    kept = os.environ.get("WAYBILL_BENCH_FOLDER")
    folder = Path(kept or spare) / f"orders-{count}-{CACHE.application_id:x}"
    done = folder / "filled"
    if not done.exists():
        _fill(folder, count)
        done.touch()
    return folder


def _fill(folder: Path, count: int) -> None:
    place = DataDir(folder)
    place.create()
    cache = Database(place.cache, CACHE)
    try:
        batch: list[OrderFacts] = []
        for order in made(count):
            batch.append(order)
            if len(batch) == _BATCH:
                cache.write_now(store_orders, PRACTICE, "open", batch, TODAY)
                batch = []
        cache.write_now(store_orders, PRACTICE, "open", batch, TODAY)
        while cache.write_now(index_some):
            pass
        while cache.write_now(merge_step):
            pass
        for sort in COMMON_SORTS:
            cache.write_now(prepare_sort, sort)
        cache.write_now(lambda c: c.execute("DELETE FROM unlearnt").fetchall())
    finally:
        cache.close_now()
