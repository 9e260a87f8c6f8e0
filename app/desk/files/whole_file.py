"""Puts a file in its place whole, or not at all.

The file is written into a temporary folder beside the target, on the same disk, and moved to the target once it is
complete. A file that is at the target already is replaced only where the person has said so.
"""

import errno
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)


class ExportTrouble(Exception):
    """No file was written; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def put_in_place(target: Path, write: Callable[[Path], T], *, replace: bool) -> T:
    """Let `write` make the file beside `target` and move it there. Raises `ExportTrouble`."""
    try:
        with tempfile.TemporaryDirectory(prefix=".waybill-", dir=target.parent, ignore_cleanup_errors=True) as folder:
            unfinished = Path(folder) / target.name
            made = write(unfinished)
            if target.exists() and not replace:
                raise ExportTrouble(
                    f"There is a file {target.name} by now, and it was left as it is. Choose another name."
                )
            unfinished.replace(target)
    except OSError as error:
        raise ExportTrouble(f"{target.name} could not be written into {target.parent}: {why_refused(error)}") from error
    return made


def why_refused(error: OSError) -> str:
    """Why the disk refused, for people."""
    if error.errno in _FULL:
        return "the disk is full."
    if isinstance(error, PermissionError):
        return "it is not allowed there, or another program has the file open."
    if isinstance(error, FileNotFoundError):
        return "the folder is not there."
    return f"{error.strerror or 'the disk reported an error'}."
