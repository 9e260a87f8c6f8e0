"""Packing the program into one folder, and saying how large it is, plain and compressed."""

import lzma
import os
import platform
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from devtools import places, slimming

# The modules stand in the program as they are, which is quicker to start; the archive packs all of them at once, to
# 5 MB in place of the 8 that they come to when each is packed by itself beforehand.
_PLAIN = {"PYINSTALLER_ZLIB_COMPRESSION_LEVEL": "0"}


def build(python: Path) -> int:
    """Pack into dist/waybill beside an archive of it; return the packer's exit status."""
    log = places.log_file("pyinstaller")
    print(f"Packing (what PyInstaller says is in {log})", flush=True)
    command: list[str | Path] = [python, "-m", "PyInstaller", "--noconfirm", "--clean"]
    command += [f"--distpath={places.DIST}", f"--workpath={places.BUILD / 'pyinstaller'}", places.SPEC]
    with log.open("wb") as words:
        status = subprocess.run(
            command, cwd=places.ROOT, env=os.environ | _PLAIN, stdout=words, stderr=subprocess.STDOUT, check=False
        ).returncode
    if status != 0:
        print("\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]))
        return status
    folder = places.DIST / "waybill"
    slimming.strip(folder)
    archive = compress(folder, zipped=sys.platform == "win32")
    print(f"{folder}: {megabytes(folder_size(folder))}; {archive.name}: {megabytes(archive.stat().st_size)}")
    return 0


def folder_size(folder: Path) -> int:
    """Bytes of all files under `folder`; links count as links, not as what they point to."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())


def compress(folder: Path, *, zipped: bool) -> Path:
    """Make an archive of `folder` beside it: what a person downloads. Returns its path."""
    if zipped:
        archive = folder.with_suffix(".zip")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for path in sorted(folder.rglob("*")):
                out.write(path, path.relative_to(folder.parent))
        return archive
    archive = folder.with_suffix(".tar.xz")
    with lzma.open(archive, "wb", filters=_filters()) as words, tarfile.open(fileobj=words, mode="w") as out:
        out.add(folder, folder.name)
    return archive


def _filters() -> list[dict[str, int]]:
    """How xz packs best: machine code is made easier to pack first, where Python knows how; any xz unpacks both."""
    smallest = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}
    intel = platform.machine().lower() in ("x86_64", "amd64")
    return [{"id": lzma.FILTER_X86}, smallest] if intel else [smallest]


def megabytes(size: int) -> str:
    """A size for people: `47.9 MB` (a million bytes)."""
    return f"{size / 1e6:.1f} MB"
