"""Whether Qt will find a display, and whether a person could see a window on it.

Qt aborts the process with a core dump if it finds no display. So the program connects to the display first, as Qt
would: an environment variable names a display, but only a connection shows that one answers.
"""

import ctypes
import os
import sys
from pathlib import Path

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
_FONT_FILES = (".ttf", ".otf", ".ttc", ".pfb")
_WITHOUT_A_PERSON = ("offscreen", "minimal")  # platforms on which nobody could read a window


class DisplayGone(Exception):
    """Qt has ended its loop by itself, as it does when the X server is gone. Nothing can be shown any more."""


def somebody_looks() -> bool:
    """Whether a person could see a window. Call only if `has_display()`."""
    return not set(_WITHOUT_A_PERSON) & set(_platforms())


def has_display() -> bool:
    """Whether Qt will find a display. Other systems than Linux always have one for a program with a window."""
    if not sys.platform.startswith("linux"):
        return True
    asked_for = _platforms() or ["wayland", "xcb"]
    return any(_answers(each) for each in asked_for)


def has_font_files() -> bool:
    """Whether a font lies where Linux systems keep them; without any font every letter is a box.

    Stops at the first one, so it costs a start next to nothing.
    """
    if not sys.platform.startswith("linux"):
        return True
    folders = (Path(each).expanduser() for each in _FONT_FOLDERS)
    return any(
        name.lower().endswith(_FONT_FILES) for each in folders for _, _, names in os.walk(each) for name in names
    )


def _platforms() -> list[str]:
    """The platforms that `QT_QPA_PLATFORM` names: several are possible, each with arguments after a colon."""
    named = os.environ.get("QT_QPA_PLATFORM", "").split(";")
    return [each.partition(":")[0] for each in named if each]


def _answers(platform: str) -> bool:
    if platform == "xcb":
        return _x_answers()
    if platform.startswith("wayland"):
        return _wayland_answers()
    return True  # offscreen, vnc and their like need no server


def _x_answers() -> bool:
    if not os.environ.get("DISPLAY"):
        return False
    try:
        library = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt will miss the library too, and name it
    # Without a type ctypes would cut the pointer to an int of 32 bits.
    library.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(library.xcb_connect(None, None))
    refused = library.xcb_connection_has_error(connection)
    library.xcb_disconnect(connection)
    return not refused


def _wayland_answers() -> bool:
    if os.environ.get("WAYLAND_SOCKET"):
        return True  # an open connection for this process; a test would use it up
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    import socket  # X11 and other systems do without it

    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(str(Path(os.environ.get("XDG_RUNTIME_DIR", ""), name)))
        except OSError:
            return False
    return True
