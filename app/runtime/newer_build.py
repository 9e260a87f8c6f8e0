"""Whether another build of the program was installed while this one runs, and the command that starts it.

An installed package keeps each build in a folder of its own (`builds/0.1.0-3f2a91c0`), beside a file `current` that
names the one to start. So a program that runs keeps all its files, and the next start finds the new ones. A program
that Python runs has no such folders: there the version on the disk tells.
"""

import os
import subprocess
import sys
from pathlib import Path

from app.version import VERSION


def newer_command() -> list[str]:
    """The command that starts the other build; empty while there is none. Reads a small file."""
    if getattr(sys, "frozen", False):
        program = _current_program(Path(sys.executable))
        return [str(program), *sys.argv[1:]] if program is not None else []
    on_disk = _version_in(Path(__file__).parents[1] / "version.py")
    return [sys.executable, *sys.orig_argv[1:]] if on_disk not in ("", VERSION) else []


def _current_program(running: Path) -> Path | None:
    """The program that a start would run now, if it is another than the one at `running`."""
    builds = running.parent.parent
    try:
        named = (builds.parent / "current").read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # not installed by a package, or just being replaced
        return None
    found = builds / named / running.name
    return found if builds.name == "builds" and named != running.parent.name and found.is_file() else None


def _version_in(module: Path) -> str:
    try:
        lines = module.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    return next((line.split('"')[1] for line in lines if line.startswith('VERSION = "')), "")


def start_anew(command: list[str]) -> None:
    """Become the other build, where the system knows that; else start it, for this process to end."""
    if os.name == "nt":
        subprocess.Popen(command, stdin=subprocess.DEVNULL)
    else:
        os.execv(command[0], command)  # noqa: S606  # a list, no shell
