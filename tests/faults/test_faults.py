"""Every fault at its small size, and the harness itself: it counts, it tells, and it can be run again."""

import pytest

from tests.faults import __main__ as program
from tests.faults.faults import FAULTS
from tests.faults.harness import Fault, Report, findings, provoke, table

SEED = 1  # the same faults at every run; `python -m tests.faults` draws a new seed each time


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_it_holds(fault: Fault) -> None:
    report = fault.run(fault.small, SEED)
    assert report.found == [], f"seed {SEED}"
    assert report.tried > 0


def _breaks(size: int, seed: int) -> Report:
    report = Report()
    for number in range(size):
        report.tried += 1
        report.check(number != seed, f"number {number} broke")
    return report


def _raises(_size: int, _seed: int) -> Report:
    raise LookupError("in the middle")


MADE_UP = (
    Fault("F91", "numbers are counted", _breaks, 3, 5_000),
    Fault("F92", "an error is told", _raises, 1, 1),
)


def test_what_is_found_is_counted_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--full", "--seed", "7"], MADE_UP) == 1
    said = capsys.readouterr().out
    assert said.startswith("seed 7\n")
    counted = next(line for line in said.splitlines() if line.startswith("F91 numbers are counted  "))
    assert counted.split()[4:6] == ["5,000", "1"]
    assert "F91 (seed 7) FOUND: number 7 broke" in said
    assert "F92 (seed 7) FOUND: LookupError: in the middle" in said


def test_without_full_it_is_the_small_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["f91", "--seed", "7"], MADE_UP) == 0
    assert "F92" not in capsys.readouterr().out
    assert program.main(["f91", "--seed", "7", "--size", "8"], MADE_UP) == 1


def test_many_findings_are_counted_and_the_first_are_shown() -> None:
    outcome = provoke(Fault("F93", "all", lambda size, _: Report(size, ["gone"] * size), 1, 1), 30, 1)
    assert findings([outcome]).splitlines()[-1] == "F93: and 20 more"
    assert table([outcome]).splitlines()[1].split()[2:4] == ["30", "30"]


def test_findings_are_counted_by_what_they_have_in_common() -> None:
    def run(size: int, _: int) -> Report:
        report = Report(size)
        for number in range(size):
            report.check(number < 10, f"{number} is gone", "gone" if number % 3 else "late")
        return report

    said = findings([provoke(Fault("F94", "two kinds", run, 1, 1), 40, 1)]).splitlines()
    assert said[:2] == ["F94: 20 × gone", "F94: 10 × late"]


def test_names_are_known_and_given_once(capsys: pytest.CaptureFixture[str]) -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names))
    with pytest.raises(SystemExit, match="No fault is called F99; there are: F91, F92"):
        program.chosen(["F99"], MADE_UP)
    assert program.main(["--list"], MADE_UP) == 0
    assert "F91  numbers are counted; small 3, full 5,000" in capsys.readouterr().out
