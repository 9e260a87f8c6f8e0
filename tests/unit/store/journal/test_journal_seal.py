"""Every change gets a number and every row a seal, by which a damaged row is found."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from app.store.journal import draft_store, write_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.schema.journal_schema import JOURNAL
from app.store.journal.schema.seal import is_sound, seal_of
from app.store.sqlite.opening import open_file
from app.store.sqlite.plain_rows import Columns, row, value, whole_rows
from tests.support.journals import LATER_JOURNAL, NOW, fill, flip, make, raw


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.sqlite3")
    fill(made)
    yield made
    made.close_now()


def every_write(c: apsw.Connection) -> list[Columns]:
    return whole_rows(c, "writes", "ORDER BY id")


def test_every_row_is_sealed_when_it_is_committed(database: Journal) -> None:
    for columns in database.read_now(every_write):
        assert columns["seal"] == seal_of(columns)
        assert is_sound(columns)


def test_any_changed_column_breaks_the_seal(database: Journal) -> None:
    (columns, *_) = database.read_now(every_write)
    for name, before in columns.items():
        for other in (b"x", "x", 999, None):
            if other != before and (name, other) != ("seal", None):
                assert not is_sound({**columns, name: other}), name


def test_a_value_in_another_column_gives_another_seal() -> None:
    payload: Columns = {"a": "1", "b": None}
    others: list[Columns] = [{"a": 1}, {"a": b"1"}, {"b": "1"}, {"a": "1", "b": ""}, {"a": "1b str 0\n"}]
    assert len({seal_of(payload), *(seal_of(each) for each in others)}) == len(others) + 1
    assert seal_of(payload) == seal_of({"a": "1", "later": None})  # a table may gain columns


def test_a_row_without_a_seal_is_checked_by_its_payload() -> None:
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"  # of b"x"
    assert is_sound({"payload": b"x", "sha256": digest, "seal": None})
    assert not is_sound({"payload": b"y", "sha256": digest})


def test_changes_are_numbered_in_their_order(database: Journal) -> None:
    def last(c: apsw.Connection) -> tuple[int, int]:
        return value(c, "SELECT change FROM tally"), value(
            c, "SELECT max(change) FROM (SELECT change FROM writes UNION ALL SELECT change FROM requests)"
        )

    before = database.read_now(last)
    assert before[0] == before[1]
    database.write_now(write_store.set_note, 1, "Other words.", NOW)
    database.write_now(draft_store.save_draft, "acme", "another", "{}", NOW)  # no change of a write
    assert database.read_now(last) == (before[0] + 1, before[1] + 1)
    assert database.read_now(row, "SELECT id FROM writes ORDER BY change DESC") == (1,)


def test_every_change_seals_its_row_anew(database: Journal) -> None:
    database.write_now(lambda c: c.execute("UPDATE writes SET note = 'by a statement of its own'").fetchall())
    assert all(is_sound(columns) for columns in database.read_now(every_write))


def test_a_change_by_another_tool_removes_the_seal(database: Journal) -> None:
    """Such a change is no damage: a person may repair a row in an emergency."""
    database.close_now()
    with raw(database.path) as c:
        c.execute("UPDATE writes SET note = 'by hand' WHERE id = 2")
        assert value(c, "SELECT seal FROM writes WHERE id = 2") is None
    again = Journal(database.path)
    again.write_now(lambda _: None)
    assert all(columns["seal"] for columns in again.read_now(every_write))
    again.close_now()


def test_many_rows_without_a_seal_are_sealed_in_several_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A migration that changed every row leaves them so."""
    monkeypatch.setattr("app.store.journal.schema.seal._AT_ONCE", 2)
    connection = open_file(tmp_path / "journal.sqlite3", JOURNAL)
    for number in range(5):
        write_store.queue_write(connection, "p", "submit", str(number), b"x", NOW)
    connection.close()
    database = Journal(tmp_path / "journal.sqlite3")
    left = []
    for _ in range(3):
        database.write_now(lambda _: None)
        left.append(database.read_now(value, "SELECT count(*) FROM writes WHERE seal IS NULL"))
    assert left == [3, 1, 0]
    assert database.read_now(value, "SELECT group_concat(change) FROM writes") == "1,2,3,4,5"
    database.close_now()


def test_a_damaged_row_is_still_known_as_damaged_after_a_migration(tmp_path: Path) -> None:
    path = make(tmp_path)
    flip(path, b'"orderReferenceNumber":"R-3"')
    connection = open_file(path, LATER_JOURNAL)
    found = every_write(connection)
    connection.close()
    assert [columns["reference"] for columns in found if not is_sound(columns)] == ["R-3"]
