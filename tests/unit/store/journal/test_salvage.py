"""The salvage reads every readable row, page by page, with or without header, log and trees."""

import random
from pathlib import Path

import pytest

from app.store.journal.recovery.salvage import Row, salvage
from app.store.sqlite.opening import SIDES
from app.store.sqlite.plain_rows import rows
from tests.support.journals import ALL_STATES, make, make_killed, payload_of, raw


def as_sqlite_reads_it(path: Path, table: str) -> list[tuple[int, Row]]:
    with raw(path) as c:
        found = rows(c, f"SELECT rowid, * FROM {table}")  # noqa: S608
    hidden = table in (
        "writes",
        "requests",
        "attempts",
        "reviews",
    )  # their first column is the rowid, which SQLite stores as NULL
    return [(each[0], (None if hidden else each[1], *each[2:])) for each in found]


def newest(found: list[tuple[int, Row]]) -> dict[int, Row]:
    return dict(found)


@pytest.mark.parametrize("make_it", [make, make_killed], ids=["closed", "killed"])
@pytest.mark.parametrize("table", ["writes", "requests", "attempts", "drafts", "profiles", "settings", "reviews"])
def test_salvage_reads_what_sqlite_reads(tmp_path: Path, make_it: "type[Path]", table: str) -> None:
    path = make_it(tmp_path / "it")
    read = salvage(path).latest.get(table, [])
    expected = as_sqlite_reads_it(path, table)
    assert sorted(newest(read)) == sorted(newest(expected))
    for rowid, row in expected:
        assert row in [each for number, each in read if number == rowid]


def test_rows_longer_than_a_page_are_whole(tmp_path: Path) -> None:
    read = newest(salvage(make(tmp_path)).latest["writes"])
    assert [read[number + 1][4] for number in range(len(ALL_STATES))] == [
        payload_of(f"R-{number}") for number in range(len(ALL_STATES))
    ]


@pytest.mark.parametrize("length", [16, 100, 4_000])
def test_a_file_without_its_header_is_salvaged(tmp_path: Path, length: int) -> None:
    path = make(tmp_path)
    before = newest(salvage(path).latest["writes"])
    path.write_bytes(bytes(length) + path.read_bytes()[length:])
    assert newest(salvage(path).latest["writes"]) == before


def test_a_log_is_salvaged_behind_a_damaged_frame(tmp_path: Path) -> None:
    path = make_killed(tmp_path)
    before = salvage(path).latest
    log = path.with_name(path.name + SIDES[1])
    broken = bytearray(log.read_bytes())
    broken[5_000] ^= 1
    log.write_bytes(broken)
    path.unlink()
    assert len(newest(salvage(path).latest["writes"])) == len(newest(before["writes"]))


def test_a_missing_or_empty_file_has_no_rows(tmp_path: Path) -> None:
    assert salvage(tmp_path / "none").latest == {}
    (tmp_path / "empty").touch()
    assert salvage(tmp_path / "empty").latest == {}


def test_no_damage_stops_the_salvage(tmp_path: Path) -> None:
    path = make_killed(tmp_path)
    chance = random.Random(7)
    files = [path, path.with_name(path.name + SIDES[1])]
    contents = [file.read_bytes() for file in files]
    for _ in range(60):
        for file, content in zip(files, contents, strict=True):
            spoilt = bytearray(content)
            for _ in range(chance.randrange(400)):
                spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
            file.write_bytes(spoilt[: chance.randrange(len(spoilt))])
        salvage(path)


def test_deeply_nested_text_is_no_draft(tmp_path: Path) -> None:
    path = make(tmp_path)
    with raw(path) as c:
        c.pragma("ignore_check_constraints", True)
        c.execute("INSERT INTO drafts VALUES ('deep', 'p', ?, 'a', 'b', NULL, NULL)", ("[" * 100_000 + "]" * 100_000,))
    found = {row[0] for _, row in salvage(path).latest["drafts"]}
    assert "open" in found
    assert "deep" not in found
