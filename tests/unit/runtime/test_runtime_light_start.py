"""What is imported before the window is painted: little, and none of the client's libraries.

Modules are counted, not milliseconds: a count is the same on a busy machine.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.store.paths import DataDir
from tests.bench.world import fill_cache

# The libraries that draw the window and read the store. Each other one may be imported after the first paint.
# `cython_runtime` comes with pyroaring.
LIBRARIES = {
    *("PySide6", "shiboken6", "shibokensupport", "signature_bootstrap"),
    *("apsw", "pyroaring", "cython_runtime", "qasync"),
}
MOST_MODULES = 211  # of Waybill's own; a new one needs a reason why the page cannot be painted without it
# A start that finds a still of the last view paints that first, with Qt and next to nothing of ours.
LIBRARIES_FOR_A_STILL = {"PySide6", "shiboken6", "shibokensupport", "signature_bootstrap"}
MOST_MODULES_FOR_A_STILL = 25


def start(root: Path, folder: Path, *words: str) -> list[dict[str, Any]]:
    """What a start says of each of its stages."""
    command = [sys.executable, "-m", "app", "--data-dir", str(folder), "--time-to-ready", *words]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_owner_is_found_without_openssl(root: Path) -> None:
    """The lock is taken before the first paint, and OpenSSL takes milliseconds to load."""
    loaded = "import app.runtime.single_owner, sys; print('_hashlib' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", loaded], cwd=root, capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


_STAGE_ONE = """
import sys
from PySide6 import QtCore, QtGui
from app import bootstrap
from app.ui.base.main_window import MainWindow
from app.ui.still import still_file
from app.ui.still.show_still import show_still

application = bootstrap._application()
window = MainWindow()
still_file.surroundings(application)
place, size = bytes(window.saveGeometry().toBase64().data()).decode(), window.size()
facts = still_file.Facts("Waybill", place, "#101010", size.width(), size.height(), 1.0)
view = show_still(window, still_file.Still(facts, bytes(4 * size.width() * size.height())))
late = {"QKeySequence"} & {*vars(QtGui)}
print(not view._told, "Qt" in vars(QtCore), {"json", "dataclasses"} & {*sys.modules} | late)
"""


def test_a_still_is_painted_without_what_takes_long(root: Path) -> None:
    """The first use of PySide's namespace `Qt` makes all of its enums, which takes a tenth of the time to the first
    paint. The two modules, and the class with its enum, take some milliseconds."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", _STAGE_ONE]
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "False False set()\n"


def libraries(stage: dict[str, Any]) -> set[str]:
    return {name for name in stage["libraries"] if not name.startswith("_")}


def test_the_first_paint_imports_little(root: Path, tmp_path: Path) -> None:
    (ready,) = start(root, tmp_path)
    assert libraries(ready) <= LIBRARIES
    assert 0 < ready["modules"] <= MOST_MODULES


def test_a_still_is_painted_with_next_to_nothing(root: Path, tmp_path: Path) -> None:
    fill_cache(tmp_path, 40)
    assert [stage.keys() & {"painted_s", "ready_s"} for stage in start(root, tmp_path)] == [{"ready_s"}]
    painted, ready = start(root, tmp_path)
    assert libraries(painted) <= LIBRARIES_FOR_A_STILL
    assert 0 < painted["modules"] <= MOST_MODULES_FOR_A_STILL
    assert 0 < painted["painted_s"] < ready["ready_s"]
    # A safe start may follow a still that was the fault: it uses none, and leaves none.
    assert len(start(root, tmp_path, "--safe")) == 1
    assert not DataDir(tmp_path).still.exists()
