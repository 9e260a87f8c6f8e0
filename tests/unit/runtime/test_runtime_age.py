"""The age of the process counts from its creation, so it is the time that a person waits for the window."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from app.runtime.age import seconds_old


def test_it_counts_from_the_making_of_the_process(root: Path) -> None:
    program = "import time; begun = time.monotonic(); [0 for _ in iter(lambda: time.monotonic() - begun > 0.7, True)]"
    program += "; from app.runtime.age import seconds_old; print(seconds_old(), flush=True)"
    before = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = float(process.stdout.readline())
        waited = time.monotonic() - before
    assert 0.7 < said <= waited + 0.02


def test_it_goes_on() -> None:
    first = seconds_old()
    assert seconds_old() >= first > 0


def test_time_to_ready_is_what_the_wall_says(root: Path, tmp_path: Path) -> None:
    """Less than was waited for its line, and more than half of it: of the rest, the way of the line is nothing."""
    command = [sys.executable, "-m", "app", "--data-dir", str(tmp_path), "--time-to-ready"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    before = time.monotonic()
    with subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())["ready_s"]
        waited = time.monotonic() - before
    assert waited * 0.8 - 0.02 < said <= waited + 0.02
