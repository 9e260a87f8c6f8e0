"""Gives up the child's rights once all it needs is loaded: files, connections, processes, memory beyond a bound.

Linux and macOS enforce all of it. Windows bounds the memory and forbids processes; files and connections stay open to
the child there.
"""

import sys

from app.windows_jobs import bound_this_process


def confine(memory: int) -> None:
    """Forbid to open files, sockets and processes, and bound the address space to `memory` bytes.

    Raises OSError if the system refuses.
    """
    if sys.platform == "win32":
        bound_this_process(memory, children=False)
        return
    import resource

    _bound(resource.RLIMIT_CORE, 0)  # a decoder that crashes leaves no stranger's picture on the disk
    _bound(resource.RLIMIT_FSIZE, 0)
    _bound(resource.RLIMIT_NPROC, 0)
    if sys.platform == "linux":  # macOS does not enforce RLIMIT_AS
        _bound(resource.RLIMIT_AS, memory)
    _bound(resource.RLIMIT_NOFILE, 0)


def _bound(kind: int, most: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (bound, bound))
