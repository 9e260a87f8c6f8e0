"""Job objects of Windows, by which the system holds a child process to bounds and ends it together with its parent.

Other systems have other means for both (limits of a process, a pipe that closes); there everything here does nothing.
"""

import ctypes
import sys

_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation, of <winnt.h> as all numbers here
_ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_UNHANDLED_EXCEPTION, _KILL_ON_JOB_CLOSE = 0x8, 0x100, 0x400, 0x2000
_SET_QUOTA_AND_TERMINATE = 0x0100 | 0x0001
_NO_BOXES = 0x0001 | 0x0002 | 0x8000  # a critical error, a crash, a file that is missing


class _Basic(ctypes.Structure):
    _fields_ = (
        ("per_process_user_time", ctypes.c_int64), ("per_job_user_time", ctypes.c_int64), ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t), ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32), ("affinity", ctypes.c_size_t), ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )  # fmt: skip


class _Extended(ctypes.Structure):
    _fields_ = (
        ("basic", _Basic), ("io_counters", ctypes.c_uint64 * 6), ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t), ("peak_process_memory", ctypes.c_size_t), ("peak_job_memory", ctypes.c_size_t),
    )  # fmt: skip


def bound_this_process(memory: int, *, children: bool) -> None:
    """Hold this process to so many bytes of memory of its own, and, unless `children`, let it start no process.

    It cannot be undone. A crash ends the process without a box on the screen. Raises OSError if Windows refuses.
    """
    if sys.platform == "win32":
        kernel = _kernel()
        kernel.SetErrorMode(_NO_BOXES)
        limits = _Extended()
        limits.basic.flags = _PROCESS_MEMORY | _DIE_ON_UNHANDLED_EXCEPTION
        limits.process_memory = memory
        if not children:
            limits.basic.flags |= _ACTIVE_PROCESS
            limits.basic.active_processes = 1
        # The handle stays open until the process ends: its bounds hold as long as it lives.
        _job_of(kernel, kernel.GetCurrentProcess(), limits)


class Leash:
    """Ends a child, and what the child has started, when it is let go, and when this process ends in whatever way.

    Each child has a job of its own: a process that is in a job already, as one of its own making, can be put only into
    a job that is empty. A child that Windows does not let be put on the leash still ends as its pipe closes: `held`
    tells.
    """

    def __init__(self, pid: int) -> None:
        self._job = 0
        if sys.platform == "win32":
            self._job = _held(_kernel(), pid)

    @property
    def held(self) -> bool:
        """Whether the child is on it."""
        return bool(self._job)

    def let_go(self) -> None:
        """End the child."""
        if sys.platform == "win32":
            job, self._job = self._job, 0
            if job:
                _kernel().CloseHandle(job)


if sys.platform == "win32":
    from ctypes import wintypes

    def _kernel() -> ctypes.WinDLL:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        # Without types ctypes would cut handles to 32 bits.
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
        kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        return kernel

    def _held(kernel: ctypes.WinDLL, pid: int) -> int:
        """The job that ends this child as the job's handle is closed; 0 if Windows refuses, or the child has ended."""
        child = kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid)
        if not child:
            return 0
        limits = _Extended()
        limits.basic.flags = _KILL_ON_JOB_CLOSE
        try:
            return _job_of(kernel, child, limits)
        except OSError:
            return 0
        finally:
            kernel.CloseHandle(child)

    def _job_of(kernel: ctypes.WinDLL, process: int, limits: _Extended) -> int:
        """A new job with these limits, which nobody inherits, and the process in it. Raises OSError."""
        job = kernel.CreateJobObjectW(None, None)
        if not job:
            raise ctypes.WinError(ctypes.get_last_error())
        size = ctypes.sizeof(limits)
        done = kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        if not (done and kernel.AssignProcessToJobObject(job, process)):
            why = ctypes.WinError(ctypes.get_last_error())
            kernel.CloseHandle(job)
            raise why
        return int(job)
