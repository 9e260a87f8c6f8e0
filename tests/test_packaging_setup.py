"""`packaging/dev.py`: the environment it makes, what it says when it cannot, and how it finds what the system lacks."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from devtools import cli, debian, environment, lock, places, stages
from devtools.errors import CannotGoOn

posix_only = pytest.mark.skipif(os.name == "nt", reason="sh, signals and apt are not on Windows")


def dev(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "packaging" / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module", autouse=True)
def own_logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What pip and apt say in these tests stays out of the checkout's own logs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "BUILD", tmp_path_factory.mktemp("build"))
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment made from nothing, by pins that ask for nothing, so that no network is needed."""
    folder = tmp_path_factory.mktemp("made")
    environment.ensure(pins_file(folder, ""), folder / "venv")
    return folder / "venv"


def pins_file(folder: Path, text: str) -> Path:
    pins = folder / "requirements.txt"
    pins.write_text(text, encoding="utf-8")
    return pins


def answer(python: Path, question: str, cwd: Path) -> str:
    command = [str(python), "-P", "-c", question]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()


def test_the_environment_finds_the_program_from_anywhere(made: Path, tmp_path: Path, root: Path) -> None:
    found = answer(places.venv_python(made), "import app; print(app.__file__)", tmp_path)
    assert Path(found) == root / "app" / "__init__.py"


@posix_only
def test_the_environment_has_the_command(made: Path) -> None:
    command = places.venv_scripts(made) / "waybill"
    assert command.stat().st_mode & stat.S_IXUSR
    script = command.read_text(encoding="utf-8")
    assert f'"{places.venv_python(made)}" -P -m app "$@"' in script


def test_a_second_start_starts_no_process_and_says_nothing(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    pins = pins_file(tmp_path, "# once\n")
    environment.ensure(pins, made)
    capsys.readouterr()
    monkeypatch.setattr(subprocess, "run", started)
    assert environment.ensure(pins, made) == places.venv_python(made)
    assert capsys.readouterr().out == ""


def test_changed_pins_are_installed_into_the_environment_that_is_there(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.ensure(pins_file(tmp_path, "# another digest\n"), made)
    said = capsys.readouterr().out
    assert "Installing what requirements.txt pins" in said
    assert "Making" not in said


def test_an_interrupted_installation_is_done_again(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (made / environment.STAMP).write_text("{", encoding="utf-8")
    pins = pins_file(tmp_path, "")
    environment.ensure(pins, made)
    assert "Installing" in capsys.readouterr().out
    assert environment.stamped(made)[pins.name] == environment.digest(pins)


@posix_only
def test_an_environment_that_was_moved_is_made_anew(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = shutil.copytree(made, tmp_path / "elsewhere", symlinks=True)
    environment.ensure(pins_file(tmp_path, "# changed, so that it is looked at\n"), moved)
    assert "Making" in capsys.readouterr().out
    assert str(moved) in (places.venv_scripts(moved) / "waybill").read_text(encoding="utf-8")


def test_a_link_to_another_environment_is_refused_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "kept").touch()
    (tmp_path / "venv").symlink_to(theirs, target_is_directory=True)
    with pytest.raises(CannotGoOn, match="is a link"):
        environment.ensure(pins_file(tmp_path, ""), tmp_path / "venv")
    assert [each.name for each in theirs.iterdir()] == ["kept"]


def test_what_pip_says_when_it_fails_is_shown(made: Path, tmp_path: Path) -> None:
    pins = pins_file(tmp_path, "waybill-no-such-thing @ file:///nowhere\n")
    with pytest.raises(CannotGoOn, match="pip could not install") as failed:
        environment.ensure(pins, made)
    assert len(str(failed.value).splitlines()) > 1


def test_a_requirement_without_a_hash_is_refused(made: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotGoOn, match="hash"):
        environment.ensure(pins_file(tmp_path, "idna==3.20\n"), made)


def test_every_need_names_one_thing_to_look_for() -> None:
    for need in debian.QT + debian.TESTS + debian.PACKING:
        assert sum(map(bool, (need.library, need.command, need.file))) == 1, need.package


def test_what_is_missing_is_told_by_what_is_there(tmp_path: Path) -> None:
    there = tmp_path / "font.ttf"
    there.touch()
    needs = (
        debian.Need("libegl1", library="libEGL.so.1"),
        debian.Need("libgl1", library="libGL.so.1"),
        debian.Need("no-such", command="no-such-command-anywhere"),
        debian.Need("fonts", file=str(there)),
        debian.Need("icons", file=str(tmp_path / "none")),
    )
    assert debian.missing(needs, frozenset({"libGL.so.1"})) == ["libegl1", "no-such", "icons"]


@posix_only
def test_without_rights_the_one_command_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(tmp_path))  # no sudo here
    with pytest.raises(CannotGoOn) as stopped:
        debian.install(["libegl1", "libgl1"], "Qt's libraries are missing.")
    sentence = str(stopped.value)
    assert "sudo apt-get install --yes --no-install-recommends libegl1 libgl1" in sentence
    assert stopped.value.status == 2


@posix_only
@pytest.mark.parametrize("asks", [True, False])
def test_sudo_is_used_only_when_it_asks_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asks: bool) -> None:
    """A sudo, an `env` and an apt-get of the test's own, found on the path, that write down how they were called."""
    calls = tmp_path / "calls"
    sudo = tmp_path / "sudo"
    refuses = 'test "$2" = true && exit 1' if asks else ":"
    sudo.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {calls}\n{refuses}\nexit 0\n', encoding="utf-8")
    sudo.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    if asks:
        with pytest.raises(CannotGoOn):
            debian.install(["libegl1"], "Missing.")
        assert calls.read_text().splitlines() == ["-n true"]
    else:
        debian.install(["libegl1"], "Missing.")
        assert "apt-get install --yes --no-install-recommends libegl1" in calls.read_text()


@posix_only
def test_stale_package_lists_are_renewed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first installation fails as on a machine without lists; after `update` it succeeds."""
    ran: list[str] = []

    def apt(_: list[str], command: list[str], __: Path) -> int:
        ran.append(command[1])
        return 0 if "update" in ran else 100

    monkeypatch.setattr(debian, "_rights", lambda: [])
    monkeypatch.setattr(debian, "_apt", apt)
    debian.install(["libegl1"], "Missing.")
    assert ran == ["install", "update", "install"]


def test_the_commands_explain_themselves(root: Path) -> None:
    shown = dev(root, "--help")
    assert shown.returncode == 0
    assert all(f"  {name}" in shown.stdout for name in cli.COMMANDS)


def test_an_unknown_command_is_refused_with_the_known_ones(root: Path) -> None:
    refused = dev(root, "fly")
    assert refused.returncode == 2
    assert "choose from" in refused.stderr


@pytest.mark.parametrize("words", [["shots"], ["lint", "x"], ["build", "x"], ["lock", "x"]])
def test_wrong_words_are_refused_before_anything_is_installed(root: Path, words: list[str]) -> None:
    refused = dev(root, *words)
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1


def test_an_old_python_is_told_what_is_needed(root: Path) -> None:
    """Run by this Python made to believe it is an old one: nothing but the sentence, and status 2."""
    script = "import sys, runpy; sys.version_info = (3, 6, 8); runpy.run_path(sys.argv[1], run_name='__main__')"
    command = [sys.executable, "-c", script, str(root / "packaging" / "dev.py"), "run"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stdout.startswith("Waybill needs Python 3.11 or newer; this is 3.6 (")
    assert told.stderr == ""


def test_every_failed_stage_is_named(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    scripts = places.venv_scripts(tmp_path)
    scripts.mkdir()
    for name, status in (("good", 0), ("bad", 3)):
        (scripts / name).write_text(f"#!/bin/sh\necho {name} ran\nexit {status}\n", encoding="utf-8")
        (scripts / name).chmod(0o755)
    wrong, fine = stages.Stage("wrong", ("bad",)), stages.Stage("fine", ("good",))
    assert stages.run([wrong, fine], tmp_path) == 1
    said = capfd.readouterr().out
    assert "wrong: FAILED (status 3)" in said
    assert "good ran" in said  # a failure does not hide what comes after it
    assert said.rstrip().endswith("Failed: wrong")
    assert stages.run([fine], tmp_path) == 0


@posix_only
def test_what_runs_meanwhile_is_told_in_one_piece_and_counts(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The first waits for the second, which runs only where both run at a time."""
    scripts = places.venv_scripts(tmp_path)
    scripts.mkdir()
    mark = tmp_path / "mark"
    waits = f"until test -e {mark}; do sleep 0.01; done; echo waited"
    for name, words in (("waits", waits), ("marks", f"touch {mark}; echo marked; exit 3")):
        (scripts / name).write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        (scripts / name).chmod(0o755)
    first, second = stages.Stage("first", ("waits",)), stages.Stage("second", ("marks",))
    assert stages.run([first], tmp_path, meanwhile=[second]) == 1
    said = re.sub(r"in \d+\.\d s\n", "in a while\n", capfd.readouterr().out)
    piece = "\n== second\nmarked\n== second: FAILED (status 3) in a while\n"
    # The piece may come before, between or after the lines of the first: they run at a time.
    assert said.count(piece) == 1
    assert said.replace(piece, "") == "\n== first\nwaited\n== first: passed in a while\n\nFailed: second\n"


def test_the_fast_tests_are_there_and_its_checks_are_those_of_the_whole_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[list[str], list[str]]] = []

    def run(chosen: list[stages.Stage], *, meanwhile: tuple[stages.Stage, ...]) -> int:
        ran.append(([each.name for each in chosen], [each.name for each in meanwhile]))
        return 0

    monkeypatch.setattr(stages, "run", run)
    monkeypatch.setattr(cli, "_prepare", lambda _needs: places.venv_python())
    assert [cli.test(["--fast"]), cli.test([]), cli.test(["-x"])] == [0, 0, 0]
    lint = ["ruff check", "ruff format", "mypy", "import contracts"]
    assert ran == [(["tests"], lint), (["tests"], lint), (["pytest"], [])]
    files = [each for each in stages.FAST if each.startswith("tests")]
    assert files
    assert all((root / each).exists() for each in files)
    assert set(stages.FAST) < set(stages.fast_tests().command)


def test_tests_stay_off_the_screen_unless_asked() -> None:
    assert stages.test_surroundings({})["QT_QPA_PLATFORM"] == "offscreen"
    assert stages.test_surroundings({"QT_QPA_PLATFORM": "xcb"})["QT_QPA_PLATFORM"] == "xcb"


def test_processes_of_a_test_run_keep_what_they_compiled() -> None:
    given = {"PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}
    assert stages.test_surroundings(given) == {"QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}


def test_writing_pins_without_uv_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(places, "VENV", tmp_path)
    monkeypatch.setattr(places, "venv_scripts", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotGoOn, match="needs uv"):
        lock.write(upgrade=False)


@posix_only
def test_ci_runs_the_one_command(root: Path) -> None:
    script = root / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    assert "python3 packaging/dev.py test" in script.read_text(encoding="utf-8")
