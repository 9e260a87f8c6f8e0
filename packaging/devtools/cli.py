"""The commands of `packaging/dev.py`: what each needs installed, and what it then starts."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from devtools import build, debian, environment, lock, places, stages
from devtools.errors import CannotGoOn

Arguments = list[str]
FAST = "--fast"


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
    """every check and test; --fast: lint, types, architecture, unit tests; other words: pytest alone, with those"""
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
    """the measures of speed; --list names them, names choose among them"""
    _prepare(debian.QT + debian.TESTS)
    return _module("tests.bench", rest)


def faults(rest: Arguments) -> int:
    """break things and say what held; --full at the size of the measures, names choose among them"""
    _prepare(debian.QT + debian.TESTS)
    return _module("tests.faults", rest)


def shots(rest: Arguments) -> int:
    """draw every page, light and dark, into DIR"""
    if len(rest) != 1:
        raise CannotGoOn("shots needs one folder to write to: dev.py shots DIR")
    _prepare(debian.QT + debian.TESTS)
    return _module("tests.shots", [str(Path(rest[0]).absolute())])


def build_program(rest: Arguments) -> int:
    """pack the program into dist/waybill and say how large it is"""
    _none(rest)
    python = _prepare(debian.QT + (debian.PACKING if debian.is_system_python() else debian.PACKING[:1]))
    return build.build(python)


def write_pins(rest: Arguments) -> int:
    """write the pinned requirements anew from pyproject.toml, by uv; --upgrade takes newer versions"""
    _none([word for word in rest if word != "--upgrade"])
    return lock.write(upgrade="--upgrade" in rest)


COMMANDS: dict[str, Callable[[Arguments], int]] = {
    "run": run,
    "test": test,
    "lint": lint,
    "bench": bench,
    "faults": faults,
    "shots": shots,
    "build": build_program,
    "lock": write_pins,
}


def _summary() -> str:
    return "commands:\n" + "\n".join(f"  {name:6} {act.__doc__}" for name, act in COMMANDS.items())


def _none(rest: Arguments) -> None:
    if rest:
        raise CannotGoOn(f"This command takes no further arguments, but was given: {' '.join(rest)}")


def _prepare(needs: Sequence[debian.Need]) -> Path:
    debian.ensure(needs)
    return environment.ensure(places.DEV_PINS)


def _module(name: str, rest: Arguments) -> int:
    """Run a module of the project from its root with the environment's Python."""
    surroundings = stages.test_surroundings(os.environ)
    command: list[str | Path] = [places.venv_python(), "-m", name, *rest]
    return subprocess.run(command, cwd=places.ROOT, env=surroundings, check=False).returncode


def _become(command: list[str]) -> int:
    """Turn into the program, so that signals and the exit status are its own; Windows can only wait for it."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 - a list, no shell
    return subprocess.run(command, check=False).returncode
