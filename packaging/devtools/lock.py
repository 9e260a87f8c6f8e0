"""Writing the pins: every requirement of pyproject.toml for every platform, with hashes and without any address."""

import os
import shutil
import subprocess

from devtools import places
from devtools.errors import CannotGoOn

COMMON = (
    "pip",
    "compile",
    "pyproject.toml",
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--quiet",
)


def write(upgrade: bool) -> int:
    """Compile the files; pins that still fit are kept unless `upgrade`. Needs uv, which only this command uses."""
    uv = shutil.which("uv", path=f"{places.venv_scripts()}{os.pathsep}{os.environ.get('PATH', '')}")
    if uv is None:
        raise CannotGoOn("Writing the pins needs uv on the path, version 0.9 or newer (pip install uv).")
    more = ["--upgrade"] if upgrade else []
    for pins, extra in (
        (places.DEV_PINS, ["--extra=dev"]),
        (places.RUNTIME_PINS, [f"--constraint={places.DEV_PINS}"]),
        (places.PACKING_PINS, ["--extra=packing", f"--constraint={places.DEV_PINS}"]),
    ):
        command = [uv, *COMMON, *more, *extra, f"--output-file={pins}"]
        status = subprocess.run(command, cwd=places.ROOT, check=False).returncode
        if status != 0:
            return status
    return 0
