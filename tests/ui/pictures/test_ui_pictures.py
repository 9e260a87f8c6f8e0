"""The gallery: pictures are wanted, loaded and given up; and the widget that shows one."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.desk.desk import Desk
from app.desk.files.album import Key, NoPicture
from app.imaging.pixels import Facts, Pixels, Size
from app.runtime.sink import Sink
from app.store.picture_files import PictureFiles
from app.ui.base.gallery import Gallery
from app.ui.theme.theme import Theme
from app.ui.widgets.picture import PictureView
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer, answered, held
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, saved
from tests.ui.conftest import Show

BOX = Size(120, 90)
PHOTO = saved(chart(size=(400, 300)), "JPEG")


@pytest.fixture
def gallery(loop: RunningLoop, sink: Sink, window_desk: Desk, tmp_path: Path) -> Iterator[Gallery]:
    made = Gallery(sink, PictureFiles(tmp_path / "pictures"), budget=10 * 120 * 90 * 4)
    made.take_desk(window_desk)
    yield made
    loop.run(made.aclose(20))


def path(number: int) -> str:
    return f"{INFORMATION}/download/audit/{number}.jpg"


def key(number: int) -> Key:
    return Key(f"{number}.jpg", BOX)


def wait_for(loop: RunningLoop, gallery: Gallery, wanted: Key) -> None:
    loop.until(lambda: gallery.look(wanted) is not None)


@pytest.fixture
def photos(fault_server: FaultServer) -> FaultServer:
    for number in range(40):
        fault_server.serve(path(number), Answer(200, PHOTO, "image/jpeg"))
    return fault_server


def test_a_wanted_picture_is_loaded_and_held(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    came: list[Key] = []
    gallery.loaded.connect(came.append)
    gallery.want("viewer", [key(0)], ahead=[key(1), key(2)])
    assert gallery.look(key(0)) is None
    loop.until(lambda: len(came) == 3)
    assert set(came) == {key(0), key(1), key(2)}
    assert all(isinstance(gallery.look(key(number)), Pixels) for number in range(3))
    assert not gallery.busy
    gallery.want("viewer", [key(1)], ahead=[key(2)])
    loop.rest()
    assert len(came) == 3
    assert len(photos.seen(path(1))) == 1


def test_any_number_of_photos_stays_within_the_budget(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    for number in range(40):
        gallery.want("viewer", [key(number)])
        wait_for(loop, gallery, key(number))
    assert len(gallery.held) == 10
    assert gallery.held.nbytes <= gallery.held.budget


def test_what_nobody_wants_any_more_is_given_up(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    gate = photos.gate()
    photos.plan(held(before=gate), path(0))
    gallery.want("viewer", [key(0)], ahead=[key(number) for number in range(1, 20)])
    loop.until(lambda: photos.seen(path(0)))
    gallery.want("viewer", [key(30)])
    loop.until(lambda: gallery.look(key(30)))
    gate.release()
    loop.until(lambda: not gallery.busy)
    assert gallery.look(key(0)) is None
    assert sum(len(photos.seen(path(number))) for number in range(20)) < 12


def test_two_owners_want_the_same_and_one_leaves(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    gate = photos.gate()
    photos.plan(held(before=gate), path(0))
    gallery.want("strip", visible=[key(0)])
    gallery.want("viewer", [key(0)])
    loop.until(lambda: photos.seen(path(0)))
    gallery.want("viewer")
    gate.release()
    loop.until(lambda: gallery.look(key(0)))
    assert len(photos.seen(path(0))) == 1


def test_a_picture_that_cannot_be_had_is_reported_and_tried_again(
    gallery: Gallery, photos: FaultServer, loop: RunningLoop
) -> None:
    photos.plan(answered(Answer(200, b"<html>Sign in</html>", "image/jpeg")), path(0))
    gallery.want("viewer", [key(0)])
    loop.until(lambda: gallery.look(key(0)))
    assert isinstance(gallery.look(key(0)), NoPicture)
    gallery.retry(key(0))
    assert gallery.look(key(0)) is None
    loop.until(lambda: isinstance(gallery.look(key(0)), Pixels))


def test_a_picture_that_loads_after_all_loads_in_every_size(
    gallery: Gallery, photos: FaultServer, loop: RunningLoop
) -> None:
    """Such as the small one of the film strip, after the large one was fetched again by hand."""
    small, large = key(0), Key("0.jpg", Size(200, 150))
    photos.plan(answered(Answer(404)), path(0))
    gallery.want("viewer", [small])
    loop.until(lambda: isinstance(gallery.look(small), NoPicture))
    gallery.want("viewer", [large], [small])
    loop.until(lambda: isinstance(gallery.look(large), Pixels) and isinstance(gallery.look(small), Pixels))
    assert len(photos.seen(path(0))) == 2


def test_what_could_not_be_had_comes_with_the_connection(
    gallery: Gallery, photos: FaultServer, loop: RunningLoop, window_desk: Desk
) -> None:
    provider, window_desk.provider = window_desk.provider, None
    gallery.want("viewer", [key(0)])
    loop.until(lambda: gallery.look(key(0)))
    window_desk.provider = provider
    gallery.try_again()
    loop.until(lambda: isinstance(gallery.look(key(0)), Pixels))


def test_another_desk_holds_nothing_of_the_one_before(
    gallery: Gallery, photos: FaultServer, loop: RunningLoop, window_desk: Desk
) -> None:
    gallery.want("viewer", [key(0)], ahead=[key(1), key(2)])
    loop.until(lambda: gallery.look(key(0)))
    gallery.take_desk(window_desk)
    loop.rest()
    assert gallery.look(key(0)) is None
    assert not gallery.busy


def test_a_hundred_killed_children_cost_no_picture(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    """Ten here; the bench kills a hundred and watches the window's pulse."""
    for number in range(10):
        gallery.want("viewer", [key(number)], ahead=[key(number + 1), key(number + 2)])
        for pid in gallery.pids():
            with suppress(ProcessLookupError):  # one that has ended since the gallery named it
                os.kill(pid, signal.SIGKILL)
        wait_for(loop, gallery, key(number))
        assert isinstance(gallery.look(key(number)), Pixels)


def test_the_files_of_a_profile_go_with_it(gallery: Gallery, photos: FaultServer, loop: RunningLoop) -> None:
    for act in (gallery.wipe, lambda: gallery.forget_profile("acme")):
        gallery.want("viewer", [key(0)])
        loop.until(lambda: gallery.look(key(0)))
        loop.run(act())
        gallery.retry(key(0))
        loop.until(lambda: gallery.look(key(0)))
    assert len(photos.seen(path(0))) == 3


# The widget


def pixels(width: int, height: int, *, cut_off: bool = False) -> Pixels:
    photo = chart("RGBA", (width, height)).convert("RGB")
    photo.putalpha(255)
    return Pixels(
        width, height, False, Facts("JPEG", Size(width, height), cut_off=cut_off), photo.tobytes("raw", "BGRA")
    )


@pytest.fixture
def view(theme: Theme, show: Show) -> PictureView:
    made = PictureView(theme, "Photo 3 of 12")
    show(made)
    return made


def test_pixels_are_shown_one_to_one_in_the_middle(view: PictureView) -> None:
    wide, high = view.wanted_size()
    assert (wide, high) == (round(1280 * view.devicePixelRatioF()), round(800 * view.devicePixelRatioF()))
    given = pixels(600, 500)
    view.show_pixels(given)
    shown = view.grab().toImage()
    left, top = (shown.width() - 600) // 2, (shown.height() - 500) // 2
    for x, y in ((0, 0), (599, 0), (0, 499), (599, 499), (300, 250), (17, 431)):
        blue, green, red, _ = given.data[(y * 600 + x) * 4 : (y * 600 + x) * 4 + 4]
        assert shown.pixelColor(left + x, top + y) == QColor(red, green, blue), (x, y)
    surface = shown.pixelColor(2, 2)
    assert shown.pixelColor(left - 1, top) == surface
    assert shown.pixelColor(left + 600, top) == surface


def test_pixels_of_another_size_are_fitted(view: PictureView) -> None:
    view.show_pixels(pixels(2560, 800))
    shown = view.grab().toImage()
    assert shown.pixelColor(640, 100) == shown.pixelColor(2, 2)
    assert shown.pixelColor(640, 400) != shown.pixelColor(2, 2)


def test_its_states_are_told_in_words(view: PictureView, qtbot: QtBot, loop: RunningLoop) -> None:
    view.show_busy()
    assert view.state_text == ""
    loop.until(lambda: view.state_text == "Loading the picture")
    view.show_trouble("This file is damaged & <b>cannot</b> be shown.", again=True)
    assert view.state_text == "No picture This file is damaged & <b>cannot</b> be shown."
    retry = next(each for each in view.findChildren(QPushButton) if each.isVisible())
    assert retry.accessibleName() == "Try again"
    with qtbot.waitSignal(view.retry_asked):
        retry.click()
    view.show_trouble("It leads elsewhere.", again=False)
    assert not retry.isVisible()
    view.show_pixels(pixels(20, 20, cut_off=True))
    assert view.state_text == ""
    assert view._note.isVisible()
    assert view.pixels is not None
    view.show_busy(keep=True)
    assert view.pixels is not None
    view.show_busy()
    assert view.pixels is None


def test_it_is_named_for_who_cannot_see_it(view: PictureView) -> None:
    view.set_name("Photo 4 of 12: Trailer \u202eloaded")
    assert view.accessibleName() == "Photo 4 of 12: Trailer ⟨U+202E⟩loaded"


def test_the_room_is_told_once_it_has_settled(view: PictureView, qtbot: QtBot, loop: RunningLoop) -> None:
    told: list[tuple[int, int]] = []
    view.room.connect(lambda width, height: told.append((width, height)))
    for width in range(900, 800, -10):
        view.resize(QSize(width, 600))
    assert told == []
    loop.until(lambda: told)
    assert told == [view.wanted_size()]
