"""The learner learns from sent and fetched orders by itself, and never while others need the store."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest

from app.background.learner import Learner
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.sending import outbox
from app.store.cache import order_store
from app.ui.base.page import PageServices
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.support.order_facts import facts
from tests.unit.desk.other.test_desk_known_data import SEEN


class Busy:
    """Whether orders are being fetched."""

    def __init__(self) -> None:
        self.busy = False

    def __call__(self) -> bool:
        return self.busy


@pytest.fixture
def busy() -> Busy:
    return Busy()


@pytest.fixture
def learner(loop: RunningLoop, services: PageServices, offline_desk: Desk, busy: Busy) -> Iterator[Learner]:
    made = Learner(services.sink, busy)
    made.take_desk(offline_desk)
    yield made
    assert loop.run(made.aclose(5))


def known(loop: RunningLoop, desk: Desk, text: str = "") -> list[str]:
    return [each.body["consigneeName"] for each in loop.run(known_data.find(desk, "consignee", text)).rows]


def see(loop: RunningLoop, desk: Desk, number: int = 7) -> None:
    loop.run(
        desk.cache.write(order_store.store_orders, desk.profile.id, "open", [facts(number, extra=SEEN)], datetime.now())
    )


def test_what_was_sent_and_seen_is_known_a_moment_later(
    loop: RunningLoop, learner: Learner, offline_desk: Desk
) -> None:
    for at in range(25):
        loop.run(outbox.queue_submission(offline_desk, submission(f"R-{at}", f"Consignee {at}"), None))
    see(loop, offline_desk)
    learner.wake()
    loop.until(lambda: known(loop, offline_desk, "gallery") == ["Rivera Gallery"])
    assert known(loop, offline_desk)[0] == "Consignee 24"


def test_nothing_is_learnt_while_orders_are_fetched(
    loop: RunningLoop, learner: Learner, offline_desk: Desk, busy: Busy
) -> None:
    busy.busy = True
    see(loop, offline_desk)
    learner.wake()
    loop.rest(100)
    assert known(loop, offline_desk) == []
    busy.busy = False
    loop.until(lambda: known(loop, offline_desk) == ["Rivera Gallery"])


def test_another_desk_learns_for_itself(loop: RunningLoop, learner: Learner, offline_desk: Desk) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="another"))
    see(loop, offline_desk)
    learner.wake()
    learner.take_desk(other)
    see(loop, other, 8)
    loop.until(lambda: known(loop, other) == ["Rivera Gallery"])
    assert known(loop, offline_desk) == []


def test_what_was_forgotten_is_not_known_any_more(loop: RunningLoop, learner: Learner, offline_desk: Desk) -> None:
    loop.run(outbox.queue_submission(offline_desk, submission("R-1"), None))
    learner.wake()
    loop.until(lambda: known(loop, offline_desk) == ["J. Rivera"])
    loop.run(offline_desk.journal.write(lambda c: c.execute("DELETE FROM writes").fetchall() and None))
    learner.forget()
    loop.until(lambda: known(loop, offline_desk) == [])
    see(loop, offline_desk)
    learner.wake()
    loop.until(lambda: known(loop, offline_desk) == ["Rivera Gallery"], "and goes on learning")


def test_a_store_that_fails_stops_nothing(loop: RunningLoop, learner: Learner, offline_desk: Desk) -> None:
    loop.run(offline_desk.cache.close())
    learner.wake()
    loop.rest(50)
    assert not learner._tasks.busy
