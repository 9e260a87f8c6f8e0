"""One command after the other where two at once would write into one folder, as two that pack the program would."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from devtools import places


@contextmanager
def turn(name: str) -> Iterator[None]:
    """Wait until no other command of this checkout has its turn at `name`. The system ends a turn with its process.

    Windows is left out: only the release packs there, one package after the other.
    """
    places.BUILD.mkdir(exist_ok=True)
    with (places.BUILD / f"{name}.lock").open("w") as held:
        if os.name != "nt":
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
        yield
