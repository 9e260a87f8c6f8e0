"""What the journal keeps for the team: an entry for each fact, in the same transaction, numbered without a gap."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.journal import held_writes, review_store, write_store
from app.store.journal.profile_store import Profile, save_profile
from app.store.journal.recovery.backup import back_up
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.team import team_log
from app.store.journal.team.team_places import place_of
from app.store.sqlite.database import Database
from app.store.sqlite.opening import open_file

NOW = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)
ACME = Profile("acme", "Acme", "production", "https://acme.test/api/", "https://i/", "https://a/", "client-1")
ORDER = b'{"orderReferenceNumber":"R 1"}'


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Database]:
    database = Journal(tmp_path / "journal.sqlite3")
    database.write_now(save_profile, ACME)
    yield database
    database.close_now()


def queue(journal: Database, reference: str = "R 1", profile: str = "acme") -> int:
    return journal.write_now(write_store.queue_write, profile, "submit", reference, ORDER, NOW)


def entries(journal: Database, *, payloads: bool = False) -> list[dict[str, Any]]:
    found = journal.read_now(team_log.unpushed, 0, 10_000, payloads=payloads)
    assert [each.seq for each in found] == list(range(1, len(found) + 1))
    assert [each.clock for each in found] == sorted({each.clock for each in found})
    return [json.loads(each.body) for each in found]


def test_while_the_team_is_off_nothing_is_kept(journal: Database) -> None:
    write = queue(journal)
    journal.write_now(review_store.put_review, "acme", 7, "", '{"reviewed": true}', NOW)
    journal.write_now(write_store.begin_attempt, write, NOW)
    assert journal.read_now(team_log.current) is None
    assert journal.read_now(lambda c: c.execute("SELECT count(*) FROM team_entries").fetchall()) == [(0,)]


def test_each_step_of_a_write_is_an_entry(journal: Database) -> None:
    journal.write_now(team_log.begin)
    write = queue(journal)
    attempt = journal.write_now(write_store.begin_attempt, write, NOW, "new")
    journal.write_now(write_store.end_attempt, attempt, "accepted", NOW)
    told = entries(journal)
    assert [each["state"] for each in told] == ["queued", "sending", "accepted"]
    assert told[0] == {
        "place": place_of("https://ACME.test/api", " client-1"),
        "write": write,
        "kind": "submit",
        "reference": "R 1",
        "state": "queued",
        "queued_at": "2026-11-21T14:02:10.000Z",
        "changed_at": "2026-11-21T14:02:10.000Z",
        "sha256": hashlib.sha256(ORDER).hexdigest(),
    }
    assert told[2]["tried_at"] == "2026-11-21T14:02:10.000Z"
    assert told[2]["verdict"] == "new"
    assert "R 1" not in told[0]["place"]


def test_an_entry_is_kept_with_its_fact_or_not_at_all(journal: Database) -> None:
    journal.write_now(team_log.begin)

    def fails(c: apsw.Connection) -> None:
        write_store.queue_write(c, "acme", "submit", "R 1", ORDER, NOW)
        team_log.note_changes(c)
        raise RuntimeError("of the test")

    with pytest.raises(RuntimeError):
        journal.write_now(fails)
    assert entries(journal) == []
    queue(journal, "R 2")
    assert [each["reference"] for each in entries(journal)] == ["R 2"]


def test_the_order_itself_is_added_when_the_team_shares_orders(journal: Database) -> None:
    journal.write_now(team_log.begin)
    queue(journal)
    journal.write_now(write_store.queue_write, "acme", "cancel", "R 2", b"{}", NOW)
    assert [each.get("payload") for each in entries(journal, payloads=True)] == [ORDER.decode(), None]
    assert [each.get("payload") for each in entries(journal)] == [None, None]


@pytest.mark.slow
def test_whoever_joins_tells_of_all_that_was(journal: Database) -> None:
    many = 1_203  # more than one transaction takes
    for number in range(many):
        queue(journal, f"R {number}")
    journal.write_now(review_store.put_review, "acme", 7, "", '{"flagged": true}', NOW)
    journal.write_now(team_log.begin)
    while journal.write_now(team_log.note_more):
        pass
    told = entries(journal)
    assert [each["reference"] for each in told if "write" in each] == [f"R {number}" for number in range(many)]
    assert [each["review"] for each in told if "audit" in each] == [{"flagged": True}]
    journal.write_now(team_log.begin)  # again: nothing is told twice
    assert len(entries(journal)) == many + 1


def test_practice_is_told_to_nobody(journal: Database) -> None:
    journal.write_now(save_profile, replace(ACME, id="play", kind="practice"))
    journal.write_now(team_log.begin)
    queue(journal, profile="play")
    queue(journal, profile="practice")  # not a stored connection
    journal.write_now(review_store.put_review, "play", 7, "", '{"reviewed": true}', NOW)
    assert entries(journal) == []
    queue(journal, "R 2")
    assert [each["reference"] for each in entries(journal)] == ["R 2"]


def test_a_review_is_told_with_what_was_taken_back(journal: Database) -> None:
    journal.write_now(team_log.begin)
    journal.write_now(review_store.put_review, "acme", 7, "https://p/1", '{"flagged": true}', NOW)
    journal.write_now(review_store.put_review, "acme", 7, "https://p/1", None, NOW)
    assert [(each["audit"], each["photo"], each["review"]) for each in entries(journal)] == [
        (7, "https://p/1", {"flagged": True}), (7, "https://p/1", {}),
    ]  # fmt: skip


def test_an_attempt_without_a_claim_is_told(journal: Database) -> None:
    journal.write_now(team_log.begin)
    write = queue(journal)

    def begin(c: apsw.Connection) -> int:
        attempt = write_store.begin_attempt(c, write, NOW)
        team_log.mark_unclaimed(c, attempt)
        return attempt

    journal.write_now(begin)
    assert [each.get("unclaimed") for each in entries(journal)] == [None, True]


def test_clocks_follow_those_that_were_seen_unless_they_are_far_ahead(journal: Database) -> None:
    journal.write_now(team_log.begin)
    queue(journal, "R 1")
    first = journal.read_now(team_log.clock_of, 1)
    assert first is not None
    minute = 60_000 << 16
    journal.write_now(team_log.observe, first + minute)
    queue(journal, "R 2")
    second = journal.read_now(team_log.clock_of, 2)
    assert second == first + minute + 1
    journal.write_now(team_log.observe, first + 60 * minute)
    queue(journal, "R 3")
    assert journal.read_now(team_log.clock_of, 3) == second + 1
    assert team_log.latest_believed([first, first + minute, first + 60 * minute]) == first + minute
    assert team_log.latest_believed([first + 60 * minute]) == 0


def test_what_was_pushed_is_known_and_dropped_after_a_while(journal: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_log, "_KEPT", 2)
    log = journal.write_now(team_log.begin)
    for number in range(5):
        queue(journal, f"R {number}")
    journal.write_now(team_log.record_pushed, "another log", 5)
    assert journal.read_now(team_log.current) == (log.desk, 5, 0)
    journal.write_now(team_log.record_pushed, log.desk, 5)
    assert journal.read_now(team_log.current) == (log.desk, 5, 5)
    assert journal.read_now(team_log.first_kept) == 4
    assert journal.read_now(team_log.clock_of, 3) is None
    queue(journal, "R 5")
    assert [each.seq for each in journal.read_now(team_log.unpushed, 5, 9, payloads=False)] == [6]


def test_only_the_entry_of_its_making_says_what_was_known_when_a_write_was_made(
    journal: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = queue(journal)
    journal.write_now(team_log.begin)
    write = queue(journal)
    made = journal.read_now(team_log.first_clock, write)
    assert made is not None
    assert made == journal.read_now(team_log.clock_of, 2)
    journal.write_now(team_log.observe, made + 1)  # what another desk sent since
    journal.write_now(held_writes.hold, write, "Held.", NOW + timedelta(hours=1), "closed")
    assert journal.read_now(team_log.first_clock, write) == made
    monkeypatch.setattr(team_log, "_KEPT", 1)
    log = journal.read_now(team_log.current)
    assert log is not None
    journal.write_now(team_log.record_pushed, log.desk, log.seq)
    assert journal.read_now(team_log.clock_of, 3) is not None, "the entry that it is held is kept"
    assert journal.read_now(team_log.first_clock, write) is None
    assert journal.read_now(team_log.first_clock, older) is None, "it was told of when the log began"
    journal.write_now(team_log.begin_anew)
    assert journal.read_now(team_log.first_clock, write) is None


def test_leaving_keeps_what_this_desk_did(journal: Database) -> None:
    before = journal.write_now(team_log.begin)
    write = queue(journal)
    journal.write_now(team_log.leave)
    assert journal.read_now(team_log.current) is None
    assert journal.read_now(write_store.payload, write) == ORDER
    queue(journal, "R 2")
    again = journal.write_now(team_log.begin)
    assert again.desk != before.desk
    queue(journal, "R 3")
    assert [each["reference"] for each in entries(journal)] == ["R 1", "R 2", "R 3"]


def test_another_log_tells_everything_anew(journal: Database) -> None:
    first = journal.write_now(team_log.begin)
    queue(journal)
    clock = journal.read_now(team_log.clock_of, 1)
    anew = journal.write_now(team_log.begin_anew)
    assert anew.desk != first.desk
    assert [each["reference"] for each in entries(journal)] == ["R 1"]
    assert clock is not None
    assert (journal.read_now(team_log.clock_of, 1) or 0) > clock


def test_a_backup_has_the_log_as_it_was(journal: Database, tmp_path: Path) -> None:
    log = journal.write_now(team_log.begin)
    queue(journal)
    journal.read_now(back_up, tmp_path / "kept.waybill")
    copy = open_file(tmp_path / "kept.waybill", JOURNAL)
    assert team_log.current(copy) == (log.desk, 1, 0)
    copy.close()


def test_one_place_has_one_name_however_it_is_typed() -> None:
    name = place_of("https://acme.test/api", "client-1")
    assert place_of(" HTTPS://Acme.test/api/ ", "client-1 ") == name
    assert place_of("https://acme.test/API", "client-1") != name
    assert place_of("https://acme.test/api", "client-2") != name
