"""How a photo is looked at: zoom, place and light, as arithmetic on plain numbers.

Sizes and places are pixels of the screen; a photo's own are its pixels after it was turned. The place of a `Look` is a
point of the photo as fractions of its width and height, so that it holds from photo to photo, whatever their sizes.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

LARGEST_SCALE, SMALLEST_SCALE = 8.0, 0.02  # pixels of the screen for one of the photo
LIGHT_STEP, LIGHT_MOST = 10, 100


class SizeF(NamedTuple):
    """Width and height, with fractions as Qt's own QSizeF."""

    width: float
    height: float


class Box(NamedTuple):
    """Where a photo lies in its pane; it may reach beyond the edges."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Look:
    """`zoom` is None for a photo that fits its pane, else pixels of the screen for one of the photo.

    `x` and `y` are the place in the middle. Brightness and contrast go from -100 to 100. `fits_to` is the largest scale
    at which a picture is fitted into its pane: 1, at which a photo is sharp; more for a page that is drawn anew at any
    scale.
    """

    zoom: float | None = None
    x: float = 0.5
    y: float = 0.5
    brightness: int = 0
    contrast: int = 0
    fits_to: float = 1.0

    def at(self, zoom: float | None) -> "Look":
        """This zoom, at the same place."""
        return replace(self, zoom=zoom) if zoom is not None else replace(self, zoom=None, x=0.5, y=0.5)

    def lit(self, brightness: int, contrast: int) -> "Look":
        """This light, within its limits."""
        return replace(self, brightness=_within(brightness), contrast=_within(contrast))


def fitting(size: SizeF, room: SizeF, most: float = 1.0) -> float:
    """The scale at which a photo fits its pane, and at most so much."""
    if size.width <= 0 or size.height <= 0:
        return 1.0
    return min(most, room.width / size.width, room.height / size.height)


def scale_of(look: Look, size: SizeF, room: SizeF) -> float:
    """Pixels of the screen for one of the photo."""
    return fitting(size, room, look.fits_to) if look.zoom is None else look.zoom


def placed(look: Look, size: SizeF, room: SizeF) -> Box:
    """Where the photo lies. A smaller one is in the middle of the pane; a larger one leaves no gap at an edge."""
    scale = scale_of(look, size, room)
    width, height = size.width * scale, size.height * scale
    return Box(_side(look.x, width, room.width), _side(look.y, height, room.height), width, height)


def zoomed(look: Look, size: SizeF, room: SizeF, factor: float, pointer: tuple[float, float]) -> Look:
    """Zoom by a factor. The point under the pointer stays there, as far as the photo's edges allow."""
    before = placed(look, size, room)
    fit = fitting(size, room, look.fits_to)
    scale = min(max(scale_of(look, size, room) * factor, min(SMALLEST_SCALE, fit)), LARGEST_SCALE)
    if scale <= fit and factor < 1:
        return look.at(None)
    if not before.width or not before.height:
        return look
    under = ((pointer[0] - before.left) / before.width, (pointer[1] - before.top) / before.height)
    width, height = size.width * scale, size.height * scale
    left, top = pointer[0] - under[0] * width, pointer[1] - under[1] * height
    x, y = (room.width / 2 - left) / width, (room.height / 2 - top) / height
    return clamped(replace(look, zoom=scale, x=x, y=y), size, room)


def panned(look: Look, size: SizeF, room: SizeF, dx: float, dy: float) -> Look:
    """Move the photo by so many pixels of the screen."""
    box = placed(look, size, room)
    if not box.width or not box.height:
        return look
    moved = replace(look, x=look.x - dx / box.width, y=look.y - dy / box.height)
    return clamped(moved, size, room)


def clamped(look: Look, size: SizeF, room: SizeF) -> Look:
    """The look with its place moved so that no gap is left at an edge."""
    scale = scale_of(look, size, room)
    return replace(
        look,
        x=_middle(look.x, size.width * scale, room.width),
        y=_middle(look.y, size.height * scale, room.height),
    )


def seen(look: Look, size: SizeF, room: SizeF) -> Box:
    """The visible part of the photo, as fractions of it."""
    box = placed(look, size, room)
    if not box.width or not box.height:
        return Box(0, 0, 1, 1)
    left, top = max(0.0, -box.left / box.width), max(0.0, -box.top / box.height)
    right = min(1.0, (room.width - box.left) / box.width)
    bottom = min(1.0, (room.height - box.top) / box.height)
    return Box(left, top, max(0.0, right - left), max(0.0, bottom - top))


def turned_size(size: SizeF, turned: int) -> SizeF:
    """The size of a photo after it was turned."""
    return SizeF(size.height, size.width) if turned % 180 else size


def turned_place(x: float, y: float, turned: int) -> tuple[float, float]:
    """Where a place of the upright photo lies after the photo was turned to the right; both as fractions."""
    return {0: (x, y), 90: (1 - y, x), 180: (1 - x, 1 - y), 270: (y, 1 - x)}[turned % 360]


def upright_place(x: float, y: float, turned: int) -> tuple[float, float]:
    """Where a place of the turned photo lies on the upright one."""
    return turned_place(x, y, -turned)


def _side(place: float, length: float, room: float) -> float:
    """Where one side begins."""
    if length <= room:
        return (room - length) / 2
    return min(0.0, max(room - length, room / 2 - place * length))


def _middle(place: float, length: float, room: float) -> float:
    if length <= room:
        return 0.5
    half = room / 2 / length
    return min(max(place, half), 1 - half)


def _within(light: int) -> int:
    return min(max(light, -LIGHT_MOST), LIGHT_MOST)
