"""One process owns a data folder. A second start asks the owner to show its window (`door`), and ends.

Invariant: the process that holds the lock is the owner, and the lock of a dead process binds nobody. A copy of the
folder, in another place or on another computer, has owners of its own: `place_of` tells them apart.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QLockFile, QSysInfo

# So long a start may take until its door can be rung at: a younger lock is that of a start, not of a program that
# hangs.
_COMING_UP_S = 60.0
_BETWEEN_S = (0.05, 0.5)  # between two looks: the first ones quickly, as an owner that is closing is soon gone


def place_of(root: Path) -> str:
    """A digest that differs for a copy of the folder in another place or on another computer, and reveals neither.

    `root` is a path without links (`store/paths.without_links`): a folder is at one place, however it is named.
    """
    import hashlib  # brings OpenSSL, which nothing needs before the first paint

    computer = bytes(QSysInfo.machineUniqueId().data())
    return hashlib.sha256(computer + b"\n" + str(root).encode(errors="surrogateescape")).hexdigest()[:32]


class Claim(NamedTuple):
    """The outcome of a claim: the lock, or what the owner of the folder answered."""

    lock: QLockFile | None = None
    answered: bool = False  # the owner has brought its window forward
    held: bool = False  # another process holds the folder and does not answer
    given_up: bool = False  # a person stopped waiting for it
    trouble: str = ""  # why there is no lock, for a person to read


def claim(
    root: Path,
    lock_file: Path,
    patience: float = 10.0,
    given_up: Callable[[], bool] = lambda: False,
    reference: str = "",
) -> Claim:
    """Become the owner of the folder, or have its owner show its window and the order of this reference. Blocks.

    An owner that is still starting, on a busy computer, has a minute to answer; any other owner `patience` seconds.
    The wait ends early once `given_up()` is true.
    """
    deadline = time.monotonic() + patience
    lock = _lock(lock_file)
    wait = _BETWEEN_S[0]
    while not lock.tryLock(0):
        from app.runtime.door import ring  # brings the network, which the owner does without until it has painted

        if lock.error() != QLockFile.LockError.LockFailedError:
            return Claim(trouble=f"Waybill cannot keep its data in {root}: {_why_no_lock(root)}.")
        if lock_file.is_dir():
            return Claim(trouble=f"A folder stands where Waybill keeps its lock: {lock_file}. Move it away.")
        if ring(root, reference):
            return Claim(answered=True)
        # Only once nobody has answered: an owner that answers is alive, whatever its lock file says.
        if remove_if_abandoned(lock_file):
            continue
        if (stop := given_up()) or (time.monotonic() > deadline and not _is_young(lock_file)):
            return Claim(held=True, given_up=stop, trouble=_held_words(lock, root))
        # `QLockFile.tryLock` could wait by itself, but only in steps of its own that end at no `given_up`, and without
        # asking the owner again.
        time.sleep(wait)
        wait = min(wait * 1.3, _BETWEEN_S[1])
    return Claim(lock)


def claim_now(lock_file: Path) -> QLockFile | None:
    """Become the owner of the folder, if that is possible without a wait; None otherwise, and `claim` says why."""
    lock = _lock(lock_file)
    return lock if lock.tryLock(0) else None


def _lock(lock_file: Path) -> QLockFile:
    lock = QLockFile(str(lock_file))
    lock.setStaleLockTime(0)  # a lock does not age: it is stale when its holder is dead, and only then
    return lock


def _is_young(lock_file: Path) -> bool:
    """Whether the lock was taken so lately that its holder may not listen yet."""
    try:
        return time.time() - lock_file.stat().st_mtime < _COMING_UP_S
    except OSError:
        return True  # the lock is gone: the next try gets it


def _held_words(lock: QLockFile, root: Path) -> str:
    return (
        f"{_holder(lock)} holds the data in {root} and does not answer. Two at a time would spoil each other's "
        "work, so this one has not started. Give the other one time, or end it, and try again: what was typed and sent "
        "is kept."
    )


def _why_no_lock(root: Path) -> str:
    """The system's reason why no file can be written there; QLockFile does not tell its own."""
    import tempfile  # by now the start has failed

    try:
        with tempfile.NamedTemporaryFile(dir=root, prefix="waybill-") as probe:
            probe.write(b"waybill")
            probe.flush()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return "its lock could not be written"


def _holder(lock: QLockFile) -> str:
    said = lock.getLockInfo()  # process, computer, program
    return f"{said[2]} (process {said[0]}, on {said[1]})" if isinstance(said, tuple) and said[0] else "Another program"


def remove_if_abandoned(lock_file: Path) -> bool:
    """Remove a lock that names a living process which does not hold it; whether one was removed.

    A process id is reused, after a restart of the computer by any process, and a computer may change its name. So the
    id in the lock file proves nothing. But its holder has also locked the file by flock, which ends with the process.
    Only a lock of this computer is examined. On Windows QLockFile finds out by itself.
    """
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        descriptor = os.open(lock_file, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # We hold the flock, and the name still leads to this file: no other process can hold or remove the lock now.
        ours = bytes(QSysInfo.machineUniqueId().data()) in os.read(descriptor, 4_096).splitlines()
        if ours and os.path.samestat(os.fstat(descriptor), lock_file.stat()):
            lock_file.unlink()
            return True
    except OSError:  # another process holds the file, or has removed it
        return False
    finally:
        os.close(descriptor)
    return False
