"""What the packed program leaves out: what PySide6's packing hooks bring along and Waybill never opens, as data, and
the symbols that only a debugger reads.

Names are paths inside the packed folder, with forward slashes; patterns are those of `fnmatch`: `*` crosses slashes.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

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
    # the command lines of libraries, and a second HTTP client with its own authorities, which nothing here imports
    "httpx2._main",
    "click",
    "requests",
    "urllib3",
    "charset_normalizer",
    "certifi",
    "anyio._backends._trio",
    # of Pillow, what draws letters (a FreeType and a HarfBuzz of its own) and what shows pictures in other toolkits
    "PIL._avif",
    "PIL._imagingft",
    "PIL._imagingtk",
    "PIL.ImageTk",
    "PIL.ImageQt",
    "PIL.ImageShow",
    "PIL.ImageWin",
    # what makes cffi's modules: PyNaCl's was made long before, and stands on `_cffi_backend` alone
    "cffi",
    "pycparser",
    # Compressors that the standard library offers and nothing here opens: workbooks and pictures are deflated, and the
    # standard library does without these two where it looks for them.
    "bz2",
    "lzma",
    "_bz2",
    "_lzma",
    # servers and clients of other protocols, which a library mentions in a corner
    "defusedxml.xmlrpc",
    "xmlrpc",
    "ftplib",
    "smtplib",
    "tkinter",
    "unittest",
    "pydoc",
    "doctest",
    "lib2to3",
    "setuptools",
    "pkg_resources",
    "numpy",
    # The program's children are programs of their own. With it PyInstaller runs its own part of it before each start.
    "multiprocessing",
    "concurrent.futures.process",
    # pydantic of the years before, and its part for mypy: loaded only by who asks for them by name
    "pydantic.v1",
    "pydantic.mypy",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtQuickWidgets",
    "PySide6.QtSql",
    "PySide6.QtDesigner",
    "PySide6.QtTest",
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
    "PySide6.scripts",
    # Pictures are opened by the name of their format, which is one of three, and documents of the practice are saved as
    # PDF. Pillow itself goes on without a format that it does not find.
    *(
        f"PIL.{name}ImagePlugin"
        for name in (
            "Avif", "Blp", "Bmp", "BufrStub", "Cur", "Dcx", "Dds", "Eps", "Fits", "Fli", "Fpx", "Ftex", "Gbr", "Gif",
            "GribStub", "Hdf5Stub", "Icns", "Ico", "Im", "Imt", "Iptc", "McIdas", "Mic", "Mpeg", "Msp", "Palm", "Pcd",
            "Pcx", "Pixar", "Ppm", "Psd", "Qoi", "Sgi", "Spider", "Sun", "Tga", "Wmf", "XVThumb", "Xbm", "Xpm",
        )
    ),
)  # fmt: skip

UNWANTED = (
    # What PyInstaller runs before the program, and nothing here needs: the first finds the sources of functions, which
    # are not packed, and the second lists the modules of a package.
    "pyi_rth_inspect", "pyi_rth_pkgutil",
    # a whole GTK, with everything it stands on, comes in by one platform theme
    "*platformthemes/libqgtk3*",
    "libgtk-3*", "libgdk-3*", "libgdk_pixbuf*", "libatk*", "libatspi*", "libcairo*", "libpango*", "libepoxy*",
    "libharfbuzz*", "libgraphite2*", "libfribidi*", "libthai*", "libdatrie*", "libpixman*", "libXcomposite*",
    "libXcursor*", "libXdamage*", "libXfixes*", "libXi.*", "libXinerama*", "libXrandr*", "libXrender*", "libxml2*",
    "share/icons/*", "share/themes/*", "share/mime/*", "lib/gdk-pixbuf*", "lib/gio*", "etc/gtk*", "share/locale/*",
    "libgio-2*", "libgmodule-2*", "libgobject-2*", "libmount*", "libblkid*", "libjpeg.so.62",
    "libicudata.so.7[0-2]", "libicuuc.so.7[0-2]", "libicui18n.so.7[0-2]",
    # Qt's own words are not shown: the program brings its own
    "*PySide6/*translations/*",
    # names what an installer wrote, also commands with the path of the environment in them: other bytes in each folder
    "*.dist-info/RECORD",
    # devices without a window system, on-screen keyboards, compositors, other languages' user interfaces
    "*plugins/egldeviceintegrations/*", "*plugins/generic/*", "*plugins/platforms/*eglfs*",
    "*plugins/platforms/*linuxfb*", "*plugins/platforms/*minimal*", "*plugins/platforms/*vnc*",
    "*plugins/platforms/*vkkhrdisplay*", "*plugins/platforms/*webgl*", "*plugins/platforms/*direct2d*",
    "*plugins/platforminputcontexts/*virtualkeyboard*", "*plugins/wayland-graphics-integration-server/*",
    "*plugins/vectorimageformats/*", "*plugins/sqldrivers/*", "*plugins/qmltooling/*", "*plugins/qmllint/*",
    "*plugins/networkinformation/*", "*plugins/designer/*",
    "*Qt6Qml*", "*Qt6Quick*", "*Qt6VirtualKeyboard*", "*Qt6Pdf*", "*Qt6EglF*", "*Qt6Designer*", "*Qt6Sql*",
    "*Qt6WaylandCompositor*", "*Qt6Labs*", "*Qt6Lottie*", "*PySide6/*qml/*",
    # photos and documents are decoded by Pillow and PDFium; of Qt's formats, icons are SVG and a PDF's photos JPEG
    "*plugins/imageformats/*qpdf*", "*plugins/imageformats/*qtga*", "*plugins/imageformats/*qtiff*",
    "*plugins/imageformats/*qwbmp*", "*plugins/imageformats/*qicns*", "*plugins/imageformats/*qgif*",
    "*plugins/imageformats/*qwebp*", "*plugins/imageformats/*qico.*",
    # Qt's network is a local socket here (runtime/door): TLS is Python's
    "*plugins/tls/*",
    # On Linux printing is by `lp` and `lpstat`; Qt's own way to CUPS would bring 7 MB of a TLS that nothing else opens.
    # Without those two commands there is no printer to choose, and a PDF can still be saved.
    "*plugins/printsupport/*cups*", "libcups.*", "libcups-*", "libavahi-*", "libgnutls*", "libp11-kit*", "libidn2*",
    "libunistring*", "libtasn1*", "libnettle*", "libhogweed*", "libgmp.*", "libgmp-*",
    # what nobody in the folder is linked to any more; xcb, which is, comes from the system together with these two
    "libselinux*", "libXext*", "libbsd.*", "libmd.*", "libXau.*", "libXdmcp*",
    # what every desktop has, and has newer: the C++ library (graphics drivers load it too), GLib, D-Bus, fonts and more
    # Copies of them would need a newer C library than the oldest desktop that is served, and get no security updates
    "libstdc++*", "libgcc_s*", "libglib-2*", "libgthread-2*", "libpcre2*", "libdbus-1*", "libsystemd*", "libgcrypt*",
    "libgpg-error*", "libcap.*", "liblz4*", "libzstd*", "libfontconfig*", "libfreetype*", "libpng16*", "libbrotli*",
    "libgssapi_krb5*", "libkrb5*", "libk5crypto*", "libkeyutils*", "libcom_err*", "libX11*", "libuuid*", "libexpat*",
    # Windows' own look: the program has one look everywhere, and stands on Fusion, which is in Qt's widgets
    "*plugins/styles/*",
    # software OpenGL for Windows machines without a graphics driver; widgets do not draw by OpenGL
    "*opengl32sw.dll", "*d3dcompiler_47.dll",
)  # fmt: skip

# Libraries whose tables were rewritten after linking, to find each other inside their wheel; strip moves those tables.
REWRITTEN = ("PIL", "*.libs")


def wanted(name: str) -> bool:
    """Whether the file of this name belongs into the packed program."""
    plain = name.replace("\\", "/")
    return not any(fnmatchcase(plain, pattern) for pattern in UNWANTED)


def slim(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The packer's own entries (name inside, path outside, kind) without the unwanted."""
    return [entry for entry in entries if wanted(entry[0])]


def strip(folder: Path) -> None:
    """Take debugging symbols out of the shared libraries below `folder`, in place (on Linux, where they are a fifth).

    The program itself is left alone: the packed modules hang at its end, where strip would cut them off.
    """
    tool = shutil.which("strip")
    if sys.platform != "linux" or tool is None:
        return
    for library in sorted(folder.rglob("*.so*")):
        if library.is_file() and not library.is_symlink() and not _rewritten(library):
            subprocess.run([tool, "--strip-unneeded", library], check=True)


def _rewritten(library: Path) -> bool:
    return any(fnmatchcase(part, pattern) for part in library.parts for pattern in REWRITTEN)
