"""Keeps Python's cyclic collector from stalling the window, and returns freed memory to the system.

After start-up the process holds some hundred thousand objects of libraries, which live as long as the process. A
collection that traverses them takes longer than a frame, and a fetch of a hundred thousand orders causes many. So the
objects are frozen once, and young ones are collected less often; reference counts still free most memory at once.
During start-up hardly anything is garbage, and collections would take a twentieth of the time to the first paint. So
the collector is off until the libraries are frozen.

The GNU C library gives each thread an arena of its own. Memory freed in one arena serves no other thread and seldom
returns to the system: 180 megabytes lay unused after a fetch of a hundred thousand orders. So all threads share one
arena, and it is trimmed after a long list. A large block (an image, an answer) that is taken from the arena leaves a
hole, and small blocks that live long settle in it. So large blocks are mapped one by one, and go back to the system as
they are freed. Other C libraries need none of this.
"""

import ctypes
import gc
import sys

_YOUNG = 20_000
_MIDDLE = 20
_OLD = 50
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # of <malloc.h>
_LARGE = 64 << 10  # bytes
_FREE_AT_END = 4 << 20  # bytes; the library's 128 KiB would move the end of the heap at every turn


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
    """Make all threads share one arena, and keep large blocks out of it. Call before any thread is started."""
    if (library := _gnu_library()) is not None:
        library.mallopt(_M_ARENA_MAX, 1)
        # A threshold that is set stays: by itself it rises to the size of each large block that is freed.
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_M_TRIM_THRESHOLD, _FREE_AT_END)


def give_back() -> None:
    """Return freed memory to the system. Takes a few milliseconds, after a long list some twenty: call on a thread that
    does not paint.
    """
    if (library := _gnu_library()) is not None:
        library.malloc_trim(0)


def _gnu_library() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
    return library if hasattr(library, "malloc_trim") else None  # other C libraries have other heaps
