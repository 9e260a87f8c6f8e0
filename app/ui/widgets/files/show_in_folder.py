"""Opens the folder of a file in the file manager of the system."""

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def show_in_folder(target: Path) -> bool:
    """Open the folder of a file, with the file selected where the system can do that; False if nothing opened."""
    command = command_for(target, sys.platform)
    if command is not None:
        program, arguments = command
        started, _ = QProcess.startDetached(program, arguments)
        return bool(started)
    return open_folder(target.parent)


def open_folder(folder: Path) -> bool:
    """Open a folder, or a file in the program that the system has for it; False if nothing opened."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def command_for(target: Path, platform: str) -> tuple[str, list[str]] | None:
    """The command that selects a file in its folder; None on systems without a common one."""
    if platform == "win32":
        return "explorer.exe", ["/select,", str(target)]
    if platform == "darwin":
        return "open", ["-R", str(target)]
    return None
