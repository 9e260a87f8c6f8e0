"""The packed program: one folder that needs no Python, made in an environment of its own with the run-time pins only.

The folder is the same byte for byte when it is made twice; everything else that is shipped is made from it.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from devtools import environment, logged, places, slimming
from devtools.errors import CannotGoOn

from releasing import icu_data, licences, linked, materials, one_openssl, reproducible

PINS = places.PACKING_PINS
ENVIRONMENT = places.BUILD / "packing"
NEWEST_GLIBC = (2, 35)  # of Ubuntu 22.04, the oldest desktop that is served
# The modules stand in the program as they are, which is quicker to start; the archive packs all of them at once, to
# 5 MB in place of the 8 that they come to when each is packed by itself beforehand.
PLAIN = {"PYINSTALLER_ZLIB_COMPRESSION_LEVEL": "0"}
# How Python runs PyInstaller. Code is packed without the columns of its lines, 2 MB of 26: a traceback marks a part of
# a line by them, and only where it has the sources, which are not packed.
PACKER = ("-X", "no_debug_ranges", "-m", "PyInstaller", "--noconfirm", "--clean")
FAILED = "PyInstaller could not pack the program:"
# Files beside the sources that change nothing of the packed program.
_NOT_INSIDE = ("*/__pycache__/*", "packaging/trials/*", "packaging/pictures/*", "packaging/*.md", "packaging/*.nsi")


@dataclass(frozen=True)
class Program:
    """The folder, the version it bears, and the digest that tells two builds of one version apart."""

    folder: Path
    version: str
    digest: str

    @property
    def build(self) -> str:
        """Version and build, as the name of a folder: `0.1.0-3f2a91c0`."""
        return f"{self.version}-{self.digest[:8]}"


def version() -> str:
    """The version of the sources, without importing them."""
    names: dict[str, object] = {}
    exec((places.ROOT / "app" / "version.py").read_text(encoding="utf-8"), names)  # noqa: S102  # a constant of ours
    return str(names["VERSION"])


def make() -> Program:
    """Pack into dist/waybill with licences and bill of materials. Raises `CannotGoOn`."""
    places.BUILD.mkdir(exist_ok=True)
    python = environment.ensure(PINS, ENVIRONMENT)
    folder = places.DIST / "waybill"
    if (there := packed_before(folder)) is not None:
        return there
    sources = sources_digest()
    pack(python, places.DIST)
    made = finish(folder, places.venv_site_packages(ENVIRONMENT))
    remember(made, sources)
    return made


def packed_before(folder: Path) -> Program | None:
    """The program as it was packed before, if the sources, pins and recipes are still the same and so is the folder."""
    try:
        stamp = json.loads(_stamp(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if stamp.get("sources") != sources_digest() or stamp.get("folder") != reproducible.digest_of(folder):
        return None
    return Program(folder, version(), str(stamp["folder"]))


def remember(made: Program, sources: str) -> None:
    """Note what the folder was packed from: the digest of the sources as they were when the packing began."""
    facts = {"sources": sources, "folder": made.digest}
    _stamp(made.folder).write_text(json.dumps(facts), encoding="utf-8")


def _stamp(folder: Path) -> Path:
    return places.BUILD / f"packed-{folder.parent.name}.json"


def sources_digest() -> str:
    """The digest of all that the packed program is made from."""
    keys = os.environ.get("WAYBILL_UPDATE_KEYS", "")
    whole = hashlib.sha256(f"{reproducible.epoch()} {sys.version} {keys}".encode())
    for folder in (places.ROOT / "app", places.ROOT / "resources", places.PACKAGING):
        for path in reproducible.files_of(folder):
            name = path.relative_to(places.ROOT).as_posix()
            if path.is_file() and not any(fnmatchcase(name, pattern) for pattern in _NOT_INSIDE):
                whole.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def pack(python: Path, target: Path, more: Mapping[str, str] | None = None) -> Path:
    """Run PyInstaller; the folder that it made in `target`. `more` is added to its environment. Raises `CannotGoOn`."""
    log = places.log_file("pyinstaller")
    print(f"Packing (what PyInstaller says is in {log})", flush=True)
    command: list[str | Path] = [python, *PACKER]
    command += [f"--distpath={target}", f"--workpath={places.BUILD / 'pyinstaller'}", places.SPEC]
    given = {**reproducible.surroundings(os.environ), **PLAIN, **(more or {})}
    logged.run(command, log, FAILED, env=given, cwd=places.ROOT)
    return target / "waybill"


def finish(
    folder: Path, site_packages: Path, system: str = sys.platform, python: licences.Part | None = None
) -> Program:
    """Take out what a debugger alone reads, add the licences and the bill of materials, and look at the whole.

    The bill lies beside the packages too, as dist/waybill-VERSION-SYSTEM.cdx.json.
    """
    if system == "linux":
        linked.forget_machine(folder)
        icu_data.reduce(folder)
    if system == "win32":
        one_openssl.share(folder)
    slimming.strip(folder)
    _look_at(folder)
    inside = licences.inside(folder, site_packages, python)
    licences.write(inside, folder / "licences")
    number = version()
    bill = folder / "licences" / "bill-of-materials.cdx.json"
    materials.write(inside, number, bill)
    shutil.copyfile(bill, places.DIST / f"waybill-{number}-{system}.cdx.json")
    return Program(folder, number, reproducible.digest_of(folder))


def _look_at(folder: Path) -> None:
    """Refuse what would start on newer systems only."""
    if sys.platform != "linux" or not shutil.which("objdump"):
        return
    too_new = {name: found for name, found in linked.glibc_of(folder).items() if found > NEWEST_GLIBC}
    if too_new:
        told = ", ".join(f"{name} ({major}.{minor})" for name, (major, minor) in sorted(too_new.items()))
        wanted = ".".join(map(str, NEWEST_GLIBC))
        raise CannotGoOn(f"These need a newer system than one with glibc {wanted}: {told}.")
