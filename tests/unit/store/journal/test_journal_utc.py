"""The journal's own moments are in UTC, and those of an older journal become so, once."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.store.journal import draft_store, write_store
from app.store.journal.recovery.copy_lines import read_lines
from app.store.journal.recovery.journal_repair import last_restored
from app.store.journal.recovery.readable_copy import copy_path
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import column_names, is_sound, seal_changed
from app.store.sqlite.opening import open_file
from app.store.sqlite.text_values import local, read_moment, to_moment
from tests.support.journals import flip, kept

OLD = replace(JOURNAL, migrations=JOURNAL.migrations[:3])

SUMMER, WINTER = "2026-07-01T08:00:00.000", "2026-12-01T08:00:00.000"


def add_write(c: apsw.Connection, reference: str, at: str, not_before: str | None = None) -> None:
    payload = f'{{"orderReferenceNumber":"{reference}"}}'.encode()
    c.execute(
        """
        INSERT INTO writes (profile, kind, reference, payload, sha256, state, queued_at, changed_at, not_before)
        VALUES ('acme', 'submit', ?, ?, ?, 'queued', ?, ?, ?)
        """,
        (reference, payload, hashlib.sha256(payload).hexdigest(), at, at, not_before),
    )


def make_old(path: Path) -> None:
    """A journal from before, sealed, with orders queued in summer and in winter."""
    c = open_file(path, OLD)
    c.execute("BEGIN")
    add_write(c, "R-1", SUMMER, WINTER)
    add_write(c, "R-2", WINTER)
    c.execute(
        "INSERT INTO attempts (write_id, started_at, ended_at, outcome) VALUES (1, ?, ?, 'not_sent')", (SUMMER,) * 2
    )
    c.execute("INSERT INTO drafts VALUES ('d', 'acme', '{}', ?, ?, NULL, NULL)", (SUMMER, WINTER))
    seal_changed(c)
    c.execute("COMMIT")
    c.close()


@pytest.mark.usefixtures("in_chicago")
class TestTexts:
    def test_the_hour_that_comes_twice_is_two_hours(self) -> None:
        first = datetime(2026, 11, 1, 1, 30)
        second = first.replace(fold=1)
        assert (to_moment(first), to_moment(second)) == ("2026-11-01T06:30:00.000Z", "2026-11-01T07:30:00.000Z")

    def test_what_is_read_is_shown_as_the_clock_had_it(self) -> None:
        now = datetime(2026, 7, 1, 8, 0)
        assert read_moment(to_moment(now)) == datetime(2026, 7, 1, 13, 0, tzinfo=UTC)
        assert local(read_moment(to_moment(now))) == now
        assert read_moment(SUMMER) == datetime(2026, 7, 1, 13, 0, tzinfo=UTC), "one from before"

    @pytest.mark.parametrize("text", ["", "yesterday", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-11:00"])
    def test_anything_else_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".*"):
            read_moment(text)


@pytest.mark.usefixtures("in_chicago")
def test_an_older_journal_is_turned_into_utc_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    make_old(path)
    for _ in range(2):
        with kept(path) as database:
            later, first = database.read_now(write_store.writes_page, "acme", (), 10)
            assert first.queued_at == datetime(2026, 7, 1, 13, 0, tzinfo=UTC)
            assert first.not_before == later.queued_at == datetime(2026, 12, 1, 14, 0, tzinfo=UTC)
            (attempt,) = database.read_now(write_store.write_story, first.id).attempts
            assert (attempt.started_at, attempt.ended_at) == (first.queued_at, first.queued_at)
            (draft,) = database.read_now(draft_store.open_drafts, "acme")
            assert (draft.created_at, draft.changed_at) == (first.queued_at, later.queued_at)
            texts = database.read_now(lambda c: c.execute("SELECT queued_at, changed_at FROM writes").fetchall())
            assert texts[0] == ("2026-07-01T13:00:00.000Z",) * 2
            assert database.read_now(last_restored) is None, "every seal is that of its row"
    assert len(list(tmp_path.glob("journal.version-3.*"))) == 1


@pytest.mark.usefixtures("in_chicago")
def test_a_damaged_row_is_still_known_as_damaged_after_the_change(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    make_old(path)
    flip(path, b'"orderReferenceNumber":"R-2"')
    c = open_file(path, JOURNAL)
    names = column_names(c, "writes")
    rows = [dict(zip(names, each, strict=True)) for each in c.execute("SELECT * FROM writes ORDER BY id")]
    c.close()
    assert [is_sound(each) for each in rows] == [True, False]


@pytest.mark.usefixtures("in_chicago")
def test_an_older_copy_and_a_damaged_older_file_come_back_in_utc(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    make_old(path)
    data = bytearray(path.read_bytes())
    data[100:2_000] = bytes(1_900)  # SQLite cannot read it any more; the rows lie in other pages
    path.write_bytes(data)
    with kept(path) as database:
        later, first = database.read_now(write_store.writes_page, "acme", (), 10)
        assert (first.queued_at.hour, later.queued_at.hour) == (13, 14)
        database.copy.settle()
    with copy_path(path).open("rb") as file:
        assert str(read_lines(file).writes[1]["queued_at"]).endswith("13:00:00.000Z")


@pytest.mark.usefixtures("in_chicago")
def test_what_waits_is_sent_by_time_and_not_by_the_clock_of_the_zone(tmp_path: Path) -> None:
    """Queued in the last minute of summer time, to leave ten seconds later: not an hour early or late."""
    with kept(tmp_path / "journal.sqlite3") as database:
        summer_ends = datetime(2026, 11, 1, 1, 59, 55)
        leaves = summer_ends.astimezone(UTC) + timedelta(seconds=10)
        database.write_now(write_store.queue_write, "p", "cancel", "R", b"{}", summer_ends, not_before=leaves)
        again = datetime(2026, 11, 1, 1, 0, 2, fold=1)
        assert database.read_now(write_store.writes_waiting, "p", again) == []
        assert len(database.read_now(write_store.writes_waiting, "p", again.replace(second=6))) == 1
