"""Whether these tests run under Wine, which does not do all that Windows does."""

import ctypes
import sys


def under_wine() -> bool:
    """Whether this is Wine."""
    if sys.platform == "win32":
        return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
    return False
