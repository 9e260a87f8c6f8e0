"""What the shared libraries of a folder ask of the system: libraries by name, and the version of the C library."""

import re
import subprocess
from pathlib import Path

_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)", re.MULTILINE)
_RUNPATH = re.compile(r"^\s+(?:RUNPATH|RPATH)\s+(\S+)", re.MULTILINE)
_GLIBC = re.compile(r"\bGLIBC_(\d+)\.(\d+)")


def binaries(folder: Path) -> list[Path]:
    """Every ELF file below `folder`, links apart."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink() and _is_elf(path)]


def _is_elf(path: Path) -> bool:
    with path.open("rb") as content:
        return content.read(4) == b"\x7fELF"


def needed(folder: Path) -> dict[str, set[str]]:
    """Name of a library that the folder does not hold → the files in it that are linked to it."""
    own = {path.name for path in folder.rglob("*")}
    found: dict[str, set[str]] = {}
    for binary in binaries(folder):
        for name in _NEEDED.findall(_told(binary)):
            if name not in own:
                found.setdefault(name, set()).add(binary.relative_to(folder).as_posix())
    return found


def forget_machine(folder: Path) -> None:
    """Take places of the building machine out of where libraries look for others: a Python that was built by hand has
    them in every module. What leads to the file's own folder stays."""
    for binary in binaries(folder):
        found = _RUNPATH.findall(_told(binary))
        if any(not each.startswith("$ORIGIN") for path in found for each in path.split(":") if each):
            subprocess.run(["patchelf", "--remove-rpath", binary], check=True)


def glibc_of(folder: Path) -> dict[str, tuple[int, int]]:
    """File → the newest version of the C library that it asks for."""
    found = {}
    for binary in binaries(folder):
        versions = [(int(major), int(minor)) for major, minor in _GLIBC.findall(_told(binary))]
        if versions:
            found[binary.relative_to(folder).as_posix()] = max(versions)
    return found


def _told(binary: Path) -> str:
    return subprocess.run(["objdump", "-p", binary], capture_output=True, text=True, check=True).stdout
