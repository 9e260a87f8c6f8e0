"""A desk whose team has no link, or none yet: it waits or sends without a claim, and never as if it were alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw
import pytest

from app.background.team_connector import TeamConnector
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.runtime.sink import Sink
from app.store.journal.profile_store import save_profile
from app.store.journal.team.team_choice import TeamChoice, read_choice, write_choice
from app.store.paths import DataDir
from app.store.sqlite.plain_rows import value
from app.store.store_errors import SecretError
from tests.support.desks import submission
from tests.support.fault_server import FaultServer

SUBMIT = "/Order/submit"
NOWHERE = TeamChoice("127.0.0.1", 1, "waybill", "anna", "Anna", waits=True)  # nothing listens at this port
pytestmark = pytest.mark.asyncio


@dataclass
class Keyring:
    """One that is closed until `unlocked` is set, and stores nothing while `full`."""

    password: str | None = "secret"
    full: bool = False
    unlocked: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, _: str) -> str | None:
        self.asked.set()
        await self.unlocked.wait()
        return self.password

    async def write(self, _: str, password: str) -> str:
        if self.full:
            raise SecretError("The keyring took nothing.")
        self.password = password
        return "keyring"

    async def delete(self, _: str) -> None:
        self.password = None


@asynccontextmanager
async def working(
    desk: Desk, keyring: Keyring, folder: Path, choice: TeamChoice = NOWHERE
) -> AsyncIterator[TeamConnector]:
    """A desk that starts with this choice in its journal."""
    await desk.journal.write(save_profile, desk.profile)
    await desk.journal.write(write_choice, choice)
    connector = TeamConnector(Sink(), desk.journal, DataDir(folder))
    connector.take_desk(desk)
    connector.begin(keyring)  # type: ignore[arg-type]
    try:
        await keyring.asked.wait()
        yield connector
    finally:
        await connector.aclose(20)


def has_team(desk: Desk) -> bool:
    return desk.team is not None


def unclaimed(c: apsw.Connection) -> int:
    return int(value(c, "SELECT count(*) FROM team_unclaimed"))


async def test_without_its_password_a_desk_that_is_to_wait_waits(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    keyring = Keyring(password=None)
    keyring.unlocked.set()
    async with working(desk, keyring, tmp_path) as connector:
        await connector._tasks.settled()
        assert "not in the keyring" in connector.trouble
        await outbox.queue_submission(desk, submission("R-1"), None)
        (waits,) = await outbox.drain(desk)
        assert "Waits for the team's database" in waits.sentence
        assert fault_server.seen(SUBMIT) == []


async def test_what_leaves_before_the_keyring_has_answered_is_marked(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    async with working(desk, Keyring(), tmp_path, replace(NOWHERE, waits=False)):
        await outbox.queue_submission(desk, submission("R-1"), None)
        (sent,) = await outbox.drain(desk)
        assert (sent.state, len(fault_server.seen(SUBMIT))) == ("accepted", 1)
        assert await desk.journal.read(unclaimed) == 1


async def test_who_leaves_while_the_keyring_is_asked_has_left(desk: Desk, tmp_path: Path) -> None:
    keyring = Keyring()
    async with working(desk, keyring, tmp_path) as connector:
        assert has_team(desk)
        await connector.leave()
        keyring.unlocked.set()
        await connector._tasks.settled()
        assert not has_team(desk)
        assert (connector.choice, connector.state) == (None, None)
        assert await desk.journal.read(read_choice) is None


async def test_a_change_that_failed_leaves_the_desk_with_its_team(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    keyring = Keyring()
    keyring.unlocked.set()
    async with working(desk, keyring, tmp_path) as connector:
        await connector._tasks.settled()
        keyring.full = True
        with pytest.raises(SecretError):
            await connector.join(replace(NOWHERE, waits=False), "another")
        assert (connector.choice, connector.state is not None) == (NOWHERE, True)
        await outbox.queue_submission(desk, submission("R-1"), None)
        await outbox.drain(desk)
        assert fault_server.seen(SUBMIT) == []
