"""F17: canary secrets and a canary consignee through failing runs: in no log, trace, report, export or temporary file.

The journal, the cache, the history of calls and the forms of the console hold the consignee, since that is what they
are for. The client's secret and the password of the proxy must be nowhere on the disk, also where a person typed them
into a form of the console, and where the program is killed before it closes the file.
"""

import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.faults.canary_child import CONSIGNEE, PROXY_PASSWORD, PROXY_USER, SECRET
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report

ROOT = Path(__file__).resolve().parents[2]
_RUNS_OF_A_CHILD = 50


def _traces(word: str) -> list[bytes]:
    """The word in the ways in which text is written down."""
    plain = word.encode()
    return [
        plain,
        plain.replace(b" ", b"+"),
        plain.replace(b" ", b"%20"),
        word.encode("utf-16-le"),
        plain.hex().encode(),
        base64.b64encode(plain),
        base64.b64encode(f"{PROXY_USER}:{word}".encode()),  # as a header has it
    ]


def _found_in(folder: Path, word: str, *, but: str = "") -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not (but and path.relative_to(folder).parts[0] == but)
        if any(trace in path.read_bytes() for trace in _traces(word))
    ]


def _child(folder: Path, seed: int, count: int, report: Report) -> None:
    """One child's failing runs, and the search through everything it wrote."""
    command = [sys.executable, "-m", "tests.faults.canary_child", str(folder), str(seed), str(count)]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    (folder / "stdout").write_bytes(ended.stdout)
    (folder / "stderr").write_bytes(ended.stderr)
    report.check(ended.stdout.startswith(b"ran %d" % count), f"seed {seed}: did not run: {ended.stderr[-400:]!r}")
    report.check((folder / "logs" / "all.log").stat().st_size > 0, f"seed {seed}: nothing was logged")
    report.check((folder / "reports").stat().st_size > 0, f"seed {seed}: nothing was reported")
    history = folder / "data" / "history.txt"
    report.check(CONSIGNEE.encode() in history.read_bytes(), f"seed {seed}: no answer to a call by hand was kept")
    typed = folder / "data" / "forms.txt"
    report.check(CONSIGNEE.encode() in typed.read_bytes(), f"seed {seed}: nothing that was typed by hand was kept")
    report.check(bool(_found_in(folder, CONSIGNEE)), f"seed {seed}: the search finds nothing where there is something")
    report.check((folder / "shared" / "tests.txt").stat().st_size > 0, f"seed {seed}: no connection was tested")
    for secret in (SECRET, PROXY_PASSWORD):
        report.found += [f"seed {seed}: {secret} is in {name}" for name in _found_in(folder, secret)]
    for name in _found_in(folder, CONSIGNEE, but="data"):
        report.found.append(f"seed {seed}: the consignee is in {name}")
    report.tried += count


def run(size: int, seed: int) -> Report:
    """`size` failing runs, some fifty in each child process."""
    report = Report()
    while report.tried < size and not report.found:
        count = min(_RUNS_OF_A_CHILD, size - report.tried)
        with tempfile.TemporaryDirectory() as folder:
            _child(Path(folder), seed * 1_000 + report.tried, count, report)
    return report


FAULT = Measure(
    "F17", "canary secrets and a consignee: in no log, trace, report, export or temporary file", run, 12, 300
)
