"""The journal's moments are in UTC, whatever the zone of this computer and its summer time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.store.journal import write_store
from app.store.sqlite.text_values import local, read_moment, to_moment
from tests.support.journals import opened_journal


@pytest.mark.usefixtures("in_chicago")
class TestTexts:
    def test_the_hour_that_comes_twice_is_two_hours(self) -> None:
        first = datetime(2026, 11, 1, 1, 30)
        second = first.replace(fold=1)
        assert (to_moment(first), to_moment(second)) == ("2026-11-01T06:30:00.000Z", "2026-11-01T07:30:00.000Z")

    def test_a_stored_moment_is_shown_in_local_time(self) -> None:
        now = datetime(2026, 7, 1, 8, 0)
        assert read_moment(to_moment(now)) == datetime(2026, 7, 1, 13, 0, tzinfo=UTC)
        assert local(read_moment(to_moment(now))) == now

    def test_a_text_without_a_zone_is_local_time(self) -> None:
        assert read_moment("2026-07-01T08:00:00.000") == datetime(2026, 7, 1, 13, 0, tzinfo=UTC)

    @pytest.mark.parametrize("text", ["", "yesterday", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-11:00"])
    def test_a_text_that_is_no_moment_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".*"):
            read_moment(text)


@pytest.mark.usefixtures("in_chicago")
def test_a_write_is_due_by_utc_when_summer_time_ends(tmp_path: Path) -> None:
    """A write queued in the last minute of summer time is due ten seconds later, not an hour early or late."""
    with opened_journal(tmp_path / "journal.sqlite3") as database:
        summer_ends = datetime(2026, 11, 1, 1, 59, 55)
        leaves = summer_ends.astimezone(UTC) + timedelta(seconds=10)
        database.write_now(write_store.queue_write, "p", "cancel", "R", b"{}", summer_ends, not_before=leaves)
        again = datetime(2026, 11, 1, 1, 0, 2, fold=1)
        assert database.read_now(write_store.ready_writes, "p", again) == []
        assert len(database.read_now(write_store.ready_writes, "p", again.replace(second=6))) == 1
