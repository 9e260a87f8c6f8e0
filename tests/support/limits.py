"""Limits that keep a process of a test from its files: rights that count, and a disk that is full.

Each is a function for the new process itself, between its making and its becoming the program.
"""

import ctypes
import os
import resource
from collections.abc import Callable

_PR_CAPBSET_DROP = 24  # of <linux/prctl.h>
_PASSING_OVER_RIGHTS = (1, 2, 3)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER of <linux/capability.h>


def rights_count() -> None:
    """Make the rights of files hold for the superuser too, who otherwise passes over them."""
    if os.geteuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for right in _PASSING_OVER_RIGHTS:
            if library.prctl(_PR_CAPBSET_DROP, right, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "a right could not be given away")


def files_end_at(size: int) -> Callable[[], None]:
    """Make the disk refuse every byte behind this place of a file, as a full disk does."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit
