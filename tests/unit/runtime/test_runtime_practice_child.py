"""The practice service as a child of the window: it says where it is, and never outlives its owner."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runtime import practice_child
from app.runtime.practice_child import PracticeChild, practice_command
from tests.support.loop import RunningLoop
from tests.support.practice_calls import Caller
from tests.support.practice_process import SMALL, start_practice

pytestmark = pytest.mark.slow


class Told:
    """What the child said, in order."""

    def __init__(self, child: PracticeChild) -> None:
        self.ready: list[dict[str, str]] = []
        self.ended: list[str] = []
        child.ready.connect(self.ready.append)
        child.ended.connect(self.ended.append)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice world that is filled already, so that a start takes no time to fill one."""
    folder = tmp_path_factory.mktemp("practice-world")
    start_practice(folder, *SMALL).stop()
    return folder


@pytest.fixture
def child(loop: RunningLoop, world: Path) -> Iterator[PracticeChild]:
    made = PracticeChild(world)
    yield made
    loop.run(made.stop())
    made.deleteLater()
    loop.rest()


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not yet waited for does not."""
    status = Path(f"/proc/{pid}/status")
    try:
        return "State:\tZ" not in status.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def pid_of(child: PracticeChild) -> int:
    return int(child._process.processId())


def start(loop: RunningLoop, child: PracticeChild, told: Told) -> dict[str, str]:
    before = len(told.ready)
    child.start_unless_running()
    loop.until(lambda: len(told.ready) > before or told.ended, lambda: told.ended)
    return told.ready[-1]


def test_it_says_where_it_is_and_answers_there(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    facts = start(loop, child, told)
    assert Caller(facts).get("/OrderManagementApi/Order/test").status == 200
    assert told.ended == []


def test_started_again_while_it_runs_it_is_the_same_process(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    child.start_unless_running()
    child.start_unless_running()
    loop.until(lambda: told.ready)
    first = pid_of(child)
    child.start_unless_running()
    loop.until(lambda: len(told.ready) == 2)
    assert told.ready[0] == told.ready[1]
    assert pid_of(child) == first


def test_killed_it_says_so_and_can_be_started_again(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    first = start(loop, child, told)
    os.kill(pid_of(child), signal.SIGKILL)
    loop.until(lambda: told.ended)
    assert len(told.ended) == 1
    assert "kept" in told.ended[0]
    told.ended.clear()
    second = start(loop, child, told)
    assert second["client_id"] == first["client_id"]
    assert Caller(second).get("/OrderManagementApi/Order/test").status == 200


def test_stopped_no_process_is_left_and_nothing_is_called_a_failure(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    start(loop, child, told)
    pid = pid_of(child)
    loop.run(child.stop())
    assert not alive(pid)
    loop.run(child.stop())
    assert told.ended == []
    start(loop, child, told)


def test_stopped_while_it_starts(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: pid_of(child))
    pid = pid_of(child)
    loop.run(child.stop())
    assert not alive(pid)
    assert told.ended == []


def test_one_that_does_not_listen_is_ended(loop: RunningLoop, child: PracticeChild) -> None:
    told = Told(child)
    start(loop, child, told)
    pid = pid_of(child)
    os.kill(pid, signal.SIGSTOP)
    loop.run(child.stop())
    assert not alive(pid)


def test_one_that_cannot_start_says_so(loop: RunningLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
    child = PracticeChild(tmp_path)
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: told.ended)
    assert told.ended == ["The practice service could not be started."]
    loop.run(child.stop())


def test_one_whose_folder_cannot_be_used_says_so(loop: RunningLoop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    child = PracticeChild(tmp_path / "file" / "practice")
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: told.ended)
    assert told.ready == []
    assert told.ended[0].startswith("The practice service cannot start: ")


def test_one_whose_data_is_damaged_says_what_to_do(loop: RunningLoop, tmp_path: Path) -> None:
    (tmp_path / "practice.sqlite").write_bytes(b"scrambled" * 1000)
    child = PracticeChild(tmp_path)
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: told.ended)
    assert (len(told.ended), told.ready) == (1, [])
    assert told.ended[0].endswith("Nothing in it is real: delete the folder to begin anew.")


def test_one_that_says_nothing_is_ended_and_said(
    loop: RunningLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "python"
    silent.write_text("#!/bin/sh\nread line\n")
    silent.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(silent))
    monkeypatch.setattr(practice_child, "_COMING_UP_MS", 50)
    child = PracticeChild(tmp_path)
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: told.ended)
    assert told.ended == [practice_child._NO_WORDS]
    loop.run(child.stop())


@pytest.mark.parametrize("first", ["hello", "[]", "{}", "7"])
@pytest.mark.expects_log("not its first line")
def test_a_program_that_is_no_practice_service_does_not_leave_the_window_waiting(
    loop: RunningLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    strange = tmp_path / "python"
    strange.write_text(f"#!/bin/sh\necho '{first}'\nread line\n")
    strange.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(strange))
    child = PracticeChild(tmp_path)
    told = Told(child)
    child.start_unless_running()
    loop.until(lambda: told.ended)
    loop.run(child.stop())


_OWNER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.runtime.practice_child import PracticeChild

application = QCoreApplication([])
child = PracticeChild(Path(sys.argv[1]))
child.ready.connect(lambda facts: print(child._process.processId(), flush=True))
child.start_unless_running()
application.exec()
"""


def test_it_ends_when_its_owner_is_killed(loop: RunningLoop, world: Path, root: Path) -> None:
    command = [sys.executable, "-c", _OWNER, str(world)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root, text=True) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert alive(pid)
        owner.kill()
        owner.wait(20)
        loop.until(lambda: not alive(pid))


def test_the_packed_program_is_its_own_practice_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert practice_command(tmp_path)[1:3] == ["-m", "app.practice"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert practice_command(tmp_path, "--orders", "3") == [
        *(sys.executable, "--practice-process", "--port", "0", "--data", str(tmp_path), "--stop-with-stdin"),
        *("--orders", "3"),
    ]
