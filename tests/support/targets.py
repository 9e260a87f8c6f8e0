"""Which program the tests drive: the sources, or the packed program that the environment names.

A packed Windows program runs under Wine, in the prefix that the environment names. `dev.py flows` sets all of it.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

PACKED = "WAYBILL_PACKED"  # names the packed program to run in place of the sources
LATER = "WAYBILL_LATER"  # names a later build of the same kind; of the sources the folder with them
CROWD = "WAYBILL_CROWD"  # so many starts at once
PREFIX = "WINEPREFIX"
WINE = "/usr/lib/wine/wine64"  # the loader itself: the script of the same name prints advice
_ROOT = Path(__file__).resolve().parents[2]
Target = Literal["source", "linux", "windows"]
_OF_X = ("QT_QPA_PLATFORM",)  # what Qt on Windows would take for itself


def target() -> Target:
    """What the environment asks for."""
    packed = os.environ.get(PACKED, "")
    if not packed:
        return "source"
    return "windows" if packed.endswith(".exe") else "linux"


def program(place: str = "", *, speaking: bool = False) -> list[str]:
    """The command that starts the program, or the one of the same kind at `place`, in its `folder`.

    On Windows one that prints is another one than the one with windows.
    """
    packed = place or os.environ.get(PACKED, "")
    if target() == "source":
        return [sys.executable, "-m", "app"]
    if target() == "linux":
        return [packed]
    assert os.environ.get(PREFIX), f"{PACKED} names a program of Windows, but {PREFIX} no folder of Wine"
    there = Path(packed)
    return [WINE, str(there.with_name("waybill-cli.exe") if speaking else there)]


def folder(place: str = "", elsewhere: Path | None = None) -> Path:
    """Where the program is started: sources where they lie, all others anywhere."""
    if target() == "source":
        return Path(place) if place else _ROOT
    return elsewhere or Path.cwd()


def surroundings(given: Mapping[str, str]) -> dict[str, str]:
    """The environment in which the program finds its display, and Wine its prefix."""
    if target() != "windows":
        return dict(given)
    return {name: value for name, value in given.items() if name not in _OF_X}


def named(path: Path) -> str:
    """A path of this machine as the program is told it."""
    return "Z:" + str(PurePosixPath(path)).replace("/", "\\") if target() == "windows" else str(path)
