"""Keeps Python's cyclic collector from stalling the window, and returns freed memory to the system.

After start-up the process holds some hundred thousand objects of libraries, which live as long as the process. A
collection that traverses them takes longer than a frame, and a fetch of a hundred thousand orders causes many. So the
objects are frozen once, and young ones are collected less often; reference counts still free most memory at once.
During start-up hardly anything is garbage, and collections would take a twentieth of the time to the first paint. So
the collector is off until the libraries are frozen.

The GNU C library gives each thread an arena of its own. Memory freed in one arena serves no other thread and seldom
returns to the system: 180 megabytes lay unused after a fetch of a hundred thousand orders. So all threads share one
arena, and it is trimmed after a long list. Other C libraries need neither.
"""

import ctypes
import gc
import sys

_YOUNG = 20_000
_MIDDLE = 20
_OLD = 50
_M_ARENA_MAX = -8  # of <malloc.h>


def hold_collector_back() -> None:
    """Turn the collector off until `set_libraries_aside`. Call before any large import."""
    gc.disable()


def set_libraries_aside() -> None:
    """Freeze all objects that exist now and turn the collector on. Call once, after the last large import."""
    gc.enable()
    # Before freezing: what is garbage now would be kept for ever.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


def keep_one_heap() -> None:
    """Make all threads share one arena. Call before any thread is started."""
    if (library := _gnu_library()) is not None:
        library.mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Return freed memory to the system. Takes a few milliseconds, after a long list some twenty: call on a thread that
    does not paint.
    """
    if (library := _gnu_library()) is not None:
        library.malloc_trim(0)


def _gnu_library() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
    return library if hasattr(library, "malloc_trim") else None  # other C libraries have other heaps
