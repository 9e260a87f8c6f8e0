"""How the program starts itself as one of its own child processes, and with which environment it starts any program.

From source a child (practice, the decoder of pictures, printing, workbooks) is a module of ours. The packed program is
one executable for all of them, told apart by the first word; on Windows it is a second executable in the same folder,
because a program with a window has no standard output there, and a program with one would open a console.

PyInstaller points the loader of shared libraries and Qt's plugin path at the packed folder. A foreign program (the
desktop's file manager, the print command) would load our libraries in place of its own, and may crash. `leave_packing`
removes these variables. This process needs them only during start-up: the loader reads its path once, Qt its plugin
path when the application is made. A child that is the packed program itself sets the variables anew.
"""

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

_INSTALLED = ("site-packages", "dist-packages")
CONSOLE_PROGRAM = "waybill-cli.exe"
_LOADER_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
_BEFORE = "_ORIG"  # the bootloader keeps what a variable was under its name and this
_QT_PATHS = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "QML_IMPORT_PATH", "PATH")
_ITS_OWN = ("_PYI_", "_MEIPASS2")


def child_command(word: str, module: str) -> list[str]:
    """The command that starts a child: packed by its first word, else as a module."""
    if not getattr(sys, "frozen", False):
        # Of an installed program no folder that happens to be called `app`, where it was started, may be the one found.
        safely = ["-P"] if Path(__file__).parents[1].name in _INSTALLED else []
        return [sys.executable, *safely, "-m", module]
    if sys.platform == "win32":
        return [str(Path(sys.executable).with_name(CONSOLE_PROGRAM)), word]
    return [sys.executable, word]


def leave_packing(environment: MutableMapping[str, str] | None = None) -> None:
    """Call once the application is made, and before anything else is started. Does nothing of a program from source."""
    packed = getattr(sys, "_MEIPASS", None)
    if not getattr(sys, "frozen", False) or not packed:
        return
    given = os.environ if environment is None else environment
    for name in _LOADER_PATHS:
        before = given.pop(name + _BEFORE, None)
        if before is not None:
            given[name] = before
        elif name in given:
            _take_out(given, name, packed)
    for name in _QT_PATHS:
        if name in given:
            _take_out(given, name, packed)
    # A packed child that finds these takes the parent's unpacked folder for its own, which goes when the parent ends.
    for name in [each for each in given if each.startswith(_ITS_OWN)]:
        del given[name]


def _take_out(given: MutableMapping[str, str], name: str, packed: str) -> None:
    """Take what lies in the packed folder out of a list of paths; a list of nothing else goes as a whole."""
    parts = given[name].split(os.pathsep)
    kept = [part for part in parts if not _is_within(part, packed)]
    if kept == parts:
        return
    if any(kept):
        given[name] = os.pathsep.join(kept)
    else:
        del given[name]


def _is_within(path: str, folder: str) -> bool:
    if not path:
        return False
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
