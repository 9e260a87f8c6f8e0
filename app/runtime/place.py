"""Identifies where a data folder is used (computer and path), so that a copy of the folder is recognised."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QSysInfo


def place_of(root: Path) -> str:
    """A digest that differs for a copy of the folder in another place or on another computer, and reveals neither."""
    computer = bytes(QSysInfo.machineUniqueId().data())
    return hashlib.sha256(computer + b"\n" + str(root.resolve()).encode(errors="surrogateescape")).hexdigest()[:32]
