"""A write whose row is damaged is never sent, and a person can see and withdraw it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from app.store.journal import held_writes, outstanding_writes, write_store
from app.store.journal.claim import LastLook, claim_write
from app.store.journal.records import WriteRow
from app.store.journal.recovery.readable_copy import copy_path
from app.store.journal.recovery.rebuild import UNCERTAIN
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import seal_changed
from app.store.sqlite.opening import open_file
from app.store.store_errors import JournalDamaged
from tests.support.damage import LEFT, spoil
from tests.support.journals import fill, flip, make, opened_journal

NOW = datetime(2026, 11, 21, 14, 2, 10, tzinfo=UTC)


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    connection = open_file(tmp_path / "journal.sqlite3", JOURNAL)
    yield connection
    connection.close()


def spoilt(c: apsw.Connection, column: str = "payload", value: bytes | str = LEFT) -> int:
    """A sealed, queued write with one column changed as a damaged disk would, without the triggers."""
    write = write_store.queue_write(c, "p", "submit", "R", b'{"orderReferenceNumber":"R"}', NOW)
    seal_changed(c)
    spoil(c, write, column, value)
    return write


def row(c: apsw.Connection, write: int) -> WriteRow:
    return next(each for each in write_store.writes_page(c, "p", (), 10) if each.id == write)


def test_a_damaged_write_can_be_read(c: apsw.Connection) -> None:
    write = spoilt(c)
    told = write_store.write_story(c, write)
    assert (told.row.damaged, told.row.reference, told.row.queued_at, told.payload) == (True, "R", NOW, LEFT)


@pytest.mark.parametrize(("column", "value"), [("payload", b"{"), ("reference", "S"), ("queued_at", "2026-11-21")])
def test_a_damaged_write_cannot_be_sent(c: apsw.Connection, column: str, value: bytes | str) -> None:
    write = spoilt(c, column, value)
    with pytest.raises(JournalDamaged):
        write_store.begin_attempt(c, write, NOW)
    write_store.settle(c, write, "withdrawn", "A person's decision.", NOW)
    assert write_store.write_story(c, write).row.state == "withdrawn"


def test_the_last_look_holds_a_damaged_write(c: apsw.Connection) -> None:
    write = spoilt(c)
    look, begun = claim_write(c, row(c, write), lambda _: LastLook("send", "new", "New."), NOW)
    assert (look.decision, begun) == ("hold", None)
    held = row(c, write)
    assert (held.state, held.attempts, held.damaged) == ("queued", 0, True)
    assert "damaged" in (held.held or "")
    with pytest.raises(JournalDamaged):
        held_writes.release(c, write, NOW)


@pytest.mark.parametrize("state", ["queued", "in_doubt"])
def test_a_change_does_not_give_a_damaged_row_a_fitting_seal(c: apsw.Connection, state: str) -> None:
    """Every change seals its row anew. A wrong reference under a fitting seal would be looked up and then sent."""
    write = spoilt(c, "reference", "S")
    spoil(c, write, "state", state)
    for sentence in ("Not sent: how the order stands could not be asked.", "The provider shows nothing of the order."):
        write_store.set_note(c, write, sentence, NOW)
        seal_changed(c)
    if state == "queued":
        held_writes.hold(c, write, "Held for a person.", NOW)
        seal_changed(c)
    assert row(c, write).damaged
    assert write_store.write_story(c, write).row.damaged
    with pytest.raises(JournalDamaged):
        write_store.payload(c, write)
    write_store.settle(c, write, "withdrawn", "A person's decision.", NOW)
    seal_changed(c)
    whole = write_store.queue_write(c, "p", "submit", "T", b"{}", NOW)
    write_store.set_note(c, whole, "Waits.", NOW)
    seal_changed(c)
    assert not write_store.write_story(c, whole).row.damaged


def test_a_damaged_write_in_doubt_is_marked_and_never_queued(c: apsw.Connection) -> None:
    write = spoilt(c)
    c.execute("UPDATE writes SET state = 'in_doubt' WHERE id = ?", (write,))
    ((among_orders, _),) = outstanding_writes.read_outstanding(c, [write])
    assert row(c, write).damaged
    assert among_orders.damaged
    with pytest.raises(JournalDamaged):
        write_store.settle(c, write, "queued", None, NOW)
    with pytest.raises(JournalDamaged):
        held_writes.requeue_on_hold(c, write, "", NOW)
    other = write_store.queue_write(c, "p", "submit", "R", b"{}", NOW)
    assert write_store.ready_writes(c, "p") == []
    write_store.settle(c, write, "accepted", "A person found that it had arrived.", NOW)
    assert [each.id for each in write_store.ready_writes(c, "p")] == [other], "its reference is free again"


def test_an_uncertain_write_can_be_shown_and_withdrawn(tmp_path: Path) -> None:
    path = make(tmp_path)
    copy_path(path).unlink()
    flip(path, b'"orderReferenceNumber":"R-5"')
    with opened_journal(path) as database:
        found = {each.reference: each for each in database.read_now(write_store.writes_page, "acme", (), 100)}
        doubt = found["R-5"]
        assert (doubt.state, doubt.note, doubt.damaged) == ("in_doubt", UNCERTAIN, True)
        told = database.read_now(write_store.write_story, doubt.id)
        assert [each.outcome for each in told.attempts] == ["unknown"]
        database.write_now(write_store.settle, doubt.id, "withdrawn", "A person's decision.", NOW)
    with opened_journal(path) as database:
        assert database.read_now(write_store.write_story, doubt.id).row.state == "withdrawn"


def test_a_sound_write_is_not_marked_as_damaged(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        fill(database)
        for each in database.read_now(write_store.writes_page, "acme", (), 100):
            assert not each.damaged
            assert not database.read_now(write_store.write_story, each.id).row.damaged


def test_equal_attempts_that_did_nothing_are_counted_in_one_row(c: apsw.Connection) -> None:
    write = write_store.queue_write(c, "p", "submit", "R", b"{}", NOW)
    for minute in range(5):
        at = NOW.replace(minute=minute)
        words = "Turned away." if minute < 4 else "No network."
        write_store.end_attempt(
            c, write_store.begin_attempt(c, write, at), "not_sent", at.replace(second=59), sentence=words
        )
    same, other = write_store.write_story(c, write).attempts
    assert (same.started_at, same.ended_at, same.repeats) == (
        NOW.replace(minute=0),
        NOW.replace(minute=3, second=59),
        3,
    )
    assert (other.sentence, other.repeats) == ("No network.", 0)
    at = NOW.replace(minute=9)
    write_store.end_attempt(c, write_store.begin_attempt(c, write, at), "unknown", at, sentence="No network.")
    assert len(write_store.write_story(c, write).attempts) == 3, "what may have arrived is an attempt of its own"
