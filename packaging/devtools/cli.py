"""The commands of `packaging/dev.py`: what each needs installed, and what it then starts."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools import debian, environment, lock, places, stages
from devtools.errors import CannotGoOn

Arguments = list[str]
FAST = "--fast"
LIST = "--list"
WINDOWS = "--windows"
PACKED = "--packed"


def main(arguments: Arguments) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="dev.py", description=__doc__, epilog=_summary(), formatter_class=_Plain)
    parser.add_argument("command", choices=sorted(COMMANDS), metavar="COMMAND")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...")
    chosen = parser.parse_args(arguments)
    try:
        return COMMANDS[chosen.command](chosen.rest)
    except CannotGoOn as reason:
        print(reason, file=sys.stderr)
        return reason.status
    except KeyboardInterrupt:
        return 130


class _Plain(argparse.RawDescriptionHelpFormatter):
    """Keeps the list of commands in lines."""


def run(rest: Arguments) -> int:
    """start Waybill; everything after `run` is passed on to it"""
    debian.ensure(debian.QT)
    python = environment.ensure(places.RUNTIME_PINS)
    return _become([str(python), "-P", "-m", "app", *rest])


def test(rest: Arguments) -> int:
    """every check and test; --fast: style, types, unit tests; --windows: under Wine; other words: pytest with those"""
    if rest[:1] == [WINDOWS]:
        from trials import windows_trial

        return windows_trial.run(rest[1:])
    if rest == [FAST]:
        _prepare(debian.QT)
        return stages.run([stages.fast_tests()], meanwhile=stages.LINT)
    _prepare(debian.QT + debian.TESTS)
    return stages.run([stages.tests(rest)], meanwhile=() if rest else stages.LINT)


def lint(rest: Arguments) -> int:
    """style, types and import contracts, without the tests"""
    _none(rest)
    _prepare(())
    return stages.run(stages.LINT)


def bench(rest: Arguments) -> int:
    """the measures of speed; --list names them, names choose among them; --packed: also the start of the packed one"""
    _prepare(debian.QT + debian.TESTS)
    if rest[:1] != [PACKED]:
        return _module("tests.bench", rest)
    from trials import packed_start

    return _module("tests.bench", rest[1:], packed_start.programs())


def size(rest: Arguments) -> int:
    """how large the packed programs are, compressed, against a bare window packed alike: linux, windows or both"""
    from trials import packed_start

    return packed_start.size(rest)


def faults(rest: Arguments) -> int:
    """break things and say what held; --full at the size of the measures, names choose among them"""
    _prepare(debian.QT + debian.TESTS)
    return _module("tests.faults", rest)


def shots(rest: Arguments) -> int:
    """draw every page, light and dark, into DIR; words after it: only scenes whose name holds one of them"""
    if not rest:
        raise CannotGoOn("shots needs a folder to write to: dev.py shots DIR")
    _prepare(debian.QT + debian.TESTS)
    return _module("tests.shots", [str(Path(rest[0]).absolute()), *rest[1:]])


def build_program(rest: Arguments) -> int:
    """pack the program into dist/waybill and say how large it is; --windows: into dist/windows, under Wine elsewhere"""
    _none([word for word in rest if word != WINDOWS])
    from releasing import packages, windows_packages

    made = windows_packages.packed(packages.icons()) if WINDOWS in rest else packages.packed()
    print(f"{made.folder}: {packages.megabytes(packages.folder_size(made.folder))}, build {made.build}")
    return 0


def package(rest: Arguments) -> int:
    """make the packages that this machine can make, or those that are named; --list says which, and why not others"""
    from releasing import packages

    return packages.show() if rest == [LIST] else packages.make(rest)


def trial(rest: Arguments) -> int:
    """try the Linux packages on bare Debian roots (as root, ten minutes)"""
    from trials import debian_trial

    return debian_trial.run(rest)


def pipx(rest: Arguments) -> int:
    """install the wheel by pipx with each Python that is here, or is named, start it and remove it"""
    from trials import wheel_trial

    return wheel_trial.run(rest)


def flows(rest: Arguments) -> int:
    """one set of tests on the sources and on both packed programs, and which ran where; --all: every test of e2e"""
    from trials import flows as trial

    return trial.run(rest)


def twice(rest: Arguments) -> int:
    """make packages twice, in folders and surroundings that differ, and compare them to the byte"""
    from trials import twice as trial

    return trial.run(rest)


def licences(rest: Arguments) -> int:
    """the licence of every library inside, and whether its text is there"""
    _none(rest)
    from releasing import licences as texts
    from releasing import program

    environment.ensure(program.PINS, program.ENVIRONMENT)
    return texts.show(places.venv_site_packages(program.ENVIRONMENT))


def audit(rest: Arguments) -> int:
    """known weaknesses of what is pinned (needs pip-audit)"""
    _none(rest)
    from releasing import weaknesses

    return weaknesses.look()


def update_key(rest: Arguments) -> int:
    """make a pair of keys: one signs lists of versions, the other is what programs believe"""
    _none(rest)
    return _update_list(["key"])


def update_list(rest: Arguments) -> int:
    """sign waybill-updates.json in FOLDER for the packages there; the key is in WAYBILL_UPDATE_PRIVATE_KEY"""
    from releasing import program

    parser = argparse.ArgumentParser(prog="dev.py update-list")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--version", default=program.version())
    parser.add_argument("--days", type=int, default=180, help="how long the list is good (180)")
    asked = parser.parse_args(rest)
    if not asked.folder.is_dir():
        raise CannotGoOn(f"{asked.folder} is no folder.")
    return _update_list(["sign", str(asked.folder.absolute()), asked.version, str(asked.days)])


def _update_list(words: Arguments) -> int:
    python = environment.ensure(places.RUNTIME_PINS)
    return subprocess.run([python, "-m", "releasing.update_list", *words], cwd=places.PACKAGING, check=False).returncode


def notes(rest: Arguments) -> int:
    """what is new in a version, as Markdown: the text of its release"""
    from releasing import changelog, program

    if len(rest) > 1:
        raise CannotGoOn("notes takes one version: dev.py notes 0.1.0")
    print(changelog.notes(rest[0] if rest else program.version()), end="")
    return 0


def write_pins(rest: Arguments) -> int:
    """write the pinned requirements anew from pyproject.toml, by uv; --upgrade takes newer versions"""
    _none([word for word in rest if word != "--upgrade"])
    return lock.write(upgrade="--upgrade" in rest)


def tell_version(rest: Arguments) -> int:
    """the version of the program"""
    _none(rest)
    from releasing import program

    print(program.version())
    return 0


COMMANDS: dict[str, Callable[[Arguments], int]] = {
    "run": run,
    "test": test,
    "lint": lint,
    "bench": bench,
    "size": size,
    "faults": faults,
    "shots": shots,
    "build": build_program,
    "package": package,
    "trial": trial,
    "pipx": pipx,
    "flows": flows,
    "twice": twice,
    "licences": licences,
    "audit": audit,
    "notes": notes,
    "update-key": update_key,
    "update-list": update_list,
    "version": tell_version,
    "lock": write_pins,
}


def _summary() -> str:
    return "commands:\n" + "\n".join(f"  {name:11} {act.__doc__}" for name, act in COMMANDS.items())


def _none(rest: Arguments) -> None:
    if rest:
        raise CannotGoOn(f"This command takes no further arguments, but was given: {' '.join(rest)}")


def _prepare(needs: Sequence[debian.Need]) -> Path:
    debian.ensure(needs)
    return environment.ensure(places.DEV_PINS)


def _module(name: str, rest: Arguments, more: Mapping[str, str] | None = None) -> int:
    """Run a module of the project from its root with the environment's Python."""
    surroundings = {**stages.test_surroundings(os.environ), **(more or {})}
    command: list[str | Path] = [places.venv_python(), "-m", name, *rest]
    return subprocess.run(command, cwd=places.ROOT, env=surroundings, check=False).returncode


def _become(command: list[str]) -> int:
    """Turn into the program, so that signals and the exit status are its own; Windows can only wait for it."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 - a list, no shell
    return subprocess.run(command, check=False).returncode
