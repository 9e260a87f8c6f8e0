"""A test run keeps little: tried on small suites of its own, run with this project's settings."""

from pathlib import Path

import pytest

from app.practice.photos.drawing.noise import grain_tile
from tests.support.run_memory import PAINTER, forget_painted_parts
from tests.test_quiet import WITHOUT

pytest_plugins = ["pytester"]
LOGS_10_MB = """
import logging
def test_it():
    for _ in range(10):
        logging.getLogger("other").debug("x" * 1_000_000)
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, root: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An empty folder with the project's pytest settings."""
    monkeypatch.setenv("PYTHONPATH", str(root))
    (pytester.path / "pyproject.toml").write_text((root / "pyproject.toml").read_text(encoding="utf-8"))
    pytester.makeconftest(
        """
pytest_plugins = ["tests.support.run_memory"]
kept = 0
def pytest_runtest_logreport(report):
    global kept
    kept += sum(len(text) for _, text in report.sections)
def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"kept {kept}")
"""
    )
    return pytester


def run(suite: pytest.Pytester, body: str, *words: str) -> pytest.RunResult:
    module = suite.makepyfile(body)
    return suite.runpytest_subprocess(module, *WITHOUT, *words)


def test_one_that_passed_leaves_nothing_of_what_was_logged(suite: pytest.Pytester) -> None:
    ran = run(suite, LOGS_10_MB)
    assert ran.ret == 0
    ran.stdout.fnmatch_lines(["kept 0"])


def test_one_that_failed_leaves_the_end_of_it(suite: pytest.Pytester) -> None:
    body = f"{LOGS_10_MB}    logging.getLogger('other').debug('the end')\n    raise ValueError\n"
    ran = run(suite, body)
    assert ran.ret == 1
    ran.stdout.fnmatch_lines(["*the end"])
    kept = next(int(line.split()[1]) for line in ran.outlines if line.startswith("kept "))
    assert 100_000 < kept < 1_000_000


def test_a_run_that_holds_too_much_fails(suite: pytest.Pytester) -> None:
    body = "def test_it():\n    assert len(bytearray(200_000_000))\n"
    fine = run(suite, body, "--most-memory", "1000")
    assert fine.ret == 0
    too_much = run(suite, body, "--most-memory", "200")
    assert too_much.ret == 1
    too_much.stdout.fnmatch_lines(["The run held * MB at its height, more than 200 MB."])


def test_a_run_that_keeps_too_much_fails(suite: pytest.Pytester) -> None:
    body = "kept = []\ndef test_it():\n    kept.append(bytes([7]) * 200_000_000)\n"
    too_much = run(suite, body, "--most-memory-at-end", "200")
    assert too_much.ret == 1
    too_much.stdout.fnmatch_lines(["The run held * MB at its end, more than 200 MB."])


def test_what_the_painter_has_kept_is_forgotten() -> None:
    assert grain_tile.__module__.startswith(PAINTER)
    grain_tile(8, 1.0)
    assert grain_tile.cache_info().currsize
    forget_painted_parts()
    assert not grain_tile.cache_info().currsize
