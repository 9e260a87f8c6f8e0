"""How this program was installed: which packages can replace it, and who puts one in place."""

import platform
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from app.desk.updates import updates_words as words

SETUP, MSI, STICK = "windows-setup", "windows-msi", "windows-stick"
DEB, ARCHIVE, MAC, WHEEL = "debian", "linux", "macos", "python"
SYSTEMS = (SETUP, MSI, STICK, DEB, ARCHIVE, MAC, WHEEL)
# What shows a .deb to a person and installs it, in the order in which it is looked for: a program and its arguments.
_INSTALLERS = (
    ("gnome-software", "--local-filename={path}"),
    ("plasma-discover", "--local-filename={path}"),
    ("gdebi-gtk", "{path}"),
    ("qapt-deb-installer", "{path}"),
)
_MSI_MARK = "installed-for-everybody.txt"  # the MSI puts it beside the program's folder
_DEBIAN_HOME = Path("/usr/lib/waybill")


@dataclass(frozen=True, slots=True)
class HandOver:
    """`command` starts the system's installer, and is empty where a person does it, as `sentence` says.

    `closes`: this program has to end first, because the installer replaces no program that runs; it says so itself.
    """

    sentence: str
    command: tuple[str, ...] = ()
    closes: bool = False


def systems() -> tuple[str, ...]:
    """The systems whose packages fit here, with the machine where a package is for one; empty for a checkout."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    kind = _kind()
    return () if not kind else (kind,) if kind == WHEEL else (f"{kind}-{machine}",)


def _kind() -> str:
    if not getattr(sys, "frozen", False):
        return "" if (Path(__file__).parents[3] / "pyproject.toml").exists() else WHEEL
    folder = Path(sys.executable).parent
    if sys.platform == "win32":
        if (folder.parent / _MSI_MARK).exists():
            return MSI
        return SETUP if (folder.parent / "uninstall.exe").exists() else STICK
    if sys.platform == "darwin":
        return MAC
    return DEB if folder.is_relative_to(_DEBIAN_HOME) else ARCHIVE


def hand_over(system: str, path: Path) -> HandOver:
    """Who puts the package at `path` in place."""
    kind = system.partition("-")[0] if not system.startswith("windows") else "-".join(system.split("-")[:2])
    if kind == SETUP:
        return HandOver("", (str(path),), closes=True)
    if kind == MSI:  # Windows Installer asks for an administrator's consent by itself
        return HandOver("", ("msiexec", "/i", str(path)), closes=True)
    if kind == DEB:
        return _debian(path)
    by_hand = {STICK: words.by_hand_stick, ARCHIVE: words.by_hand_archive, MAC: words.by_hand_mac}
    return HandOver(by_hand[kind](path) if kind in by_hand else words.by_hand_wheel(shlex.quote(str(path))))


def _debian(path: Path) -> HandOver:
    for program, argument in _INSTALLERS:
        if found := shutil.which(program):
            return HandOver(words.HANDED_TO_SYSTEM, (found, argument.format(path=path)))
    return HandOver(words.by_hand_deb(shlex.quote(str(path))))
