"""The age of this process, counted from its creation by the system: interpreter start and first imports included."""

import ctypes
import os
import struct
import sys
import time
from pathlib import Path

_SINCE_IMPORT = time.monotonic()
_STARTED_AT = 19  # index of `starttime` behind the process name in /proc/self/stat, see proc(5)
_PIDT_BSD_INFO, _BSD_INFO = 3, 136
_EPOCH = 116_444_736_000_000_000  # 1970 in Windows' units: 100 ns since 1601


def seconds_old() -> float:
    """The age to a hundredth of a second; if the system does not tell it, the time since this module was imported."""
    ask = {"linux": _of_linux, "win32": _of_windows, "darwin": _of_macos}.get(sys.platform)
    told = None if ask is None else ask()
    return time.monotonic() - _SINCE_IMPORT if told is None else told


def _of_linux() -> float | None:
    try:
        # From the last bracket on: the program's name before it may hold blanks and brackets of its own.
        fields = Path("/proc/self/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        ticks, up = int(fields[_STARTED_AT]), time.clock_gettime(time.CLOCK_BOOTTIME)
        return up - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _of_windows() -> float | None:
    windows = getattr(ctypes, "windll", None)
    if windows is None:
        return None
    made, *others = (ctypes.c_uint64() for _ in range(4))
    process = ctypes.c_void_p(windows.kernel32.GetCurrentProcess())
    if not windows.kernel32.GetProcessTimes(process, ctypes.byref(made), *map(ctypes.byref, others)):
        return None
    return time.time() - (made.value - _EPOCH) / 1e7


def _of_macos() -> float | None:
    """From `struct proc_bsdinfo` of <sys/proc_info.h>: its 136 bytes end with seconds and microseconds since 1970."""
    info = ctypes.create_string_buffer(_BSD_INFO)
    try:
        told = ctypes.CDLL(None).proc_pidinfo(os.getpid(), _PIDT_BSD_INFO, ctypes.c_uint64(0), info, _BSD_INFO)
    except (OSError, AttributeError):
        return None
    if told != _BSD_INFO:
        return None
    seconds, micros = struct.unpack_from("QQ", info, _BSD_INFO - 16)
    return time.time() - float(seconds) - float(micros) / 1e6
