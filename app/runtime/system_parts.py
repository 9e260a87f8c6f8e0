"""The parts of a Linux system that Qt needs beside its own files, and the sentence where one is missing.

Nothing here is asked while all goes well. Qt tells of a missing library by an ImportError, or, of one that a window
system needs, by a fatal message after which it aborts the process; only then is looked for what is missing.
"""

import ctypes
import os
import shutil
from pathlib import Path

from app.translation import translate, translate_plural

# Library → the package that brings it on Debian and its kin.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libzstd.so.1": "libzstd1",
    "libbrotlidec.so.1": "libbrotli1",
    "libz.so.1": "zlib1g",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
# Window system → what only it needs.
_OF_ONE = (("xcb", ("libX11", "libxcb", "libxkbcommon-x11")), ("wayland", ("libwayland",)))
_FONT_PACKAGE = "fonts-dejavu-core"
# What shows a sentence in a window without Qt, the usual one first.
_DIALOGS = (
    ("zenity", "--error", "--no-markup", "--title=Waybill", "--text"),
    ("kdialog", "--title", "Waybill", "--error"),
    ("xmessage", "-center"),
)


def missing_libraries(platforms: tuple[str, ...] = ("xcb", "wayland")) -> list[str]:
    """The libraries that the loader does not find, of those that Qt and these of its window systems need."""
    unwanted = tuple(prefix for name, each in _OF_ONE for prefix in each if name not in platforms)
    found = (_lacking(name) for name in PACKAGES if not name.startswith(unwanted))
    return list(dict.fromkeys(name for name in found if name))


def _lacking(library: str) -> str:
    """The library that the loader missed when it loaded this one: itself, or one that it is linked to in turn."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        # Packed, ctypes is PyInstaller's, which puts advice for packers in place of the loader's words.
        said = error.__cause__ if isinstance(error.__cause__, OSError) else error
        return str(said).partition(":")[0]
    return ""


def libraries_sentence(missing: list[str]) -> str:
    """The missing parts and the packages that bring them; empty if nothing is missing."""
    if not missing:
        return ""
    packages = list(dict.fromkeys(PACKAGES[name] for name in missing if name in PACKAGES))
    if _is_debian() and packages:
        return translate_plural(
            "Waybill needs a package that is not installed here: sudo apt-get install {packages}",
            "Waybill needs packages that are not installed here: sudo apt-get install {packages}",
            len(packages),
            packages=" ".join(packages),
        )
    return translate_plural(
        "Waybill needs a library that is not installed here: {libraries}.",
        "Waybill needs libraries that are not installed here: {libraries}.",
        len(missing),
        libraries=", ".join(missing),
    )


def display_sentence(qt_said: str) -> str:
    """The sentence for a window system that Qt could not open, made of Qt's own words."""
    missing = missing_libraries()
    if missing:
        return libraries_sentence(missing)
    return translate(
        "Waybill could not open a window on this display. Qt says: {words}", words=" ".join(qt_said.split())
    )


def font_sentence() -> str:
    """The sentence where no font is installed, so that every letter would be a box; empty if there is one."""
    from PySide6.QtGui import QFontDatabase  # fonts may lie elsewhere: Qt has the last word

    if QFontDatabase.families():
        return ""
    if _is_debian():
        return translate("Waybill needs a font and found none: sudo apt-get install {packages}", packages=_FONT_PACKAGE)
    return translate("Waybill needs a font and found none: install one, for example DejaVu Sans.")


def _is_debian() -> bool:
    return Path("/etc/debian_version").exists()


def show_without_qt(sentence: str) -> bool:
    """Show the sentence in a window of another program, for a person who started Waybill from a menu."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    for command, *words in _DIALOGS:
        if (found := shutil.which(command)) is not None:
            # Nobody may be there to close the window: the program that shows it goes on alone, and quietly.
            silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
            os.posix_spawn(found, [found, *words, sentence], os.environ, file_actions=silent)
            return True
    return False
