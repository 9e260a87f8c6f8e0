"""Installs the wheel by pipx with each Python that is here, or is named, and starts it: `dev.py pipx [PYTHON …]`.

In each: installed with what it needs, far from the checkout; says its version; passes its self-test; removed again.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from devtools import debian, places
from devtools.errors import CannotGoOn
from releasing import program, wheels

PIPX = "pipx==1.7.1"
_NAMES = tuple(f"python3.{minor}" for minor in range(11, 15))
_PATIENCE_S = 900


def run(pythons: list[str]) -> int:
    """Try each; 1 if one failed."""
    debian.ensure(debian.QT)
    found = {name: path for name in pythons or _NAMES if (path := shutil.which(name)) and _starts(path)}
    missing = [name for name in pythons if name not in found]
    if missing:
        raise CannotGoOn(f"{', '.join(missing)} cannot be started.")
    if not found:
        raise CannotGoOn(f"None of {', '.join(_NAMES)} can be started; name one: dev.py pipx PYTHON")
    here = [Path(path) for path in found.values()]
    wheel = next(path for path in wheels.make() if path.suffix == ".whl")
    home = places.BUILD / "pipx"
    shutil.rmtree(home, ignore_errors=True)
    log = places.log_file("pipx")
    log.unlink(missing_ok=True)
    tool = _pipx(home, log)
    failed = 0
    for each in here:
        started = time.monotonic()
        why = _try(tool, home, each, wheel, log)
        version = _said([each, "--version"], home, log).strip()
        print(f"{version}: {why or 'passed'} in {time.monotonic() - started:.0f} s", flush=True)
        failed += bool(why)
    return 1 if failed else 0


def _starts(python: str) -> bool:
    """Whether it is a Python: pyenv has a command for each version that it knows, also where another one is in use."""
    return subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0


def _pipx(home: Path, log: Path) -> list[str | Path]:
    own = home / "own"
    subprocess.run([sys.executable, "-m", "venv", own], check=True)
    python = places.venv_python(own)
    if _ran([python, "-m", "pip", "install", "--disable-pip-version-check", PIPX], home, log) != 0:
        raise CannotGoOn(f"pip could not install {PIPX}; see {log}.")
    return [python, "-m", "pipx"]


def _try(tool: list[str | Path], home: Path, python: Path, wheel: Path, log: Path) -> str:
    """What failed; nothing if all of it went well."""
    command = home / "bin" / "waybill"
    if _ran([*tool, "install", "--python", python, wheel], home, log) != 0:
        return f"FAILED: pipx could not install it; see {log}"
    try:
        said = _said([command, "--version"], home, log)
        if program.version() not in said:
            return f"FAILED: it says {said!r} of its version"
        if "selftest passed" not in _said([command, "--selftest"], home, log):
            return f"FAILED: its self-test, see {log}"
    finally:
        removed = _ran([*tool, "uninstall", "waybill"], home, log)
    return "" if removed == 0 and not command.exists() else "FAILED: it was not removed"


def _ran(command: list[str | Path], home: Path, log: Path) -> int:
    with log.open("ab") as said:
        return subprocess.run(
            command, env=_surroundings(home), cwd=home, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            timeout=_PATIENCE_S, check=False,
        ).returncode  # fmt: skip


def _said(command: list[str | Path], home: Path, log: Path) -> str:
    ran = subprocess.run(
        command, env=_surroundings(home), cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=_PATIENCE_S, check=False,
    )  # fmt: skip
    with log.open("a", encoding="utf-8") as kept:
        kept.write(ran.stdout)
    return ran.stdout


def _surroundings(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own = {"PIPX_HOME": home / "home", "PIPX_BIN_DIR": home / "bin", "PIPX_MAN_DIR": home / "man"}
    return {**kept, **{name: str(path) for name, path in own.items()}, "QT_QPA_PLATFORM": "offscreen"}
