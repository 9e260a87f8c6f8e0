"""What the packed program leaves out, as data: what PySide6's packing hooks bring along and Waybill never opens.

Names are paths inside the packed folder, with forward slashes; patterns are those of `fnmatch`: `*` crosses slashes.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

EXCLUDED_MODULES = (
    # makers' tools, which a library mentions in a corner
    "hypothesis",
    "mypy",
    "pytest",
    "_pytest",
    "rich",
    "pygments",
    "IPython",
    "wsproto",
    "PIL._avif",
    "PIL._imagingtk",
    "PIL.ImageTk",
    "PIL.ImageQt",
    "tkinter",
    "unittest",
    "pydoc",
    "doctest",
    "lib2to3",
    "setuptools",
    "pkg_resources",
    "numpy",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtQuickWidgets",
    "PySide6.QtSql",
    "PySide6.QtDesigner",
    "PySide6.QtTest",
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
    "PySide6.scripts",
)

UNWANTED = (
    # a whole GTK, with everything it stands on, comes in by one platform theme
    "*platformthemes/libqgtk3*",
    "libgtk-3*", "libgdk-3*", "libgdk_pixbuf*", "libatk*", "libatspi*", "libcairo*", "libpango*", "libepoxy*",
    "libharfbuzz*", "libgraphite2*", "libfribidi*", "libthai*", "libdatrie*", "libpixman*", "libXcomposite*",
    "libXcursor*", "libXdamage*", "libXfixes*", "libXi.*", "libXinerama*", "libXrandr*", "libXrender*", "libxml2*",
    "share/icons/*", "share/themes/*", "share/mime/*", "lib/gdk-pixbuf*", "lib/gio*", "etc/gtk*", "share/locale/*",
    "libicudata.so.7[0-2]", "libicuuc.so.7[0-2]", "libicui18n.so.7[0-2]",
    # Qt's own words are not shown: the program brings its own
    "*PySide6/*translations/*",
    # devices without a window system, on-screen keyboards, compositors, other languages' user interfaces
    "*plugins/egldeviceintegrations/*", "*plugins/generic/*", "*plugins/platforms/*eglfs*",
    "*plugins/platforms/*linuxfb*", "*plugins/platforms/*minimal*", "*plugins/platforms/*vnc*",
    "*plugins/platforms/*vkkhrdisplay*", "*plugins/platforms/*webgl*", "*plugins/platforms/*direct2d*",
    "*plugins/platforminputcontexts/*virtualkeyboard*", "*plugins/wayland-graphics-integration-server/*",
    "*plugins/vectorimageformats/*", "*plugins/sqldrivers/*", "*plugins/qmltooling/*", "*plugins/qmllint/*",
    "*plugins/networkinformation/*", "*plugins/designer/*",
    "*Qt6Qml*", "*Qt6Quick*", "*Qt6VirtualKeyboard*", "*Qt6Pdf*", "*Qt6EglF*", "*Qt6Designer*", "*Qt6Sql*",
    "*Qt6WaylandCompositor*", "*Qt6Labs*", "*Qt6Lottie*", "*PySide6/*qml/*",
    # pictures are decoded by name of format, and these are not among the allowed ones
    "*plugins/imageformats/*qpdf*", "*plugins/imageformats/*qtga*", "*plugins/imageformats/*qtiff*",
    "*plugins/imageformats/*qwbmp*", "*plugins/imageformats/*qicns*", "*plugins/imageformats/*qgif*",
    # software OpenGL for Windows machines without a graphics driver; widgets do not draw by OpenGL
    "*opengl32sw.dll", "*d3dcompiler_47.dll",
)  # fmt: skip


def wanted(name: str) -> bool:
    """Whether the file of this name belongs into the packed program."""
    plain = name.replace("\\", "/")
    return not any(fnmatchcase(plain, pattern) for pattern in UNWANTED)


def slim(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The packer's own entries (name inside, path outside, kind) without the unwanted."""
    return [entry for entry in entries if wanted(entry[0])]
