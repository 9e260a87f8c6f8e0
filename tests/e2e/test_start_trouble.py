"""A start that fails says why in a window; standard error and the exit status say it too."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from app.store.journal.schema.journal_schema import JOURNAL
from app.store.paths import DataDir
from tests.support.limits import files_end_at, rights_count
from tests.support.targets import PACKED
from tests.support.window import Window, WindowFactory

pytestmark = pytest.mark.anew

Make = Callable[[DataDir], None]


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def closes_with(window: Window, status: int, sentence: str) -> None:
    """Close it; what it said in the window stands on standard error too."""
    window.find("Close Waybill", "push button").press()
    assert window.run.ended() == status
    assert sentence in one_line(window.run.printed)
    assert "Traceback" not in window.run.printed


def test_a_folder_that_may_not_be_written_to_is_named_and_tried_again(
    open_window: WindowFactory, tmp_path: Path
) -> None:
    data = tmp_path / "desk"
    data.mkdir(mode=0o500)
    window = open_window(data, before=rights_count)
    window.wait_for_words("Waybill cannot keep its data")
    window.wait_for_words(re.escape(f"{data}: permission denied. Until it can, nothing can be entered or sent."))
    window.find("Try again", "push button").press()
    window.wait_for_words("Waybill cannot keep its data")
    data.chmod(0o700)
    window.find("Try again", "push button").press()
    window.wait_for_words("✓ Connected, last answer")
    window.run.ask_to_close()
    assert window.run.ended() == 0


def test_a_folder_that_cannot_be_made_ends_with_status_2(open_window: WindowFactory, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    window = open_window(tmp_path / "file" / "desk")
    window.wait_for_words("Waybill cannot keep its data")
    closes_with(window, 2, f"{tmp_path}/file/desk: not a directory.")


def test_a_disk_that_takes_nothing_is_said(open_window: WindowFactory, tmp_path: Path) -> None:
    window = open_window(before=files_end_at(0))
    window.wait_for_words(re.escape(f"Waybill cannot keep its data in {tmp_path}/desk: file too large."))
    closes_with(window, 2, "")  # what it prints goes into a file too


def test_the_folder_is_opened_by_a_program_with_its_own_environment(open_window: WindowFactory, tmp_path: Path) -> None:
    """The nearest folder that is there; the packed program hands on nothing that it set for itself."""
    (tmp_path / "file").touch()
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    told = tmp_path / "told"
    opener.write_text(f"#!/bin/sh\n(echo \"$1\"; env) > '{told}.unfinished'\nmv '{told}.unfinished' '{told}'\n")
    opener.chmod(0o755)
    before = {"PATH": f"{opener.parent}:{os.environ['PATH']}", "LD_LIBRARY_PATH": "libraries-of-before"}
    window = open_window(tmp_path / "file" / "desk", variables=before)
    window.find("Open the folder", "push button").press()
    window.wait_for(told.exists, "the folder")
    folder, *variables = told.read_text().splitlines()
    assert folder.removeprefix("file://") == str(tmp_path)
    assert "LD_LIBRARY_PATH=libraries-of-before" in variables
    assert [each for each in variables if each.startswith(("_PYI", "LD_LIBRARY_PATH_ORIG", "QT_PLUGIN", "QML2"))] == []
    closes_with(window, 2, "not a directory.")


def newer(data: DataDir) -> None:
    with apsw.Connection(str(data.journal)) as made:
        made.execute("CREATE TABLE later (x)")
        made.pragma("application_id", JOURNAL.application_id)
        made.pragma("user_version", JOURNAL.version + 1)


def another_kind(data: DataDir) -> None:
    with apsw.Connection(str(data.journal)) as made:
        made.execute("CREATE TABLE songs (title)")
        made.pragma("user_version", JOURNAL.version + 1)


def folder(data: DataDir) -> None:
    data.journal.mkdir()


def not_ours(data: DataDir) -> None:
    data.journal.touch(mode=0o400)


def nothing(_data: DataDir) -> None:
    """The disk itself is the trouble."""


@pytest.mark.parametrize(
    ("make", "before", "sentence"),
    [
        (newer, None, "was written by a newer version of Waybill, so this one leaves it alone."),
        (folder, None, "could not be opened: a folder stands in its place. It was not changed."),
        (not_ours, rights_count, "could not be opened: this user may not read and write it."),
        (nothing, files_end_at(4_096), "could not be opened: the disk reported an error."),
    ],
    ids=["newer", "a folder", "not ours", "full disk"],
)
def test_a_journal_that_cannot_be_opened_is_said(
    open_window: WindowFactory, tmp_path: Path, make: Make, before: Callable[[], None] | None, sentence: str
) -> None:
    data = DataDir(tmp_path / "desk")
    data.create()
    make(data)
    window = open_window(before=before)
    window.wait_for_words("Waybill cannot open its journal")
    window.wait_for_words(re.escape(sentence))
    closes_with(window, 4, sentence)


def test_a_journal_that_is_there_again_is_opened(open_window: WindowFactory, tmp_path: Path) -> None:
    data = DataDir(tmp_path / "desk")
    data.create()
    folder(data)
    window = open_window()
    window.wait_for_words("a folder stands in its place")
    data.journal.rmdir()
    window.find("Try again", "push button").press()
    window.wait_for_words("✓ Connected, last answer")
    window.run.ask_to_close()
    assert window.run.ended() == 0
    assert data.journal.is_file()


def test_what_was_fetched_and_cannot_be_read_is_said(open_window: WindowFactory, tmp_path: Path) -> None:
    data = DataDir(tmp_path / "desk")
    data.create()
    data.cache.mkdir()
    window = open_window()
    window.wait_for_words("Waybill cannot read what it keeps")
    closes_with(window, 4, "It holds only what can be fetched again")


def test_a_log_that_cannot_be_written_keeps_nobody_from_working(open_window: WindowFactory, tmp_path: Path) -> None:
    (tmp_path / "desk" / "logs" / "waybill.log").mkdir(parents=True)
    window = open_window()
    window.wait_for_words(r"Waybill cannot write its log in .*/desk/logs: Is a directory\.")
    window.wait_for_words("✓ Connected, last answer")
    window.run.ask_to_close()
    assert window.run.ended() == 0


@pytest.mark.skipif(PACKED in os.environ, reason="takes a file away from the sources")
def test_a_file_of_the_program_that_is_missing_is_named(open_window: WindowFactory, root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "program"
    for part in ("app", "resources"):
        shutil.copytree(root / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "resources" / "style.qss").unlink()
    window = open_window(root=copy)
    window.wait_for_words("Waybill is not whole")
    window.wait_for_words(r"could not be read: .*/program/resources/style\.qss \(No such file or directory\)\.")
    closes_with(window, 5, "Install Waybill again; drafts and sent orders lie elsewhere and stay.")


def test_an_owner_that_hangs_is_waited_for_and_then_named(open_window: WindowFactory, tmp_path: Path) -> None:
    owner = open_window()
    owner.wait_for_words("✓ Connected, last answer")
    os.utime(DataDir(tmp_path / "desk").lock, (0, 0))  # it has long come up
    os.kill(owner.run.process.pid, signal.SIGSTOP)
    try:
        second = open_window()
        second.wait_for_words("Another Waybill that was started with the data in .* has not answered yet")
        second.wait_for_words(rf"\(process {owner.run.process.pid}, on .*\) holds the data in .* and does not answer")
        second.find("Try again", "push button").press()
        second.wait_for_words("has not answered yet")
    finally:
        os.kill(owner.run.process.pid, signal.SIGCONT)
    assert second.run.ended() == 0
    assert "has come forward" in second.run.printed
    owner.close()


def test_nobody_has_to_wait_for_an_owner_that_hangs(open_window: WindowFactory) -> None:
    owner = open_window()
    owner.wait_for_words("✓ Connected, last answer")
    os.kill(owner.run.process.pid, signal.SIGSTOP)
    try:
        second = open_window()
        second.find("Stop waiting", "push button").press()
        assert second.run.ended() == 3
        assert "holds the data in" in second.run.printed
    finally:
        os.kill(owner.run.process.pid, signal.SIGCONT)
    owner.close()


# What stands in the journal under these names, of the right kind or not: all of JSON can be kept there.
SETTINGS = (
    *("appearance", "profile.last_used", "printing", "watched/practice", "attention/practice", "refresh/practice"),
    "today/practice",
    *("columns.open/practice", "columns.completed/practice", "views/practice", "views.last/practice"),
)


@pytest.mark.parametrize("value", ["null", "7", '"x"', "[7]", '[["a"]]', '{"a": 1}', '[{"name": 7}]'])
def test_settings_of_another_kind_keep_nobody_from_starting(root: Path, tmp_path: Path, value: str) -> None:
    data = DataDir(tmp_path / "desk")
    command = [sys.executable, "-m", "app", "--data-dir", str(data.root), "--time-to-ready"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(command, cwd=root, env=environment, capture_output=True, check=True)
    with apsw.Connection(str(data.journal)) as made:
        made.executemany(
            "INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", [(key, value) for key in SETTINGS]
        )
    made.close()
    again = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.parametrize("variables", [{"DISPLAY": ":9"}, {"DISPLAY": ":9", "QT_QPA_PLATFORM": "xcb"}, {}])
def test_without_a_display_that_answers_one_sentence_is_said(
    root: Path, tmp_path: Path, variables: dict[str, str]
) -> None:
    given = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    given = {**given, "WAYLAND_DISPLAY": str(tmp_path / "nobody"), **variables}
    command = [sys.executable, "-m", "app", "--data-dir", str(tmp_path / "desk")]
    ran = subprocess.run(command, cwd=root, env=given, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1
    assert ran.stderr.startswith("Waybill needs a display and found none that answers")
    assert not (tmp_path / "desk").exists()
