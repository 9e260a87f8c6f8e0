"""One OpenSSL in the packed Windows program, where Python brings one and psycopg's libpq another.

Both are OpenSSL 3, whose later versions serve whatever was linked to an earlier one. So the newer of the two stays,
under the names that Python asks for, and what asked for psycopg's names asks for those. A weakness of OpenSSL is then
mended for both at once, and the program is 6 MB smaller.

A library names those it is linked to by texts that end with a zero byte. Python's names are the shorter ones.
"""

import re
from pathlib import Path

from devtools.errors import CannotGoOn

_PARTS = ("libcrypto", "libssl")
_LINKED = ("*.dll", "*.pyd")
_VERSION = re.compile(rb"OpenSSL (3)\.(\d+)\.(\d+) +\d+ [A-Z][a-z]{2} \d{4}\0")


def share(folder: Path) -> None:
    """Leave one OpenSSL below `folder`, that of the packed program. Raises `CannotGoOn`."""
    pythons = {part: _only(folder, f"{part}-3.dll") for part in _PARTS}
    psycopgs = {part: _only(folder, f"{part}-3-x64-*.dll") for part in _PARTS}
    is_newer = _version(psycopgs["libcrypto"]) > _version(pythons["libcrypto"])
    names = {psycopgs[part].name: pythons[part].name for part in _PARTS}
    for part in _PARTS:
        if is_newer:
            psycopgs[part].replace(pythons[part])
        else:
            psycopgs[part].unlink()
    for pattern in _LINKED:
        for library in sorted(folder.rglob(pattern)):
            _rename(library, names)


def _rename(library: Path, names: dict[str, str]) -> None:
    whole = renamed = library.read_bytes()
    for old, new in names.items():
        text = old.encode() + b"\0"
        renamed = renamed.replace(text, new.encode().ljust(len(text), b"\0"))
        if old.encode() in renamed:
            raise CannotGoOn(f"{library.name} names {old} in a way that is not known here.")
    if renamed != whole:
        library.write_bytes(renamed)


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.rglob(pattern))
    if len(found) != 1:
        raise CannotGoOn(f"The packed program should have one {pattern}, and has {len(found)}.")
    return found[0]


def _version(library: Path) -> tuple[int, ...]:
    """The version that the library says of itself, as three numbers."""
    said = {tuple(map(int, each)) for each in _VERSION.findall(library.read_bytes())}
    if len(said) != 1:
        raise CannotGoOn(f"{library.name} does not say which version of OpenSSL 3 it is.")
    return said.pop()
