"""Keeps PySide from reading the source of every module that is imported after it.

It looks there for a use of its switchable features (snake_case, true_property), of which Waybill uses none; the sources
of some three hundred modules would be read while the window waits, and stay in memory.
"""

import sys

from PySide6 import QtCore  # noqa: F401  # it brings the module that looks


def leave_sources_alone() -> None:
    """Call once, before anything else is imported that PySide would look into."""
    sys.modules["shibokensupport.feature"]._mod_uses_pyside = lambda _module: False  # type: ignore[attr-defined]
