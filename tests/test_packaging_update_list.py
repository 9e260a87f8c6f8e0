"""`dev.py update-key` and `update-list`: what they write is what the program reads."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from devtools.errors import CannotGoOn
from releasing import update_list
from releasing.program import version

from app.desk.updates.version_list import key_of, read_list

DEB = b"a package"


@pytest.fixture
def pair() -> tuple[str, str]:
    lines = [line.partition("=") for line in update_list.new_pair().splitlines() if line.startswith("WAYBILL_")]
    private, public = (value for _, _, value in lines)
    assert [name for name, _, _ in lines] == ["WAYBILL_UPDATE_PRIVATE_KEY", "WAYBILL_UPDATE_KEYS"]
    return private, key_of(public)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / f"waybill_{version()}_amd64.deb").write_bytes(DEB)
    (tmp_path / f"Waybill-{version()}-setup.exe").write_bytes(b"setup")
    (tmp_path / "waybill_0.0.9_amd64.deb").write_bytes(b"of before")
    (tmp_path / "SHA256SUMS").write_bytes(b"")
    return tmp_path


def test_the_packages_of_a_version_are_listed_and_signed(folder: Path, pair: tuple[str, str]) -> None:
    update_list.sign(folder, version(), pair[0])
    found = read_list((folder / update_list.NAME).read_bytes(), [pair[1]])
    (release,) = found.releases
    assert (found.number, release.version) == (1, version())
    listed = {each.system: each for each in release.packages}
    assert set(listed) == {"debian-x86_64", "windows-setup-x86_64"}
    assert listed["debian-x86_64"].sha256 == hashlib.sha256(DEB).hexdigest()
    assert listed["debian-x86_64"].size == len(DEB)


def test_the_next_list_has_the_next_number(folder: Path, pair: tuple[str, str]) -> None:
    for number in (1, 2, 3):
        assert f"list {number}," in update_list.sign(folder, version(), pair[0])


def test_a_list_that_cannot_be_followed_is_not_replaced(folder: Path, pair: tuple[str, str]) -> None:
    (folder / update_list.NAME).write_bytes(b"{}")
    with pytest.raises(CannotGoOn, match="cannot be followed"):
        update_list.sign(folder, version(), pair[0])
    assert (folder / update_list.NAME).read_bytes() == b"{}"


def test_without_a_key_or_a_package_nothing_is_written(folder: Path, pair: tuple[str, str]) -> None:
    for private, number, why in (("", version(), "is not set"), ("nonsense", version(), "holds no key")):
        with pytest.raises(CannotGoOn, match=why):
            update_list.sign(folder, number, private)
    with pytest.raises(CannotGoOn, match="no package of version"):
        update_list.sign(folder.parent / folder.name, "9.9.9", pair[0])
    assert not (folder / update_list.NAME).exists()


def test_the_command_reads_the_key_from_the_environment(root: Path, folder: Path, pair: tuple[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "releasing.update_list", "sign", str(folder), version(), "30"],
        cwd=root / "packaging", env={**os.environ, update_list.PRIVATE: pair[0], "PYTHONPATH": str(root)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert pair[0] not in ran.stdout
    assert read_list((folder / update_list.NAME).read_bytes(), [pair[1]]).number == 1
