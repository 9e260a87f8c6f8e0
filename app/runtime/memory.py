"""Keeps Python's cyclic collector from stopping the window, and gives back what a long list took while it came.

After start-up the process holds some hundred thousand objects of libraries that live as long as it does. Going through
them again and again while a hundred thousand orders pass by takes longer than a frame each time; they are set aside
once, and the young are looked at less often. Memory still comes back by reference counts, cycles a little later.
While they come into being hardly any of it is to be collected, and going through them costs the first paint a twentieth
of its time: until they are set aside the collector is held back.

The GNU C library gives each thread a heap of its own. What is freed in one serves no other thread, and seldom goes back
to the system: 180 megabytes lay there unused after a hundred thousand orders had come. So there is one heap,
and what is free in it is given back when they have. Other C libraries need no telling.
"""

import ctypes
import gc
import sys

_YOUNG = 20_000
_MIDDLE = 20
_OLD = 50
_M_ARENA_MAX = -8  # of <malloc.h>


def hold_collector_back() -> None:
    """Call before anything large is imported; it lasts until `set_libraries_aside`."""
    gc.disable()


def set_libraries_aside() -> None:
    """Call once, when everything that stays has been imported."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


def keep_one_heap() -> None:
    """Call before any thread is started."""
    if (library := _gnu_library()) is not None:
        library.mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give the system what is free: some milliseconds, or some twenty after a long list. For a thread that does not
    paint, when nothing else is under way."""
    if (library := _gnu_library()) is not None:
        library.malloc_trim(0)


def _gnu_library() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
    return library if hasattr(library, "malloc_trim") else None  # other C libraries have other heaps
