"""One program owns a data folder; a second start rings at its door (`door`) and leaves.

Invariant: whoever holds the lock is the owner, and a lock whose holder is dead is nobody's.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QSysInfo

_COMING_UP_S = 60.0
_BETWEEN_S = (0.05, 0.5)  # between two looks: the first ones quickly, as an owner that is closing is soon gone


@dataclass(slots=True)
class Claim:
    """The outcome of asking for a folder: the lock, or how it went at the door of whoever has it."""

    lock: QLockFile | None = None
    answered: bool = False  # the owner has brought its window forward
    held: bool = False  # somebody has the folder and does not answer
    given_up: bool = False  # and was not waited for any longer
    trouble: str = ""  # why there is no lock, for a person to read


def claim(root: Path, lock_file: Path, patience: float = 10.0, given_up: Callable[[], bool] = lambda: False) -> Claim:
    """Become the owner of the folder, or make its owner show itself. Blocks: an owner that is still coming up, on a
    computer with much to do, is given a minute; one that runs and does not answer `patience` seconds. `given_up` is
    asked now and then whether to go on waiting."""
    deadline = time.monotonic() + patience
    lock = QLockFile(str(lock_file))
    lock.setStaleLockTime(0)  # a lock does not age: it is stale when its holder is dead, and only then
    wait = _BETWEEN_S[0]
    while not lock.tryLock(0):
        from app.runtime.door import ring  # brings the network, which the owner does without until it has painted

        if lock.error() != QLockFile.LockError.LockFailedError:
            return Claim(trouble=f"Waybill cannot keep its data in {root}: {_why_no_lock(root)}.")
        if lock_file.is_dir():
            return Claim(trouble=f"A folder stands where Waybill keeps its lock: {lock_file}. Move it away.")
        if ring(root):
            return Claim(answered=True)
        if remove_if_abandoned(lock_file):
            continue
        if (stop := given_up()) or (time.monotonic() > deadline and not _is_young(lock_file)):
            return Claim(held=True, given_up=stop, trouble=_held_words(lock, root))
        time.sleep(wait)
        wait = min(wait * 1.3, _BETWEEN_S[1])
    return Claim(lock)


def _is_young(lock_file: Path) -> bool:
    """Whether whoever holds it took it so lately that its door may not be open yet."""
    try:
        return time.time() - lock_file.stat().st_mtime < _COMING_UP_S
    except OSError:
        return True  # it is gone: the next try has it


def _held_words(lock: QLockFile, root: Path) -> str:
    return (
        f"{_holder(lock)} holds the data in {root} and does not answer. Two at a time would spoil each other's "
        "work, so this one has not started. Give the other one time, or end it, and try again: what was typed and sent "
        "is kept."
    )


def _why_no_lock(root: Path) -> str:
    """What the system says of a file in that folder; QLockFile keeps its reason to itself."""
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

    A number of a process is given out again, after a restart of the computer to anybody, and a computer may change its
    name. The holder of a lock has also locked the file with the system, which forgets that with its process. This is
    asked only about a holder on this computer; on Windows QLockFile itself finds out.
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
        # Locked by us, and still the file of that name: nobody else can be about to remove it or to hold it.
        ours = bytes(QSysInfo.machineUniqueId().data()) in os.read(descriptor, 4_096).splitlines()
        if ours and os.path.samestat(os.fstat(descriptor), lock_file.stat()):
            lock_file.unlink()
            return True
    except OSError:  # it is held, or gone
        return False
    finally:
        os.close(descriptor)
    return False
