"""Keeps PySide from reading the source of every module that is imported after it.

PySide searches each source for a use of its switchable features (snake_case, true_property), of which Waybill uses
none. The sources of some three hundred modules would be read before the first paint, and stay in memory.

The function that reads them is private to PySide. Invariant: where a later PySide has it no more, or calls it
otherwise, PySide is left as it is, and the program starts all the same, only slower.
"""

import linecache
import sys
from inspect import Parameter, signature  # PySide has imported inspect by then
from types import FunctionType

from PySide6 import QtCore  # noqa: F401  # imports the module that reads the sources

_MODULE, _FUNCTION = "shibokensupport.feature", "_mod_uses_pyside"
_PARAMETERS = [("module", Parameter.POSITIONAL_OR_KEYWORD)]


def leave_sources_alone() -> bool:
    """Replace PySide's search by one that finds nothing; False where this PySide has no such function.

    Call once, before anything else is imported whose source PySide would read.
    """
    feature = sys.modules.get(_MODULE)
    search = getattr(feature, _FUNCTION, None)
    # Only a function of exactly these parameters is replaced: how PySide calls any other is not known here.
    if not isinstance(search, FunctionType) or _parameters(search) != _PARAMETERS:
        return False
    setattr(feature, _FUNCTION, _uses_no_feature)
    # The sources that PySide has read by then, half a megabyte. A traceback reads a source again.
    linecache.clearcache()
    return True


def _parameters(function: FunctionType) -> list[tuple[str, object]]:
    return [(each.name, each.kind) for each in signature(function).parameters.values()]


def _uses_no_feature(module: object) -> bool:  # PySide names the parameter
    return False
