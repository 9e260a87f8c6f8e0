"""Where a fault keeps its files."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder that is gone afterwards; in memory where there is such a place, for faults that do not need a real disk
    because they simulate one."""
    where = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="waybill-", dir=where) as folder:
        yield Path(folder)
