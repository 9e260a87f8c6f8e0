"""Gives up the child's rights once all it needs is loaded: files, connections, processes, memory beyond a bound.

Linux and macOS enforce this. On other systems the child works alike, without the protection.
"""

import sys


def confine(memory: int) -> None:
    """Forbid to open files, sockets and processes, and bound the address space to `memory` bytes."""
    if sys.platform == "win32":
        return
    import resource

    _bound(resource.RLIMIT_CORE, 0)
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
