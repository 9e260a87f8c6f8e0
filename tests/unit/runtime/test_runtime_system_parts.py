"""What is said where a library or font of the system is missing."""

import ctypes
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.runtime import display, system_parts
from tests.support.window_process import until

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="other systems bring what Qt needs")


def test_each_missing_library_is_named_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {"libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0"}
    monkeypatch.setattr(system_parts, "_lacking", lambda name: name if name in gone else "")
    monkeypatch.setattr(system_parts, "_is_debian", lambda: True)
    missing = system_parts.missing_libraries()
    assert set(missing) == gone
    assert system_parts.libraries_sentence(missing) == (
        "Waybill needs packages that are not installed here: sudo apt-get install libgl1 libglib2.0-0"
    )
    monkeypatch.setattr(system_parts, "_is_debian", lambda: False)
    assert "libraries that are not installed here: libGL.so.1, " in system_parts.libraries_sentence(missing)


def test_what_a_library_is_linked_to_in_turn_is_what_is_missing() -> None:
    assert system_parts._lacking("libno-such-thing.so.9") == "libno-such-thing.so.9"
    assert system_parts._lacking("libc.so.6") == ""


def test_the_packed_programs_own_words_are_not_taken_for_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As PyInstaller's ctypes does it: its bundled library is there, and one that it is linked to is not."""

    def load(name: str) -> None:
        try:
            raise OSError("libxcb.so.1: cannot open shared object file: No such file or directory")
        except OSError as cause:
            raise OSError(
                f"Failed to load dynlib/dll '/opt/{name}'. Most likely it was not found when frozen."
            ) from cause

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert system_parts._lacking("libxcb-cursor.so.0") == "libxcb.so.1"


def test_nothing_missing_is_no_sentence() -> None:
    assert system_parts.libraries_sentence([]) == ""


def test_what_only_one_window_system_needs_is_not_asked_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = ("libwayland", "libxcb-cursor")
    monkeypatch.setattr(system_parts, "_lacking", lambda name: name if name.startswith(gone) else "")
    assert system_parts.missing_libraries(("xcb",)) == ["libxcb-cursor.so.0"]
    assert all(name.startswith("libwayland") for name in system_parts.missing_libraries(("wayland",)))


@linux_only
def test_the_table_names_what_this_machine_has() -> None:
    """The end-to-end tests need all of it, so a name in the table that is wrong shows here."""
    assert system_parts.missing_libraries(("xcb",)) == []


@linux_only
def test_fonts_are_looked_for_where_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_FONT_FOLDERS", (str(tmp_path / "none"), str(tmp_path / "fonts")))
    (tmp_path / "fonts" / "deep").mkdir(parents=True)
    (tmp_path / "fonts" / "deep" / "README").touch()
    assert not display.has_font_files()
    (tmp_path / "fonts" / "deep" / "Sans.TTF").touch()
    assert display.has_font_files()


@linux_only
def test_the_sentence_is_shown_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, command = tmp_path / "told", tmp_path / "kdialog"
    command.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{told}.unfinished"\nmv "{told}.unfinished" "{told}"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(system_parts, "_DIALOGS", system_parts._DIALOGS[1:2])
    assert system_parts.show_without_qt("Waybill needs <b>a font</b>.")
    assert until(told.exists)
    assert told.read_text().splitlines()[-1] == "Waybill needs <b>a font</b>."
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not system_parts.show_without_qt("Nobody sees it.")


START = """
import builtins, sys
given = builtins.__import__
def without(name, *rest, **named):
    if name == "PySide6" or name.startswith("PySide6."):
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")
    return given(name, *rest, **named)
builtins.__import__ = without
from app.runtime import system_parts
system_parts._lacking = lambda name: name if name == "libGL.so.1" else ""
system_parts._is_debian = lambda: True
sys.argv = ["waybill", "--data-dir", sys.argv[1]]
from app.__main__ import main
sys.exit(main())
"""


@linux_only
def test_a_start_without_a_library_of_qt_says_one_sentence(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", START, str(tmp_path / "desk")]
    given = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ""}
    ran = subprocess.run(command, cwd=root, env=given, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (
        2,
        "Waybill needs a package that is not installed here: sudo apt-get install libgl1\n",
    )


@linux_only
def test_a_platform_that_qt_cannot_load_is_said_in_one_sentence(root: Path, tmp_path: Path) -> None:
    """Qt itself would abort with a core dump."""
    command = [sys.executable, "-m", "app", "--data-dir", str(tmp_path / "desk")]
    given = {**os.environ, "QT_QPA_PLATFORM": "nowhere", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    ran = subprocess.run(command, cwd=root, env=given, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("Waybill could not open a window on this display. Qt says: ")
    assert len(ran.stderr.splitlines()) == 1
