"""Another build that was installed while this one runs is noticed, and nothing else is taken for one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.runtime import newer_build
from app.runtime.newer_build import newer_command
from app.version import VERSION


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one build, which runs."""
    running = add_build(tmp_path, "1.0.0-aaaaaaaa")
    (tmp_path / "current").write_text("1.0.0-aaaaaaaa\n")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(running))
    monkeypatch.setattr(sys, "argv", ["waybill", "--data-dir", "desk"])
    return tmp_path


def add_build(package: Path, name: str) -> Path:
    program = package / "builds" / name / "waybill"
    program.parent.mkdir(parents=True)
    program.touch()
    return program


def test_the_build_that_runs_is_not_newer(installed: Path) -> None:
    assert newer_command() == []


def test_another_build_is_started_with_the_same_words(installed: Path) -> None:
    newer = add_build(installed, "1.1.0-bbbbbbbb")
    (installed / "current").write_text("1.1.0-bbbbbbbb\n")
    assert newer_command() == [str(newer), "--data-dir", "desk"]


@pytest.mark.parametrize("named", ["1.1.0-bbbbbbbb", "", "../../x", "ä"])
def test_a_build_that_is_not_there_yet_is_not_offered(installed: Path, named: str) -> None:
    (installed / "current").write_text(named, encoding="utf-8")
    assert newer_command() == []


def test_a_program_that_no_package_installed_has_no_other_build(installed: Path) -> None:
    (installed / "current").unlink()
    assert newer_command() == []


def test_a_program_of_python_goes_by_the_version_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert newer_command() == []
    module = tmp_path / "app" / "runtime" / "newer_build.py"
    module.parent.mkdir(parents=True)
    monkeypatch.setattr(newer_build, "__file__", str(module))
    assert newer_command() == []  # it is just being replaced
    (tmp_path / "app" / "version.py").write_text(f'"""Words."""\n\nVERSION = "{VERSION}"\n')
    assert newer_command() == []
    (tmp_path / "app" / "version.py").write_text('VERSION = "99.0.0"\n')
    assert newer_command() == [sys.executable, *sys.orig_argv[1:]]


@pytest.mark.skipif(os.name == "nt", reason="there the other build is a process of its own")
def test_the_process_becomes_the_other_build(tmp_path: Path) -> None:
    other = tmp_path / "waybill"
    other.write_text('#!/bin/sh\necho "$$ $1"\n')
    other.chmod(0o755)
    script = f"from app.runtime.newer_build import start_anew; start_anew([{str(other)!r}, 'word'])"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.communicate()[0] == f"{process.pid} word\n"
