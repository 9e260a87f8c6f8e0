"""The data of ICU beside Qt, less what Qt never asks it for.

Of 32 MB of names, tables and dictionaries in all languages Qt opens two parts: the orders in which languages sort, for
lists of files, and the list of encodings, of which those that are written in code (UTF-8 and its kin) remain. Letters
are made large and small by code as well. What ICU does not find it says by a status, for which Qt has an answer.

The data is one symbol of a library that holds nothing else: a header, a table of contents and the items, whose names
are sorted. The smaller library has the same name and the same symbol; whoever replaces Qt may put the whole one back.
"""

import shutil
import struct
import subprocess
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from devtools.errors import CannotGoOn

KEPT = ("*/coll/*", "*/cnvalias.icu")
_LIBRARIES = "libicudata.so.*"
_MAGIC = b"\xda\x27"
_ALIGNED = 16
_SOURCE = """\
.section .rodata
.balign {aligned}
.globl {symbol}
.type {symbol}, %object
{symbol}:
.incbin "kept.dat"
.size {symbol}, . - {symbol}
.section .note.GNU-stack, "", %progbits
"""


def reduce(folder: Path) -> None:
    """Rewrite the data below `folder` in place; where there is no linker it stays whole. Raises `CannotGoOn`."""
    if not all(shutil.which(tool) for tool in ("as", "ld", "nm", "objcopy")):
        return
    for library in sorted(folder.rglob(_LIBRARIES)):
        if not library.is_symlink():
            _reduce(library)


def _reduce(library: Path) -> None:
    symbol, size = _symbol(library)
    with tempfile.TemporaryDirectory(prefix="waybill-icu-") as scratch:
        whole = Path(scratch, "whole.dat")
        _run("objcopy", "--output-target=binary", "--only-section=.rodata", library, whole)
        data = whole.read_bytes()
        if len(data) != size:
            raise CannotGoOn(f"{library.name} holds more than the data of ICU.")
        Path(scratch, "kept.dat").write_bytes(kept(data))
        Path(scratch, "kept.s").write_text(_SOURCE.format(symbol=symbol, aligned=_ALIGNED), encoding="ascii")
        _run("as", "-o", "kept.o", "kept.s", cwd=scratch)
        linked = ["--shared", "--strip-all", "--build-id=none", "-z", "noexecstack", f"--soname={library.name}"]
        _run("ld", *linked, "-o", library.absolute(), "kept.o", cwd=scratch)


def kept(data: bytes, patterns: tuple[str, ...] = KEPT) -> bytes:
    """The same package of data with those items alone whose names match. Raises `CannotGoOn` for any other data."""
    if data[2:4] != _MAGIC or data[12:16] != b"CmnD":
        raise CannotGoOn("This is no package of ICU's data.")
    (header,) = struct.unpack_from("<H", data)
    items = [each for each in _items(data, header) if any(fnmatchcase(each[0].decode(), named) for named in patterns)]
    names = b"".join(name + b"\0" for name, _ in items)
    contents = 4 + 8 * len(items)
    name_at, content_at = contents, _padded(contents + len(names))
    table, body = struct.pack("<I", len(items)), b""
    for name, content in items:
        table += struct.pack("<II", name_at, content_at + len(body))
        name_at += len(name) + 1
        body += content.ljust(_padded(len(content)), b"\0")
    return data[:header] + (table + names).ljust(content_at, b"\0") + body


def _items(data: bytes, header: int) -> list[tuple[bytes, bytes]]:
    """Name and content of each item; places are counted from the end of the header."""
    (count,) = struct.unpack_from("<I", data, header)
    places = [struct.unpack_from("<II", data, header + 4 + 8 * number) for number in range(count)]
    ends = [place for _, place in places[1:]] + [len(data) - header]
    names = [data[header + at : data.index(b"\0", header + at)] for at, _ in places]
    return [
        (name, data[header + place : header + end]) for name, (_, place), end in zip(names, places, ends, strict=True)
    ]


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _symbol(library: Path) -> tuple[str, int]:
    """Name and size of the one symbol."""
    defined = [line.split() for line in _run("nm", "--dynamic", "--print-size", "--defined-only", library).splitlines()]
    if len(defined) != 1 or not defined[0][-1].endswith("_dat"):
        raise CannotGoOn(f"{library.name} is not ICU's library of data.")
    return defined[0][-1], int(defined[0][1], 16)


def _run(*command: str | Path, cwd: str | None = None) -> str:
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CannotGoOn(f"{command[0]} could not make the data of ICU smaller:\n{ran.stderr.strip()}")
    return ran.stdout
