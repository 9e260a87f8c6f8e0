"""The collector is held back during start-up and works afterwards; freed memory goes back to the system."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runtime.memory import hold_collector_back, set_libraries_aside


@pytest.fixture
def as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.enable()
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("as_before")
def test_what_stays_is_set_aside_and_the_collector_works_again() -> None:
    hold_collector_back()
    assert not gc.isenabled()
    circle: list[object] = []
    circle.append(circle)
    del circle
    set_libraries_aside()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert gc.collect() == 0, "what was no longer needed was collected before the rest was set aside"


# Threads hold many small blocks at the same time and let go of all but a few, as a list does that comes and is indexed.
_BUSY = """
import sys, threading
from app.runtime.memory import give_back, keep_one_heap
{before}
together = threading.Barrier(4)
kept = []

def work():
    blocks = [bytearray(3_000) for _ in range(4_000)]
    together.wait()
    kept.append(blocks[::200])

threads = [threading.Thread(target=work) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4_096

held = resident()
{after}
print((held - resident()) >> 20)
import ctypes
library = ctypes.CDLL(None)
library.fdopen.restype = ctypes.c_void_p
library.malloc_info(0, ctypes.c_void_p(library.fdopen(1, b"w")))
library.fflush(None)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the heaps of the GNU C library")
@pytest.mark.parametrize(("before", "one"), [("", False), ("keep_one_heap()", True)], ids=["as it comes", "one heap"])
@pytest.mark.parametrize(("after", "back"), [("", False), ("give_back()", True)], ids=["kept", "given back"])
def test_all_threads_share_a_heap_and_what_they_freed_is_given_back(
    root: Path, before: str, one: bool, after: str, back: bool
) -> None:
    """The cases without say whether those with still prove anything."""
    program = _BUSY.format(before=before, after=after)
    done = subprocess.run([sys.executable, "-u", "-c", program], cwd=root, capture_output=True, text=True, check=True)
    given, heaps = done.stdout.split("\n", 1)
    assert (heaps.count("<heap ") == 1) is one
    assert (int(given) > 10) is back


# The library maps a block once its size is above a threshold, which rises with each mapped block that is freed.
_LARGE = """
import ctypes
from app.runtime.memory import keep_one_heap
{before}
for _ in range(4):
    bytearray(20 << 20)

class Held(ctypes.Structure):  # struct mallinfo2 of <malloc.h>
    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(each, ctypes.c_size_t) for each in _names.split()]

library = ctypes.CDLL(None)
library.mallinfo2.restype = Held
mapped = library.mallinfo2().hblks
kept = [bytearray(200 << 10) for _ in range(10)]
print(library.mallinfo2().hblks - mapped)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the heaps of the GNU C library")
@pytest.mark.parametrize(("before", "mapped"), [("", 0), ("keep_one_heap()", 10)], ids=["as it comes", "set"])
def test_large_blocks_stay_out_of_the_heap(root: Path, before: str, mapped: int) -> None:
    program = _LARGE.format(before=before)
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert int(done.stdout) == mapped
