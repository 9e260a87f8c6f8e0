"""S5: 100,000 orders fetched over HTTP, read and stored, found by every filter and word afterwards.

The yardstick takes the same windows through the bare HTTP client, as many at a time, reads each reply with the fastest
JSON decoder, and puts all into one table without an index by one bulk insert. The practice service runs beside both, on
the same processors.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from pathlib import Path

import apsw
import httpx2
import msgspec

from app.api.addresses import Addresses, Credentials
from app.api.provider import open_provider
from app.contract.codes import ALL_SCOPES
from app.desk.desk import Desk
from app.desk.sync import order_sync
from app.desk.sync.fetch_window import LIST_INCLUDES
from app.desk.sync.window_plan import LISTED, Job, all_jobs
from app.store.cache.schema.cache_schema import CACHE, CACHE_FOR_READING
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import value
from tests.bench.harness import Measure, Result, alternate
from tests.support.practice_process import start_practice

ORDERS = 100_000
_DAYS = 365
_AT_ONCE = 4  # windows, on both sides
_COLUMNS = (
    *("CRN", "StatusId", "Status", "Brand", "DeliveryType", "BOL", "Remarks", "DateImported", "DateEstimatedReceive"),
    *("DateReceived", "DateRequestedDelivery", "DateScheduledDelivery", "DateLoaded", "DateActualDelivery"),
    *("IsReceived", "IsDelivered"),
)
_PARTS = (("Consignee", ("Name", "Phone")), ("Facility", ("Id", "Name")), ("Manufacturer", ("Name",)))
_WIDTH = 1 + len(_COLUMNS) + sum(len(names) for _, names in _PARTS) + 2


def run(rounds: int) -> Result:
    """Fill a practice service, then fetch all of it, turn and turn about, into an empty store and an empty table."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--orders", str(ORDERS), "--switch", "arrivals=0", "--clock", "0")  # a world that stands still
        practice = start_practice(Path(folder) / "practice", *options)
        try:
            found: list[int] = []

            def ours() -> float:
                return asyncio.run(_timed(folder, found, lambda place: _fetch_and_store(place, practice.facts)))

            def bare() -> float:
                return asyncio.run(_timed(folder, found, lambda place: _bare(place, practice.facts)))

            result = alternate(ours, bare, rounds, "")
        finally:
            practice.stop()
    assert len(set(found)) == 1, f"not the same orders on both sides: {set(found)}"
    rate = found[0] / result.ours
    return Result(result.ours, result.yardstick, f"{found[0]:,} orders, {rate:,.0f} a second, with the text index")


async def _timed(folder: str, found: list[int], work: Callable[[Path], Awaitable[tuple[float, int]]]) -> float:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        seconds, count = await work(Path(place))
    found.append(count)
    return seconds


async def _fetch_and_store(place: Path, facts: dict[str, str]) -> tuple[float, int]:
    journal, cache = Journal(place / "journal"), Database(place / "cache", CACHE)
    await cache.opened()
    reader = Database(place / "cache", CACHE_FOR_READING)
    addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
    async with open_provider(addresses, Credentials(facts["client_id"], facts["client_secret"])) as provider:
        profile = Profile("practice", "Practice", "practice", "", "", "", "")
        desk = Desk(profile, journal, cache, reader, datetime.now, provider)
        began = time.perf_counter()
        results = await order_sync.fetch(desk, all_jobs(LISTED, datetime.now(), _DAYS))
        seconds = time.perf_counter() - began
    for each in (journal, cache, reader):
        await each.close()
    trouble = " ".join(each.trouble for each in results.values()).strip()
    assert not trouble, trouble
    return seconds, sum(each.orders for each in results.values())


async def _bare(place: Path, facts: dict[str, str]) -> tuple[float, int]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {await _token(facts)}"}, timeout=300) as client:
        began = time.perf_counter()
        turns = asyncio.Semaphore(_AT_ONCE)
        jobs = all_jobs(LISTED, datetime.now(), _DAYS)
        bodies = await asyncio.gather(*(_body(client, turns, facts["info_base_url"], job) for job in jobs))
        count = _insert(place / "bare.sqlite3", bodies)
        return time.perf_counter() - began, count


async def _token(facts: dict[str, str]) -> str:
    form = {
        "grant_type": "client_credentials",
        "response_type": "token",
        "client_id": facts["client_id"],
        "client_secret": facts["client_secret"],
        "scope": " ".join(ALL_SCOPES),
    }
    async with httpx2.AsyncClient() as client:
        reply = await client.post(facts["token_url"], data=form)
    return str(json.loads(reply.content)["access_token"])


async def _body(client: httpx2.AsyncClient, turns: asyncio.Semaphore, root: str, job: Job) -> bytes:
    names = {"PO": "IncludePOs", "Commodities": "IncludeCommodities", "ProofOfDelivery": "IncludePOD"}
    flags = {names[part]: "true" for part, wanted in LIST_INCLUDES[job.list].parts() if wanted}
    span = {"StartDate": job.start.isoformat(), "EndDate": job.end.isoformat()}
    async with turns:
        reply = await client.get(f"{root}/orders/{job.list}", params={**flags, **span})
    assert reply.status_code == 200, reply.status_code
    return reply.content


def _insert(file: Path, bodies: list[bytes]) -> int:
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    others = ", ".join(f"c{at}" for at in range(1, _WIDTH))
    connection.execute(f"CREATE TABLE orders (number INTEGER PRIMARY KEY, {others})")
    with connection:
        places = ", ".join("?" * _WIDTH)
        connection.executemany(f"INSERT INTO orders VALUES ({places})", _rows(bodies))  # noqa: S608 (our own words)
    count = int(value(connection, "SELECT count(*) FROM orders"))
    connection.close()
    return count


def _rows(bodies: list[bytes]) -> Iterator[tuple[object, ...]]:
    decoder = msgspec.json.Decoder()
    for body in bodies:
        for record in decoder.decode(body):
            parts = [(record.get(name) or {}).get(each) for name, names in _PARTS for each in names]
            orders = "\n".join(record.get("PO") or ())
            raw = msgspec.json.encode(record).decode()
            yield (record["OrderNumber"], *(record.get(name) for name in _COLUMNS), *parts, orders, raw)


MEASURE = Measure(
    "S5",
    "100,000 orders fetched, read and stored",
    "bare HTTP, fastest decoder, one bulk insert",
    "s",
    0.8,
    run,
)
