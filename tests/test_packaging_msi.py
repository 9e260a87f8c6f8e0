"""What the MSI is made from."""

from pathlib import Path

import pytest
from devtools import places
from devtools.errors import CannotGoOn
from releasing import msi_package, reproducible
from releasing.program import Program


@pytest.fixture
def made(tmp_path: Path) -> Program:
    folder = tmp_path / "waybill"
    (folder / "_internal" / "Ärmel & Söhne").mkdir(parents=True)
    for name in ("waybill.exe", "_internal/base.dll", "_internal/Ärmel & Söhne/<data>.txt"):
        (folder / name).write_bytes(name.encode())
    return Program(folder, "0.1.0", reproducible.digest_of(folder))


def test_the_msi_has_every_file_once_and_ids_that_are_no_accident(made: Program, tmp_path: Path) -> None:
    described = msi_package.described(made, tmp_path / "waybill.ico", tmp_path / msi_package.MARK).getroot()
    sources = [each.get("Source") for each in described.iter("File")]
    files = [str(path) for path in reproducible.files_of(made.folder) if path.is_file()]
    assert sorted(map(str, sources)) == sorted([*files, str(tmp_path / msi_package.MARK)])
    components = [each.get("Id") for each in described.iter("Component")]
    assert sorted(map(str, components)) == sorted(str(each.get("Id")) for each in described.iter("ComponentRef"))
    guids = [each.get("Guid") for each in described.iter("Component")]
    assert len(set(guids)) == len(guids)
    again = msi_package.described(made, tmp_path / "waybill.ico", tmp_path / msi_package.MARK).getroot()
    assert [each.get("Guid") for each in again.iter("Component")] == guids
    (product,) = described.iter("Product")
    newer = Program(made.folder, "0.2.0", made.digest)
    (other,) = (
        msi_package.described(newer, tmp_path / "waybill.ico", tmp_path / msi_package.MARK).getroot().iter("Product")
    )
    assert product.get("UpgradeCode") == other.get("UpgradeCode")
    assert product.get("Id") != other.get("Id"), "a newer version is another product, which replaces the older one"


def test_the_program_of_a_zip_for_sticks_is_taken_without_its_data(
    made: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "BUILD", tmp_path / "build")
    (made.folder / "data").mkdir()
    (made.folder / "data" / "README.txt").write_text("of a stick")
    archive = reproducible.zip_of(made.folder, "Waybill-0.1.0", tmp_path / "stick.zip")
    taken = msi_package.unpacked(archive)
    assert (taken.folder.name, taken.digest) == ("Waybill-0.1.0", made.digest)
    archive.write_bytes(b"PK")
    with pytest.raises(CannotGoOn, match="is no zip of the Windows program"):
        msi_package.unpacked(archive)
