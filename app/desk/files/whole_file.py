"""Puts a file in its place whole, or not at all.

The file is written into a temporary folder beside the target, on the same disk, and moved to the target once it is
complete. A file that is at the target already is replaced only where the person has said so.
"""

import errno
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from app.desk.files import files_words as words

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
            # Looked for only now: the person was asked before the work, which may have taken minutes.
            if target.exists() and not replace:
                raise ExportTrouble(words.file_appeared(target.name))
            unfinished.replace(target)
    except OSError as error:
        raise ExportTrouble(words.not_written(target.name, target.parent, why_refused(error))) from error
    return made


def why_refused(error: OSError) -> str:
    """Why the disk refused, as the end of a sentence."""
    if error.errno in _FULL:
        return words.DISK_FULL
    if isinstance(error, PermissionError):
        return words.NOT_ALLOWED
    if isinstance(error, FileNotFoundError):
        return words.NO_FOLDER
    return f"{error.strerror}." if error.strerror else words.DISK_ERROR
