"""F20 finds what it looks for: it is run with programs that are wrong on purpose."""

import time

import pytest

from app.desk.sending.evidence import GRACE
from app.desk.team.teamwork import Teamwork
from app.desk.team_side import Claimed
from app.store.team.team_entry import Entry
from app.store.team.team_link import TeamLink
from tests.faults import f20_team, team_desks
from tests.faults.harness import findings, provoke
from tests.faults.team_desks import DeskClocks

_SEED = 1


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f20_team, "_ROUNDS", 8)
    monkeypatch.setattr(f20_team, "_LONG_S", 1.0)


def test_a_claim_that_is_never_given_back_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TeamLink, "give_back", lambda *_: None)
    report = f20_team.FAULT.run(2, _SEED)
    assert report.tried == 2
    assert report.kinds["a claim is kept"]


def test_a_write_that_waits_for_ever_is_found_and_told_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def waits(_team: Teamwork, _reference: str) -> Claimed:
        return Claimed("waits", "Waits for nobody.")

    monkeypatch.setattr(Teamwork, "claim", waits)
    outcome = provoke(f20_team.FAULT, 2, _SEED)
    kind = "a write is queued, and not there"
    assert set(outcome.report.kinds) == {kind}
    found = outcome.report.found[0]
    assert "note 'Waits for nobody.'" in found
    assert "no claim" in found
    assert "connected" in found
    assert f"F20: {outcome.report.kinds[kind]:,} × {kind}" in findings([outcome]).splitlines()


def test_time_that_is_let_pass_lies_between_entries_before_and_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    came = time.time()
    log = [Entry(1, came - 5, 1, "write", 1, "R-1", "{}"), Entry(2, came + 60, 2, "write", 1, "R-2", "{}")]
    monkeypatch.setattr(team_desks, "_entries_after", lambda *_: log)
    clocks = DeskClocks()
    assert clocks.entries_after() == log
    clocks.let_pass(GRACE)
    clocks.let_pass(GRACE)
    first, second = (each.at for each in clocks.entries_after())
    assert (first, second) == (came - 5, came + 60 + 2 * GRACE.total_seconds())
    assert clocks.time() < came + 60  # nobody's clock differs by it from anybody's
