"""Known consignees that a person shares on purpose: the others are offered them, and nothing of theirs is replaced."""

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest
import pytest_asyncio

from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.sending import outbox
from app.desk.team import sharing
from app.desk.team.sharing import CONSIGNEES
from app.desk.team.teamwork import Teamwork
from app.store.journal.profile_store import save_profile
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import rows
from app.store.sqlite.text_values import to_moment
from app.store.team import team_file
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE
from tests.support.desks import submission
from tests.support.taken_entries import take_from

pytestmark = pytest.mark.asyncio
BEN, CLEO = UUID(int=2), UUID(int=3)
PLACE = "acme"
NOW = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)


class Team(Teamwork):
    """A team whose log is written here by hand."""

    def tell(self) -> None:
        """Nobody listens."""

    def hear(self, desk: UUID, kind: str, body: dict[str, object]) -> None:
        seq = self.others.read_now(team_file.seen)[str(desk)] + 1
        entry = Entry(seq, NOW.timestamp(), seq, kind, 1, "", json.dumps(body))
        assert take_from(self.others, desk, entry) == {kind}

    def sends(self, desk: UUID, reference: str, name: str, state: str = "accepted", *, copied: bool = True) -> None:
        payload = wire_bytes(submission(reference, name))
        moment = to_moment(NOW)
        body: dict[str, object] = {
            "place": PLACE, "write": 1, "kind": "submit", "reference": reference, "state": state, "queued_at": moment,
            "changed_at": moment, "sha256": hashlib.sha256(payload).hexdigest(),
        }  # fmt: skip
        self.hear(desk, "write", body | ({"payload": payload.decode()} if copied else {}))

    def shares(self, desk: UUID, *, on: bool) -> None:
        content = {"sent": True} if on else None
        self.hear(desk, "shared", {"place": PLACE, "what": CONSIGNEES, "name": "", "content": content})


@pytest_asyncio.fixture
async def team(offline_desk: Desk, tmp_path: Path) -> AsyncIterator[Team]:
    others = Database(tmp_path / "team.sqlite3", TEAM_FILE)
    await others.write(team_file.learn_people, [(str(BEN), "Ben"), (str(CLEO), "Cleo")])
    offline_desk.team = made = Team(SimpleNamespace(), others, PLACE)  # type: ignore[arg-type]
    yield made
    await others.close()


async def offered(desk: Desk, text: str = "") -> list[tuple[str, bool]]:
    while await known_data.learn_some(desk):
        pass
    return [(each.body["consigneeName"], each.sent) for each in (await known_data.find(desk, "consignee", text)).rows]


async def test_only_what_is_shared_is_offered(offline_desk: Desk, team: Team) -> None:
    team.sends(BEN, "B-1", "Rivera Gallery")
    team.sends(CLEO, "C-1", "Okafor & Sons")
    assert await offered(offline_desk) == []
    team.shares(BEN, on=True)  # what was sent before counts too
    assert await offered(offline_desk, "gallery 0142") == [("Rivera Gallery", False)]
    assert [name for name, _ in await offered(offline_desk)] == ["Rivera Gallery"]
    team.sends(BEN, "B-2", "Marchetti Interiors")
    assert [name for name, _ in await offered(offline_desk)] == ["Marchetti Interiors", "Rivera Gallery"]
    assert (await known_data.find(offline_desk, "commodity", "")).rows == [], "nothing but consignees is shared"


async def test_whoever_stops_sharing_teaches_nothing_more(offline_desk: Desk, team: Team) -> None:
    team.shares(BEN, on=True)
    team.sends(BEN, "B-1", "Rivera Gallery")
    assert len(await offered(offline_desk)) == 1
    team.shares(BEN, on=False)
    team.sends(BEN, "B-2", "Marchetti Interiors")
    assert await offered(offline_desk) == [("Rivera Gallery", False)]


async def test_what_this_desk_sent_itself_stands_first_and_stays(offline_desk: Desk, team: Team) -> None:
    await offline_desk.journal.write(save_profile, offline_desk.profile)
    await outbox.queue_submission(offline_desk, submission("A-1", "Rivera Gallery"), None)
    assert await offered(offline_desk) == [("Rivera Gallery", True)]
    before = (await known_data.find(offline_desk, "consignee", "")).rows
    team.shares(BEN, on=True)
    team.sends(BEN, "B-1", "RIVERA GALLERY")  # the same place, typed otherwise
    team.sends(BEN, "B-2", "Marchetti Interiors")
    assert (await offered(offline_desk))[1:] == [("Marchetti Interiors", False)]
    assert (await known_data.find(offline_desk, "consignee", "")).rows[:1] == before


async def test_orders_that_were_refused_or_not_copied_teach_nothing(offline_desk: Desk, team: Team) -> None:
    team.shares(BEN, on=True)
    team.sends(BEN, "B-1", "Rivera Gallery", "rejected")
    team.sends(BEN, "B-2", "Okafor & Sons", "withdrawn")
    team.sends(BEN, "B-3", "Marchetti Interiors", copied=False)
    assert await offered(offline_desk) == []


async def test_what_was_forgotten_is_learnt_anew_from_the_team(offline_desk: Desk, team: Team) -> None:
    team.shares(BEN, on=True)
    team.sends(BEN, "B-1", "Rivera Gallery")
    assert len(await offered(offline_desk)) == 1
    await known_data.forget(offline_desk)
    assert (await known_data.find(offline_desk, "consignee", "")).rows == []
    assert await offered(offline_desk) == [("Rivera Gallery", False)]


async def test_a_file_of_the_team_that_was_made_anew_is_read_from_its_beginning(offline_desk: Desk, team: Team) -> None:
    team.shares(BEN, on=True)
    for number in range(3):
        team.sends(BEN, f"B-{number}", f"Gallery {number}")
    assert len(await offered(offline_desk)) == 3
    await team.others.write(team_file.forget)
    await team.others.write(team_file.learn_people, [(str(BEN), "Ben")])
    team.shares(BEN, on=True)
    team.sends(BEN, "B-9", "Okafor & Sons")
    assert len(await offered(offline_desk)) == 4


async def test_a_person_turns_it_on_and_off_and_the_log_tells_it(offline_desk: Desk, team: Team) -> None:
    await offline_desk.journal.write(save_profile, offline_desk.profile)
    await offline_desk.journal.write(team_log.begin)
    assert not await sharing.shares_consignees(offline_desk)
    await sharing.share_consignees(offline_desk, on=True)
    assert await sharing.shares_consignees(offline_desk)
    await sharing.share_consignees(offline_desk, on=False)
    assert not await sharing.shares_consignees(offline_desk)
    told = await offline_desk.journal.read(rows, "SELECT kind, version, body FROM team_entries ORDER BY seq")
    contents = [json.loads(body)["content"] for _, _, body in told]
    assert [(kind, version) for kind, version, _ in told] == [("shared", 1), ("shared", 1)]
    assert contents == [{"sent": True}, None]
    assert "Rivera" not in str(told), "the log tells that it is so, and no name"
