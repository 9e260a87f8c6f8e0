"""What makes two runs of a build give the same bytes: one moment for all files, no owner, one order, one hash seed."""

import hashlib
import io
import lzma
import os
import platform
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from devtools import places

EPOCH = "SOURCE_DATE_EPOCH"
QUICK = "WAYBILL_QUICK_PACKAGES"  # the name of a variable
# What a package is made from: a commit to anything else makes no other package.
_INSIDE = ("app", "resources", "packaging", "pyproject.toml", "README.md")
_OLDEST_ZIP = 315_532_800  # 1980-01-01, the first day that a zip archive can name


def epoch() -> int:
    """The moment that every file of a package bears: what the environment says, else that of the last commit to
    what a package is made from."""
    given = os.environ.get(EPOCH, "")
    if given.isdecimal():
        return int(given)
    asked = subprocess.run(
        ["git", "-c", f"safe.directory={places.ROOT}", "log", "-1", "--format=%ct", "--", *_INSIDE],
        cwd=places.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = asked.stdout.strip()
    return int(said) if asked.returncode == 0 and said.isdecimal() else _OLDEST_ZIP


def day() -> str:
    """The day of `epoch`, as `2026-11-22`."""
    return datetime.fromtimestamp(epoch(), UTC).date().isoformat()


def surroundings(given: Mapping[str, str]) -> dict[str, str]:
    """The environment of every tool of a build: nothing of it may depend on the machine, the user or the hour."""
    kept = {name: value for name, value in given.items() if not name.startswith(("PYTHON", "LC_"))}
    fixed = {
        "PYTHONHASHSEED": "0",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        EPOCH: str(epoch()),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**kept, **fixed}


def made_small() -> bool:
    """Whether packages are made as small as can be, which takes minutes for each; a trial does without it."""
    return not os.environ.get(QUICK)


def files_of(folder: Path) -> Iterator[Path]:
    """Every file, link and folder below `folder`, in an order that is the same on every system."""
    return iter(sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()))


def digest_of(folder: Path) -> str:
    """A name for exactly these files: the SHA-256 of all names, kinds and contents."""
    whole = hashlib.sha256()
    for path in files_of(folder):
        whole.update(f"{path.relative_to(folder).as_posix()}\0{mode_of(path):o}\0".encode())
        if path.is_symlink():
            whole.update(os.fsencode(path.readlink()))
        elif path.is_file():
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def mode_of(path: Path) -> int:
    """The rights that a package gives a file: only whether it can be run is taken from the machine, and nobody runs a
    shared library."""
    if path.is_symlink():
        return 0o777
    if path.is_file() and ".so" in path.suffixes:
        return 0o644
    return 0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644


def tar_xz(folder: Path, root: str, archive: Path) -> Path:
    """Write `folder` into a .tar.xz, in which it is called `root`. Returns the archive."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(archive, "wb", filters=_filters()) as out:
        write_tar(folder, root, out)
    return archive


def write_tar(folder: Path, root: str, out: IO[bytes]) -> None:
    """Write `folder` and all below it as a tar stream of root's files."""
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as made:
        _add(made, folder, root)
        for path in files_of(folder):
            _add(made, path, f"{root}/{path.relative_to(folder).as_posix()}")


def _add(made: tarfile.TarFile, path: Path, name: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.mtime, entry.mode = epoch(), mode_of(path)
    if path.is_symlink():
        entry.type, entry.linkname = tarfile.SYMTYPE, path.readlink().as_posix()
    elif path.is_dir():
        entry.type = tarfile.DIRTYPE
    else:
        entry.size = path.stat().st_size
        with path.open("rb") as content:
            made.addfile(entry, content)
        return
    made.addfile(entry)


def zip_of(folder: Path, root: str, archive: Path) -> Path:
    """Write `folder` into a .zip, in which it is called `root`. Returns the archive."""
    moment = datetime.fromtimestamp(max(epoch(), _OLDEST_ZIP), UTC).timetuple()[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in files_of(folder):
            if path.is_file():
                entry = zipfile.ZipInfo(f"{root}/{path.relative_to(folder).as_posix()}", moment)
                entry.external_attr = (0o100000 | mode_of(path)) << 16
                entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
                out.writestr(entry, path.read_bytes())
    return archive


def rewritten_zip(archive: Path) -> None:
    """Write a .zip anew with one moment for all files and the rights of a package: a wheel keeps those of the user."""
    moment = datetime.fromtimestamp(max(epoch(), _OLDEST_ZIP), UTC).timetuple()[:6]
    content = io.BytesIO()
    with zipfile.ZipFile(archive) as found, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for each in found.infolist():  # in their order: the list of a wheel's files is its last
            entry = zipfile.ZipInfo(each.filename, moment)
            mode = 0o755 if each.external_attr >> 16 & 0o100 else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            out.writestr(entry, found.read(each))
    archive.write_bytes(content.getvalue())


def rewritten_tar(archive: Path) -> None:
    """Write a .tar.gz anew with one moment for all files and without owners: setuptools' sdist keeps both."""
    import gzip

    content = io.BytesIO()
    with tarfile.open(archive) as found, tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as made:
        for each in sorted(found.getmembers(), key=lambda entry: entry.name):
            plain = tarfile.TarInfo(each.name)
            plain.type, plain.size, plain.linkname, plain.mtime = each.type, each.size, each.linkname, epoch()
            plain.mode = 0o755 if each.isdir() or each.mode & 0o100 else 0o644
            made.addfile(plain, found.extractfile(each) if each.isfile() else None)
    archive.write_bytes(gzip.compress(content.getvalue(), 9, mtime=epoch()))


def _filters() -> list[dict[str, int]]:
    """How xz packs best: machine code is made easier to pack first, where Python knows how; any xz unpacks both."""
    smallest = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME if made_small() else 0}
    intel = platform.machine().lower() in ("x86_64", "amd64")
    return [{"id": lzma.FILTER_X86}, smallest] if intel else [smallest]
