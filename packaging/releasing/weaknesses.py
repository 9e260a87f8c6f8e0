"""Known weaknesses of what is pinned, asked by pip-audit, which is not among the pins: it is run now and then.

Invariant: what nobody could be asked about is said by name, and is no pass.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from devtools import places
from devtools.errors import CannotGoOn


def look() -> int:
    """Ask about the run-time and the packing pins; 1 if a weakness is known. Raises `CannotGoOn`."""
    tool = shutil.which("pip-audit", path=f"{places.venv_scripts()}{os.pathsep}{os.environ.get('PATH', '')}")
    if tool is None:
        raise CannotGoOn("Looking for known weaknesses needs pip-audit on the path (pip install pip-audit).")
    weak: dict[str, list[str]] = {}
    unasked: set[str] = set()
    for pins in (places.RUNTIME_PINS, places.PACKING_PINS):
        for each in _asked(tool, pins):
            name = f"{each['name']} {each.get('version', '')}".strip()
            if "skip_reason" in each:
                unasked.add(name)
            elif found := [str(known["id"]) for known in each.get("vulns", ())]:
                weak[name] = found
    for name, found in sorted(weak.items()):
        print(f"{name}: {', '.join(found)}")
    if unasked:
        raise CannotGoOn(f"Nobody could be asked about {len(unasked)}: {', '.join(sorted(unasked))}.", 1)
    print("Weaknesses are known of these." if weak else "No weakness is known of anything that is pinned.")
    return 1 if weak else 0


def _asked(tool: str, pins: Path) -> list[dict[str, Any]]:
    """What pip-audit says of each library in `pins`."""
    with tempfile.TemporaryDirectory(prefix="waybill-audit-") as folder:
        answer = Path(folder) / "answer.json"
        command = [tool, "--requirement", str(pins), "--require-hashes", "--disable-pip", "--progress-spinner=off"]
        command += ["--format=json", f"--output={answer}", f"--cache-dir={folder}"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if not answer.exists():
            raise CannotGoOn(f"pip-audit gave no answer:\n{ran.stderr.strip()}")
        said: dict[str, list[dict[str, Any]]] = json.loads(answer.read_text(encoding="utf-8"))
    return said["dependencies"]
