"""The packages: which there are, which of them this machine can make and why not the others, and their making."""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from devtools import debian, environment, places, turns
from devtools.errors import CannotGoOn

from releasing import mac_bundle, msi_package, program, reproducible, wheels, windows_packages, wine
from releasing.program import Program


@dataclass(frozen=True)
class Package:
    """`why_not` says in a sentence why this machine cannot make it, or nothing; `make` returns the files."""

    name: str
    what: str
    why_not: Callable[[], str]
    make: Callable[[], list[Path]]


@cache
def packed() -> Program:
    """The packed program for this system, made once for all packages that hold it."""
    debian.ensure(debian.PACKING if debian.is_system_python() else debian.PACKING[:1])
    debian.ensure((*debian.QT, debian.PATCHELF))
    with turns.turn("packing"):
        return program.make()


@cache
def icons() -> Path:
    """The folder with the icon in all sizes."""
    debian.ensure(debian.QT)
    python = environment.ensure(program.PINS, program.ENVIRONMENT)
    folder = places.BUILD / "icons"
    command: list[str | Path] = [python, "-m", "releasing.icons", places.PACKAGING / "linux" / "waybill.svg", folder]
    surroundings = {**reproducible.surroundings(os.environ), "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(command, cwd=places.PACKAGING, env=surroundings, check=True)
    return folder


def _linux_folder() -> list[Path]:
    return [linux_archive(packed())]


def linux_archive(made: Program) -> Path:
    """The packed program as an archive whose one folder bears the version."""
    name = f"waybill-{made.version}-linux-{platform.machine()}"
    return reproducible.tar_xz(made.folder, f"waybill-{made.version}", places.DIST / f"{name}.tar.xz")


def _debian() -> list[Path]:
    from releasing import debian_package

    debian.ensure(debian.DEB)
    return [debian_package.make(packed(), icons())]


def _here(system: str, name: str) -> Callable[[], str]:
    def look() -> str:
        return "" if sys.platform == system else f"It is made on {name}; this is {platform.system()}."

    return look


def _no_debian() -> str:
    if sys.platform != "linux":
        return f"It is made on Debian or Ubuntu; this is {platform.system()}."
    return "" if shutil.which("dpkg-deb") else "dpkg-deb is not here: it is made on Debian or Ubuntu."


def _always() -> str:
    return ""


def _no_app_image() -> str:
    return (
        "It begins with a program of the AppImage project, which Debian does not have; the .tar.xz runs on the same "
        "systems."
    )


def _no_flatpak() -> str:
    return (
        "It needs the run-time environment of Flathub, which is fetched from there alone, and would have to be proven "
        "inside its sandbox."
    )


def _not_made() -> list[Path]:
    raise AssertionError("a package that can be made nowhere was asked for")  # its `why_not` says so before


def _no_windows() -> str:
    return "" if sys.platform == "win32" else wine.why_not()


PACKAGES = (
    Package("wheel", "wheel and sdist, for pipx", _always, wheels.make),
    Package("folder", "the packed program as .tar.xz", _here("linux", "Linux"), _linux_folder),
    Package("deb", "Debian and Ubuntu, with menu entry", _no_debian, _debian),
    Package("setup", "Windows, installed for one user", _no_windows, lambda: windows_packages.setup(icons())),
    Package("stick", "Windows as .zip, which runs from a stick", _no_windows, lambda: windows_packages.stick(icons())),
    Package("msi", "Windows, installed for everybody", msi_package.why_not, lambda: msi_package.make(icons())),
    Package("dmg", "macOS, as a disk image", _here("darwin", "macOS"), lambda: mac_bundle.make(icons())),
    Package("appimage", "Linux, as one file", _no_app_image, _not_made),
    Package("flatpak", "Linux, in a sandbox", _no_flatpak, _not_made),
)


def show() -> int:
    """Print each package, and why this machine cannot make it."""
    for each in PACKAGES:
        reason = each.why_not()
        print(f"{each.name:10} {each.what}{f': {reason}' if reason else ''}")
    return 0


def chosen(names: list[str]) -> list[Package]:
    """The named packages, or all that this machine can make. Raises `CannotGoOn` for one that it cannot make."""
    known = {each.name: each for each in PACKAGES}
    if unknown := [name for name in names if name not in known]:
        raise CannotGoOn(f"There is no package {', '.join(unknown)}; there are {', '.join(known)}.")
    for each in (known[name] for name in names):
        if reason := each.why_not():
            raise CannotGoOn(f"{each.name} cannot be made here. {reason}")
    return [known[name] for name in names] or [each for each in PACKAGES if not each.why_not()]


def make(names: list[str]) -> int:
    """Make the named packages, or all that this machine can make; print what each comes to."""
    made = [path for each in chosen(names) for path in each.make()]
    print("\n".join(told(path) for path in made))
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(made))
    (places.DIST / "SHA256SUMS").write_text(sums, encoding="utf-8", newline="\n")
    return 0


def told(path: Path) -> str:
    """A file and its size, in a million bytes."""
    return f"{path.relative_to(places.ROOT)}: {megabytes(path.stat().st_size)}"


def folder_size(folder: Path) -> int:
    """Bytes of all files under `folder`; links count as links, not as what they point to."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())


def megabytes(size: int) -> str:
    """A size for people: `47.9 MB` (a million bytes)."""
    return f"{size / 1e6:.1f} MB"
