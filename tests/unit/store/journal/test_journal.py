"""Drafts and payloads are stored exactly, and every step of a write is stored."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.store.journal import draft_store, write_store
from app.store.journal.records import OUTCOMES, SETTLEMENTS, STATES, UNSETTLED, Outcome, WriteState
from app.store.journal.recovery import unfinished_writes
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.sqlite.opening import open_file
from app.store.store_errors import JournalDamaged, WrongState

NOW = datetime(2026, 11, 21, 14, 2, 10, 123_000, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
PAYLOAD = '{"orderReferenceNumber":"R 1","consignee":{"consigneeName":"José \u202e"}}'.encode()


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "journal.sqlite3", JOURNAL)
    yield connection
    connection.close()


def queued(c: apsw.Connection, reference: str = "R 1", profile: str = "p") -> int:
    return write_store.queue_write(c, profile, "submit", reference, PAYLOAD, NOW)


def in_state(c: apsw.Connection, state: WriteState, reference: str = "R 1") -> int:
    """A write that reached `state` by allowed steps."""
    write = queued(c, reference)
    if state == "withdrawn":
        write_store.settle(c, write, "withdrawn", None, NOW)
    elif state != "queued":
        attempt = write_store.begin_attempt(c, write, NOW)
        ends: dict[str, Outcome] = {"rejected": "rejected", "in_doubt": "unknown"}
        if state != "sending":
            write_store.end_attempt(c, attempt, ends.get(state, "accepted"), NOW)
        if state == "confirmed":
            write_store.settle(c, write, "confirmed", None, NOW)
    assert state_of(c, write) == state
    return write


def state_of(c: apsw.Connection, write: int) -> WriteState:
    return write_store.write_story(c, write).row.state


class TestDrafts:
    def test_a_draft_is_stored_as_typed(self, c: apsw.Connection) -> None:
        draft_store.save_draft(c, "p", "d", '{"a": "é\\ud83d"}', NOW)
        draft_store.save_draft(c, "p", "d", '{"a": "\ud83d"}', LATER)
        kept = draft_store.draft(c, "d")
        assert kept is not None
        assert (kept.body, kept.created_at, kept.changed_at) == ('{"a": "\\ud83d"}', NOW, LATER)
        assert draft_store.draft(c, "other") is None

    def test_open_drafts_of_one_profile_latest_first(self, c: apsw.Connection) -> None:
        for number, name in enumerate("abc"):
            draft_store.save_draft(c, "p", name, "{}", NOW + timedelta(seconds=number))
        draft_store.save_draft(c, "q", "other", "{}", NOW)
        draft_store.close_draft(c, "b", LATER)
        assert [draft.id for draft in draft_store.open_drafts(c, "p")] == ["c", "a"]

    def test_a_closed_draft_is_not_written_over(self, c: apsw.Connection) -> None:
        draft_store.save_draft(c, "p", "d", '{"kept": 1}', NOW)
        draft_store.close_draft(c, "d", NOW)
        draft_store.close_draft(c, "d", LATER)
        with pytest.raises(WrongState):
            draft_store.save_draft(c, "p", "d", "{}", LATER)
        kept = draft_store.draft(c, "d")
        assert kept is not None
        assert (kept.body, kept.closed_at) == ('{"kept": 1}', NOW)

    def test_a_draft_is_queued_once(self, c: apsw.Connection) -> None:
        draft_store.save_draft(c, "p", "d", "{}", NOW)
        write = write_store.queue_write(c, "p", "submit", "R 1", PAYLOAD, LATER, draft_id="d")
        kept = draft_store.draft(c, "d")
        assert kept is not None
        assert (kept.submission_id, kept.closed_at) == (write, LATER)
        assert write_store.write_story(c, write).row.draft_id == "d"
        with c, pytest.raises(WrongState):
            write_store.queue_write(c, "p", "submit", "R 1", PAYLOAD, LATER, draft_id="d")
        with pytest.raises(WrongState):
            write_store.queue_write(c, "p", "submit", "R 1", PAYLOAD, LATER, draft_id="never saved")

    @pytest.mark.parametrize("state", STATES)
    def test_a_queued_draft_is_opened_again_only_after_a_rejection(self, c: apsw.Connection, state: WriteState) -> None:
        write = in_state(c, state)
        draft_store.save_draft(c, "p", "d", "{}", NOW)
        c.execute("UPDATE drafts SET submission_id = ?, closed_at = '2026-01-01' WHERE id = 'd'", (write,))
        if state in ("rejected", "withdrawn"):
            draft_store.reopen_draft(c, "d", LATER)
            draft_store.save_draft(c, "p", "d", '{"again": 1}', LATER)
        else:
            with pytest.raises(WrongState):
                draft_store.reopen_draft(c, "d", LATER)

    def test_queueing_a_corrected_draft_withdraws_its_rejected_write(self, c: apsw.Connection) -> None:
        draft_store.save_draft(c, "p", "d", "{}", NOW)
        refused = write_store.queue_write(c, "p", "submit", "R 1", PAYLOAD, NOW, draft_id="d")
        other = in_state(c, "rejected")
        write_store.end_attempt(c, write_store.begin_attempt(c, refused, NOW), "rejected", NOW, sentence="No.")
        draft_store.reopen_draft(c, "d", LATER)
        assert write_store.write_story(c, refused).row.state == "rejected", "it is being corrected"
        again = write_store.queue_write(c, "p", "submit", "R 1", PAYLOAD, LATER, draft_id="d")
        row = write_store.write_story(c, refused).row
        assert (row.state, row.note) == ("withdrawn", "It was corrected, and queued again.")
        assert write_store.write_story(c, again).row.state == "queued"
        assert write_store.write_story(c, other).row.state == "rejected"


class TestWrites:
    def test_the_exact_bytes_come_back(self, c: apsw.Connection) -> None:
        anything = bytes(range(256)) * 3
        write = write_store.queue_write(c, "p", "cancel", "R 1", anything, NOW)
        assert write_store.payload(c, write) == anything
        story = write_store.write_story(c, write)
        assert (story.payload, story.row.kind, story.row.queued_at) == (anything, "cancel", NOW)

    def test_changed_bytes_are_never_sent(self, c: apsw.Connection) -> None:
        write = queued(c)
        c.execute("DROP TRIGGER writes_keep_what_was_queued")
        c.execute("UPDATE writes SET payload = ? WHERE id = ?", (PAYLOAD + b" ", write))
        for send in (lambda: write_store.payload(c, write), lambda: write_store.begin_attempt(c, write, NOW)):
            with pytest.raises(JournalDamaged, match="stored data of this entry is damaged"):
                send()
        assert write_store.counts(c, "p")["queued"] == 1
        assert [row.id for row in write_store.writes_page(c, "p", (), 10)] == [write]  # the list can still be read

    @pytest.mark.parametrize("column", ["profile", "kind", "reference", "payload", "sha256", "queued_at", "id"])
    def test_the_database_itself_refuses_changes(self, c: apsw.Connection, column: str) -> None:
        queued(c)
        with pytest.raises(apsw.ConstraintError, match="never changed"):
            c.execute(f"UPDATE writes SET {column} = {column}")  # noqa: S608

    def test_an_attempt_is_stored_first_and_ended_once(self, c: apsw.Connection) -> None:
        write = queued(c)
        attempt = write_store.begin_attempt(c, write, NOW)
        (running,) = write_store.write_story(c, write).attempts
        assert (running.started_at, running.ended_at, running.outcome) == (NOW, None, None)
        state = write_store.end_attempt(
            c, attempt, "rejected", LATER, http_status=400, reply=b"\xff\x00", reply_type="text/x", sentence="No."
        )
        story = write_store.write_story(c, write)
        (ended,) = story.attempts
        assert state == story.row.state == "rejected"
        assert (story.row.note, story.row.changed_at, story.row.attempts) == ("No.", LATER, 1)
        assert (ended.ended_at, ended.outcome, ended.http_status) == (LATER, "rejected", 400)
        assert (ended.reply, ended.reply_type, ended.sentence) == (b"\xff\x00", "text/x", "No.")
        with pytest.raises(WrongState, match="ended already"):
            write_store.end_attempt(c, attempt, "accepted", LATER)
        with pytest.raises(WrongState):
            write_store.end_attempt(c, 99, "accepted", LATER)

    def test_odd_text_of_the_provider_is_stored(self, c: apsw.Connection) -> None:
        write = queued(c)
        attempt = write_store.begin_attempt(c, write, NOW)
        write_store.end_attempt(c, attempt, "unknown", NOW, reply_type="\udcff", sentence="It said \ud83d.")
        story = write_store.write_story(c, write)
        assert (story.row.note, story.attempts[0].reply_type) == ("It said \\ud83d.", "\\udcff")
        write_store.settle(c, write, "withdrawn", "\ud83d", NOW)

    @pytest.mark.parametrize("state", STATES)
    def test_only_a_queued_write_is_sent(self, c: apsw.Connection, state: WriteState) -> None:
        write = in_state(c, state)
        if state == "queued":
            write_store.begin_attempt(c, write, LATER)
        else:
            with pytest.raises(WrongState):
                write_store.begin_attempt(c, write, LATER)
            assert state_of(c, write) == state

    @pytest.mark.parametrize("outcome", OUTCOMES)
    def test_each_outcome_leads_to_its_state(self, c: apsw.Connection, outcome: Outcome) -> None:
        write = queued(c)
        attempt = write_store.begin_attempt(c, write, NOW)
        assert write_store.end_attempt(c, attempt, outcome, NOW) == OUTCOMES[outcome] == state_of(c, write)

    def test_only_outcomes_that_prove_nothing_was_done_requeue_a_write(self) -> None:
        did_nothing = {"not_sent", "not_authorised", "not_taken"}
        assert {outcome for outcome, state in OUTCOMES.items() if state == "queued"} == did_nothing
        assert {outcome for outcome, state in OUTCOMES.items() if state == "accepted"} == {"accepted"}

    @pytest.mark.parametrize("old", STATES)
    @pytest.mark.parametrize("new", STATES)
    def test_settling_follows_the_table(self, c: apsw.Connection, old: WriteState, new: WriteState) -> None:
        write = in_state(c, old)
        if (old, new) in SETTLEMENTS:
            write_store.settle(c, write, new, "Because.", LATER)
            assert write_store.write_story(c, write).row.note == "Because."
            assert state_of(c, write) == new
        else:
            with pytest.raises(WrongState):
                write_store.settle(c, write, new, None, LATER)
            assert state_of(c, write) == old

    def test_unknown_ids_are_refused(self, c: apsw.Connection) -> None:
        for call in (write_store.payload, write_store.write_story):
            with pytest.raises(WrongState, match="no entry 5"):
                call(c, 5)
        with pytest.raises(WrongState):
            write_store.settle(c, 5, "accepted", None, NOW)
        with pytest.raises(WrongState):
            write_store.begin_attempt(c, 5, NOW)

    def test_one_sending_per_reference(self, c: apsw.Connection) -> None:
        first, second = queued(c), queued(c)
        attempt = write_store.begin_attempt(c, first, NOW)
        with pytest.raises(WrongState, match="waits for it"):
            write_store.begin_attempt(c, second, NOW)
        write_store.begin_attempt(c, queued(c, "R 2"), NOW)
        write_store.begin_attempt(c, queued(c, profile="q"), NOW)
        write_store.end_attempt(c, attempt, "accepted", NOW)
        write_store.begin_attempt(c, second, NOW)

    def test_the_writes_that_are_ready(self, c: apsw.Connection) -> None:
        first, second, other = queued(c), queued(c), queued(c, "R 2")
        queued(c, profile="q")
        assert [row.id for row in write_store.ready_writes(c, "p")] == [first, other]
        attempt = write_store.begin_attempt(c, first, NOW)
        assert [row.id for row in write_store.ready_writes(c, "p")] == [other]
        write_store.end_attempt(c, attempt, "unknown", NOW)
        assert [row.id for row in write_store.ready_writes(c, "p")] == [other]  # no write overtakes one in doubt
        write_store.settle(c, first, "accepted", None, NOW)
        assert [row.id for row in write_store.ready_writes(c, "p")] == [second, other]

    def test_pages_counts_and_references(self, c: apsw.Connection) -> None:
        made = [in_state(c, state, f"R {state}") for state in STATES]
        queued(c, profile="q")
        assert write_store.counts(c, "p") == dict.fromkeys(STATES, 1)
        assert write_store.counts(c, "nobody") == dict.fromkeys(STATES, 0)
        assert [row.id for row in write_store.writes_page(c, "p", (), 3)] == made[::-1][:3]
        assert [row.id for row in write_store.writes_page(c, "p", (), 3, 3)] == made[::-1][3:6]
        assert {row.state for row in write_store.writes_page(c, "p", UNSETTLED, 10)} == set(UNSETTLED)
        assert [row.id for row in write_store.writes_of(c, "p", "R sending")] == [made[STATES.index("sending")]]

    def test_last_sent_is_the_last_accepted_write(self, c: apsw.Connection) -> None:
        assert write_store.last_sent(c, "p", "R 1") is None
        accepted = in_state(c, "accepted")
        for state in ("rejected", "in_doubt", "queued", "withdrawn"):
            in_state(c, state)
        cancel = write_store.queue_write(c, "p", "cancel", "R 1", b"{}", NOW)
        write_store.end_attempt(c, write_store.begin_attempt(c, cancel, NOW), "accepted", NOW)
        found = write_store.last_sent(c, "p", "R 1")
        assert found is not None
        assert found.id == accepted

    def test_a_write_that_was_sending_is_in_doubt_after_a_start(self, c: apsw.Connection) -> None:
        sending = [in_state(c, "sending", f"R {n}") for n in range(3)]
        still = in_state(c, "queued")
        assert unfinished_writes.end_open_attempts(c, LATER) == 3
        assert unfinished_writes.end_open_attempts(c, LATER) == 0
        for write in sending:
            story = write_store.write_story(c, write)
            assert (story.row.state, story.attempts[0].outcome) == ("in_doubt", "died")
            assert "not known yet whether it arrived" in (story.row.note or "")
        assert state_of(c, still) == "queued"


PROGRAM = """
import sys
from datetime import datetime
from pathlib import Path
from app.store.journal import write_store
from app.store.sqlite.database import Database
from app.store.journal.schema.journal_schema import JOURNAL

database = Database(Path(sys.argv[1]), JOURNAL)
number = 0
while True:
    number += 1
    text = f"R {number}"
    write = database.write_now(write_store.queue_write, "p", "submit", text, text.encode(), datetime.now())
    print("queued", write, flush=True)
    attempt = database.write_now(write_store.begin_attempt, write, datetime.now())
    print("sending", write, flush=True)
    database.write_now(write_store.end_attempt, attempt, "accepted", datetime.now())
    print("accepted", write, flush=True)
"""


AFTER_A_KILL = {
    "queued": {"queued", "in_doubt", "accepted"},
    "sending": {"in_doubt", "accepted"},
    "accepted": {"accepted"},
}


@pytest.mark.parametrize("lines", [1, 2, 3, 10, 50, 101])
def test_a_killed_program_loses_no_committed_write(tmp_path: Path, root: Path, lines: int) -> None:
    path = tmp_path / "journal.sqlite3"
    with subprocess.Popen([sys.executable, "-c", PROGRAM, path], stdout=subprocess.PIPE, cwd=root) as program:
        assert program.stdout is not None
        printed = [program.stdout.readline() for _ in range(lines)]
        program.kill()
        printed += program.stdout.readlines()
    said = [line.decode().split() for line in printed if line.endswith(b"\n")]  # the kill may cut the last one
    assert len(said) >= lines
    connection = open_file(path, JOURNAL)
    unfinished_writes.end_open_attempts(connection, NOW)
    for word, write in said:
        story = write_store.write_story(connection, int(write))
        assert story.payload == f"R {write}".encode()
        assert story.row.state in AFTER_A_KILL[word]
    assert write_store.counts(connection, "p")["sending"] == 0
    connection.close()
