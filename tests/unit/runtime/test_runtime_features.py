"""PySide reads the source of no module, and where its insides change the program starts all the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

IMPORTS_WAVE = """
import json, linecache, sys
import PySide6.QtCore
{change}
{before}
import wave
print(json.dumps([name for name in linecache.cache if name.endswith("wave.py")]))
"""
LEAVE = "from app.runtime.features import leave_sources_alone\nleft = leave_sources_alone()"
FEATURE = "sys.modules['shibokensupport.feature']"
OTHER_INSIDES = {
    "the module has another name": "del sys.modules['shibokensupport.feature']",
    "the function has another name": f"del {FEATURE}._mod_uses_pyside",
    "the function is compiled": f"{FEATURE}._mod_uses_pyside = len",
    "the function takes one more argument": f"{FEATURE}._mod_uses_pyside = lambda module, depth: False",
    "the function takes one by keyword": f"{FEATURE}._mod_uses_pyside = lambda module, *, deep: False",
    "the function takes any arguments": f"{FEATURE}._mod_uses_pyside = lambda *module: False",
}


def run(root: Path, program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("before", "read"), [("", 1), (LEAVE, 0)], ids=["as it comes", "left alone"])
def test_the_sources_that_are_read_on_import(root: Path, before: str, read: int) -> None:
    """The first case says whether the second still proves anything."""
    assert len(json.loads(run(root, IMPORTS_WAVE.format(change="", before=before)))) == read


def test_no_source_that_was_read_before_stays_in_memory(root: Path) -> None:
    count = "import linecache, PySide6.QtCore\nbefore = len(linecache.cache)\n"
    told = run(root, f"{count}{LEAVE}\nprint(left, before > 0, len(linecache.cache))")
    assert told.split() == ["True", "True", "0"]


def test_another_pyside_is_left_as_it_is(root: Path) -> None:
    """All in one process, each change undone before the next."""
    program = """
import json, sys, PySide6.QtCore
from app.runtime.features import leave_sources_alone
name = "shibokensupport.feature"
module, search, kept = sys.modules[name], sys.modules[name]._mod_uses_pyside, {}
for title, change in json.loads(sys.argv[1]).items():
    exec(change)
    insides = getattr(sys.modules.get(name), "_mod_uses_pyside", None)
    kept[title] = not leave_sources_alone() and getattr(sys.modules.get(name), "_mod_uses_pyside", None) is insides
    sys.modules[name], module._mod_uses_pyside = module, search
kept["as it comes"] = leave_sources_alone()
print(json.dumps(kept))
"""
    kept = json.loads(run(root, program, json.dumps(OTHER_INSIDES)))
    assert kept == dict.fromkeys((*OTHER_INSIDES, "as it comes"), True)


def test_the_program_starts_where_the_insides_have_changed(root: Path, tmp_path: Path) -> None:
    """The real start, with PySide's own search behind a function of other parameters."""
    program = """
import sys, PySide6.QtCore
feature, looked = sys.modules["shibokensupport.feature"], []
really = feature._mod_uses_pyside
def search(module, depth=1):
    looked.append(module.__name__)
    return really(module)
feature._mod_uses_pyside = search
from app.__main__ import main
status = main()
assert "app.ui.base.main_window" in looked, "PySide has looked into what was imported, as it comes"
sys.exit(status)
"""
    assert "ready_s" in json.loads(run(root, program, "--data-dir", str(tmp_path), "--time-to-ready"))
