"""The files that the packed program holds and leaves out, and its size. The packing itself is tried whole."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import multidict
import pytest
from devtools import cli, slimming
from devtools.errors import CannotGoOn
from releasing import packages, reproducible


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
        "libstdc++.so.6",  # of the system, as graphics drivers load it too
        "libglib-2.0.so.0",
        "libgssapi_krb5.so.2",
        "keyring-25.7.0.dist-info/RECORD",  # differs from folder to folder
    ],
)
def test_what_nobody_opens_stays_out(name: str) -> None:
    assert not slimming.wanted(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt/lib/libicudata.so.73",  # Qt's core does not load without its own
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/plugins/printsupport/windowsprintersupport.dll",
        "PySide6/Qt/plugins/printsupport/libcocoaprintersupport.dylib",
        "pillow.libs/libXau-154567c4.so.6.0.0",  # Pillow's own xcb is linked to it
        "libxcb-cursor.so.0",  # which few systems have
        "libssl.so.3",  # Python itself was built for this one
        "PySide6/Qt/plugins/imageformats/libqjpeg.so",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so",
        "keyring-25.7.0.dist-info/entry_points.txt",
        "apsw/__init__.cpython-311-x86_64-linux-gnu.so",
        "app/resources/style.qss",
    ],
)
def test_what_the_program_opens_stays_in(name: str) -> None:
    assert slimming.wanted(name)


def test_each_hook_that_is_left_out_is_one_of_the_packer() -> None:
    """One that it calls by another name would run at each start again, and nobody would see it."""
    packer = find_spec("PyInstaller")
    assert packer is not None
    assert packer.origin is not None
    hooks = Path(packer.origin).parent / "hooks" / "rthooks"
    left_out = {each for each in slimming.UNWANTED if each.startswith("pyi_rth_")}
    assert left_out
    assert {each.stem for each in hooks.glob("pyi_rth_*.py")} >= left_out


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
    plain = packages.folder_size(folder)
    assert plain == 1500
    (folder / "again").symlink_to("waybill")
    assert packages.folder_size(folder) < plain + 100


@pytest.mark.skipif(not shutil.which("xz"), reason="needs the xz command that people unpack with")
def test_the_archive_is_one_that_plain_xz_reads(folder: Path, tmp_path: Path) -> None:
    archive = reproducible.tar_xz(folder, "waybill-1", tmp_path / "made.tar.xz")
    assert subprocess.run(["xz", "--test", archive], check=False).returncode == 0


def test_sizes_are_told_in_millions() -> None:
    assert packages.megabytes(47_912_345) == "47.9 MB"


Archiver = Callable[[Path, str, Path], Path]


@pytest.mark.parametrize("archiver", [reproducible.tar_xz, reproducible.zip_of])
def test_an_archive_holds_the_folder_and_nothing_of_when_or_by_whom(
    folder: Path, tmp_path: Path, archiver: Archiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made again an hour later from copies with other times, rights and order of making, it is the same bytes."""
    monkeypatch.setenv(reproducible.EPOCH, "1764500000")
    first = archiver(folder, "waybill-1", tmp_path / "first")
    other = tmp_path / "other"
    (other / "inside").mkdir(parents=True)
    for name in ("inside/data", "waybill"):
        shutil.copyfile(folder / name, other / name)
        os.utime(other / name, (7, 7))
        (other / name).chmod(0o600)
    assert archiver(other, "waybill-1", tmp_path / "second").read_bytes() == first.read_bytes()
    (other / "waybill").chmod(0o700)  # that a file can be run is no accident of the machine
    assert archiver(other, "waybill-1", tmp_path / "third").read_bytes() != first.read_bytes()
    assert reproducible.digest_of(other) != reproducible.digest_of(folder)


def test_a_tar_names_no_owner_and_one_moment(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reproducible.EPOCH, "1764500000")
    (folder / "link").symlink_to("waybill")
    with tarfile.open(reproducible.tar_xz(folder, "waybill-1", tmp_path / "made.tar.xz")) as packed:
        found = packed.getmembers()
    assert [each.name for each in found] == [
        "waybill-1", "waybill-1/inside", "waybill-1/inside/data", "waybill-1/link", "waybill-1/waybill",
    ]  # fmt: skip
    assert {(each.uid, each.gid, each.uname, each.gname, each.mtime) for each in found} == {(0, 0, "", "", 1764500000)}


def test_an_sdist_is_written_anew_without_owner_and_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reproducible.EPOCH, "1764500000")
    made = []
    for hour in (1, 2):
        source = tmp_path / "waybill.py"
        source.write_text("VERSION = 1")
        os.utime(source, (hour, hour))
        archive = tmp_path / f"{hour}.tar.gz"
        with tarfile.open(archive, "w:gz") as out:
            out.add(source, "waybill-1/waybill.py")
        reproducible.rewritten_tar(archive)
        made.append(archive.read_bytes())
    assert made[0] == made[1]
    with tarfile.open(archive) as packed:
        content = packed.extractfile("waybill-1/waybill.py")
        assert content is not None
        assert content.read() == b"VERSION = 1"
        assert packed.getmember("waybill-1/waybill.py").uname == ""


def test_a_wheel_is_written_anew_without_the_users_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reproducible.EPOCH, "1764500000")
    made = []
    for rights, second in ((0o100640, 2), (0o100664, 4)):
        archive = tmp_path / f"{rights}.whl"
        with zipfile.ZipFile(archive, "w") as out:
            for name in ("waybill/b.py", "waybill/a.py"):
                entry = zipfile.ZipInfo(name, (2026, 11, 23, 7, 0, second))
                entry.external_attr = rights << 16
                out.writestr(entry, name)
        reproducible.rewritten_zip(archive)
        made.append(archive.read_bytes())
    assert made[0] == made[1]
    with zipfile.ZipFile(archive) as packed:
        assert [(each.filename, packed.read(each)) for each in packed.infolist()] == [
            ("waybill/b.py", b"waybill/b.py"), ("waybill/a.py", b"waybill/a.py"),
        ]  # fmt: skip
        assert {each.external_attr >> 16 & 0o777 for each in packed.infolist()} == {0o644}


def test_a_build_sees_nothing_of_the_machines_own_settings() -> None:
    seen = reproducible.surroundings({"PATH": "/bin", "PYTHONPATH": "/x", "LC_TIME": "de_DE", "PYTHONHASHSEED": "9"})
    assert seen["PYTHONHASHSEED"] == "0"
    assert {"PYTHONPATH", "LC_TIME"} & set(seen) == set()
    assert seen["PATH"] == "/bin"


def test_without_a_moment_in_the_environment_the_last_commit_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(reproducible.EPOCH, raising=False)
    assert reproducible.epoch() == reproducible.epoch() >= 315_532_800


def test_every_package_is_listed_with_what_keeps_it_from_being_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert packages.show() == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [each.name for each in packages.PACKAGES]
    for line, each in zip(listed, packages.PACKAGES, strict=True):
        assert line.endswith(each.why_not() or each.what)


def test_a_package_that_there_is_not_is_refused() -> None:
    with pytest.raises(CannotGoOn, match="There is no package rpm; there are wheel, "):
        packages.make(["rpm"])


def test_the_release_calls_what_there_is_and_makes_every_package_that_can_be_made(root: Path) -> None:
    steps = (root / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    words = set(re.findall(r"packaging/dev\.py ([a-z-]+)", steps))
    assert {"test", "licences", "audit", "package", "notes", "version"} == words
    assert words <= set(cli.COMMANDS)
    made = {name for line in re.findall(r"^ +packages: (.+)$", steps, re.MULTILINE) for name in line.split()}
    made |= set(re.findall(r"dev\.py package ([a-z]+)$", steps, re.MULTILINE))
    nowhere = {"appimage", "flatpak"}  # each says why not
    assert made == {each.name for each in packages.PACKAGES} - nowhere
