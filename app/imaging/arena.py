"""Memory that the window and the child share, so that no picture is copied through a pipe.

Invariant: no other program can open the arena. It has no name, except on Windows, where the name is random. Its pages
take no memory until they are written, and go back to the system after a large picture where the system can do that.
"""

import contextlib
import mmap
import os
import secrets
import sys
import tempfile


class Arena:
    """A block of `size` bytes, made by the window. The child finds it by `handle` and the descriptors `passed`."""

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
        """Give these pages back to the system, with their content. `start` is a multiple of a page."""
        if sys.platform == "linux":
            self.memory.madvise(mmap.MADV_REMOVE, start, -(-length // mmap.PAGESIZE) * mmap.PAGESIZE)

    def close(self) -> None:
        """Unmap the memory. No pointer into it may be used after this."""
        self.memory.close()
        if sys.platform != "win32":
            os.close(self._descriptor)


def own_block(size: int) -> mmap.mmap:
    """Memory of this process alone, for the pixels of one picture."""
    if sys.platform != "linux":
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # The system clears new memory a page at a time; with small pages that takes longer than to copy the pixels.
    with contextlib.suppress(OSError):  # a kernel without large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def joined(handle: str, size: int) -> mmap.mmap:
    """Map the arena in the child, and close its descriptor."""
    kind, _, name = handle.partition(":")
    if sys.platform == "win32":
        return mmap.mmap(-1, size, tagname=f"{kind}:{name}")
    memory = mmap.mmap(int(name), size)
    # The mapping keeps the memory; the descriptor would only let a broken decoder write past it.
    os.close(int(name))
    return memory


def _nameless(size: int) -> int:
    if sys.platform == "linux":
        descriptor = os.memfd_create("waybill-pictures")
    else:
        with tempfile.TemporaryFile() as file:  # unlinked as soon as it is open
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor
