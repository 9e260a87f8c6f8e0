"""Which region of a photo is decoded, so that the screen shows it sharp within a budget of pixels.

A photo that fits its pane is decoded whole. Zoomed in, only the visible region and a margin around it are decoded, at
the whole, half, quarter or eighth of the photo's size: the smallest of these that is not coarser than the screen. A
region is reused while the view moves within it; the next one is asked for before the view reaches its edge.
"""

from collections.abc import Collection
from math import ceil, sqrt

from app.desk.files.album import Key
from app.imaging.pixels import Region, Size
from app.ui.viewer.look import (
    Box,
    Look,
    SizeF,
    fitting,
    placed,
    scale_of,
    seen,
    turned_place,
    turned_size,
    upright_place,
)

PIXEL_BUDGET = 20_000_000  # pixels of parts: of those on the screen and the next ones, together
_REDUCTIONS = (8, 4, 2, 1)  # a photo may be decoded to such a fraction of its size
_ENLARGED = (0.5, 0.25, 0.125)  # and a page that is drawn at any scale may be drawn larger
_GROWTH = 1.3  # a region is at least so many times as wide and high as the visible part
_RESERVE = 8  # the fraction of the margin that is left when the next region is asked for


class VisibleRegions:
    """Chooses the region of each photo. It knows the sizes of the photos, and the region that each had before."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, int], Size] = {}
        self._keys: dict[tuple[str, int], Key] = {}

    def learn(self, address: str, full: Size, page: int = 0) -> None:
        """Note the size of a photo, or of a page."""
        self._sizes[address, page] = full

    def keep(self, addresses: Collection[str]) -> None:
        """Forget all other photos."""
        for known in (self._sizes, self._keys):
            for each in [each for each in known if each[0] not in addresses]:
                del known[each]

    def key(self, address: str, turned: int, look: Look, room: SizeF, most: int, page: int = 0) -> Key | None:
        """The region to show under this look; None where the photo as large as it fits is sharp, or its size is not
        known yet."""
        full = self._sizes.get((address, page))
        if full is None:
            return None
        size = turned_size(SizeF(*full), turned)
        fit, scale = fitting(size, room, look.fits_to), scale_of(look, size, room)
        if scale <= fit or fit >= look.fits_to:
            self._keys.pop((address, page), None)
            return None
        reductions = (*_REDUCTIONS, *_ENLARGED) if look.fits_to > 1 else _REDUCTIONS
        reduction = next(each for each in reductions if scale * each <= 1 or each == reductions[-1])
        return self._region((address, page), full, upright_box(seen(look, size, room), turned), reduction, most)

    def key_under(self, address: str, view: Box, scale: float, most: int) -> Key | None:
        """The region that covers `view` (fractions of the upright photo) at this scale."""
        full = self._sizes.get((address, 0))
        reduction = next(each for each in _REDUCTIONS if scale * each <= 1 or each == 1)
        return None if full is None else self._region((address, 0), full, view, reduction, most)

    def _region(self, what: tuple[str, int], full: Size, view: Box, reduction: float, most: int) -> Key:
        address, page = what
        key = choose_region(address, full, view, reduction, most, self._keys.get(what), page)
        self._keys[what] = key
        return key


def choose_region(
    address: str, full: Size, view: Box, reduction: float, most: int, before: Key | None, page: int = 0
) -> Key:
    """The region around `view`, of at most `most` pixels after it was reduced `reduction` times.

    The region there was `before` is kept as long as it covers the view. A `reduction` below 1 enlarges a page.
    """
    smaller = Size(ceil(full.width / reduction), ceil(full.height / reduction))
    if smaller.width * smaller.height <= most:
        return Key(address, page=page) if reduction == 1 else Key(address, smaller, page)
    need = _pixels_of(view, full)
    if (
        before is not None
        and before.region is not None
        and _reduction_of(before.region, before.box) == reduction
        and _lasts(before.region, need, full)
    ):
        return before
    # As much around the view as the budget holds: the larger a region, the more seldom another one is decoded.
    grown = max(_GROWTH, sqrt(most * reduction * reduction / max(need.width * need.height, 1)))
    step = max(1, round(reduction))
    left, width = _around(need.left, need.width, grown, full.width, step)
    top, height = _around(need.top, need.height, grown, full.height, step)
    box = None if reduction == 1 else Size(ceil(width / reduction), ceil(height / reduction))
    return Key(address, box, page, Region(left, top, width, height))


def place_of(key: Key, full: Size, box: Box, turned: int) -> Box:
    """Where a region lies on the screen, if its photo lies in `box`."""
    region = key.region
    if region is None:
        return box
    first = turned_place(region.left / full.width, region.top / full.height, turned)
    last = turned_place((region.left + region.width) / full.width, (region.top + region.height) / full.height, turned)
    left, right = sorted((first[0], last[0]))
    top, bottom = sorted((first[1], last[1]))
    return Box(
        box.left + left * box.width, box.top + top * box.height, (right - left) * box.width, (bottom - top) * box.height
    )


def covers(place: Box, look: Look, size: SizeF, room: SizeF) -> bool:
    """Whether a region at `place` covers the visible part of the photo."""
    box = placed(look, size, room)
    left, top = max(box.left, 0.0), max(box.top, 0.0)
    right, bottom = min(box.left + box.width, room.width), min(box.top + box.height, room.height)
    slack = 0.5  # pixels of the screen, which rounding may leave open at an edge
    return (
        place.left <= left + slack
        and place.top <= top + slack
        and place.left + place.width >= right - slack
        and place.top + place.height >= bottom - slack
    )


def upright_box(box: Box, turned: int) -> Box:
    """A box of the turned photo as a box of the upright one, both as fractions."""
    first = upright_place(box.left, box.top, turned)
    last = upright_place(box.left + box.width, box.top + box.height, turned)
    left, right = sorted((first[0], last[0]))
    top, bottom = sorted((first[1], last[1]))
    return Box(left, top, right - left, bottom - top)


def _pixels_of(view: Box, full: Size) -> Region:
    left, top = max(int(view.left * full.width), 0), max(int(view.top * full.height), 0)
    right = min(ceil((view.left + view.width) * full.width), full.width)
    bottom = min(ceil((view.top + view.height) * full.height), full.height)
    return Region(left, top, max(right - left, 1), max(bottom - top, 1))


def _reduction_of(region: Region, box: Size | None) -> float:
    if box is None:
        return 1
    # A reduced side was rounded up: the nearest of the reductions that there are is meant.
    return min((*_REDUCTIONS, *_ENLARGED), key=lambda each: abs(region.width / each - box.width))


def _lasts(region: Region, need: Region, full: Size) -> bool:
    """Whether the needed box lies within a region, and not close to an edge beyond which the photo goes on."""
    return _side_lasts(region.left, region.width, need.left, need.width, full.width) and _side_lasts(
        region.top, region.height, need.top, need.height, full.height
    )


def _side_lasts(begin: int, length: int, need: int, need_length: int, whole: int) -> bool:
    reserve = max(length - need_length, 0) // _RESERVE
    first = begin == 0 or need >= begin + reserve
    return first and (begin + length >= whole or need + need_length <= begin + length - reserve)


def _around(begin: int, length: int, grown: float, whole: int, step: int) -> tuple[int, int]:
    """A longer side around this one, in whole steps and within the photo."""
    longer = min(ceil(length * grown / step) * step, whole)
    start = min(max(begin - (longer - length) // 2, 0), whole - longer) // step * step
    end = start + longer
    # Rounding down the start may have cut off the end of the needed side.
    return start, min(max(end, begin + length), whole) - start
