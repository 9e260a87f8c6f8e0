"""The cleaner deletes the data of a removed connection by itself, when nobody else needs the store."""

from collections.abc import Iterator

import pytest

from app.background.cleaner import Cleaner
from app.desk.desk import Desk
from app.store.cache import order_query, order_store
from app.store.cache.order_rows import OrderQuery
from app.store.store_errors import StoreError
from app.ui.base.page import PageServices
from tests.support.loop import RunningLoop
from tests.support.order_facts import ASKED, some


class Busy:
    """Whether orders are being fetched."""

    def __init__(self) -> None:
        self.busy, self.asked = True, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.busy


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Busy:
    monkeypatch.setattr("app.background.cleaner._BUSY_REST_MS", 1)
    return Busy()


@pytest.fixture
def clearing(loop: RunningLoop, services: PageServices, offline_desk: Desk, busy: Busy) -> Iterator[Cleaner]:
    loop.run(offline_desk.cache.write(order_store.store_orders, "gone", "open", some(20), ASKED))
    made = Cleaner(services.sink, busy)
    made.take_desk(offline_desk)
    yield made
    assert loop.run(made.aclose(5))


def left(loop: RunningLoop, desk: Desk) -> int:
    return loop.run(desk.cache.read(order_query.count_orders, OrderQuery("gone")))


def test_it_goes_once_nobody_fetches(loop: RunningLoop, clearing: Cleaner, busy: Busy, offline_desk: Desk) -> None:
    clearing.wake("gone")
    loop.until(lambda: busy.asked > 2)
    assert left(loop, offline_desk) == 20
    busy.busy = False
    loop.until(lambda: left(loop, offline_desk) == 0)


@pytest.mark.expects_log("clearing: clear could not be done")
def test_why_it_could_not_be_done_is_said(
    loop: RunningLoop, services: PageServices, clearing: Cleaner, busy: Busy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_desk: Desk) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr("app.desk.connections.profiles.forget_gone", full)
    said: list[str] = []
    services.sink.troubled.connect(lambda _, sentence: said.append(sentence))
    busy.busy = False
    clearing.wake()
    loop.until(lambda: bool(said))
    assert said == ["Data of a removed connection is not deleted yet. The disk is full."]
