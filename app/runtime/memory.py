"""Keeps Python's cyclic collector from stopping the window.

After start-up the process holds some hundred thousand objects of libraries that live as long as it does. Going through
them again and again while a hundred thousand orders pass by takes longer than a frame each time; they are set aside
once, and the young are looked at less often. Memory still comes back by reference counts, cycles a little later.
While they come into being hardly any of it is to be collected, and going through them costs the first paint a twentieth
of its time: until they are set aside the collector is held back.
"""

import gc

_YOUNG = 20_000
_MIDDLE = 20
_OLD = 50


def hold_collector_back() -> None:
    """Call before anything large is imported; it lasts until `set_libraries_aside`."""
    gc.disable()


def set_libraries_aside() -> None:
    """Call once, when everything that stays has been imported."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
