"""A photo on the screen, pixel by pixel: one to one at fit and at 100 %, turned, at every sharpness, lit and marked."""

from collections.abc import Callable, Iterator
from math import floor

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QImage, QPainter, QTransform
from pytestqt.qtbot import QtBot

from app.desk.audits.audit_reviews import Mark, PhotoReview
from app.desk.files.album import Key, NoPicture
from app.imaging.pixels import Facts, Pixels, Region, Size
from app.ui.theme.theme import Theme
from app.ui.viewer.look import Box, Look
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_marks import mark_of, paint_marks
from app.ui.viewer.photo_painting import adjust_light, factor_and_shift
from app.ui.viewer.photo_pane import PhotoPane
from app.ui.viewer.visible_regions import VisibleRegions

FULL = Size(640, 480)
TURNS = (0, 90, 180, 270)
SHARPNESS = (1.0, 1.5, 2.0)


def colour_at(x: int, y: int) -> int:
    """No two pixels of the photo are alike."""
    return 0xFF000000 | (x * 7919 + y * 104729) & 0xFFFFFF


def whole_photo() -> QImage:
    image = QImage(*FULL, QImage.Format.Format_RGB32)
    for y in range(FULL.height):
        for x in range(FULL.width):
            image.setPixel(x, y, colour_at(x, y))
    return image


@pytest.fixture(scope="module")
def photo_image() -> QImage:
    return whole_photo()


class _Decoded:
    """In place of the gallery: decodes by cutting and by Qt's own scaling, at once."""

    def __init__(self, image: QImage) -> None:
        self.image, self.asked = image, list[Key]()
        self.trouble: dict[Key, NoPicture] = {}

    def look(self, key: Key) -> Pixels | NoPicture:
        self.asked.append(key)
        if key in self.trouble:
            return self.trouble[key]
        full = Size(self.image.width(), self.image.height())
        region = key.region or Region(0, 0, *full)
        cut = self.image.copy(*region)
        if key.box is not None:
            scale = min(1.0, key.box.width / region.width, key.box.height / region.height)
            cut = cut.scaled(int(region.width * scale + 0.4), int(region.height * scale + 0.4))
        return Pixels(cut.width(), cut.height(), False, Facts("PNG", full), bytes(cut.constBits()))


class _Pane(PhotoPane):
    """A pane on a screen of another sharpness."""

    sharpness = 1.0

    def devicePixelRatioF(self) -> float:
        return self.sharpness


Make = Callable[..., tuple[_Pane, _Decoded]]


@pytest.fixture
def make(qtbot: QtBot, theme: Theme, photo_image: QImage) -> Iterator[Make]:
    made: list[_Pane] = []

    def pane_of(
        width: int,
        height: int,
        sharpness: float = 1.0,
        turned: int = 0,
        look: Look | None = None,
        image: QImage = photo_image,
    ) -> object:
        gallery = _Decoded(image)
        pane = _Pane(theme, lambda: gallery, VisibleRegions())  # type: ignore[arg-type, return-value]
        pane.sharpness = sharpness
        made.append(pane)
        pane.resize(round(width / sharpness), round(height / sharpness))
        pane.look = look or Look()
        pane.show_photo(Photo("a.png", 0, "Load", PhotoReview()), PhotoReview(turned=turned))
        pane.refresh()  # the region in sight, now that the size is known
        return pane, gallery

    yield pane_of  # type: ignore[misc]
    for each in made:
        each.deleteLater()


def painted(pane: _Pane) -> QImage:
    """What the screen would show, in its own pixels."""
    room = pane.room()
    image = QImage(round(room.width), round(room.height), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(pane.sharpness)
    pane.render(image, QPoint())
    image.setDevicePixelRatio(1)
    return image


def turned_by(image: QImage, degrees: int) -> QImage:
    return image.transformed(QTransform().rotate(degrees)).convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("sharpness", SHARPNESS)
@pytest.mark.parametrize("turned", TURNS)
def test_a_photo_that_fits_is_shown_pixel_for_pixel(
    make: Make, photo_image: QImage, sharpness: float, turned: int
) -> None:
    pane, _ = make(900, 720, sharpness, turned)
    shown, expected = painted(pane), turned_by(photo_image, turned)
    corner = QPoint((900 - expected.width()) // 2, (720 - expected.height()) // 2)
    assert shown.copy(QRect(corner, expected.size())) == expected
    assert pane.is_sharp()


@pytest.mark.parametrize("sharpness", SHARPNESS)
@pytest.mark.parametrize("turned", TURNS)
def test_a_photo_made_as_large_as_it_fits_is_shown_pixel_for_pixel(
    make: Make, photo_image: QImage, sharpness: float, turned: int
) -> None:
    pane, _ = make(300, 300, sharpness, turned)
    assert pane.pixels is not None
    made = QImage(bytes(pane.pixels.data), pane.pixels.width, pane.pixels.height, QImage.Format.Format_RGB32)
    assert (made.width(), made.height()) == (300, 225)
    expected = turned_by(made, turned)
    shown = painted(pane)
    place = pane.box()
    corner = QPoint(int(place.left + 0.5), int(place.top + 0.5))
    assert shown.copy(QRect(corner, expected.size())) == expected
    assert pane.is_sharp()


@pytest.mark.parametrize("sharpness", SHARPNESS)
@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("share", [100_000, 10_000_000])
def test_at_100_percent_each_pixel_of_the_photo_is_one_of_the_screen(
    make: Make, photo_image: QImage, sharpness: float, turned: int, share: int
) -> None:
    """Whether a region of it was decoded or all of it."""
    pane, _ = make(450, 300, sharpness, turned)
    pane.pixel_budget = share
    pane.look = Look(1.0, 0.31, 0.66)
    pane.refresh()
    assert pane.is_sharp()
    key = pane.region_key()
    assert key is not None
    assert (key.region is None) == (share > 1_000_000)
    box, whole = pane.box(), turned_by(photo_image, turned)
    place = QRect(4, 4, 300, 190)  # the navigator lies in the lower right corner
    offset = floor(box.left + 0.5), floor(box.top + 0.5)
    assert painted(pane).copy(place) == whole.copy(place.translated(-offset[0], -offset[1]))


def test_until_the_part_in_sight_comes_all_of_it_is_shown_and_it_is_not_called_sharp(make: Make) -> None:
    pane, gallery = make(200, 150)
    pane.pixel_budget = 60_000
    pane.look = Look(1.0)
    key = pane.region_key()
    assert key is not None
    gallery.trouble[key] = NoPicture("This picture takes too long to decode, and was given up.")
    pane.refresh()
    assert not pane.is_sharp()
    assert pane.state_words() == "Shown, not sharp yet, This picture takes too long to decode, and was given up."
    assert painted(pane).pixelColor(10, 10) != pane._theme.colour("ground")
    gallery.trouble.clear()
    pane.refresh()
    assert pane.is_sharp()
    assert pane.state_words() == "Shown"


def test_the_navigator_shows_the_whole_and_frames_what_is_seen(make: Make, theme: Theme) -> None:
    pane, _ = make(400, 300)
    plain = painted(pane)
    pane.look = Look(2.0, 0.2, 0.2)
    pane.refresh()
    shown, small = painted(pane), pane.navigator()
    assert pane.is_cut_off()
    place = (
        round(small.left + 0.2 * small.width - 400 / 1280 / 2 * small.width),
        round(small.top + small.height * 0.2),
    )
    colours = {shown.pixelColor(place[0] + dx, place[1]).name() for dx in range(-3, 4)}
    assert theme.colour("accent").name() in colours
    assert plain != shown


def test_the_loupe_shows_its_place_at_twice_the_scale(make: Make, photo_image: QImage) -> None:
    pane, gallery = make(400, 300)
    pane.loupe = True
    pane.pointer = QPointF(200, 150)
    pane.refresh()
    key = pane.loupe_key()
    assert key is not None
    assert key in gallery.asked
    shown, nearer = painted(pane), photo_image.scaled(FULL.width * 2, FULL.height * 2)
    middle = nearer.pixelColor(FULL.width, FULL.height)
    around = [shown.pixelColor(200 + dx, 150 + dy) for dx in (-2, -1, 0, 1) for dy in (-2, -1, 0, 1)]
    assert min(_distance(each, middle) for each in around) < 120
    pane.pointer = QPointF(-1, -1)
    assert pane.loupe_key() is None
    assert painted(pane) != shown


def _under_loupe(pane: _Pane, x: int, y: int) -> QRect:
    """What the loupe changes on the screen."""
    pane.loupe = False
    plain = painted(pane)
    pane.loupe, pane.pointer = True, QPointF(x, y) / pane.sharpness
    pane.refresh()
    shown = painted(pane)
    changed = [
        QPoint(at, row)
        for at in range(plain.width())
        for row in range(plain.height())
        if plain.pixel(at, row) != shown.pixel(at, row)
    ]
    return QRect(
        QPoint(min(each.x() for each in changed), min(each.y() for each in changed)),
        QPoint(max(each.x() for each in changed), max(each.y() for each in changed)),
    )


@pytest.mark.parametrize("sharpness", [1.0, 2.0])
def test_the_loupe_is_no_larger_than_the_pane_has_room_for(make: Make, sharpness: float) -> None:
    pane, _ = make(500, 100, sharpness)
    found = _under_loupe(pane, 250, 50)
    assert found.height() == pytest.approx(80, abs=8)
    assert found.width() == pytest.approx(80, abs=8)


@pytest.mark.parametrize("turned", TURNS)
def test_the_loupe_over_a_flat_photo_shows_the_photo_and_nothing_beside_it(
    make: Make, photo_image: QImage, turned: int
) -> None:
    pane, _ = make(400, 400, turned=turned, image=photo_image.copy(0, 0, 640, 40))
    found = _under_loupe(pane, 200, 200)
    flat, wide = sorted((found.width(), found.height()))
    assert flat == pytest.approx(2 * 40, abs=8), "as high as the photo is so near"
    assert wide == pytest.approx(240, abs=8)


def test_the_loupe_ends_where_the_photo_ends(make: Make) -> None:
    pane, _ = make(640, 640)
    box = pane.box()
    found = _under_loupe(pane, round(box.left) + 3, round(box.top) + 3)
    assert found.top() >= box.top - 8
    assert found.bottom() == pytest.approx(box.top + 3 + 120, abs=6)


def _distance(one: QColor, other: QColor) -> int:
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue())


# Light


def _lit(colours: list[QColor], brightness: int, contrast: int) -> list[QColor]:
    image = QImage(len(colours), 1, QImage.Format.Format_RGB32)
    for at, colour in enumerate(colours):
        image.setPixelColor(at, 0, colour)
    painter = QPainter(image)
    adjust_light(painter, image.rect(), brightness, contrast)
    painter.end()
    return [image.pixelColor(at, 0) for at in range(len(colours))]


@pytest.mark.parametrize("contrast", range(-100, 101, 25))
@pytest.mark.parametrize("brightness", range(-100, 101, 25))
def test_light_is_plain_arithmetic(brightness: int, contrast: int) -> None:
    levels = [0, 1, 30, 64, 100, 127, 128, 160, 200, 254, 255]
    found = _lit([QColor(level, 255 - level, level // 2) for level in levels], brightness, contrast)
    factor, shift = factor_and_shift(brightness, contrast)
    for level, colour in zip(levels, found, strict=True):
        for before, after in ((level, colour.red()), (255 - level, colour.green()), (level // 2, colour.blue())):
            meant = min(max(factor * before + shift * 255, 0), 255)
            assert abs(after - meant) <= 2 + 2 * factor, (brightness, contrast, before, after, meant)


def test_no_light_changes_nothing_and_no_contrast_is_one_grey() -> None:
    colours = [QColor(level, level, level) for level in range(0, 256, 15)]
    assert _lit(colours, 0, 0) == colours
    assert len({each.name() for each in _lit(colours, 0, -100)}) == 1


# Marks


def _marked(marks: tuple[Mark, ...], turned: int, sharpness: float = 1.0) -> QImage:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("black"))
    painter = QPainter(image)
    box = Box(50, 50, 300, 200) if turned % 180 == 0 else Box(100, 0, 200, 300)
    paint_marks(painter, marks, box, turned, QColor("red"), QColor("white"), sharpness)
    painter.end()
    return image


@pytest.mark.parametrize("turned", TURNS)
def test_a_mark_lies_at_its_place_of_the_photo_however_it_is_turned(turned: int) -> None:
    shown = _marked((Mark("box", 0.2, 0.1, 0.6, 0.5),), turned)
    upright = turned_by(shown, -turned)
    left, top = (upright.width() - 300) // 2, (upright.height() - 200) // 2
    red = QColor("red").name()
    for x, y in ((0.2, 0.3), (0.6, 0.3), (0.4, 0.1), (0.4, 0.5)):
        at = (round(left + x * 300), round(top + y * 200))
        near = {upright.pixelColor(at[0] + dx, at[1] + dy).name() for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        assert red in near, (turned, x, y)


@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("kind", ["arrow", "box"])
def test_a_mark_is_painted_where_it_was_drawn(kind: str, turned: int) -> None:
    box = Box(-40, 20, 800, 600)
    begin, end = QPointF(100, 200), QPointF(500, 400)
    mark = mark_of(kind, begin, end, box, turned)  # type: ignore[arg-type]
    assert mark is not None
    upright = mark_of(kind, begin, end, box, 0)  # type: ignore[arg-type]
    assert upright is not None
    assert (mark == upright) == (turned == 0)
    assert all(0 <= each <= 1 for each in (mark.x, mark.y, mark.to_x, mark.to_y))


def test_a_slip_and_words_without_letters_are_no_marks_and_none_leaves_the_photo() -> None:
    box = Box(0, 0, 1_000, 1_000)
    assert mark_of("box", QPointF(5, 5), QPointF(6, 6), box, 0) is None
    assert mark_of("text", QPointF(5, 5), QPointF(5, 5), box, 0, "  ") is None
    far = mark_of("arrow", QPointF(-500, 5), QPointF(5_000, 5), box, 0)
    assert far is not None
    assert (far.x, far.to_x) == (0, 1)


def test_words_stay_on_the_photo_and_marks_are_as_thick_to_the_eye_on_a_sharper_screen() -> None:
    words = Mark("text", 0.99, 0.99, 0.99, 0.99, "torn <b>here</b>")
    shown = _marked((words,), 0)
    white = QColor("white").name()
    columns = [x for x in range(400) if any(shown.pixelColor(x, y).name() == white for y in range(300))]
    assert columns
    assert max(columns) <= 350
    line = Mark("arrow", 0.1, 0.5, 0.9, 0.5)
    thin, thick = (_thickness(_marked((line,), 0, sharpness)) for sharpness in (1.0, 2.0))
    assert thick == pytest.approx(2 * thin, abs=2)


def _thickness(image: QImage) -> int:
    return sum(1 for y in range(300) if image.pixelColor(200, y) != QColor("black"))
