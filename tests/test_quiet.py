"""The rule that noise fails a test, tried on small suites of its own run with this project's settings."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
# Plugins that have no part in this and take a second to import.
WITHOUT = [f"-pno:{name}" for name in ("cacheprovider", "schemathesis", "hypothesispytest", "anyio")]


@pytest.fixture
def suite(pytester: pytest.Pytester, root: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An empty folder with the project's pytest settings."""
    monkeypatch.setenv("PYTHONPATH", str(root))
    (pytester.path / "pyproject.toml").write_text((root / "pyproject.toml").read_text(encoding="utf-8"))
    pytester.makeconftest('pytest_plugins = ["tests.support.quiet"]')
    return pytester


def outcomes(suite: pytest.Pytester, body: str) -> dict[str, int]:
    module = suite.makepyfile(f"import gc, logging, warnings, asyncio, pytest\n{body}")
    result = suite.runpytest_subprocess(module, *WITHOUT)
    return {noun: count for noun, count in result.parseoutcomes().items() if noun != "warnings"}


def test_a_quiet_test_passes(suite: pytest.Pytester) -> None:
    assert outcomes(suite, "def test_it(): logging.getLogger('app.x').info('fine')") == {"passed": 1}


@pytest.mark.parametrize("logger", ["app", "app.store.journal.write_store", "asyncio"])
def test_a_stray_record_fails_the_test(suite: pytest.Pytester, logger: str) -> None:
    assert outcomes(suite, f"def test_it(): logging.getLogger('{logger}').warning('odd')") == {"failed": 1}


def test_records_of_other_loggers_are_not_ours_to_judge(suite: pytest.Pytester) -> None:
    assert outcomes(suite, "def test_it(): logging.getLogger('urllib3').warning('odd')") == {"passed": 1}


def test_an_expected_record_is_no_fault(suite: pytest.Pytester) -> None:
    body = "@pytest.mark.expects_log('odd .*here')\ndef test_it(): logging.getLogger('app').error('odd thing here')"
    assert outcomes(suite, body) == {"passed": 1}


def test_an_expected_record_that_never_came_is_one(suite: pytest.Pytester) -> None:
    assert outcomes(suite, "@pytest.mark.expects_log('odd')\ndef test_it(): pass") == {"passed": 1, "errors": 1}


def test_expecting_one_record_excuses_no_other(suite: pytest.Pytester) -> None:
    body = """
@pytest.mark.expects_log('odd')
def test_it():
    logging.getLogger('app').error('odd')
    logging.getLogger('app').error('worse')
"""
    assert outcomes(suite, body) == {"failed": 1}


def test_a_record_while_taking_down_counts(suite: pytest.Pytester) -> None:
    body = """
@pytest.fixture
def thing():
    yield
    logging.getLogger('app').error('too late')
def test_it(thing): pass
"""
    assert outcomes(suite, body) == {"passed": 1, "errors": 1}


def test_a_task_that_died_unseen_fails_its_own_test(suite: pytest.Pytester) -> None:
    body = """
async def dies(): raise ValueError('unseen')
async def main():
    asyncio.get_running_loop().create_task(dies())
    await asyncio.sleep(0)
def test_first(): asyncio.run(main())
def test_second(): pass
"""
    found = outcomes(suite, body)
    assert found["passed"] >= 1
    assert found.get("errors", 0) + found.get("failed", 0) == 1


def test_a_warning_fails_the_test(suite: pytest.Pytester) -> None:
    assert outcomes(suite, "def test_it(): warnings.warn('old', DeprecationWarning)") == {"failed": 1}


def test_a_qt_message_fails_the_test(suite: pytest.Pytester) -> None:
    body = "from PySide6.QtCore import qWarning\ndef test_it(qtbot): qWarning('no such signal')"
    assert outcomes(suite, body) == {"failed": 1}
