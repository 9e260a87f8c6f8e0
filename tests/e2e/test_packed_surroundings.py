"""Programs that a packed Waybill starts get the environment it was started with, not the one it made for itself."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.own_processes import leave_packing
from tests.support.display import private_display
from tests.support.window_process import until

# What PyInstaller's bootloader and its hook for PySide6 do, and then what Waybill does.
PROGRAM = """
import os, sys
sys.frozen, sys._MEIPASS = True, sys.argv[1]
from app.bootstrap import _application
application = _application()
from pathlib import Path
from app.desk.files.stoppable_work import Progress
from app.ui.printing.printers import spooler
from app.ui.widgets.files.show_in_folder import show_in_folder
print(spooler.names(Progress()))
print(show_in_folder(Path(sys.argv[2])))
"""
NOTES = """#!{python}
import json, os, sys
with open({folder!r} + "/" + os.path.basename(sys.argv[0]) + ".unfinished", "w") as file:
    json.dump(dict(os.environ), file)
os.rename(file.name, file.name.removesuffix(".unfinished") + ".json")
"""


def packed_environment(packed: Path) -> dict[str, str]:
    """As a packed program finds it; the first two were something else before."""
    return {
        "LD_LIBRARY_PATH": str(packed),
        "LD_LIBRARY_PATH_ORIG": "libraries-of-before",
        "QT_PLUGIN_PATH": str(packed / "PySide6" / "Qt" / "plugins"),
        "QML2_IMPORT_PATH": str(packed / "PySide6" / "Qt" / "qml"),
        "_PYI_ARCHIVE_FILE": str(packed / "waybill"),
        "_PYI_APPLICATION_HOME_DIR": str(packed),
        "_PYI_PARENT_PROCESS_LEVEL": "1",
    }


@pytest.mark.parametrize("command", ["xdg-open", "lpstat"])
def test_what_is_started_gets_the_environment_from_before(root: Path, tmp_path: Path, command: str) -> None:
    commands, packed = tmp_path / "bin", tmp_path / "waybill" / "_internal"
    commands.mkdir()
    packed.mkdir(parents=True)
    for name in ("xdg-open", "lpstat", "lp"):
        path = commands / name
        path.write_text(NOTES.format(python=sys.executable, folder=str(tmp_path)))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    with private_display() as shown:
        given = {**shown, "PATH": f"{commands}:{os.environ['PATH']}", **packed_environment(packed)}
        started = [sys.executable, "-c", PROGRAM, str(packed), str(tmp_path / "orders.pdf")]
        ran = subprocess.run(started, cwd=root, env=given, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "[]\nTrue\n", "")
        told = tmp_path / f"{command}.json"
        assert until(told.exists), "it was not started"
    seen = json.loads(told.read_text())
    assert seen["LD_LIBRARY_PATH"] == "libraries-of-before"
    left = [name for name in seen if name.startswith(("_PYI", "LD_LIBRARY_PATH_", "QT_PLUGIN", "QML2"))]
    assert left == []
    assert str(packed) not in json.dumps(seen)


def test_what_was_there_before_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    own = f"{tmp_path}{os.pathsep}plugins-of-before"
    given = {"LD_LIBRARY_PATH": str(tmp_path), "QT_PLUGIN_PATH": own, "PATH": f"{tmp_path}{os.pathsep}bin", "A": "b"}
    leave_packing(given)
    assert given == {"QT_PLUGIN_PATH": "plugins-of-before", "PATH": "bin", "A": "b"}


def test_a_program_from_source_is_left_as_it_is(tmp_path: Path) -> None:
    given = packed_environment(tmp_path)
    leave_packing(given)
    assert given == packed_environment(tmp_path)
