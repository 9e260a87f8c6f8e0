"""What another desk of the team did counts in the verdicts on an imported file."""

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest
import pytest_asyncio

from app.contract.submission import wire_bytes
from app.desk.bulk.outcome import import_verdicts
from app.desk.bulk.outcome.import_verdicts import ImportVerdict, ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.sending import outbox
from app.desk.team.teamwork import Teamwork
from app.desk.text.typed_dates import exact_moment
from app.store.journal import write_store
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.sqlite.text_values import to_moment
from app.store.team import team_file
from app.store.team.team_calls import ClockDifference
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE
from tests.support.import_files import FIRST, SECOND, lines, sheet_of
from tests.support.taken_entries import take_from

pytestmark = pytest.mark.asyncio
BEN = UUID(int=2)
PLACE = "acme"


class Team(Teamwork):
    """A team whose log is written here by hand."""

    def tell_of(self, reference: str, payload: bytes, state: str = "accepted", **more: object) -> None:
        """Ben's write; `minutes` is how long ago the server knew it, `shared` whether its order was copied."""
        at = datetime.now(UTC) - timedelta(minutes=float(str(more.pop("minutes", 0))))
        seq = self.others.read_now(team_file.seen)[str(BEN)] + 1
        body = {
            "place": PLACE, "write": seq, "kind": "submit", "reference": reference, "state": state,
            "queued_at": to_moment(at), "changed_at": to_moment(at), "tried_at": to_moment(at),
            "sha256": hashlib.sha256(payload).hexdigest(),
        }  # fmt: skip
        if more.pop("shared", True):
            body["payload"] = payload.decode()
        entry = Entry(seq, at.timestamp(), seq, "write", 1, reference, json.dumps(body | more))
        assert take_from(self.others, BEN, entry) == {"write"}


@pytest_asyncio.fixture
async def team(offline_desk: Desk, tmp_path: Path) -> AsyncIterator[Team]:
    others = Database(tmp_path / "team.sqlite3", TEAM_FILE)
    await others.write(team_file.learn_people, [(str(BEN), "Ben")])
    link = SimpleNamespace(clock=ClockDifference(0, 1), wake=lambda: None)
    offline_desk.team = made = Team(link, others, PLACE)  # type: ignore[arg-type]
    yield made
    await others.close()


async def verdict(desk: Desk, sheet: ImportSheet) -> ImportVerdict:
    """The verdict on the first order."""
    verdicts = ImportVerdicts()
    await import_verdicts.look_here(desk, sheet, verdicts, Progress())
    return verdicts.found[0]


def payload_of(sheet: ImportSheet) -> bytes:
    submission = sheet.submission(0)
    assert submission is not None
    return wire_bytes(submission)


@pytest.mark.parametrize("shared", [True, False])
async def test_what_another_sent_is_not_sent_again(
    offline_desk: Desk, team: Team, tmp_path: Path, *, shared: bool
) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    assert (await verdict(offline_desk, sheet)).kind == "create"
    team.tell_of("R-1", payload_of(sheet), shared=shared, minutes=3)
    found = await verdict(offline_desk, sheet)
    when = exact_moment(datetime.now() - timedelta(minutes=3))[:-2]
    assert (found.kind, found.sentence[: len(when) + 29]) == ("unchanged", f"Unchanged since Ben sent it, {when}")


async def test_what_changes_the_order_of_another_says_whose_and_what(
    offline_desk: Desk, team: Team, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    before = payload_of(sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")), "other.csv"))
    team.tell_of("R-1", before)
    found = await verdict(offline_desk, sheet)
    assert found.kind == "update"
    assert "Changes the order that Ben sent" in found.sentence
    assert [(each.before, each.after) for each in found.differences] == [("Nashville", "Memphis")]
    team.tell_of("R-1", before + b" ", shared=False)
    assert ((unseen := await verdict(offline_desk, sheet)).kind, unseen.differences) == ("update", ())


async def test_an_order_in_the_outbox_of_another_waits_there(offline_desk: Desk, team: Team, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    team.tell_of("R-1", payload_of(sheet), state="in_doubt")
    found = await verdict(offline_desk, sheet)
    assert (found.kind, found.sentence) == ("unchanged", "The same is in the outbox of Ben already.")
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', state="queued")
    found = await verdict(offline_desk, sheet)
    assert (found.kind, found.sentence) == ("update", "Another version is in the outbox of Ben.")


async def test_what_another_cancelled_would_be_a_second_order(offline_desk: Desk, team: Team, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    team.tell_of("R-1", b"{}", kind="cancel")
    found = await verdict(offline_desk, sheet)
    assert found.kind == "second"
    assert "Ben cancelled the order" in found.sentence


async def test_what_was_refused_or_withdrawn_elsewhere_says_nothing(
    offline_desk: Desk, team: Team, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    for state in ("rejected", "withdrawn"):
        team.tell_of("R-1", payload_of(sheet), state=state)
        assert (await verdict(offline_desk, sheet)).kind == "create"


async def test_the_later_of_two_desks_counts(offline_desk: Desk, team: Team, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    submission = sheet.submission(0)
    assert submission is not None
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', minutes=5)
    await outbox.queue_submission(offline_desk, submission, None)
    assert (await verdict(offline_desk, sheet)).sentence == "The same is in the outbox already."
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', minutes=-5)
    assert "Changes the order that Ben sent" in (await verdict(offline_desk, sheet)).sentence


async def own_order(desk: Desk, sheet: ImportSheet, ago: timedelta) -> int:
    """This desk's write of the first order, which the provider accepted so long ago; its note is of this moment."""
    submission = sheet.submission(0)
    assert submission is not None
    now = datetime.now(UTC)
    write = await outbox.queue_submission(desk, submission, None)
    attempt = await desk.journal.write(write_store.begin_attempt, write, now - ago)
    await desk.journal.write(write_store.end_attempt, attempt, "accepted", now - ago)
    await desk.journal.write(write_store.set_note, write, "The provider shows other values.", now)
    return write


async def test_a_note_about_this_desk_s_order_does_not_make_it_the_later_one(
    offline_desk: Desk, team: Team, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    await own_order(offline_desk, sheet, timedelta(minutes=10))
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', minutes=5)
    assert "Changes the order that Ben sent" in (await verdict(offline_desk, sheet)).sentence


async def test_what_each_desk_knew_of_the_other_counts_before_the_time(
    offline_desk: Desk, team: Team, tmp_path: Path
) -> None:
    """The team hears again of a write that is confirmed, so that the time of its entry is later than the fact."""
    sheet = sheet_of(tmp_path, lines(FIRST))
    await offline_desk.journal.write(team_log.begin)
    write = await own_order(offline_desk, sheet, timedelta(minutes=5))
    attempt = (await outbox.story(offline_desk, write)).attempts[0].id
    await offline_desk.journal.write(team_log.note_known, attempt, {str(BEN): 1})
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', state="confirmed")
    assert (await verdict(offline_desk, sheet)).sentence == "The same as this desk last sent."
    log = await offline_desk.journal.read(team_log.current)
    assert log is not None
    team.tell_of("R-1", b'{"orderReferenceNumber":"R-1"}', minutes=10, known={log.desk: write})
    assert "Changes the order that Ben sent" in (await verdict(offline_desk, sheet)).sentence


async def test_the_same_file_undoes_nothing_that_another_changed_since(
    offline_desk: Desk, team: Team, tmp_path: Path
) -> None:
    from app.desk.bulk.outcome import import_batch

    sheet = sheet_of(tmp_path, lines(FIRST))
    verdicts = ImportVerdicts()
    await import_verdicts.look_here(offline_desk, sheet, verdicts, Progress())
    await import_batch.freeze(offline_desk, sheet, verdicts, Progress())
    await import_batch.feed(offline_desk)
    changed = payload_of(sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")), "other.csv"))
    team.tell_of("R-1", changed, minutes=-5)
    found = await verdict(offline_desk, sheet)
    assert found.kind == "unchanged"
    assert "Ben has sent another version since" in found.sentence
