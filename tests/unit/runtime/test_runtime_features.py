"""PySide looks into no module's source."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

_LOOK = """
import json, linecache
{before}
import PySide6.QtCore
import wave
print(json.dumps([name for name in linecache.cache if name.endswith("wave.py")]))
"""


@pytest.mark.parametrize(
    ("before", "read"),
    [("", 1), ("from app.runtime.features import leave_sources_alone; leave_sources_alone()", 0)],
    ids=["as it comes", "left alone"],
)
def test_the_sources_that_are_read_on_import(root: Path, before: str, read: int) -> None:
    """The first case says whether the second still proves anything."""
    program = _LOOK.format(before=before)
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)) == read
