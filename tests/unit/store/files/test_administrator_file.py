"""The administrator's file is read only where no ordinary user can have written it."""

import os
import sys
from pathlib import Path

import pytest

from app.store import administrator_file
from app.store.administrator_file import LARGEST, NotTrusted, read, read_at

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="there a policy names the file")
of_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="root alone writes such a file")


def test_no_file_is_no_trouble(tmp_path: Path) -> None:
    assert read_at(tmp_path / "none.json") is None
    (tmp_path / "file").touch()
    assert read_at(tmp_path / "file" / "none.json") is None


@of_root
def test_what_root_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "administrator.json"
    path.write_bytes(b"{}")
    path.chmod(0o644)
    assert read_at(path) == b"{}"


@posix_only
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_what_others_may_write_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "administrator.json"
    path.write_bytes(b"{}")
    path.chmod(mode)
    with pytest.raises(NotTrusted, match="Others than the administrator may write it") as refused:
        read_at(path)
    assert str(path) in refused.value.sentence


@of_root
def test_what_another_user_owns_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "administrator.json"
    path.write_bytes(b"{}")
    os.chown(path, 65_534, 65_534)
    with pytest.raises(NotTrusted, match="Others than the administrator"):
        read_at(path)


@of_root
def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "administrator.json"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    path.chmod(0o644)
    with pytest.raises(NotTrusted, match="too large"):
        read_at(path)


def test_a_folder_in_its_place_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotTrusted):
        read_at(tmp_path)


@posix_only
def test_the_place_is_the_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(administrator_file, "_UNIX", tmp_path / "none.json")
    monkeypatch.setattr(administrator_file, "_MAC", tmp_path / "none.json")
    assert read() is None
