"""What is imported before the window is painted: little, and none of the client's libraries.

Modules are counted, not milliseconds: a count is the same on a busy machine.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

# The libraries that draw the window and read the store. Each other one may be imported after the first paint.
LIBRARIES = {"PySide6", "apsw", "pyroaring", "qasync", "shiboken6", "shibokensupport", "signature_bootstrap"}
MOST_MODULES = 203  # of Waybill's own; a new one needs a reason why the first paint cannot do without it


def test_the_first_paint_imports_little(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "--data-dir", str(tmp_path), "--time-to-ready"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    facts = json.loads(ran.stdout)
    assert set(facts["libraries"]) - {name for name in facts["libraries"] if name.startswith("_")} <= LIBRARIES
    assert 0 < facts["modules"] <= MOST_MODULES
