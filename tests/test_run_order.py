"""The order of the files in a run on several workers."""

from pathlib import Path

from tests.support.run_order import FIRST, START_PROCESSES, in_order


def test_faults_come_first_and_files_that_start_processes_alternate_with_others() -> None:
    tests = {
        "tests/ui/test_a.py": 5,
        "tests/e2e/test_b.py": 3,
        "tests/unit/test_c.py": 40,
        "tests/practice/test_d.py": 9,
        "tests/faults/test_e.py": 2,
        "tests/api/test_f.py": 1,
    }
    assert in_order(tests) == [
        "tests/faults/test_e.py",
        "tests/practice/test_d.py",
        "tests/unit/test_c.py",
        "tests/e2e/test_b.py",
        "tests/ui/test_a.py",
        "tests/api/test_f.py",
    ]


def test_every_file_is_in_it_once_whichever_kind_has_more() -> None:
    waiting = {f"tests/e2e/test_{number}.py": number for number in range(5)}
    computing = {f"tests/unit/test_{number}.py": number for number in range(2)}
    for tests in (waiting, computing, waiting | computing, {}):
        assert sorted(in_order(tests)) == sorted(tests)


def test_the_places_that_are_named_are_there(root: Path) -> None:
    for place in (FIRST, *START_PROCESSES):
        assert list(root.glob(f"{place}*")), place
