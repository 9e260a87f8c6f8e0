"""Orders for a measure: made by a seed, written straight into the cache, as many as wanted."""

import json
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from app.store.cache.index.segments import index_some
from app.store.cache.order_rows import OrderFacts
from app.store.cache.order_store import store_orders
from app.store.cache.schema.cache_schema import CACHE
from app.store.paths import DataDir
from app.store.sqlite.database import Database

PRACTICE = "practice"  # the profile a fresh start opens with
BATCH = 500
CITIES = (("Memphis", "TN", "38103"), ("Tulsa", "OK", "74103"), ("Reno", "NV", "89501"), ("Dayton", "OH", "45402"))
NAMES = ("Rivera", "Okafor", "Lindqvist", "Tanaka", "O'Brien", "Haddad", "Kowalski", "Nguyen", "Silva", "Baker")
STATES = (("STD", "Started"), ("AVL", "Available"), ("PLN", "Planned"), ("DSO", "Dispatched"))


def facts(count: int, seed: int, now: datetime) -> Iterator[OrderFacts]:
    """`count` open orders, imported over the last week, each with the JSON text it would have come with."""
    chance = random.Random(seed)
    for at in range(count):
        number, crn = 700_000 + at, f"CRN-{at:07d}"
        city, region, code = chance.choice(CITIES)
        state, status = chance.choice(STATES)
        name = f"{chance.choice('ABCDEFGHJKLM')}. {chance.choice(NAMES)}"
        imported = now - timedelta(minutes=chance.randrange(7 * 24 * 60))
        address = {
            "StreetAddress1": f"{chance.randrange(9999)} Main St",
            "City": city,
            "State": region,
            "ZipCode": code,
        }
        whole = {
            "OrderNumber": number,
            "CRN": crn,
            "StatusId": state,
            "Status": status,
            "DateImported": imported.isoformat(timespec="seconds"),
            "Consignee": {"Name": name, "Address": address},
            "Commodities": [{"CommodityCode": "SOFA", "Description": "Sofa", "Count": chance.randrange(1, 5)}],
        }
        yield OrderFacts(
            number,
            json.dumps(whole),
            crn=crn,
            state=state,
            status=status,
            consignee_name=name,
            street=address["StreetAddress1"],
            city=city,
            region=region,
            zip=code,
            imported_at=imported.replace(microsecond=0),
        )


def fill_cache(folder: Path, count: int, seed: int = 1) -> None:
    """Make the cache of the data folder `folder` hold `count` open orders of the practice profile, indexed as the
    program leaves them."""
    place = DataDir(folder)
    place.create()
    now = datetime.now()
    cache = Database(place.cache, CACHE)
    try:
        batch: list[OrderFacts] = []
        for fact in facts(count, seed, now):
            batch.append(fact)
            if len(batch) == BATCH:
                cache.write_now(store_orders, PRACTICE, "open", batch, now)
                batch = []
        if batch:
            cache.write_now(store_orders, PRACTICE, "open", batch, now)
        while cache.write_now(index_some):
            pass
    finally:
        cache.close_now()
