"""The packed program beside a bare window that was packed in the same way: what its start and its size are held to.

`dev.py bench --packed [NAME …]` measures S1P beside the other measures, which run from source. `dev.py size` is S10:
both as they are downloaded, made small by the same xz.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from devtools import environment, logged, places
from devtools.errors import CannotGoOn
from releasing import packages, program, reproducible, windows_packages, wine

_BARE = places.ROOT / "tests" / "bench" / "bare_window.py"
PACKED, PACKED_BARE = "WAYBILL_PACKED", "WAYBILL_PACKED_BARE"  # what tests/bench/s1_start reads
HOME = places.BUILD / "bare-window"
# One folder, modules of one optimization and without columns, as the program has them; all else as the packer does it.
_PACKER = (*program.PACKER, "--onedir", "--noupx", "--optimize=2")
_FAILED = "PyInstaller could not pack the bare window:"
_PACKING_S = 900


@dataclass(frozen=True)
class System:
    """`program` and `bare` pack, or find what was packed before, and return the folders."""

    name: str
    program: Callable[[], Path]
    bare: Callable[[], Path]


def programs() -> Mapping[str, str]:
    """Both programs, by the names of the variables that say where they are. Raises `CannotGoOn`."""
    made = packages.packed()
    return {PACKED: str(made.folder / "waybill"), PACKED_BARE: str(_bare() / _BARE.stem)}


def size(names: list[str]) -> int:
    """Print both sizes for each system that is named, or for all; 1 if the program is larger than the bare window."""
    known = {each.name: each for each in SYSTEMS}
    if unknown := [name for name in names if name not in known]:
        raise CannotGoOn(f"There is no system {', '.join(unknown)}; there are {', '.join(known)}.")
    larger = 0
    for each in (known[name] for name in names or known):
        ours, bare = each.program(), each.bare()
        small, small_bare = _compressed(ours), _compressed(bare)
        told = [packages.megabytes(size) for size in (packages.folder_size(ours), packages.folder_size(bare))]
        print(
            f"{each.name}: {packages.megabytes(small)} against {packages.megabytes(small_bare)} of a bare window, "
            f"{small / small_bare:.2f} of it (unpacked {told[0]} and {told[1]})",
            flush=True,
        )
        larger += small > small_bare
    return 1 if larger else 0


def _compressed(folder: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="waybill-size-") as scratch:
        return reproducible.tar_xz(folder, folder.name, Path(scratch) / "whole.tar.xz").stat().st_size


def _bare() -> Path:
    """The folder of the bare window for this system."""
    folder = HOME / "dist" / _BARE.stem
    stamp, wanted = HOME / "packed.txt", _digest()
    if _is(stamp, wanted) and (folder / _BARE.stem).exists():
        return folder
    python = environment.ensure(program.PINS, program.ENVIRONMENT)
    command: list[str | Path] = [python, *_PACKER, f"--distpath={HOME / 'dist'}", f"--workpath={HOME / 'work'}"]
    log = places.log_file("bare-window")
    print(f"Packing a bare window (what PyInstaller says is in {log})", flush=True)
    surroundings = {**reproducible.surroundings(os.environ), **program.PLAIN}
    logged.run([*command, f"--specpath={HOME}", _BARE], log, _FAILED, env=surroundings, cwd=places.ROOT)
    stamp.write_text(wanted, encoding="utf-8")
    return folder


def _bare_for_windows() -> Path:
    home = HOME / "windows"
    folder = home / "dist" / _BARE.stem
    stamp, wanted = home / "packed.txt", _digest()
    if _is(stamp, wanted) and (folder / f"{_BARE.stem}.exe").exists():
        return folder
    windows = wine.ensure(program.PINS)
    command: list[str | Path] = [windows.python, *_PACKER, f"--distpath={wine.path_in(home / 'dist')}"]
    command += [f"--workpath={wine.path_in(home / 'work')}", f"--specpath={wine.path_in(home)}", wine.path_in(_BARE)]
    log = places.log_file("bare-window-windows")
    print(f"Packing a bare window for Windows (what PyInstaller says is in {log})", flush=True)
    ran = windows.run(command, log, _PACKING_S, program.PLAIN | wine.WITHOUT_DRIVES)
    if ran.returncode != 0:
        raise CannotGoOn(logged.with_tail(_FAILED, log), ran.returncode)
    stamp.write_text(wanted, encoding="utf-8")
    return folder


def _is(stamp: Path, wanted: str) -> bool:
    return stamp.exists() and stamp.read_text(encoding="utf-8") == wanted


def _digest() -> str:
    """What a bare window is packed from, and how."""
    facts = f"{sys.version} {_PACKER} {program.PLAIN}".encode()
    return hashlib.sha256(facts + _BARE.read_bytes() + program.PINS.read_bytes()).hexdigest()


SYSTEMS = (
    System("linux", lambda: packages.packed().folder, _bare),
    System("windows", lambda: windows_packages.packed(packages.icons()).folder, _bare_for_windows),
)
