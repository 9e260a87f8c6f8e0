"""Fetched photos as files: found again, limited in size and age, gone without harm."""

from pathlib import Path

import pytest

from app.store.picture_files import PictureFiles
from tests.support.wine import under_wine


class Clock:
    """A time that only goes on when it is told to."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def files(tmp_path: Path, clock: Clock) -> PictureFiles:
    return PictureFiles(tmp_path / "pictures", most=1_000, max_age=100.0, now=clock)


def test_what_was_kept_is_found_again(files: PictureFiles) -> None:
    assert files.read("acme", "/a.jpg") is None
    assert files.keep("acme", "/a.jpg", b"photo")
    assert files.read("acme", "/a.jpg") == b"photo"
    assert files.read("other", "/a.jpg") is None
    assert files.read("acme", "/b.jpg") is None
    assert files.keep("acme", "/a.jpg", b"newer")
    assert files.read("acme", "/a.jpg") == b"newer"
    files.drop("acme", "/a.jpg")
    files.drop("acme", "/a.jpg")
    assert files.read("acme", "/a.jpg") is None


@pytest.mark.parametrize("address", ["../../x", "/etc/passwd", "a" * 5_000, "con", "\ud800", "a\x00b", ""])
def test_an_address_never_becomes_a_path(files: PictureFiles, tmp_path: Path, address: str) -> None:
    assert files.keep(address, address, b"photo")
    assert files.read(address, address) == b"photo"
    (found,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert found.is_relative_to(tmp_path / "pictures")
    assert len(found.name) == 40


def test_what_is_too_old_counts_as_gone(files: PictureFiles, clock: Clock) -> None:
    files.keep("acme", "/a.jpg", b"photo")
    clock.at += 90
    assert files.read("acme", "/a.jpg") == b"photo"
    clock.at += 20  # looking at it has not made it younger
    assert files.read("acme", "/a.jpg") is None
    assert files.size() == 0


@pytest.mark.skipif(under_wine(), reason="Wine tells no moment at which a file was read")
def test_the_longest_unseen_goes_first(files: PictureFiles, clock: Clock) -> None:
    for number in range(9):
        clock.at += 1
        files.keep("acme", f"/{number}.jpg", b"x" * 100)
    clock.at += 1
    files.read("acme", "/0.jpg")
    clock.at += 1
    files.keep("acme", "/9.jpg", b"x" * 200)
    left = [number for number in range(10) if files.read("acme", f"/{number}.jpg")]
    assert left == [0, 3, 4, 5, 6, 7, 8, 9]
    assert files.size() == 900


def test_a_profile_is_forgotten_alone_and_all_is_wiped(files: PictureFiles, tmp_path: Path) -> None:
    for profile in ("acme", "other"):
        files.keep(profile, "/a.jpg", b"photo")
    files.forget_profile("acme")
    assert files.read("acme", "/a.jpg") is None
    assert files.read("other", "/a.jpg") == b"photo"
    files.wipe()
    assert not (tmp_path / "pictures").exists()
    assert files.keep("acme", "/a.jpg", b"photo")
    files.wipe()
    files.wipe()


def test_a_disk_that_refuses_costs_nothing_but_the_file(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file in the folder's place")
    files = PictureFiles(tmp_path / "pictures")
    assert not files.keep("acme", "/a.jpg", b"photo")
    assert files.read("acme", "/a.jpg") is None
    assert files.size() == 0


def test_what_was_never_finished_is_no_picture(files: PictureFiles, tmp_path: Path, clock: Clock) -> None:
    files.keep("acme", "/a.jpg", b"photo")
    (found,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    found.write_bytes(b"")
    assert files.read("acme", "/a.jpg") is None
    left = found.with_name("x.new")
    left.write_bytes(b"half")
    clock.at = left.stat().st_mtime + 101
    assert files.size() == 0
    assert not left.exists()
