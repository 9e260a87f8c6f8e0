"""A claim that nothing is sent with is given back, so that the others need not wait until it ends by itself."""

from collections.abc import AsyncIterator
from concurrent.futures import Future
from pathlib import Path

import pytest
import pytest_asyncio

from app.desk.desk import Desk
from app.desk.sending import outbox, send_write
from app.desk.team import teamwork
from app.desk.team.teamwork import Teamwork
from app.store.sqlite.database import Database
from app.store.store_errors import NotSaved, StoreError, WrongState
from app.store.team.no_link import NoLink
from app.store.team.team_calls import ClaimAnswer
from app.store.team.team_entry import Place
from app.store.team.team_file import TEAM_FILE
from tests.support.desks import submission
from tests.support.fault_server import FaultServer
from tests.support.faults import act_then_drop

SUBMIT = "/Order/submit"
pytestmark = pytest.mark.asyncio


class Link(NoLink):
    """Answers claims with `answer`, and notes what is given back."""

    def __init__(self) -> None:
        super().__init__("Anna")
        self.answer: Future[ClaimAnswer] = Future()
        self.given: list[str] = []

    def claim(self, place: Place, reference: str, seconds: float) -> "Future[ClaimAnswer]":
        return self.answer

    def give_back(self, place: Place, reference: str) -> None:
        self.given.append(reference)


@pytest_asyncio.fixture
async def link(desk: Desk, tmp_path: Path) -> AsyncIterator[Link]:
    others, made = Database(tmp_path / "team.sqlite3", TEAM_FILE), Link()
    desk.team = Teamwork(made, others, "place", waits=True)
    yield made
    await others.close()


@pytest.mark.parametrize("error", [WrongState("Withdrawn."), NotSaved("The disk is full.")])
async def test_a_claim_is_given_back_where_no_attempt_began(
    desk: Desk, fault_server: FaultServer, link: Link, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    link.answer.set_result(ClaimAnswer(got=True))

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(send_write, "claim_write", refuse)
    await outbox.queue_submission(desk, submission("R-1"), None)
    await outbox.drain(desk)
    assert fault_server.seen(SUBMIT) == []
    assert link.given == ["R-1"]


async def test_a_claim_is_kept_where_nobody_knows_what_became_of_the_attempt(
    desk: Desk, fault_server: FaultServer, link: Link
) -> None:
    link.answer.set_result(ClaimAnswer(got=True))
    fault_server.plan(act_then_drop(), SUBMIT)
    await outbox.queue_submission(desk, submission("R-1"), None)
    (doubt,) = await outbox.drain(desk)
    assert doubt.state == "in_doubt"
    assert link.given == []


async def test_a_claim_that_may_be_got_after_the_wait_is_given_back(
    desk: Desk, fault_server: FaultServer, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teamwork, "_PATIENCE_S", 0.05)
    link.answer.set_running_or_notify_cancel()  # the server is at it
    await outbox.queue_submission(desk, submission("R-1"), None)
    (waits,) = await outbox.drain(desk)
    assert "Waits for the team's database" in waits.sentence
    assert fault_server.seen(SUBMIT) == []
    assert link.given == ["R-1"]
