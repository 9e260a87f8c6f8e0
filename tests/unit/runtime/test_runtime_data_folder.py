"""The data folder that a start is told."""

import errno
from pathlib import Path

import pytest

from app.arguments import Arguments
from app.bootstrap import _data_dir
from app.start_ends import CannotStart


def told(folder: Path) -> Path:
    return _data_dir(Arguments(data_dir=folder)).root


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "desk")
    assert told(tmp_path / "link") == (tmp_path / "desk").resolve()


@pytest.mark.parametrize(("number", "taken"), [(0, True), (errno.EINVAL, True), (errno.ELOOP, False)])
def test_a_drive_that_cannot_tell_where_a_path_leads_is_no_trouble_but_a_circle_of_links_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, taken: bool
) -> None:
    def refuse(self: Path) -> Path:
        raise OSError(number, "refused")

    monkeypatch.setattr(Path, "resolve", refuse)
    if taken:
        assert told(tmp_path / "desk") == tmp_path / "desk"
    else:
        with pytest.raises(CannotStart):
            told(tmp_path / "desk")
