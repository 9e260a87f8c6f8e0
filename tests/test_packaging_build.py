"""What goes into the packed program and what stays out, and how its size is told. The packing itself is tried whole."""

import ctypes
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import multidict
import pytest
from devtools import build, slimming


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "libgtk-3.so.0",
        "libicudata.so.72",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6\\translations\\qtbase_de.qm",
        "PySide6/Qt/lib/libQt6Qml.so.6",
        "PySide6/Qt/plugins/imageformats/libqpdf.so",
        "PySide6/Qt/plugins/imageformats/libqwebp.so",  # photos are Pillow's
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",  # and TLS is Python's
        "PySide6/opengl32sw.dll",
        "share/icons/hicolor/index.theme",
        "libgio-2.0.so.0",
        "PySide6/Qt/plugins/printsupport/libcupsprintersupport.so",
        "libcups.so.2",
        "libgnutls.so.30",
        "libXau.so.6",
    ],
)
def test_what_nobody_opens_stays_out(name: str) -> None:
    assert not slimming.wanted(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt/lib/libicudata.so.73",  # Qt's core does not load without its own
        "libglib-2.0.so.0",  # Qt's core again
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/plugins/printsupport/windowsprintersupport.dll",
        "PySide6/Qt/plugins/printsupport/libcocoaprintersupport.dylib",
        "pillow.libs/libXau-154567c4.so.6.0.0",  # Pillow's own xcb is linked to it
        "libgssapi_krb5.so.2",  # and Qt's network to this
        "PySide6/Qt/plugins/imageformats/libqjpeg.so",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so",
        "keyring-25.7.0.dist-info/entry_points.txt",
        "apsw/__init__.cpython-311-x86_64-linux-gnu.so",
        "resources/style.qss",
    ],
)
def test_what_the_program_opens_stays_in(name: str) -> None:
    assert slimming.wanted(name)


def test_slimming_keeps_the_packers_entries_as_they_are() -> None:
    kept = ("libQt6Core.so.6", "/there", "BINARY")
    assert slimming.slim([kept, ("libgtk-3.so.0", "/x", "BINARY")]) == [kept]


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("strip"), reason="symbols are taken out on Linux only")
def test_symbols_are_taken_out_but_not_of_rewritten_libraries(tmp_path: Path) -> None:
    original = Path(str(multidict._multidict.__file__))  # type: ignore[attr-defined]
    places = [tmp_path / name for name in ("multidict", "pillow.libs", "PIL")]
    for place in places:
        place.mkdir()
        shutil.copy(original, place / original.name)
    (tmp_path / "multidict" / "link.so").symlink_to(original.name)
    slimming.strip(tmp_path)
    sizes = [(place / original.name).stat().st_size for place in places]
    assert sizes[0] < sizes[1] == sizes[2] == original.stat().st_size
    assert (tmp_path / "multidict" / "link.so").is_symlink()
    assert ctypes.CDLL(str(places[0] / original.name)).PyInit__multidict


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "waybill"
    (made / "inside").mkdir(parents=True)
    (made / "waybill").write_bytes(b"x" * 1000)
    (made / "inside" / "data").write_bytes(b"y" * 500)
    return made


def test_a_folders_size_counts_a_link_once(folder: Path) -> None:
    plain = build.folder_size(folder)
    assert plain == 1500
    (folder / "again").symlink_to("waybill")
    assert build.folder_size(folder) < plain + 100


def test_the_archive_holds_the_whole_folder(folder: Path) -> None:
    with tarfile.open(build.compress(folder, zipped=False)) as packed:
        assert "waybill/inside/data" in packed.getnames()
    with zipfile.ZipFile(build.compress(folder, zipped=True)) as packed_zip:
        assert "waybill/inside/data" in packed_zip.namelist()


@pytest.mark.skipif(not shutil.which("xz"), reason="needs the xz command that people unpack with")
def test_the_archive_is_one_that_plain_xz_reads(folder: Path) -> None:
    assert subprocess.run(["xz", "--test", build.compress(folder, zipped=False)], check=False).returncode == 0


def test_sizes_are_told_in_millions() -> None:
    assert build.megabytes(47_912_345) == "47.9 MB"
