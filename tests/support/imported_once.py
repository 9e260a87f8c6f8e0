"""Imports what most tests import, once, for the batches that are forked from this process (`tests/suite.py`).

Invariant: an import here starts no thread and no loop, opens no file and makes no application, since a fork would copy
half of them. Modules of `tests` are not imported here: pytest rewrites their asserts as it imports them.
"""

import gc
import importlib
import pkgutil
import sys
from contextlib import suppress

_OTHER_PROGRAMS = ("__main__", "child")  # each is imported by a process of its own alone
_LIBRARIES = (
    "hypothesis.strategies",
    "openpyxl",
    "pytest",
    "pytest_asyncio.plugin",
    "pytestqt.plugin",
    "PySide6.QtTest",
)
_PLUGINS_OF_PYTEST = ("anyio", "hypothesis", "pytest_asyncio", "pytestqt")


def _import_all(name: str) -> None:
    """Import a package and what is below it. A module that cannot be imported fails the tests that import it."""
    with suppress(Exception):
        package = importlib.import_module(name)
        for each in pkgutil.iter_modules(getattr(package, "__path__", ())):
            if each.name not in _OTHER_PROGRAMS:
                _import_all(f"{name}.{each.name}")


def _tell_pytest_not_to_rewrite() -> None:
    """Plugins that are imported by now keep their asserts as they are; pytest warns of each that does not say so."""
    for name, module in sys.modules.items():
        if name.removeprefix("_").startswith(_PLUGINS_OF_PYTEST) and "." not in name:
            module.__doc__ = f"{module.__doc__ or ''}\nPYTEST_DONT_REWRITE"


def _draw_an_example() -> None:
    """Hypothesis reads its tables of letters, and the constants of all modules, before the first example it draws."""
    from hypothesis import given, settings, strategies
    from hypothesis.configuration import notice_initialization_restarted

    @settings(database=None, derandomize=True, deadline=None, max_examples=1)
    @given(strategies.integers(), strategies.text())
    def drawn(number: int, text: str) -> None:
        """Nothing is tried."""

    drawn()
    # Its plugin of pytest, loaded later, warns of work that was done before it, unless that is known.
    notice_initialization_restarted(warn=False)


_import_all("app")
for _name in _LIBRARIES:
    importlib.import_module(_name)
_tell_pytest_not_to_rewrite()
_draw_an_example()
# The collector of a batch never looks at what is imported here, so the batches go on sharing its memory.
gc.collect()
gc.freeze()
