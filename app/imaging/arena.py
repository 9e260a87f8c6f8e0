"""Memory that the window and the child both see, so that no picture is copied through a pipe.

It has no name that another program could open it by, except on Windows, where the name is drawn by lot. The pages of it
take no memory until they are written to, and are given back after a large picture where the system can.
"""

import mmap
import os
import secrets
import sys
import tempfile


class Arena:
    """A block of `size` bytes, made by the window; the child finds it by `handle` (and the inherited `passed`)."""

    def __init__(self, size: int) -> None:
        self.passed: tuple[int, ...] = ()
        if sys.platform == "win32":
            self.handle = f"name:{secrets.token_hex(16)}"
            self.memory = mmap.mmap(-1, size, tagname=self.handle)
            return
        self._descriptor = _nameless(size)
        self.passed = (self._descriptor,)
        self.handle = f"descriptor:{self._descriptor}"
        self.memory = mmap.mmap(self._descriptor, size)

    def give_back(self, start: int, length: int) -> None:
        """Let the system take the pages of this region; what was in it is gone. `start` is a multiple of a page."""
        if sys.platform == "linux":
            self.memory.madvise(mmap.MADV_REMOVE, start, -(-length // mmap.PAGESIZE) * mmap.PAGESIZE)

    def close(self) -> None:
        """Let go of it; nothing may point into `memory` any more."""
        self.memory.close()
        if sys.platform != "win32":
            os.close(self._descriptor)


def joined(handle: str, size: int) -> mmap.mmap:
    """The arena as the child sees it; its descriptor is closed."""
    kind, _, name = handle.partition(":")
    if sys.platform == "win32":
        return mmap.mmap(-1, size, tagname=f"{kind}:{name}")
    memory = mmap.mmap(int(name), size)
    os.close(int(name))
    return memory


def _nameless(size: int) -> int:
    if sys.platform == "linux":
        descriptor = os.memfd_create("waybill-pictures")
    else:
        with tempfile.TemporaryFile() as file:  # its name is gone before it is handed out
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor
