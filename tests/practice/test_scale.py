"""A list of 100,000 orders: it streams with flat memory, and nobody has to wait for it."""

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import pytest

from app.practice.database import order_pages, order_table
from app.practice.database.practice_schema import ORDER_INDEXES, open_file
from tests.support.practice_calls import INFORMATION, MANAGEMENT, Caller
from tests.support.practice_process import PracticeProcess, start_practice

ORDERS = 160_000
LISTED = 100_000
GROWTH = 24  # MiB that a list may cost, whatever its length
PIECE = 1 << 20


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PracticeProcess]:
    running = start_practice(tmp_path_factory.mktemp("large"), "--orders", str(ORDERS), "--seed", "7", anew=True)
    yield running
    running.stop()


@contextmanager
def list_of_a_year(caller: Caller, path: str) -> Iterator[http.client.HTTPResponse]:
    """A list under way, whose body nobody has read yet."""
    end = datetime.now().replace(microsecond=0)
    parts = urlsplit(caller.facts["base_url"])
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
    query = f"StartDate={(end - timedelta(days=364)).isoformat()}&EndDate={end.isoformat()}"
    connection.request("GET", f"{path}?{query}", headers=caller.headers())
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def memory(running: PracticeProcess) -> int:
    """MiB of the process that are in memory."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_100_000_orders_stream_with_flat_memory(large: PracticeProcess) -> None:
    caller = Caller(large.facts)
    count, held, early = 0, b"", 0
    with list_of_a_year(caller, f"{INFORMATION}/orders/completed") as reply:
        while piece := reply.read(PIECE):
            count += (held + piece).count(b'"OrderNumber":') - held.count(b'"OrderNumber":')
            held = piece[-32:]
            early = early or memory(large)
        late = memory(large)
    assert held.endswith(b"]")
    assert count > LISTED
    assert late - early < GROWTH


def test_nobody_waits_for_a_list(large: PracticeProcess) -> None:
    caller = Caller(large.facts)
    with list_of_a_year(caller, f"{INFORMATION}/orders/completed") as reply:
        assert reply.read(PIECE)
        for _ in range(3):
            assert caller.get(f"{MANAGEMENT}/Order/test").status == 200
        assert reply.read(PIECE)


def test_a_list_that_is_given_up_does_no_harm(large: PracticeProcess) -> None:
    caller = Caller(large.facts)
    for _ in range(3):
        with list_of_a_year(caller, f"{INFORMATION}/orders/completed") as reply:
            assert reply.read(PIECE)
    assert caller.get(f"{MANAGEMENT}/Order/test").status == 200


class Watched:
    """A connection's look-ups, and the plans that SQLite made for them."""

    def __init__(self, path: Path) -> None:
        self.connection = open_file(path)
        self.plans: list[str] = []
        self.connection.exec_trace = self._explain

    def _explain(self, cursor: apsw.Cursor, statement: str, values: Any) -> bool:
        explained = apsw.Connection(self.connection.filename)
        rows = explained.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        self.plans.append(" | ".join(str(row[3]) for row in rows))
        explained.close()
        return True


def test_no_look_up_walks_through_all_orders(tmp_path: Path) -> None:
    """With a million orders a wrong choice of index costs a second: each look-up must narrow down by what it asks."""
    watched = Watched(tmp_path / "practice.sqlite")
    window = order_pages.Window(1, 0, 10, 10)
    wanted: dict[str, Callable[[apsw.Connection], object]] = {
        "number=?": lambda c: order_table.by_number(c, 1, 5, 10),
        "rowid=?": lambda c: order_table.open_match(c, 1, "A", 5, 10),
        "reference=?": lambda c: order_table.live_match(c, 1, "A", 10),
        "bill_to=?": lambda c: order_table.latest_closed(c, 1, "B", 10),
        "imported_at>? AND imported_at<?": lambda c: order_pages.open_page(c, window, order_pages.START, 9),
        "closed_at>? AND closed_at<?": lambda c: order_pages.completed_page(c, window, order_pages.START, 9),
    }
    for narrowed, look_up in wanted.items():
        watched.plans.clear()
        look_up(watched.connection)
        [plan] = watched.plans
        assert narrowed in plan or narrowed.replace("number", "rowid") in plan, plan
        assert "SCAN o" not in plan
    for plan in _plans_of_matches(watched):
        assert "orders_by_reference" in plan
        assert not any(name in plan for name in ORDER_INDEXES if name != "orders_by_reference"), plan
    watched.connection.close()


def _plans_of_matches(watched: Watched) -> list[str]:
    watched.plans.clear()
    for match in (order_table.open_match, order_table.closed_match, order_table.queue_match):
        match(watched.connection, 1, "A", None, 10)
    order_table.all_with_reference(watched.connection, 1, "A", 10)
    order_table.live_match(watched.connection, 1, "A", 10)
    return list(watched.plans)
