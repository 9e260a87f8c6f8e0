"""The project's own environment: `.venv`, filled from pinned and hashed requirements, with the project on its path.

A stamp holds the digest of what was installed, so a second start costs one file read. The stamp is written last: an
installation that was cut short is simply done again. An environment does not survive being moved (its commands hold its
path), so the stamp names its place too.
"""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

from devtools import debian, logged, places
from devtools.errors import CannotGoOn

STAMP = "waybill-installed.json"
PLACE = "place"


def ensure(pins: Path, venv_dir: Path = places.VENV) -> Path:
    """Make the environment hold what `pins` says and return its interpreter."""
    if venv_dir.is_symlink():  # making it anew would empty the folder of whoever it belongs to
        raise CannotGoOn(f"{venv_dir} is a link. Remove it: every checkout has an environment of its own.")
    python = places.venv_python(venv_dir)
    if stamped(venv_dir).get(pins.name) == digest(pins) and python.exists():
        return python
    if not _usable(venv_dir) or stamped(venv_dir).get(PLACE, str(venv_dir)) != str(venv_dir):
        _create(venv_dir)
    _install(python, pins)
    _put_on_path(venv_dir)
    _stamp(venv_dir, pins)
    return python


def digest(pins: Path) -> str:
    """What the stamp compares: the pins, the Python they were installed for, and where the checkout lies."""
    facts = f"{sys.version_info[:2]} {sys.base_prefix} {places.ROOT}".encode()
    return hashlib.sha256(pins.read_bytes() + facts).hexdigest()


def stamped(venv_dir: Path) -> dict[str, str]:
    """Name of a pins file → digest of it when it was installed; empty if there is no readable stamp."""
    try:
        stamp = json.loads((venv_dir / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _stamp(venv_dir: Path, pins: Path) -> None:
    """Remember that `pins` is installed. The runtime's pins are a part of the developer's, so those vouch for both."""
    done = [places.RUNTIME_PINS, places.DEV_PINS] if pins == places.DEV_PINS else [pins]
    stamp = {PLACE: str(venv_dir)} | {pins_file.name: digest(pins_file) for pins_file in done}
    (venv_dir / STAMP).write_text(json.dumps(stamp, indent=1), encoding="utf-8")


def _usable(venv_dir: Path) -> bool:
    """Whether there is an environment whose interpreter starts, is this Python's version and has pip."""
    python = places.venv_python(venv_dir)
    if not python.exists():
        return False
    question = "import sys, pip; print(sys.version_info[:2])"
    answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=False)
    return answer.stdout.strip() == str(sys.version_info[:2])


def _create(venv_dir: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        debian.ensure_venv_module()
    print(f"Making {venv_dir}", flush=True)
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(venv_dir)


def _install(python: Path, pins: Path) -> None:
    log = places.log_file("pip")
    print(f"Installing what {pins.name} pins (a minute or two; what pip says is in {log})", flush=True)
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--require-hashes",
        "--only-binary=:all:",
        "--no-input",
    ]
    command += ["--disable-pip-version-check", "--progress-bar=off", "-r", pins]
    logged.run(command, log, "pip could not install what Waybill needs:")


def _put_on_path(venv_dir: Path) -> None:
    """Put the checkout on the environment's path and a `waybill` command beside its interpreter, without building."""
    pth = places.venv_site_packages(venv_dir) / "waybill.pth"
    pth.write_text(f"{places.ROOT}\n", encoding=None if os.name == "nt" else "utf-8")
    scripts = places.venv_scripts(venv_dir)
    if os.name == "nt":
        (scripts / "waybill.cmd").write_text('@"%~dp0python.exe" -P -m app %*\n', encoding="ascii")
        return
    command = scripts / "waybill"
    command.write_text(f'#!/bin/sh\nexec "{scripts / "python"}" -P -m app "$@"\n', encoding="utf-8")
    command.chmod(0o755)
