"""The program and its data in folders whose names hold what people and systems put there: Qt remarks on nothing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.version import VERSION
from tests.support.targets import PACKED
from tests.support.window import WindowFactory

# What a style sheet, an address, a shell or a pattern would take for a sign of its own.
ODD = "dä o'brien (x) [1] #2 %41 $y {z}; é\u0301 中"

pytestmark = pytest.mark.skipif(PACKED in os.environ, reason="copies the sources")


@pytest.fixture(scope="module")
def copied(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in a folder of such a name."""
    copy = tmp_path_factory.mktemp("installed") / ODD
    for part in ("app", "resources"):
        shutil.copytree(root / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_the_self_test_passes(copied: Path, tmp_path: Path) -> None:
    scratch = tmp_path / ODD
    scratch.mkdir()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "app", "--selftest", "--json"]
    ran = subprocess.run(command, cwd=copied, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    told = json.loads(ran.stdout)
    assert (told["version"], told["passed"]) == (VERSION, True)
    assert {"store", "resources", "practice"} <= {each["name"] for each in told["checks"] if each["passed"]}


def test_a_remark_of_qt_fails_the_self_test(copied: Path, tmp_path: Path) -> None:
    spoilt = tmp_path / "spoilt"
    shutil.copytree(copied, spoilt)
    with (spoilt / "resources" / "style.qss").open("a", encoding="utf-8") as sheet:
        sheet.write("QLabel { color: url(ä); }\n")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "app", "--selftest"]
    ran = subprocess.run(command, cwd=spoilt, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "FAILED  remarks of Qt: SelftestFailed: Qt remarked: Could not parse stylesheet of object" in ran.stdout


def test_the_window_opens_connects_and_closes(copied: Path, tmp_path: Path, open_window: WindowFactory) -> None:
    window = open_window(tmp_path / ODD, root=copied)
    window.wait_for_words("✓ Connected, last answer")
    window.wait_for(lambda: window.find("Orders", "table").rows(), "orders")
    window.close()  # it printed nothing
    assert (tmp_path / ODD / "journal.sqlite3").is_file()
