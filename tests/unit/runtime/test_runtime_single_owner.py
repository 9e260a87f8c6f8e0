"""One owner of a folder; a second start brings its window forward; a killed owner leaves nothing in the way."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, Qt
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.runtime.door import Door, bring_forward, door_names, ring
from app.runtime.single_owner import claim, place_of, remove_if_abandoned
from app.store.paths import without_links
from tests.support.loop import RunningLoop

OWNER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.runtime.door import Door
from app.runtime.single_owner import claim, place_of

root = Path(sys.argv[1])
application = QCoreApplication([])
claimed = claim(root, root / "waybill.lock", float(sys.argv[2]))
if claimed.lock is None:
    print("answered" if claimed.answered else claimed.trouble, flush=True)
    raise SystemExit(0)
listening = Door(root)
listening.rung.connect(lambda reference: print("rung", reference, flush=True))
print("owner", flush=True)
application.exec()
"""


@contextmanager
def another(folder: Path, root: Path, patience: float = 5.0) -> Iterator["subprocess.Popen[str]"]:
    """A program that asks for the folder, and its first line is to be read."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder), str(patience)], cwd=root, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_second_start_rings_and_leaves(tmp_path: Path, root: Path) -> None:
    with another(tmp_path, root) as owner:
        assert said(owner) == "owner"
        for _ in range(2):
            second = claim(tmp_path, tmp_path / "waybill.lock", 5)
            assert (second.lock, second.answered, second.trouble) == (None, True, "")
            assert said(owner) == "rung"


@pytest.mark.parametrize("reference", ["CRN-20481", "A b/ä", "😀" * 50])
def test_a_second_start_by_a_link_hands_the_reference_over(tmp_path: Path, root: Path, reference: str) -> None:
    with another(tmp_path, root) as owner:
        assert said(owner) == "owner"
        assert claim(tmp_path, tmp_path / "waybill.lock", 5, reference=reference).answered
        assert said(owner) == f"rung {reference}"


def test_an_owner_killed_leaves_nothing_in_the_way(tmp_path: Path, root: Path) -> None:
    with another(tmp_path, root) as owner:
        assert said(owner) == "owner"
        owner.kill()
        owner.wait()
    assert (tmp_path / "waybill.lock").exists()
    with another(tmp_path, root) as next_one:
        assert said(next_one) == "owner"
        assert claim(tmp_path, tmp_path / "waybill.lock", 5).answered


def test_a_start_waits_for_an_owner_that_is_just_leaving(tmp_path: Path, root: Path) -> None:
    """It has closed its door, and gives the lock back when all is written."""
    lock = QLockFile(str(tmp_path / "waybill.lock"))
    assert lock.tryLock(0)
    with another(tmp_path, root) as waiting:
        lock.unlock()
        assert said(waiting) == "owner"


def test_an_owner_that_does_not_answer_is_named(tmp_path: Path) -> None:
    path = tmp_path / "waybill.lock"
    lock = QLockFile(str(path))
    assert lock.tryLock(0)
    os.utime(path, (0, 0))  # it has long come up
    second = claim(tmp_path, path, 0.1)
    assert second.lock is None
    assert not second.answered
    assert f"process {os.getpid()}" in second.trouble
    assert str(tmp_path) in second.trouble
    lock.unlock()


def test_a_folder_that_is_gone_is_no_other_program(tmp_path: Path) -> None:
    refused = claim(tmp_path / "gone", tmp_path / "gone" / "waybill.lock", 5)
    assert refused.trouble == f"Waybill cannot keep its data in {tmp_path}/gone: no such file or directory."
    assert not refused.held


def test_a_folder_in_place_of_the_lock_is_no_other_program(tmp_path: Path) -> None:
    (tmp_path / "waybill.lock").mkdir()
    refused = claim(tmp_path, tmp_path / "waybill.lock", 5)
    assert refused.trouble == f"A folder stands where Waybill keeps its lock: {tmp_path}/waybill.lock. Move it away."
    assert not refused.held


def test_a_start_stops_waiting_when_it_is_told_to(tmp_path: Path) -> None:
    path = tmp_path / "waybill.lock"
    lock = QLockFile(str(path))
    assert lock.tryLock(0)
    second = claim(tmp_path, path, given_up=lambda: True)
    assert (second.lock, second.held, second.given_up) == (None, True, True)
    lock.unlock()


def test_ringing_lets_the_other_threads_of_the_process_work(tmp_path: Path, root: Path) -> None:
    """One of them shows what is being waited for, while the owner hangs."""
    with another(tmp_path, root) as owner:
        assert said(owner) == "owner"
        os.kill(owner.pid, signal.SIGSTOP)
        try:
            rung = threading.Thread(target=ring, args=(tmp_path,))
            rung.start()
            longest, before = 0.0, time.monotonic()
            while rung.is_alive():
                rung.join(0.005)
                longest, before = max(longest, time.monotonic() - before), time.monotonic()
        finally:
            os.kill(owner.pid, signal.SIGCONT)
    assert longest < 1.0  # it waits three seconds for an answer


def test_a_number_given_out_again_does_not_hold_the_lock(tmp_path: Path) -> None:
    """The file names a living process, this one, which does not hold it."""
    path = tmp_path / "waybill.lock"
    lock = QLockFile(str(path))
    assert lock.tryLock(0)
    content = path.read_bytes()
    assert not remove_if_abandoned(path)  # it is held
    lock.unlock()
    path.write_bytes(content)
    assert not QLockFile(str(path)).tryLock(0)
    claimed = claim(tmp_path, path, 5)
    assert claimed.lock is not None
    claimed.lock.unlock()


def test_a_lock_of_another_computer_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "waybill.lock"
    path.write_text("1\npython\nelsewhere\n00000000000000000000000000000000\n\n")
    assert not remove_if_abandoned(path)
    assert not remove_if_abandoned(tmp_path / "none")
    assert path.exists()


def test_only_the_same_user_may_ring(tmp_path: Path, loop: RunningLoop) -> None:
    assert loop is not None
    opened = Door(tmp_path)
    assert opened.open
    assert (tmp_path / "waybill.socket").stat().st_mode & 0o077 == 0
    opened.close()
    assert not ring(tmp_path)


def test_a_folder_with_a_long_name_has_a_door_too(tmp_path: Path, loop: RunningLoop) -> None:
    assert loop is not None
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    (name,) = door_names(deep)
    assert len(name) < 100
    assert door_names(deep) != door_names(tmp_path / ("e" * 100))
    opened = Door(deep)
    assert opened.open
    opened.close()


def test_a_folder_that_takes_no_sockets_has_a_door_elsewhere(tmp_path: Path, loop: RunningLoop) -> None:
    assert loop is not None
    best, other = door_names(tmp_path)
    Path(best).mkdir()
    opened = Door(tmp_path)
    assert opened.open
    assert Path(other).exists()
    opened.close()


def test_whatever_else_is_said_at_the_door_is_not_heard(tmp_path: Path, loop: RunningLoop) -> None:
    opened = Door(tmp_path)
    rung: list[None] = []
    opened.rung.connect(lambda: rung.append(None))
    for words in (b"open sesame\n", b"x" * 100_000, b"sho\n"):
        guest = QLocalSocket()
        guest.connectToServer(door_names(tmp_path)[0])
        assert guest.waitForConnected(5_000)
        guest.write(words)
        guest.flush()
        loop.until(lambda: guest.state() == QLocalSocket.LocalSocketState.UnconnectedState)  # noqa: B023
    assert rung == []
    opened.close()


def test_words_that_come_in_pieces_are_heard(tmp_path: Path, loop: RunningLoop) -> None:
    opened = Door(tmp_path)
    rung: list[None] = []
    opened.rung.connect(lambda: rung.append(None))
    guest = QLocalSocket()
    guest.connectToServer(door_names(tmp_path)[0])
    assert guest.waitForConnected(5_000)
    for piece in (b"sh", b"ow", b"\n"):
        guest.write(piece)
        guest.flush()
        loop.rest()
    loop.until(guest.canReadLine)
    assert bytes(guest.readLine().data()) == b"shown\n"
    assert rung == [None]
    guest.abort()
    opened.close()


@pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)
def test_the_window_comes_forward_also_when_it_was_minimised(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.showMinimized()
    bring_forward(window)
    assert window.isVisible()
    assert not window.windowState() & Qt.WindowState.WindowMinimized
    qtbot.waitUntil(window.isActiveWindow)


def test_the_owner_brings_no_network_before_it_has_painted(root: Path) -> None:
    modules = ("PySide6.QtNetwork", "PySide6.QtWidgets")
    question = f"import sys, app.runtime.single_owner; print([name for name in {modules} if name in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", question], cwd=root, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_an_owner_that_is_still_coming_up_is_waited_for(tmp_path: Path, root: Path, loop: RunningLoop) -> None:
    """It holds the lock, and its door opens later than a start would wait for one that hangs."""
    path = tmp_path / "waybill.lock"
    lock = QLockFile(str(path))
    assert lock.tryLock(0)
    with another(tmp_path, root, patience=0.0) as waiting:
        opened = Door(tmp_path)
        rung: list[None] = []
        opened.rung.connect(lambda: rung.append(None))
        loop.until(lambda: waiting.poll() is not None)
        assert said(waiting) == "answered"
        assert rung == [None]
        opened.close()
    lock.unlock()


def test_a_place_is_known_again_also_where_a_drive_does_not_tell_where_a_path_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses that of some long paths."""

    def refuse(self: Path) -> Path:
        raise OSError(22, "refused")

    def place(name: str) -> str:
        return place_of(without_links(tmp_path / name))

    (tmp_path / "link").symlink_to(tmp_path / "desk")
    assert place("link") == place("desk") != place("copy")
    monkeypatch.setattr(Path, "resolve", refuse)
    assert place("desk") == place("desk") != place("copy")
