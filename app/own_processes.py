"""How the program starts itself as one of its own child processes: practice, the decoder of pictures, printing.

From source a child is a module of ours. The packed program is one executable for all of them, told apart by the first
word; on Windows it is a second executable in the same folder, because a program with a window has no standard output
there, and a program with one would open a console.
"""

import sys
from pathlib import Path

_INSTALLED = ("site-packages", "dist-packages")
CONSOLE_PROGRAM = "waybill-cli.exe"


def child_command(word: str, module: str) -> list[str]:
    """The command that starts a child: packed by its first word, else as a module."""
    if not getattr(sys, "frozen", False):
        # Of an installed program no folder that happens to be called `app`, where it was started, may be the one found.
        safely = ["-P"] if Path(__file__).parents[1].name in _INSTALLED else []
        return [sys.executable, *safely, "-m", module]
    if sys.platform == "win32":
        return [str(Path(sys.executable).with_name(CONSOLE_PROGRAM)), word]
    return [sys.executable, word]
