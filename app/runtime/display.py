"""Whether there is a display, and whether somebody could look at it.

Qt ends the process with a core dump where it finds no display, so it is looked for first, as Qt would: a variable that
names a display says nothing of whether one answers there.
"""

import ctypes
import os
import socket
import sys
from pathlib import Path

_WITHOUT_A_PERSON = ("offscreen", "minimal")  # platforms on which nobody could read a window


def somebody_looks() -> bool:
    """Whether a window would be seen. Asked where `has_display`."""
    return not set(_WITHOUT_A_PERSON) & set(_platforms())


def has_display() -> bool:
    """Whether Qt will find a display. Other systems than Linux always have one for a program with a window."""
    if not sys.platform.startswith("linux"):
        return True
    asked_for = _platforms() or ["wayland", "xcb"]
    return any(_answers(each) for each in asked_for)


def _platforms() -> list[str]:
    """What was asked for: `QT_QPA_PLATFORM` may name several, each with arguments after a colon."""
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
        return True  # Qt misses it too, and names it
    library.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(library.xcb_connect(None, None))
    refused = library.xcb_connection_has_error(connection)
    library.xcb_disconnect(connection)
    return not refused


def _wayland_answers() -> bool:
    if os.environ.get("WAYLAND_SOCKET"):
        return True  # a connection that was made for this process; looking at it would use it up
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(str(Path(os.environ.get("XDG_RUNTIME_DIR", ""), name)))
        except OSError:
            return False
    return True
