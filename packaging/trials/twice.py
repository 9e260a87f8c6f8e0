"""Makes packages twice, in two folders, and compares them to the byte: `dev.py twice [--quick] [PACKAGE …]`.

The two differ in all that must not matter: the length of the folder's name, the time zone, the language, the user's
name, the rights of new files, the moment. The second is made from the first's sources, and shares nothing else with it.
"""

import hashlib
import tarfile
import zipfile
from pathlib import Path

from devtools import places
from releasing import packages, reproducible

from trials import copies

_FOLDERS = ("first", "second-in-a-folder-with-a-longer-name")
_SURROUNDINGS = (
    {"TZ": "America/Los_Angeles", "LANG": "C.UTF-8", "USER": "anna"},
    {"TZ": "Asia/Tokyo", "LANG": "C", "USER": "ben", "PYTHONHASHSEED": "77"},
)
_RIGHTS = (0o022, 0o077)
# What lies beside the packages and is no package.
_BESIDE = ("SHA256SUMS",)
_SHOWN = 8
_QUICK = "--quick"


def run(names: list[str]) -> int:
    """Make the named packages twice, or all that this machine can make; 1 if two of them differ.

    With `--quick` they are not made small: what packs them is other people's, and takes most of the time.
    """
    quick = {reproducible.QUICK: "1"} if _QUICK in names else {}
    chosen = [each.name for each in packages.chosen([name for name in names if name != _QUICK])]
    # Copies and moment before the first is built, which takes minutes: in that time the checkout may change.
    moment = {reproducible.EPOCH: str(reproducible.epoch())}
    both = [copies.copy(places.BUILD / "twice" / folder) for folder in _FOLDERS]
    for folder, surroundings, rights in zip(both, _SURROUNDINGS, _RIGHTS, strict=True):
        log = places.log_file(f"twice-{folder.name}")
        print(f"Making {', '.join(chosen)} in {folder} (what is said is in {log})", flush=True)
        copies.build(folder, ["package", *chosen], log, surroundings | moment | quick, rights)
    return compare(*(folder / "dist" for folder in both))


def compare(first: Path, second: Path) -> int:
    """Say of each package whether it is the same in both folders, and of one that is not where it differs; 1 if any
    does."""
    names = sorted({each.name for folder in (first, second) for each in folder.iterdir() if each.is_file()})
    different = 0
    for name in (name for name in names if name not in _BESIDE):
        one, other = first / name, second / name
        if not (one.exists() and other.exists()):
            print(f"{name}: made only once")
        elif _sum(one) == _sum(other):
            print(f"{name}: the same ({_sum(one)[:16]})")
            continue
        else:
            print(f"{name}: DIFFERENT{_where(one, other)}")
        different += 1
    return 1 if different or not names else 0


def _sum(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _where(one: Path, other: Path) -> str:
    """The members of two archives that differ, or where the first byte does."""
    first, second = _members(one), _members(other)
    if not first:
        at = next(
            (at for at, (a, b) in enumerate(zip(one.read_bytes(), other.read_bytes(), strict=False)) if a != b), -1
        )
        return f", first at byte {at}; {one.stat().st_size} and {other.stat().st_size} bytes"
    differing = [name for name in sorted({*first, *second}) if first.get(name) != second.get(name)]
    rest = f" and {len(differing) - _SHOWN} more" if len(differing) > _SHOWN else ""
    return f" in {', '.join(differing[:_SHOWN]) or 'how it is packed'}{rest}"


def _members(path: Path) -> dict[str, str]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return {each.filename: hashlib.sha256(archive.read(each)).hexdigest() for each in archive.infolist()}
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            opened = {each.name: archive.extractfile(each) for each in archive.getmembers() if each.isfile()}
            return {name: hashlib.sha256(file.read()).hexdigest() for name, file in opened.items() if file is not None}
    return {}
