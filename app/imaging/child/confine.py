"""What the child gives up once everything it needs is loaded: files, connections, children, memory beyond a bound.

On Linux and macOS the system holds it to that; elsewhere the protocol is the same without it.
"""

import sys


def confine(memory: int) -> None:
    """No file, socket or process can be opened from here on; at most `memory` bytes of addresses."""
    if sys.platform == "win32":
        return
    import resource

    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_FSIZE, 0)
    _bound(resource.RLIMIT_NPROC, 0)
    if sys.platform == "linux":  # macOS keeps no such account of addresses
        _bound(resource.RLIMIT_AS, memory)
    _bound(resource.RLIMIT_NOFILE, 0)


def _bound(kind: int, most: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (bound, bound))
