"""The suite in batches: what is in a batch, in which order they start, and what a batch that failed looks like."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import suite
from tests.suite import WAITING, Batch, Outcome, batches, files_below, run_all
from tests.support.window_process import until

FILES = [
    *(f"tests/ui/orders/test_{number:02}.py" for number in range(20)),
    *(f"tests/ui/entry/test_{number:02}.py" for number in range(9)),
    *(f"tests/e2e/test_{number}.py" for number in range(5)),
    "tests/unit/desk/test_a.py",
    "tests/unit/store/cache/test_b.py",
    "tests/faults/test_faults.py",
    "tests/test_c.py",
]


def ran(tmp_path: Path, *bodies: str) -> list[Outcome]:
    """Each body as a batch of one file, outside the checkout: it has none of the fixtures of this suite."""
    made = []
    for number, body in enumerate(bodies):
        file = tmp_path / f"test_{number}.py"
        file.write_text(body, encoding="utf-8")
        made.append(Batch("tests/made", (str(file),)))
    outcomes, _ = run_all(made, processes=2)
    return sorted(outcomes, key=lambda outcome: outcome.batch.files)


def test_every_file_is_in_one_batch_of_its_room() -> None:
    made = batches(reversed(FILES))
    assert sorted(file for batch in made for file in batch.files) == sorted(FILES)
    for batch in made:
        assert all(file.startswith(f"{batch.room}/") for file in batch.files)


def test_batches_of_a_room_are_of_nearly_one_size() -> None:
    sizes = [len(batch.files) for batch in batches(FILES) if batch.room == "tests/ui"]
    assert sum(sizes) == 29
    assert max(sizes) - min(sizes) <= 1


def test_rooms_that_wait_come_first_and_alternate_with_those_that_compute() -> None:
    waits = [batch.room in WAITING for batch in batches(FILES)]
    assert batches(FILES)[0].room == "tests/faults"
    both = 2 * min(waits.count(True), waits.count(False))
    assert both >= 6
    assert waits[:both] == [True, False] * (both // 2)
    assert len(set(waits[both:])) <= 1


def test_the_suite_has_every_file_of_tests(root: Path) -> None:
    found = files_below(["tests"])
    assert {"tests/test_suite.py", "tests/faults/test_faults.py"} <= set(found)
    assert files_below(["tests/unit", "tests/unit/desk", "tests/test_suite.py"])[0] == "tests/test_suite.py"
    for room in WAITING:
        assert any(batch.room == room for batch in batches(found)), room
    assert all((root / file).is_file() for file in found)


def test_a_path_that_is_not_there_is_named() -> None:
    with pytest.raises(SystemExit, match="There is no tests/nowhere"):
        files_below(["tests/nowhere"])


def test_a_batch_passes_and_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "import pytest\ndef test_a(): pass\ndef test_b(): pass\n@pytest.mark.skip\ndef test_c(): pass\n"
    (outcome,) = ran(tmp_path, body)
    assert outcome.passed
    assert outcome.counts == {"tests": 3, "failures": 0, "errors": 0, "skipped": 1}
    assert f"[1/1] {outcome.batch.files[0]}: 2 passed, 1 skipped in" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked on Windows")
def test_batches_pass_that_are_forked_from_one_that_has_imported_all(root: Path) -> None:
    # A process of its own: this one may have a server already, for few batches.
    many = "import sys; from tests import suite; suite._FEW_BATCHES = 0; sys.exit(suite.main(sys.argv[1:]))"
    files = ("tests/unit/test_arguments.py", "tests/unit/test_translation.py")
    said = subprocess.run([sys.executable, "-c", many, *files], cwd=root, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_one_that_failed_shows_what_it_printed_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = ran(tmp_path, "def test_a(): assert 'this' == 'that'", "def test_b(): pass")
    assert not first.passed
    assert second.passed
    said = capsys.readouterr().out
    assert "1 failures" in said
    assert "assert 'this' == 'that'" in said


@pytest.mark.parametrize("body", ["import os\ndef test_a(): os._exit(0)", "import os\nos.kill(os.getpid(), 11)"])
def test_a_batch_whose_process_ends_early_has_not_passed(tmp_path: Path, body: str) -> None:
    (outcome,) = ran(tmp_path, body)
    assert not outcome.passed
    assert not outcome.counts


def test_a_test_that_waits_for_ever_ends_its_batch_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "LONGEST_TEST_S", 3)
    monkeypatch.setattr(suite, "_LOOK_EVERY", 0.1)
    (outcome,) = ran(tmp_path, "import threading\ndef test_a(): pass\ndef test_b():\n    threading.Event().wait()\n")
    assert not outcome.passed
    [named] = [line for line in outcome.printed.splitlines() if line.startswith("FAILED")]
    assert "test_0.py::test_b - not done within 3 s" in named
    if sys.platform != "win32":
        assert 'test_0.py", line 4 in test_b' in outcome.printed


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is told by Linux")
def test_what_the_batches_hold_together_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "test_held.py"
    file.write_text("import time\ndef test_a():\n    held = bytes([7]) * 300_000_000\n    time.sleep(1)\n", "utf-8")
    monkeypatch.setattr(suite, "_LOOK_EVERY", 0.1)
    monkeypatch.setattr(suite, "MOST_TOGETHER_MB", 250.0)
    assert suite.main([str(file)]) == 1
    printed = capsys.readouterr().out
    assert "held more than 250 MB together" in printed
    assert re.search(r"It was most at: [34]\d\d MB \S*test_held\.py::test_a\n", printed), printed
    monkeypatch.setattr(suite, "MOST_TOGETHER_MB", 1000.0)
    assert suite.main([str(file)]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C reaches no process group there")
def test_a_batch_that_is_interrupted_ends_what_it_has_started(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_long.py").write_text(
        "import pytest, time, pathlib\n"
        f"place = pathlib.Path({str(tmp_path)!r})\n"
        "@pytest.fixture\ndef held():\n    yield\n    (place / 'ended').touch()\n"
        "def test_a(held):\n    (place / 'begun').touch()\n    time.sleep(600)\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "tests.suite", str(tmp_path / "test_long.py")]
    out = subprocess.DEVNULL
    # What a shell starts in the background ignores interrupts, and so does all that is started by it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, cwd=root, start_new_session=True, stdout=out, stderr=out)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            assert until((tmp_path / "begun").exists)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            assert process.wait(60) != 0
        finally:
            with contextlib.suppress(ProcessLookupError):  # all have ended, as they should
                os.killpg(process.pid, signal.SIGKILL)
    assert (tmp_path / "ended").exists()


def test_temporary_files_are_in_memory_where_there_is_room_and_gone_with_their_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(suite, "_IN_MEMORY", memory)
    monkeypatch.setattr(suite, "_ROOM_BYTES", 1)
    (outcome,) = ran(tmp_path, "def test_a(tmp_path):\n    (tmp_path / 'a').touch()\n    raise ValueError(tmp_path)\n")
    assert f"ValueError: {memory / 'waybill-tests-'}" in outcome.printed
    assert list(memory.iterdir()) == []


def test_without_room_in_memory_temporary_files_are_in_the_usual_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "_IN_MEMORY", tmp_path / "nowhere")
    assert suite.temporary_place() is None
    monkeypatch.setattr(suite, "_IN_MEMORY", tmp_path)
    monkeypatch.setattr(suite, "_ROOM_BYTES", 1 << 62)
    assert suite.temporary_place() is None


def test_the_command_fails_with_a_batch_that_failed(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_bad.py").write_text("def test_a(): raise ValueError", "utf-8")
    command = [sys.executable, "-m", "tests.suite", str(tmp_path / "test_bad.py")]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "0 passed, 1 failures" in told.stdout


def test_marks_choose_among_the_tests_and_may_leave_none(root: Path) -> None:
    """`dev.py test --fast` chooses so; a batch without a chosen test has passed."""
    command = [sys.executable, "-m", "tests.suite", "tests/test_suite.py", "-m"]
    none = subprocess.run([*command, "slow"], cwd=root, capture_output=True, text=True, check=False)
    assert (none.returncode, "0 passed" in none.stdout) == (0, True)
