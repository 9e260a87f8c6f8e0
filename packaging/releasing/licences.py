"""What is inside the packed program, each part with its licence and the text of it.

Parts are: the distributions of the environment that it was packed from, Python, the packer's own start program, and
the libraries that were copied from the system. Invariant: no part goes without a text.
"""

import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

from devtools import places
from devtools.errors import CannotGoOn

TEXTS = places.PACKAGING / "licences"
# Tools of the packing, of which nothing gets into the program.
TOOLS = {"pip", "setuptools", "altgraph", "packaging", "pyinstaller-hooks-contrib", "macholib", "pefile"}
# PySide6's wheels hold no text of the licence that they name, nor of ICU and the data of Unicode inside Qt.
_LGPL = ("LGPL-3.0.txt", "GPL-3.0.txt")
_QT = (*_LGPL, "Unicode.txt")
WITHOUT_TEXT = {"pyside6-essentials": _QT, "shiboken6": _LGPL, "pyside6": _QT}
# psycopg's wheel has the text of its own licence, and none of the libraries that are compiled into it.
COMPILED_IN = {"psycopg-binary": ("psycopg-libraries.txt", "Apache-2.0.txt", "LGPL-2.1.txt")}
# The classifier of the packer names the GPL alone. Its text lets its start program go into programs of any licence.
STATED = {"pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception"}
# What the code of distributions says of itself where its metadata has no expression.
_TEXT = re.compile(r"(?i)(^|/)(licen[cs]es?|copying|notice|build_licenses)[^/]*($|/)")
# Not the LGPL, nor where there is a choice or an exception for what is linked to it.
REFUSED = re.compile(r"(?i)\b(?<!L)(A?GPL|(Affero )?General Public License)")
_LESSER = re.compile(r"(?i)\b(Lesser|Library) General Public License")
_FREE = (" OR ", " WITH Bootloader-exception")


@dataclass
class Part:
    """Something inside; `texts` are name → file. `kind` is the type of its package URL (`pypi`, `deb`, `generic`)."""

    name: str
    version: str
    licence: str
    kind: str
    texts: dict[str, Path] = field(default_factory=dict)


def inside(folder: Path, site_packages: Path, python: Part | None = None) -> list[Part]:
    """All parts, by name; `python` is the Python that is inside, if it is another than that of this process. Raises
    `CannotGoOn` where one has no text."""
    found = [*of_distributions(site_packages), python or _python(), *_of_the_system(folder)]
    silent = [part.name for part in found if not part.texts]
    if silent:
        raise CannotGoOn(f"No licence text was found of: {', '.join(silent)}.")
    return sorted(found, key=lambda part: (part.kind, part.name.lower()))


def of_distributions(site_packages: Path) -> list[Part]:
    """The installed distributions but for the tools that packed them."""
    found = [_part(each) for each in distributions(path=[str(site_packages)])]
    return sorted((part for part in found if part.name not in TOOLS), key=lambda part: part.name)


def _part(found: Distribution) -> Part:
    name = re.sub(r"[-_.]+", "-", str(found.metadata["Name"])).lower()
    part = Part(name, found.version, STATED.get(name) or _licence(found), "pypi")
    for file in found.files or ():
        place = file.as_posix()
        if ".dist-info/" in place and _TEXT.search(place.partition(".dist-info/")[2]):
            path = Path(str(found.locate_file(file)))
            if path.is_file():
                part.texts[place.partition(".dist-info/")[2].replace("/", "-")] = path
    for text in (*(WITHOUT_TEXT.get(name, ()) if not part.texts else ()), *COMPILED_IN.get(name, ())):
        part.texts[text] = TEXTS / text
    return part


def _licence(found: Distribution) -> str:
    """The licence as the metadata names it: an SPDX expression, else the trove classifier, else its own words."""
    data = found.metadata
    if "License-Expression" in data:
        return str(data["License-Expression"])
    classes = [
        each.rpartition(" :: ")[2]
        for each in data.get_all("Classifier") or ()
        if each.startswith("License ::") and each.count("::") > 1
    ]
    said = str((data.get_all("License") or [""])[0]).strip()
    return " OR ".join(classes) or (said.splitlines()[0] if said else "not named")


def _python() -> Part:
    """Python itself, whose text lies at different places in its different builds."""
    version = platform.python_version()
    places_of_text = (
        Path(sys.base_prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
    )
    part = Part("python", version, "PSF-2.0", "generic")
    for place in places_of_text:
        if place.is_file():
            part.texts["LICENSE.txt"] = place
            break
    return part


def _of_the_system(folder: Path) -> list[Part]:
    """The packages of Debian from which libraries were copied; the packed ones stand at the top of the folder."""
    dpkg = shutil.which("dpkg-query")
    if sys.platform != "linux" or dpkg is None:
        return []
    copied = (path for path in (folder / "_internal").glob("lib*.so*") if path.is_file() and not path.is_symlink())
    names = {path.name for path in copied if not path.name.startswith("libpython")}  # which stands for itself
    owners = {owner for name in names if (owner := _owner(dpkg, name))}
    return [_debian_part(dpkg, owner) for owner in sorted(owners)]


def _owner(dpkg: str, library: str) -> str:
    """The package that a library of this name belongs to; empty for one that no package brought (Python's own)."""
    asked = subprocess.run([dpkg, "-S", f"*/{library}"], capture_output=True, text=True, check=False)
    return asked.stdout.partition(":")[0] if asked.returncode == 0 else ""


def _debian_part(dpkg: str, package: str) -> Part:
    form = "${source:Package} ${Version}"
    asked = subprocess.run([dpkg, "-W", "-f", form, package], capture_output=True, text=True, check=True)
    part = Part(package, asked.stdout.split()[1], "see the text", "deb")
    text = Path("/usr/share/doc") / package / "copyright"
    if text.is_file():
        part.texts["copyright"] = text
    return part


def write(parts: list[Part], target: Path) -> None:
    """Copy all texts below `target`, and an index of them."""
    target.mkdir()
    for part in parts:
        folder = target / f"{part.name}-{part.version}"
        folder.mkdir()
        for name, text in sorted(part.texts.items()):
            shutil.copyfile(text, folder / name)
    lines = [f"{part.name} {part.version}: {part.licence}" for part in parts]
    introduction = (TEXTS / "introduction.txt").read_text(encoding="utf-8")
    (target / "README.txt").write_text(introduction + "\n" + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def refused(parts: list[Part]) -> list[Part]:
    """Parts under a licence that would bind the whole program, with no other to choose."""
    return [part for part in parts if _binds(part.licence)]


def _binds(licence: str) -> bool:
    return bool(REFUSED.search(_LESSER.sub("LGPL", licence))) and not any(each in licence for each in _FREE)


def show(site_packages: Path) -> int:
    """Print each distribution with its licence and number of texts; 1 if one has none or binds the whole program."""
    parts = of_distributions(site_packages)
    for part in parts:
        print(f"{part.name:24} {part.version:12} {part.licence:44.44} {len(part.texts)}")
    wrong = [f"no text: {part.name}" for part in parts if not part.texts]
    wrong += [f"binds the whole program: {part.name} ({part.licence})" for part in refused(parts)]
    print("\n".join(wrong) or f"All {len(parts)} have a text, and none binds the whole program.")
    return 1 if wrong else 0
