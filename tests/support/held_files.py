"""The rules of Windows for open files, on every system.

Windows renames, replaces and deletes no file that any process has open (unless it was opened to allow that, which
neither Python nor SQLite does), and renames no file onto an existing one. `nothing_open_is_moved` compares each call of
Python with the descriptors of this process. Calls of SQLite are not covered; SQLite closes a file before it deletes it.
"""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

DESCRIPTORS = Path("/proc/self/fd")
DESCRIPTORS_TOLD = sys.platform == "linux"  # under Wine the folder is there too, and tells nothing


def held_open(folder: Path | None = None) -> set[str]:
    """The files that this process has open, in `folder` or anywhere."""
    found = set()
    for each in DESCRIPTORS.iterdir():
        with suppress(OSError):  # the descriptor was closed meanwhile
            found.add(str(each.readlink()))
    return {name for name in found if folder is None or name.startswith(f"{folder}/")}


@contextmanager
def nothing_open_is_moved() -> Iterator[list[str]]:
    """Refuse to rename, replace or delete open files; the list gets the refused calls."""
    refused: list[str] = []

    def look(what: str, *paths: str) -> None:
        for path in paths:
            if path in held_open():
                refused.append(f"{what} {Path(path).name}")
                raise PermissionError(errno.EACCES, "The file is open in a program", path)

    def moving(usual: Callable[..., None], what: str) -> Callable[..., None]:
        def move(source: Any, target: Any, **how: Any) -> None:
            old, new = _whole(source, how.get("src_dir_fd")), _whole(target, how.get("dst_dir_fd"))
            look(what, old, new)
            if what == "rename" and os.path.lexists(new):
                refused.append(f"rename onto {Path(new).name}")
                raise FileExistsError(errno.EEXIST, "There is a file of that name", new)
            usual(source, target, **how)

        return move

    def deleting(usual: Callable[..., None]) -> Callable[..., None]:
        def delete(path: Any, **how: Any) -> None:
            look("delete", _whole(path, how.get("dir_fd")))
            usual(path, **how)

        return delete

    with (
        patch.object(os, "rename", moving(os.rename, "rename")),
        patch.object(os, "replace", moving(os.replace, "replace")),
        patch.object(os, "unlink", deleting(os.unlink)),
        patch.object(os, "remove", deleting(os.remove)),
    ):
        yield refused


def _whole(path: Any, folder: int | None) -> str:
    name = Path(os.fsdecode(path))
    if folder is not None:
        name = (DESCRIPTORS / str(folder)).readlink() / name
    return str(name.parent.resolve() / name.name)
