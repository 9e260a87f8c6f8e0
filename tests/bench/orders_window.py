"""A real window over a large store: types into its filter, sorts, jumps, changes views, and times each until painted.

Started by `s2_orders` as a process of its own, with a data folder, the number of orders in it and a seed. Nothing is
stored meanwhile unless a last argument says so: then an order changes every 50 ms. Prints one JSON line and ends.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from app.desk.orders import stored_orders
from app.store.cache.order_rows import OrderFacts
from app.store.cache.order_store import store_orders
from app.ui.orders.orders_page import OrdersPage
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.many_orders import FIRST_NUMBER, TODAY, Orders
from tests.bench.pulse import resident_mib
from tests.bench.world import PRACTICE

KEYSTROKES = 200
LONGEST = 12
_VIEWS = ("Late", "Completed", "Needs attention", "Due today", "Watched", "Open")
_SORTS = ("consignee_name", "requested_delivery", "state", "crn", "city", "facility_name", "zip", "number")
_TURNS = 20
_ODD = ("zzq", "xx17", "qqqqqqq", "0000000", "--", "e")


def texts(count: int, seed: int) -> Iterator[str]:
    """What people type: the beginning of something an order has, now and then a part of its middle or nonsense."""
    chance = random.Random(seed)
    made = [Orders(seed).order(FIRST_NUMBER + chance.randrange(count)) for _ in range(50)]
    for _ in range(KEYSTROKES):
        if chance.random() < 0.05:
            yield chance.choice(_ODD)
            continue
        whole = _something(chance.choice(made), chance)
        length = chance.randrange(1, LONGEST + 1)
        start = chance.randrange(max(len(whole) - 2, 1)) if chance.random() < 0.25 else 0
        yield whole[start : start + length].strip() or "a"


def _something(order: OrderFacts, chance: random.Random) -> str:
    fields = (
        *(str(order.number), order.crn, order.pos, order.bol, order.consignee_name, order.street, order.city),
        *(
            order.zip,
            order.phone,
            order.manufacturer,
            order.facility_name,
            order.facility_id,
            order.brand,
            order.remarks,
        ),
    )
    return chance.choice([field for field in fields if field])


class Watch(QObject):
    """Tells when the table has been painted with an answer."""

    def __init__(self, page: OrdersPage) -> None:
        super().__init__(page)
        self._page = page
        self._paintings = 0  # of the table
        page.table.viewport().installEventFilter(self)
        self._painted: asyncio.Future[float] | None = None
        page.loader.changed.connect(self._on_answer)
        page.model.dataChanged.connect(self._on_answer)

    async def until_painted(self, act: Callable[[], object], done: Callable[[], bool]) -> float:
        """Milliseconds from `act` until the table is painted and `done`."""
        self._done, self._painted = done, asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        act()
        return (await asyncio.wait_for(self._painted, 20) - began) * 1_000

    def _on_answer(self, *_: object) -> None:
        if self._painted is not None and not self._painted.done() and self._done():
            # As the event loop would do it next: only the places that have changed are painted.
            before, table = self._paintings, self._page.table
            QCoreApplication.sendPostedEvents(self._page.window(), QEvent.Type.UpdateRequest)
            if self._paintings > before or not table.isVisible():  # in its place a sentence stands where no row is
                self._painted.set_result(time.perf_counter())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._paintings += event.type() == QEvent.Type.Paint
        return False


def press(widget: object, letter: str) -> None:
    """One key."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter))  # type: ignore[arg-type]


async def quiet(page: OrdersPage) -> None:
    """Wait until the page has nothing under way."""
    while page.tasks.busy:  # noqa: ASYNC110  # what is under way has no one end to wait for
        await asyncio.sleep(0.01)


async def keystrokes(opened: Opened, watch: Watch, count: int, seed: int) -> dict[str, Any]:
    """Each text is there but for its last letter; that is pressed."""
    page = opened.shell.orders
    painted, counted, busy, slow = [], [], [], []
    for text in texts(count, seed):
        page.filter.setText(text[:-1])
        await quiet(page)

        def shown(text: str = text) -> bool:
            return page.query.text == " ".join(page.line.filter.text.split()) and page.filter.text() == text

        began, worked = time.perf_counter(), time.thread_time()
        took = await watch.until_painted(partial(press, page.filter, text[-1]), shown)
        busy.append((time.thread_time() - worked) * 1_000)
        await stored_orders.count(opened.desk, page.query)
        counted.append((time.perf_counter() - began) * 1_000)
        painted.append(took)
        slow.append((round(took, 1), round(counted[-1], 1), text))
        await quiet(page)
    page.filter.clear()
    await quiet(page)
    return {
        "painted": sorted(painted),
        "counted": sorted(counted),
        "busy": sorted(busy),
        "slowest": sorted(slow)[-8:],
        "slowest_counts": sorted(slow, key=lambda each: each[1])[-8:],
    }


async def others(opened: Opened, watch: Watch) -> dict[str, list[float]]:
    """Changes of sort, jumps to the middle, changes of view."""
    page, chance = opened.shell.orders, random.Random(1)
    bar = page.table.verticalScrollBar()
    found: dict[str, list[float]] = {"sort": [], "jump": [], "view": []}

    async def timed(what: str, act: Callable[[], object], done: Callable[[], bool]) -> None:
        found[what].append(await watch.until_painted(act, done))
        await quiet(page)

    for name in (*_SORTS, "late", "delivered_at"):  # a column gets its index when it is first sorted by
        await stored_orders.make_sortable(opened.desk, name)
    for turn in range(_TURNS):
        name = _SORTS[turn % len(_SORTS)]
        await timed("sort", partial(page.sort_by, name), partial(_sorted_by, page, name))
        middle = page.model.rowCount() // 2 + chance.randrange(2_000)
        await timed("jump", partial(bar.setValue, middle), partial(_at_hand, page, middle))
        bar.setValue(0)
        await quiet(page)
    for turn in range(_TURNS):
        name = _VIEWS[turn % len(_VIEWS)]
        await timed("view", partial(page.views.choose, name), partial(_in_view, page, name, page.loader.shown))
    return found


def _sorted_by(page: OrdersPage, name: str) -> bool:
    return page.query.sort == name


def _at_hand(page: OrdersPage, row: int) -> bool:
    return page.model.line(row) is not None


def _in_view(page: OrdersPage, name: str, before: object) -> bool:
    return page.views.state.current.name == name and page.loader.shown is not before


@asynccontextmanager
async def stored(opened: Opened, *, busy: bool) -> Any:
    """While this is open orders change, if `busy`."""
    if not busy:
        yield
        return
    world, ended = Orders(99), asyncio.Event()

    async def change() -> None:
        for number in range(1_000_000):
            if ended.is_set():
                return
            some = [world.order(FIRST_NUMBER + number * 20 + each) for each in range(20)]
            await opened.desk.cache.write(store_orders, PRACTICE, "open", some, TODAY.replace(year=2027))
            await asyncio.sleep(0.05)

    task = asyncio.get_running_loop().create_task(change())
    yield
    ended.set()
    await task


async def work(opened: Opened, count: int, seed: int, *, busy: bool) -> None:
    page = opened.shell.orders
    watch = Watch(page)
    page.reload()
    await asyncio.sleep(0.5)
    await quiet(page)
    page.views.choose("Open")  # a store that was kept opens with the view of the run before
    await quiet(page)
    page.filter.setFocus()
    async with stored(opened, busy=busy):
        found = await keystrokes(opened, watch, count, seed)
    found |= await others(opened, watch)
    found["resident_mib"] = resident_mib()
    found["orders"] = page.model.rowCount()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    _folder, _count, _seed, *_busy = sys.argv[1:]
    sys.exit(in_a_window(Path(_folder), None, lambda opened: work(opened, int(_count), int(_seed), busy=bool(_busy))))
