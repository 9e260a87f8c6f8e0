"""Known weaknesses of what is pinned, asked by pip-audit, which is not among the pins: it is run now and then."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from devtools import places
from devtools.errors import CannotGoOn


def look() -> int:
    """Ask about the run-time and the packing pins; 1 if a weakness is known. Raises `CannotGoOn`."""
    tool = shutil.which("pip-audit", path=f"{places.venv_scripts()}{os.pathsep}{os.environ.get('PATH', '')}")
    if tool is None:
        raise CannotGoOn("Looking for known weaknesses needs pip-audit on the path (pip install pip-audit).")
    worst = 0
    for pins in (places.RUNTIME_PINS, places.PACKING_PINS):
        print(f"{pins.name}:", flush=True)
        with tempfile.TemporaryDirectory(prefix="waybill-audit-") as cache:
            command = [tool, "--requirement", str(pins), "--require-hashes", "--disable-pip", "--progress-spinner=off"]
            ran = subprocess.run([*command, "--cache-dir", str(Path(cache))], check=False)
        worst = max(worst, ran.returncode)
    return worst
