"""The photo viewer in the hand: what is drawn is drawn on the photo it was drawn over, the keys stay at the photo, and
which answer a photo belongs to stands below it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.desk.audits.audit_reviews import PhotoReview
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.store.picture_files import PictureFiles
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.theme.tokens import THUMB_SIZE
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_pane import PhotoPane
from app.ui.viewer.photo_viewer import PhotoViewer
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.pictures.viewer_help import Said, pile, serve_pile, sharp


@pytest.fixture
def gallery(loop: RunningLoop, sink: Sink, window_desk: Desk, tmp_path: Path) -> Iterator[Gallery]:
    made = Gallery(sink, PictureFiles(tmp_path / "pictures"))
    made.take_desk(window_desk)
    yield made
    loop.run(made.aclose(20))


@pytest.fixture
def viewer(
    gallery: Gallery, services: PageServices, show: Show, fault_server: FaultServer, loop: RunningLoop
) -> PhotoViewer:
    serve_pile(fault_server)
    made = PhotoViewer(replace(services, pictures=lambda: gallery))
    show(made)
    made.take_desk()
    made.show_photos(pile())
    loop.until(lambda: sharp(made))
    return made


@pytest.fixture
def told(viewer: PhotoViewer) -> Said:
    return Said(viewer)


@pytest.fixture
def four(viewer: PhotoViewer, loop: RunningLoop) -> PhotoViewer:
    """Four side by side."""
    for _ in range(2):
        QTest.keyClick(viewer, Qt.Key.Key_C)
    loop.until(lambda: sharp(viewer))
    return viewer


def places(viewer: PhotoViewer) -> list[int]:
    return [pane.photo.place for pane in viewer.panes if pane.isVisible() and pane.photo is not None]


def drag(pane: PhotoPane) -> None:
    """Draw over the middle of what the pane shows when the button goes down."""
    middle = pane.rect().center()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(pane, middle + QPoint(30, 20))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=middle + QPoint(30, 20))


def test_a_mark_over_one_of_four_photos_belongs_to_that_photo(four: PhotoViewer, told: Said) -> None:
    QTest.keyClick(four, Qt.Key.Key_B)
    pane = four.panes[2]
    assert pane.photo is not None
    address = pane.photo.address
    drag(pane)
    assert list(told.reviews) == [address]
    assert len(told.reviews[address].marks) == 1
    assert pane.photo.address == address  # it stays where it is, under the hand


def test_photos_stay_in_their_places_while_the_current_one_is_among_them(four: PhotoViewer) -> None:
    QTest.mouseClick(four.panes[2], Qt.MouseButton.LeftButton)
    assert (four._at, places(four)) == (2, [0, 1, 2, 3])
    for at, shown in ((3, [0, 1, 2, 3]), (4, [1, 2, 3, 4])):
        four.photo_after()
        assert (four._at, places(four)) == (at, shown)
    for _ in range(4):
        four.photo_before()
    assert (four._at, places(four)) == (0, [0, 1, 2, 3])
    four.go(11)
    assert places(four) == [8, 9, 10, 11]
    four.next_sides()
    assert places(four) == [11]


def test_keys_draw_on_the_current_photo_wherever_they_began(four: PhotoViewer, told: Said, loop: RunningLoop) -> None:
    QTest.keyClick(four, Qt.Key.Key_V)
    loop.until(four.panes[0].hasFocus)
    four.photo_after()
    loop.until(four.panes[1].hasFocus)
    pane = four.panes[1]
    QTest.keyClick(pane, Qt.Key.Key_Return)
    for _ in range(4):
        QTest.keyClick(pane, Qt.Key.Key_Right)
    QTest.keyClick(pane, Qt.Key.Key_Return)
    (mark,) = told.reviews["1.jpg"].marks
    assert mark.x == pytest.approx(0.5, abs=0.01)
    assert "0.jpg" not in told.reviews
    assert not four.panes[0].by_keys  # there is one pointer of the keys


def test_words_belong_to_the_photo_that_they_were_begun_on(viewer: PhotoViewer, told: Said, loop: RunningLoop) -> None:
    QTest.keyClick(viewer, Qt.Key.Key_T)
    loop.until(viewer.panes[0].hasFocus)
    QTest.keyClick(viewer.panes[0], Qt.Key.Key_Return)
    QTest.keyClicks(viewer.mark_text, "torn here")
    viewer.go(1)  # such as through the accessibility tree
    assert [each.text for each in told.reviews["0.jpg"].marks] == ["torn here"]
    assert "1.jpg" not in told.reviews


def test_the_loupe_and_the_tools_work_by_keys_while_the_mouse_rests_on_the_photo(
    viewer: PhotoViewer, told: Said, loop: RunningLoop
) -> None:
    pane = viewer.panes[0]
    QTest.mouseMove(pane, pane.rect().center() - QPoint(60, 40))
    loop.until(pane.underMouse)
    pane.pointer = QPoint(-1, -1).toPointF()  # as when the photo came under it, and it has not moved since
    QTest.keyClick(viewer, Qt.Key.Key_G)
    loop.until(pane.hasFocus)
    assert pane.under_loupe()
    before = pane.pointer
    QTest.keyClick(pane, Qt.Key.Key_Right)
    assert pane.pointer.x() > before.x()


def test_escape_puts_the_tool_and_the_loupe_away_before_it_leaves(viewer: PhotoViewer, loop: RunningLoop) -> None:
    pane = viewer.panes[0]
    for key in (Qt.Key.Key_B, Qt.Key.Key_G):
        QTest.keyClick(viewer, key)
        loop.until(pane.hasFocus)
        QTest.keyClick(pane, Qt.Key.Key_Escape)
        assert (viewer.tools.tool(), viewer.tools.loupe.isChecked()) == (None, False)
        assert (pane.tool, pane.loupe) == (None, False)


def test_fewer_side_by_side_leave_the_keys_at_the_photo(four: PhotoViewer, loop: RunningLoop) -> None:
    four.go(3)
    four.panes[3].setFocus()
    loop.until(four.panes[3].hasFocus)
    QTest.keyClick(four.panes[3], Qt.Key.Key_C)
    loop.until(four.panes[0].hasFocus)


def test_the_whole_screen_gives_the_keys_to_the_photo(viewer: PhotoViewer, loop: RunningLoop) -> None:
    QTest.keyClick(viewer, Qt.Key.Key_F11)
    loop.until(viewer.panes[0].hasFocus)


def test_which_answer_a_photo_belongs_to_stands_below_it_however_long_it_is(
    viewer: PhotoViewer, loop: RunningLoop
) -> None:
    assert viewer.facts.text().startswith("1 of 12 · Question 0\n0.jpg · 2,400 × 1,800 · JPEG")
    assert viewer.facts.accessibleName() == viewer.facts.text()
    before = viewer.minimumSizeHint().width()
    viewer.show_photos([Photo("x" * 5_000, 0, "A long question " * 400, PhotoReview())])
    loop.until(lambda: viewer.panes[0].trouble is not None)
    assert viewer.minimumSizeHint().width() == before


def test_the_strip_shows_what_comes_next_and_which_photo_is_the_current_one(four: PhotoViewer) -> None:
    four.resize(800, 600)
    view = four.strip.viewport().rect()
    for at in (1, 5, 8, 6, 2):
        four.go(at)
        assert four.strip.currentIndex().row() == at
        around = range(max(four._places().start - 1, 0), four._places().stop + 1)
        seen = [view.intersected(four.strip.visualRect(four.strip.strip.index(each))).width() for each in around]
        assert min(seen) >= THUMB_SIZE[0], at


def is_blank(pane: PhotoPane) -> bool:
    """Whether nothing is painted around its middle, where words would stand."""
    image = pane.grab().toImage()
    middle = image.rect().center()
    return len({image.pixel(x, middle.y() + y) for x in range(10, image.width() - 10) for y in range(-8, 9)}) == 1


def test_of_several_places_one_says_that_there_is_no_photo(four: PhotoViewer, loop: RunningLoop) -> None:
    for photos, blank in ((pile(2), [False, False, True, True]), ([], [False, True, True, True])):
        four.show_photos(photos)
        loop.until(lambda: all(pane.is_sharp() for pane in four.panes if pane.photo is not None))
        assert not any(pane._patience.isActive() for pane in four.panes if pane.photo is None)
        assert [is_blank(pane) for pane in four.panes] == blank


def test_after_a_click_in_the_strip_arrows_go_to_other_photos_and_enter_into_the_photo(
    four: PhotoViewer, loop: RunningLoop
) -> None:
    at = four.strip.visualRect(four.strip.strip.index(2)).center()
    QTest.mouseClick(four.strip.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert four.strip.hasFocus()
    assert four.photo == four.photos[2]
    for key, wanted in (
        (Qt.Key.Key_Right, 3),
        (Qt.Key.Key_Right, 4),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_End, len(four.photos) - 1),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
    ):
        QTest.keyClick(four.strip, key)
        assert four.photo == four.photos[wanted], key
        assert four.strip.currentIndex().row() == wanted
        assert four.strip.hasFocus(), "the next arrow goes on from here"
    QTest.keyClick(four.strip, Qt.Key.Key_Right)
    QTest.keyClick(four.strip, Qt.Key.Key_Return)
    assert four.photo == four.photos[1]
    assert any(pane.hasFocus() for pane in four.panes)
    loop.rest()
