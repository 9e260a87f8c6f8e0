"""The file of what a team's other desks did: how SQLite reads it. Its content is tested with the link that fills it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.store.journal.records import WriteState
from app.store.sqlite.opening import open_file
from app.store.sqlite.plain_rows import rows
from app.store.team import team_file
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
