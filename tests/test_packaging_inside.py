"""What is told of the parts inside the packed program: licences with their texts, the bill of materials, linkage."""

import json
import shutil
import subprocess
from pathlib import Path

import multidict
import pytest
from devtools import places
from devtools.errors import CannotGoOn
from releasing import licences, linked, materials, program, reproducible
from releasing.licences import Part

NATIVE = Path(str(multidict._multidict.__file__))  # type: ignore[attr-defined]


def part(name: str = "some", licence: str = "MIT", **more: Path) -> Part:
    return Part(name, "1.2", licence, "pypi", dict(more))


def test_every_library_of_the_environment_has_a_text_and_a_licence() -> None:
    found = {each.name: each for each in licences.of_distributions(places.venv_site_packages())}
    for name in ("pyside6-essentials", "shiboken6", "httpx2", "keyring", "pillow", "zxing-cpp", "apsw"):
        assert found[name].texts, name
        assert all(text.stat().st_size > 200 for text in found[name].texts.values()), name
        assert found[name].licence != "not named", name
    assert set(found["pyside6-essentials"].texts) == {"LGPL-3.0.txt", "GPL-3.0.txt", "Unicode.txt"}
    assert "setuptools" not in found


def test_a_part_without_a_text_is_refused(tmp_path: Path) -> None:
    distribution = tmp_path / "bare-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.4\nName: bare\nVersion: 1.0\nLicense: MIT\n")
    (distribution / "RECORD").write_text("")
    with pytest.raises(CannotGoOn, match="No licence text was found of: bare"):
        licences.inside(tmp_path, tmp_path)
    assert licences.show(tmp_path) == 1


@pytest.mark.parametrize(
    ("licence", "refused"),
    [
        ("GPL-2.0-only", True),
        ("AGPL-3.0-or-later", True),
        ("LGPL-3.0-only", False),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", False),
        ("GNU General Public License v2 (GPLv2)", True),
        ("GNU Affero General Public License v3", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("GPL-2.0-or-later WITH Bootloader-exception", False),
        ("MIT", False),
    ],
)
def test_what_would_bind_the_whole_program_is_named(licence: str, refused: bool) -> None:
    assert bool(licences.refused([part(licence=licence)])) is refused


def test_the_packers_start_program_may_be_in_any_program(tmp_path: Path) -> None:
    """Its metadata names the GPL alone; the exception stands in its text."""
    folder = tmp_path / "pyinstaller-6.0.dist-info"
    (folder / "licenses").mkdir(parents=True)
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: PyInstaller\nVersion: 6.0\n"
        "Classifier: License :: OSI Approved :: GNU General Public License v2 (GPLv2)\n"
    )
    (folder / "licenses" / "COPYING.txt").write_text("Bootloader Exception")
    (folder / "RECORD").write_text(f"{folder.name}/licenses/COPYING.txt,,\n")
    (packer,) = licences.of_distributions(tmp_path)
    assert packer.licence == "GPL-2.0-or-later WITH Bootloader-exception"
    assert licences.show(tmp_path) == 0


def test_all_texts_are_written_with_an_index(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("You may.")
    licences.write([part("a", LICENSE=text), part("b", "BSD", NOTICE=text)], tmp_path / "licences")
    assert (tmp_path / "licences" / "a-1.2" / "LICENSE").read_text() == "You may."
    index = (tmp_path / "licences" / "README.txt").read_text()
    assert "a 1.2: MIT\nb 1.2: BSD\n" in index
    assert "replace" in index  # of Qt, which its licence asks for


def test_the_bill_of_materials_is_the_same_for_the_same_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764500000")
    parts = [part("a"), Part("libssl3", "3.0~1", "see the text", "deb")]
    for name in ("first", "second"):
        materials.write(parts, "0.1.0", tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    bill = json.loads((tmp_path / "first").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert [each["purl"] for each in bill["components"]] == ["pkg:pypi/a@1.2", "pkg:deb/debian/libssl3@3.0~1"]
    assert bill["metadata"]["timestamp"] == "2025-11-30T10:53:20Z"
    assert materials.bill(parts[:1], "0.1.0")["serialNumber"] != bill["serialNumber"]


def test_what_a_library_asks_of_the_system_is_read_from_it(tmp_path: Path) -> None:
    (tmp_path / NATIVE.name).write_bytes(NATIVE.read_bytes())
    (tmp_path / "words.so").write_text("not a library")
    assert [each.name for each in linked.binaries(tmp_path)] == [NATIVE.name]
    told = subprocess.run(["objdump", "-p", NATIVE], capture_output=True, text=True, check=True).stdout
    found = linked.needed(tmp_path)
    assert "libc.so.6" in found
    assert all(f"NEEDED               {name}" in told for name in found)
    assert (2, 2) <= linked.glibc_of(tmp_path)[NATIVE.name] <= (2, 40)
    (tmp_path / "libc.so.6").touch()
    assert "libc.so.6" not in linked.needed(tmp_path)  # what the folder holds itself is not asked for


@pytest.mark.skipif(not shutil.which("patchelf"), reason="packing installs it")
def test_places_of_the_building_machine_are_taken_out(tmp_path: Path) -> None:
    library = tmp_path / NATIVE.name
    library.write_bytes(NATIVE.read_bytes())
    for path, left in (("/somebodys/python/lib", ""), ("$ORIGIN/../lib", "$ORIGIN/../lib")):
        subprocess.run(["patchelf", "--set-rpath", path, library], check=True)
        linked.forget_machine(tmp_path)
        told = subprocess.run(["patchelf", "--print-rpath", library], capture_output=True, text=True, check=True).stdout
        assert told.strip() == left


def test_what_is_packed_already_is_not_packed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "dist" / "waybill"
    folder.mkdir(parents=True)
    (folder / "waybill").write_text("program")
    monkeypatch.setattr(places, "BUILD", tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764500000")
    assert program.packed_before(folder) is None
    made = program.Program(folder, program.version(), reproducible.digest_of(folder))
    program.remember(made, program.sources_digest())
    assert program.packed_before(folder) == made
    assert made.build.startswith(f"{program.version()}-{made.digest[:8]}")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764500001")
    assert program.packed_before(folder) is None  # its files would bear another moment
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764500000")
    (folder / "waybill").write_text("changed by hand")
    assert program.packed_before(folder) is None
