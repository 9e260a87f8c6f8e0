"""The gallery of the window is made when it is first needed, follows the current desk, and forgets on request."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desk.desk import Desk
from app.desk.files.album import Key
from app.imaging.pixels import Pixels, Size
from app.runtime.sink import Sink
from app.ui.shell.window_gallery import WindowGallery
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, saved

PATH = f"{INFORMATION}/download/audit/a.jpg"
KEY = Key("a.jpg", Size(40, 40))


@pytest.fixture
def window_gallery(loop: RunningLoop, sink: Sink, tmp_path: Path) -> Iterator[WindowGallery]:
    made = WindowGallery(sink, tmp_path / "pictures")
    yield made
    loop.run(made.aclose(20))


@pytest.fixture
def photo(fault_server: FaultServer) -> FaultServer:
    fault_server.serve(PATH, Answer(200, saved(chart(), "JPEG"), "image/jpeg"))
    return fault_server


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def show(window_gallery: WindowGallery, loop: RunningLoop) -> None:
    window_gallery.gallery().want("test", [KEY])
    loop.until(lambda: isinstance(window_gallery.gallery().look(KEY), Pixels))


def test_nothing_is_made_before_it_is_wanted(window_gallery: WindowGallery, window_desk: Desk) -> None:
    window_gallery.take_desk(window_desk)
    window_gallery.try_again()
    assert window_gallery._gallery is None


def test_it_works_for_the_desk_in_force(
    window_gallery: WindowGallery, window_desk: Desk, photo: FaultServer, loop: RunningLoop, tmp_path: Path
) -> None:
    window_gallery.take_desk(window_desk)
    show(window_gallery, loop)
    assert window_gallery.gallery() is window_gallery.gallery()
    window_gallery.take_desk(window_desk)
    assert window_gallery.gallery().look(KEY) is None
    show(window_gallery, loop)
    assert len(photo.seen(PATH)) == 1


@pytest.mark.parametrize("way", ["wipe", "profile", "another profile"])
def test_fetched_pictures_are_deleted_on_request(
    window_gallery: WindowGallery, window_desk: Desk, photo: FaultServer, loop: RunningLoop, tmp_path: Path, way: str
) -> None:
    window_gallery.take_desk(window_desk)
    show(window_gallery, loop)
    assert len(kept(tmp_path / "pictures")) == 1
    if way == "wipe":
        window_gallery.wipe()
    else:
        window_gallery.forget_profile(window_desk.profile.id if way == "profile" else "another")
    loop.until(lambda: not window_gallery._tasks.busy)
    assert len(kept(tmp_path / "pictures")) == (1 if way == "another profile" else 0)


def test_it_deletes_what_an_earlier_start_left(
    window_gallery: WindowGallery, loop: RunningLoop, tmp_path: Path
) -> None:
    left = tmp_path / "pictures" / "a" / "b"
    left.mkdir(parents=True)
    (left / "c").write_bytes(b"x")
    window_gallery.wipe()
    loop.until(lambda: not window_gallery._tasks.busy)
    assert not (tmp_path / "pictures").exists()


def test_files_that_are_still_being_deleted_do_not_keep_the_rest_from_ending(
    window_gallery: WindowGallery,
    window_desk: Desk,
    photo: FaultServer,
    loop: RunningLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window_gallery.take_desk(window_desk)
    show(window_gallery, loop)
    gallery, goes_on = window_gallery.gallery(), threading.Event()
    assert gallery._imaging is not None
    monkeypatch.setattr(gallery._files, "wipe", lambda: goes_on.wait(60))
    window_gallery.wipe()
    closing = loop.asyncio.create_task(window_gallery.aclose(60))
    loop.until(lambda: gallery._imaging is not None and gallery._imaging._closed)
    assert not closing.done()
    goes_on.set()
    loop.until(closing.done)
