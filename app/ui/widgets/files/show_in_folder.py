"""Showing a file where it lies, in whatever the system shows folders with."""

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def show_in_folder(target: Path) -> bool:
    """Open the folder of a file, with the file marked where the system can; whether something was opened."""
    command = command_for(target, sys.platform)
    if command is not None:
        program, arguments = command
        started, _ = QProcess.startDetached(program, arguments)
        return bool(started)
    return open_folder(target.parent)


def open_folder(folder: Path) -> bool:
    """Show what lies in a folder; whether something was opened."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def command_for(target: Path, platform: str) -> tuple[str, list[str]] | None:
    """The program that marks a file in its folder; None where there is none that every system has."""
    if platform == "win32":
        return "explorer.exe", ["/select,", str(target)]
    if platform == "darwin":
        return "open", ["-R", str(target)]
    return None
