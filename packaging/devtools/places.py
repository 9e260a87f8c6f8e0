"""Where things lie in a checkout. Every path the set-up writes to is here, and all of them are ignored by git."""

import os
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
RUNTIME_PINS = PACKAGING / "requirements.txt"
DEV_PINS = PACKAGING / "requirements-dev.txt"
PACKING_PINS = PACKAGING / "requirements-packing.txt"
SPEC = PACKAGING / "waybill.spec"

BUILD = ROOT / "build"
DIST = ROOT / "dist"
VENV = ROOT / ".venv"


def venv_scripts(venv: Path = VENV) -> Path:
    """The folder of the environment's commands."""
    return venv / ("Scripts" if os.name == "nt" else "bin")


def venv_python(venv: Path = VENV) -> Path:
    """The environment's interpreter."""
    return venv_scripts(venv) / ("python.exe" if os.name == "nt" else "python")


def venv_site_packages(venv: Path = VENV) -> Path:
    """The environment's folder of installed modules, for the Python that is running now."""
    variables = {"base": str(venv), "platbase": str(venv)}
    return Path(sysconfig.get_path("purelib", scheme="venv", vars=variables))


def log_file(name: str) -> Path:
    """Where the long words of `name` (apt, pip) go, so that the terminal keeps to one line."""
    BUILD.mkdir(exist_ok=True)
    return BUILD / f"{name}.log"
