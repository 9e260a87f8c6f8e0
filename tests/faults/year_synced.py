"""A year of a client's orders is fetched while the provider throws 503 and 500, resets, truncates and goes silent, and
while the program is killed again and again.

What must hold: each day of each list is complete, order for order and byte for byte, or it is named as missing, with a
reason; what the store calls known at the moment of a kill is complete; the next life asks for none of that again; and
once the provider is well, trying again brings exactly the rest.
"""

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import apsw

from app.desk.sync.window_plan import LISTED, Coverage, Job, Listed, all_jobs, known_since
from app.store.cache.fetched_windows import read_windows
from app.store.cache.order_rows import WindowRow
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.sender_child import PROFILE
from tests.faults.year_world import DAYS, Record, Year, asked_for
from tests.support.children import Child, child
from tests.support.fault_server import FaultServer, Seen, start_fault_server
from tests.support.faults import Answer, Fault, act_then_drop, answered, drop_before, truncated

_TROUBLED = 0.35  # of all requests
_STUBBORN = 4  # weeks that never come while the provider is unwell
_PATIENCE = 1_800.0  # seconds for one life
Gap = tuple[Listed, datetime, datetime, str]


@dataclass(slots=True)
class _Weather:
    """The faults that the provider answers with. Runs on the server's thread."""

    seed: int
    stubborn: frozenset[tuple[Listed, datetime]]
    well: bool = False
    thrown: int = 0
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, seen: Seen) -> Fault | None:
        asked = asked_for(seen)
        if asked is None or self.well:
            return None
        with self._lock:
            self._count += 1
            chance = random.Random(f"{self.seed}/{self._count}")
            if asked not in self.stubborn and chance.random() > _TROUBLED:
                return None
            self.thrown += 1
        return answered(Answer(500)) if asked in self.stubborn else _trouble(chance)


def _trouble(chance: random.Random) -> Fault:
    cut = chance.choice((chance.randrange(2_000), chance.randrange(200_000)))
    kinds: tuple[Callable[[], Fault], ...] = (
        lambda: answered(Answer(503)),
        lambda: answered(Answer(503, headers=(("Retry-After", "0"),))),
        lambda: answered(Answer(500, b"<html>Sorry</html>", "text/html")),
        drop_before,
        lambda: act_then_drop().with_reset(),
        lambda: truncated(cut),
        lambda: truncated(cut).with_reset(),
    )
    return chance.choice(kinds)()


def run(size: int, seed: int) -> Report:
    """`size` orders."""
    report, chance, began = Report(), random.Random(seed), datetime.now()
    year = Year(size, seed, began.date())
    jobs = all_jobs(LISTED, began, DAYS)
    older = [job for job in jobs if (began.date() - job.end.date()).days > 7]
    stubborn = frozenset((job.list, job.start) for job in chance.sample(older, _STUBBORN))
    weather = _Weather(seed, stubborn)
    kills = 6 if size >= 10_000 else 2
    with start_fault_server() as server, tempfile.TemporaryDirectory(prefix="waybill-") as folder:
        year.serve(server)
        server.plan_by(weather)
        oracle = _Oracle(year)
        for _ in range(kills):
            _killed_life(Path(folder), server, began, chance, oracle, jobs, report)
        told = _life(Path(folder), server, began)
        gaps = _gaps(told["kept"])
        _check_days(Path(folder), oracle, gaps, report)
        report.check(_covers(gaps, _gaps(told["said"])), "what the run says is missing is not what the store says")
        report.check(all(words for *_, words in gaps), "dates are missing without a reason")
        named = all(_is_missing(gaps, name, start.date()) for name, start in stubborn)
        report.check(named, "weeks that never came are not named")
        stormy, thrown = len(_asked(server)), weather.thrown
        weather.well = True
        told = _life(Path(folder), server, began)
        report.check(not told["kept"], f"the provider is well, and yet these are missing: {told['kept'][:3]}")
        _check_days(Path(folder), oracle, (), report)
        _check_economy(_asked(server)[stormy:], gaps, jobs, report)
    days = sum((end.date() - start.date()).days + 1 for _, start, end, _ in gaps)
    report.note = (
        f"{size:,} orders of {DAYS} days; {stormy} requests met {thrown} faults and {kills} kills; "
        f"{len(gaps)} gaps of {days} days were named, and filled by {len(_asked(server)) - stormy} requests more"
    )
    return report


class _Oracle:
    """The orders of each day, as the provider has them."""

    def __init__(self, year: Year) -> None:
        self.year = year

    def days(self) -> Iterator[tuple[Listed, date, dict[int, Record]]]:
        for name in LISTED:
            for day in self.year.days:
                yield name, day, {_number(each): each for each in self.year.day(name, day)}


def _number(record: Record) -> int:
    number = record["OrderNumber"]
    assert isinstance(number, int)
    return number


def _killed_life(
    folder: Path,
    server: FaultServer,
    since: datetime,
    chance: random.Random,
    oracle: _Oracle,
    jobs: list[Job],
    report: Report,
) -> None:
    """One life that is killed; windows that the cache calls known at the kill are complete, and not fetched again."""
    before, known = len(_asked(server)), _known(folder)
    until = before + chance.randrange(3, 40)
    with _child(folder, server, since) as life:
        while life.process.poll() is None and len(_asked(server)) < until:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.2)
        life.kill()
    whole = {(job.list, job.start) for job in jobs if known_since(job, known.get(job.list, ())) is not None}
    again = [each for each in _asked(server)[before:] if each in whole]
    report.check(not again, f"asked for again though known: {again[:3]}")
    left = [job for job in jobs if known_since(job, _known(folder).get(job.list, ())) is None]
    gaps = tuple((job.list, job.start, job.end, "not known") for job in left)
    _check_days(folder, oracle, gaps, report)


def _life(folder: Path, server: FaultServer, since: datetime) -> dict[str, list[list[str]]]:
    """One life to its end."""
    with _child(folder, server, since) as life:
        status, said, complaints = life.end(_PATIENCE)
    if status != 0:
        raise AssertionError(f"the child left with code {status}: {complaints[-2_000:]}")
    told: dict[str, list[list[str]]] = json.loads(said)
    return told


def _child(folder: Path, server: FaultServer, since: datetime) -> AbstractContextManager[Child]:
    secrets = {"client_id": server.tokens.client_id, "client_secret": server.tokens.client_secret}
    facts = json.dumps({**server.addresses, **secrets})
    return child("tests.faults.sync_child", [str(folder), facts, since.isoformat()])


def _asked(server: FaultServer) -> list[tuple[Listed, datetime]]:
    return [found for each in server.seen() if (found := asked_for(each)) is not None]


@contextmanager
def _store(folder: Path) -> Iterator[apsw.Connection]:
    (file,) = folder.glob("*cache*.sqlite3")
    connection = apsw.Connection(str(file))
    try:
        yield connection
    finally:
        connection.close()


def _known(folder: Path) -> Coverage:
    known: dict[Listed, list[WindowRow]] = {}
    if list(folder.glob("*cache*.sqlite3")):
        with _store(folder) as connection:
            if connection.pragma("user_version"):
                known = {name: read_windows(connection, PROFILE, name) for name in LISTED}
    return known


def _check_days(folder: Path, oracle: _Oracle, gaps: tuple[Gap, ...], report: Report) -> None:
    """Each day is complete or lies in a gap, and the cache holds no order that the provider does not have."""
    kept: dict[str, dict[int, str]] = {"open": {}, "completed": {}, "other": {}}
    with _store(folder) as connection:
        rows = connection.execute(
            "SELECT list, number, raw FROM orders JOIN raw_orders USING (id) JOIN partitions USING (partition) "
            "WHERE profile = ?",
            (PROFILE,),
        )
        for name, number, raw in rows:
            kept[name][number] = raw
    for name, day, held in oracle.days():
        missing = _is_missing(gaps, name, day)
        wrong = [number for number, record in held.items() if not _same(kept[name].pop(number, None), record, missing)]
        report.tried += len(held)
        report.check(not wrong, f"{name}, {day}: {len(wrong)} of {len(held)} are not there, and no gap is named")
    left = sum(len(each) for each in kept.values())
    report.check(left == 0, f"{left} orders stand where the provider has none")


def _same(raw: str | None, record: Record, missing: bool) -> bool:
    return missing if raw is None else json.loads(raw) == record


def _is_missing(gaps: tuple[Gap, ...], name: Listed, day: date) -> bool:
    return any(list_name == name and start.date() <= day <= end.date() for list_name, start, end, _ in gaps)


def _gaps(told: list[list[str]]) -> tuple[Gap, ...]:
    return tuple(
        ("open" if name == "open" else "completed", datetime.fromisoformat(start), datetime.fromisoformat(end), words)
        for name, start, end, words in told
    )


def _covers(gaps: tuple[Gap, ...], said: tuple[Gap, ...]) -> bool:
    """Whether both name the same days."""

    def days(of: tuple[Gap, ...]) -> set[tuple[Listed, date]]:
        return {
            (name, start.date() + timedelta(days=at))
            for name, start, end, _ in of
            for at in range((end.date() - start.date()).days + 1)
        }

    return days(gaps) == days(said)


def _check_economy(
    asked: list[tuple[Listed, datetime]], gaps: tuple[Gap, ...], jobs: list[Job], report: Report
) -> None:
    """A retry fetches today and the weeks with a missing day, once each, and nothing else."""
    wanted = {(job.list, job.start) for job in jobs if job.end == jobs[0].end}
    wanted |= {
        (job.list, job.start)
        for job in jobs
        if any(name == job.list and start <= job.end and end >= job.start for name, start, end, _ in gaps)
    }
    report.check(sorted(asked) == sorted(wanted), f"asked {len(asked)} times for {len(wanted)} windows")


FAULT = Measure(
    "YEAR", "orders of a year under 503, resets, truncation and kills: complete or named", run, 3_000, 300_000
)
