"""The system's libraries that Qt, the tests and the packing need on Debian and its kin.

Need is told by what is really there (a shared library, a command, a file), never by package names, because those change
between releases. The sets were found with `ldd` on PySide6's plugins in a bare Debian 12; see `missing`.
"""

import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from devtools.errors import CannotGoOn
from devtools.places import log_file


@dataclass(frozen=True)
class Need:
    """A Debian package, and the thing of it we use: a shared library, a command, or a file (which may be a pattern)."""

    package: str
    library: str = ""
    command: str = ""
    file: str = ""


QT = (
    Need("libegl1", library="libEGL.so.1"),
    Need("libgl1", library="libGL.so.1"),
    Need("libglib2.0-0", library="libgthread-2.0.so.0"),
    Need("libdbus-1-3", library="libdbus-1.so.3"),
    Need("libfontconfig1", library="libfontconfig.so.1"),
    Need("libfreetype6", library="libfreetype.so.6"),
    Need("libbrotli1", library="libbrotlidec.so.1"),
    Need("libgssapi-krb5-2", library="libgssapi_krb5.so.2"),
    Need("libzstd1", library="libzstd.so.1"),
    Need("libx11-6", library="libX11.so.6"),
    Need("libx11-xcb1", library="libX11-xcb.so.1"),
    Need("libxcb1", library="libxcb.so.1"),
    Need("libxcb-cursor0", library="libxcb-cursor.so.0"),
    Need("libxcb-glx0", library="libxcb-glx.so.0"),
    Need("libxcb-icccm4", library="libxcb-icccm.so.4"),
    Need("libxcb-image0", library="libxcb-image.so.0"),
    Need("libxcb-keysyms1", library="libxcb-keysyms.so.1"),
    Need("libxcb-randr0", library="libxcb-randr.so.0"),
    Need("libxcb-render-util0", library="libxcb-render-util.so.0"),
    Need("libxcb-render0", library="libxcb-render.so.0"),
    Need("libxcb-shape0", library="libxcb-shape.so.0"),
    Need("libxcb-shm0", library="libxcb-shm.so.0"),
    Need("libxcb-sync1", library="libxcb-sync.so.1"),
    Need("libxcb-util1", library="libxcb-util.so.1"),
    Need("libxcb-xfixes0", library="libxcb-xfixes.so.0"),
    Need("libxcb-xkb1", library="libxcb-xkb.so.1"),
    Need("libxkbcommon0", library="libxkbcommon.so.0"),
    Need("libxkbcommon-x11-0", library="libxkbcommon-x11.so.0"),
    Need("libwayland-client0", library="libwayland-client.so.0"),
    Need("libwayland-cursor0", library="libwayland-cursor.so.0"),
    Need("libwayland-egl1", library="libwayland-egl.so.1"),
    Need("fonts-dejavu-core", file="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
)
TESTS = (
    Need("xvfb", command="Xvfb"),
    Need("xauth", command="xauth"),
    Need("x11-xkb-utils", command="setxkbmap"),
    Need("xdotool", command="xdotool"),
    Need("dbus", command="dbus-daemon"),
    Need("gnome-keyring", command="gnome-keyring-daemon"),
    Need("at-spi2-core", file="/usr/libexec/at-spi-bus-launcher"),
    Need("dunst", command="dunst"),
    Need("postgresql", file="/usr/lib/postgresql/*/bin/initdb"),
)
PACKING = (
    Need("binutils", command="objdump"),
    Need(
        f"libpython{sys.version_info[0]}.{sys.version_info[1]}",
        library=f"libpython{sys.version_info[0]}.{sys.version_info[1]}.so.1.0",
    ),
)
PATCHELF = Need("patchelf", command="patchelf")
DEB = (Need("dpkg-dev", command="dpkg-shlibdeps"),)
# A fresh machine is often busy with its own updates: apt waits for those instead of failing at once.
PATIENCE = "DPkg::Lock::Timeout=180"
VENV_MODULE = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"


def is_debian() -> bool:
    """Whether packages come from apt here. Elsewhere nothing is looked for and nothing installed."""
    return sys.platform == "linux" and shutil.which("apt-get") is not None


def is_system_python() -> bool:
    """Whether this interpreter is the system's own, which comes in several packages."""
    return sys.base_prefix == "/usr"


def known_libraries() -> frozenset[str]:
    """The names of the shared libraries the loader knows (`libEGL.so.1`, …)."""
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=True).stdout
    return frozenset(line.split()[0] for line in listing.splitlines() if line.startswith("\t"))


def missing(needs: Iterable[Need], libraries: frozenset[str]) -> list[str]:
    """The packages to install, in the order of `needs`, given the libraries the loader knows."""
    return [need.package for need in needs if not _is_there(need, libraries)]


def _is_there(need: Need, libraries: frozenset[str]) -> bool:
    if need.library:
        return need.library in libraries
    if need.command:
        return shutil.which(need.command) is not None
    return bool(glob.glob(need.file))  # noqa: PTH207  # an absolute pattern, which pathlib does not take


def install(packages: list[str], why: str) -> None:
    """Install with apt if we may; otherwise say the one command that does it, and stop."""
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    prefix = _rights()
    if prefix is None:
        raise CannotGoOn(f"{why} Please install them and start again:\n  sudo {' '.join(command)}")
    log = log_file("apt")
    print(f"Installing {len(packages)} Debian packages (what apt says is in {log})", flush=True)
    if _apt(prefix, command, log) == 0:
        return
    _apt(prefix, ["apt-get", "update"], log)  # a fresh machine has no package lists, an old one stale ones
    if _apt(prefix, command, log) != 0:
        raise CannotGoOn(f"apt could not install what is missing; see {log}. The command was:\n  {' '.join(command)}")


def _rights() -> list[str] | None:
    """What to put before a command that changes the system: nothing for root, sudo if it asks nothing, else None."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _apt(prefix: list[str], command: list[str], log: Path) -> int:
    with log.open("ab") as words:
        words.write(f"\n$ {' '.join(command)}\n".encode())
        words.flush()
        return subprocess.run(
            [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *command, "-o", PATIENCE],
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode


def ensure(needs: Iterable[Need]) -> None:
    """Install what is missing of `needs` on Debian; do nothing on other systems."""
    if not is_debian():
        return
    packages = missing(needs, known_libraries())
    if packages:
        install(packages, "Some of the system's libraries that Waybill needs are not here.")


def ensure_venv_module() -> None:
    """Debian keeps half of the `venv` module in a package of its own."""
    if is_debian() and is_system_python():
        install([VENV_MODULE], "Python's venv module is not complete here.")
    else:
        raise CannotGoOn("Python's venv module is not complete here (no ensurepip); please install it and start again.")
