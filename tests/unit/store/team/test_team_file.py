"""The file of what a team's other desks did: how SQLite reads it. Its content is tested with the link that fills it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.journal.records import WriteState
from app.store.sqlite.opening import open_file
from app.store.sqlite.plain_rows import rows
from app.store.team import team_file
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE

_OPEN: tuple[WriteState, ...] = ("queued",)
_ASKED: tuple[tuple[Callable[[apsw.Connection], object], str], ...] = (
    (lambda c: team_file.writes_of_reference(c, "acme", "R-1"), "(place=? AND reference=?"),
    (lambda c: team_file.last_accepted(c, "acme", ["R-1"]), "(place=? AND reference=?"),
    (lambda c: team_file.last_standing(c, "acme", ["R-1"]), "(place=? AND reference=?"),
    (lambda c: team_file.settlements_of(c, "acme", ["R-1"]), "(place=? AND reference=?"),
    (lambda c: team_file.writes_page(c, "acme", (), 9), "writes_by_clock"),
    (lambda c: team_file.writes_page(c, "acme", _OPEN, 9), "writes_not_over"),
    (lambda c: team_file.orders_after(c, "acme", "desk", 0, 9), "(rowid>?)"),
)


@pytest.mark.parametrize(("ask", "way"), _ASKED)
def test_a_question_reads_no_other_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[apsw.Connection], object], way: str
) -> None:
    plans: list[str] = []

    def explained(c: apsw.Connection, statement: str, bindings: Any = ()) -> list[tuple[Any, ...]]:
        steps = rows(c, f"EXPLAIN QUERY PLAN {statement}", bindings)
        plans.extend(words for *_, words in steps)
        return rows(c, statement, bindings)

    monkeypatch.setattr(team_file, "rows", explained)
    c = open_file(tmp_path / "team.sqlite3", TEAM_FILE)
    try:
        ask(c)
    finally:
        c.close()
    # The first step is how the rows themselves are found. The others look up the desk, and go through what was bound.
    assert way in plans[0], plans
    assert not any("TEMP B-TREE" in each for each in plans) or "reference" in way, plans


class _Opened(apsw.VFS):
    """Notes as what SQLite opens each file."""

    def __init__(self) -> None:
        self.flags: list[int] = []
        super().__init__("opened", "")

    def xOpen(self, name: "apsw.URIFilename | str | None", flags: list[int]) -> apsw.VFSFile:
        self.flags.append(flags[0])
        return super().xOpen(name, flags)


def _written(seq: int, place: str, reference: str) -> Entry:
    body = {
        "place": place, "write": seq, "kind": "submit", "reference": reference, "state": "accepted",
        "queued_at": "2026-11-21T14:02:10.000Z", "changed_at": "2026-11-21T14:02:11.000Z", "sha256": "5e" * 32,
    }  # fmt: skip
    return Entry(seq, 1.7e9 + seq, seq, "write", 1, reference, json.dumps(body))


def test_thousands_of_entries_are_stored_without_a_temporary_file(tmp_path: Path) -> None:
    layer = _Opened()
    c = open_file(tmp_path / "team.sqlite3", TEAM_FILE, "opened")
    try:
        desk = team_file.learn_people(c, [("desk", "Ben")])["desk"]
        for first in (0, 1):  # the second time each entry comes between two of the first, so in a page that is there
            page = [
                _written(seq, "acme", f"R-{each:06}")
                for seq, each in enumerate(range(first, 4_000, 2), first * 2_000 + 1)
            ]
            with c:
                team_file.take(c, desk, page)
        assert team_file.count_entries(c)[0] == 4_000
    finally:
        c.close()
    assert layer.flags
    kinds = apsw.SQLITE_OPEN_SUBJOURNAL | apsw.SQLITE_OPEN_TEMP_DB | apsw.SQLITE_OPEN_TEMP_JOURNAL
    assert not any(each & kinds for each in layer.flags)


def test_a_place_is_a_number_in_the_file_and_keeps_its_name_outside(tmp_path: Path) -> None:
    c = open_file(tmp_path / "team.sqlite3", TEAM_FILE)
    try:
        desk = team_file.learn_people(c, [("desk", "Ben")])["desk"]
        team_file.take(c, desk, [_written(1, "acme", "R-1"), _written(2, "other", "R-1")])
        assert rows(c, "SELECT DISTINCT typeof(place) FROM writes") == [("integer",)]
        for each in ("acme", "other"):
            (write,) = team_file.writes_of_reference(c, each, "R-1")
            assert (write.place, write.number) == (each, 1 if each == "acme" else 2)
    finally:
        c.close()
