"""Names the place where a data folder is used: which computer, and where on it."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QSysInfo


def place_of(root: Path) -> str:
    """The same for the same folder of the same computer, and another for a copy of it; says nothing of either."""
    computer = bytes(QSysInfo.machineUniqueId().data())
    return hashlib.sha256(computer + b"\n" + str(root.resolve()).encode(errors="surrogateescape")).hexdigest()[:32]
