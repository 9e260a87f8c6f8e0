"""What is decoded of a photo, so that what is in sight is sharp and never takes more than a share of the memory.

As large as it fits, a photo is decoded whole. From nearer, only a part is: what is in sight and a margin around it, in
the whole, half, quarter or eighth of its size, whichever is the smallest that is not below what the screen shows. The
part stays while what is in sight moves within it, and another is asked for before its edge is reached.
"""

from collections.abc import Collection
from math import ceil, sqrt

from app.desk.files.album import Key
from app.imaging.pixels import Part
from app.imaging.pixels import Size as Pixels
from app.ui.viewer.look import (
    Box,
    Look,
    Size,
    fitting,
    nearness,
    placed,
    seen,
    turned_place,
    turned_size,
    upright_place,
)

SHARE = 20_000_000  # pixels of parts: of those on the screen and the next ones, together
_LESS = (8, 4, 2, 1)  # how many times smaller than it is a photo may be decoded
_GROWTH = 1.3  # a part is at least so many times as wide and high as what is in sight of it
_RESERVE = 8  # of the margin, what may be left before another part is asked for


class Sights:
    """Which part is wanted of each photo. It knows how large photos are, and which part each had before."""

    def __init__(self) -> None:
        self._sizes: dict[str, Pixels] = {}
        self._keys: dict[str, Key] = {}

    def learn(self, address: str, full: Pixels) -> None:
        """A photo is so large."""
        self._sizes[address] = full

    def keep(self, addresses: Collection[str]) -> None:
        """Forget all other photos."""
        for known in (self._sizes, self._keys):
            for address in [each for each in known if each not in addresses]:
                del known[address]

    def key(self, address: str, turned: int, look: Look, room: Size, most: int) -> Key | None:
        """The part to show under this look; None where the photo as large as it fits is sharp, or its size is not
        known yet."""
        full = self._sizes.get(address)
        if full is None:
            return None
        size = turned_size(Size(*full), turned)
        fit, near = fitting(size, room), nearness(look, size, room)
        if near <= fit or fit >= 1:
            self._keys.pop(address, None)
            return None
        return self._part(address, full, upright_box(seen(look, size, room), turned), near, most)

    def key_under(self, address: str, view: Box, near: float, most: int) -> Key | None:
        """The part to show what lies in `view` (fractions of the upright photo) so near."""
        full = self._sizes.get(address)
        return None if full is None else self._part(address, full, view, near, most)

    def _part(self, address: str, full: Pixels, view: Box, near: float, most: int) -> Key:
        less = next(each for each in _LESS if near * each <= 1 or each == 1)
        key = part_key(address, full, view, less, most, self._keys.get(address))
        self._keys[address] = key
        return key


def part_key(address: str, full: Pixels, view: Box, less: int, most: int, before: Key | None) -> Key:
    """The part of a photo around `view` of at most `most` pixels once it is `less` times smaller, or the part there was
    before while that will do."""
    smaller = Pixels(ceil(full.width / less), ceil(full.height / less))
    if smaller.width * smaller.height <= most:
        return Key(address) if less == 1 else Key(address, smaller)
    need = _pixels_of(view, full)
    if (
        before is not None
        and before.part is not None
        and _less_of(before.part, before.box) == less
        and _lasts(before.part, need, full)
    ):
        return before
    grown = max(_GROWTH, sqrt(most * less * less / max(need.width * need.height, 1)))
    left, width = _around(need.left, need.width, grown, full.width, less)
    top, height = _around(need.top, need.height, grown, full.height, less)
    box = None if less == 1 else Pixels(ceil(width / less), ceil(height / less))
    return Key(address, box, part=Part(left, top, width, height))


def place_of(key: Key, full: Pixels, box: Box, turned: int) -> Box:
    """Where on the screen a part lies of a photo that lies in `box`."""
    part = key.part
    if part is None:
        return box
    first = turned_place(part.left / full.width, part.top / full.height, turned)
    last = turned_place((part.left + part.width) / full.width, (part.top + part.height) / full.height, turned)
    left, right = sorted((first[0], last[0]))
    top, bottom = sorted((first[1], last[1]))
    return Box(
        box.left + left * box.width, box.top + top * box.height, (right - left) * box.width, (bottom - top) * box.height
    )


def covers(place: Box, look: Look, size: Size, room: Size) -> bool:
    """Whether what lies at `place` hides all that is in sight of the photo."""
    box = placed(look, size, room)
    left, top = max(box.left, 0.0), max(box.top, 0.0)
    right, bottom = min(box.left + box.width, room.width), min(box.top + box.height, room.height)
    slack = 0.5
    return (
        place.left <= left + slack
        and place.top <= top + slack
        and place.left + place.width >= right - slack
        and place.top + place.height >= bottom - slack
    )


def upright_box(box: Box, turned: int) -> Box:
    """A part of the turned photo as a part of the upright one, both as fractions."""
    first = upright_place(box.left, box.top, turned)
    last = upright_place(box.left + box.width, box.top + box.height, turned)
    left, right = sorted((first[0], last[0]))
    top, bottom = sorted((first[1], last[1]))
    return Box(left, top, right - left, bottom - top)


def _pixels_of(view: Box, full: Pixels) -> Part:
    left, top = max(int(view.left * full.width), 0), max(int(view.top * full.height), 0)
    right = min(ceil((view.left + view.width) * full.width), full.width)
    bottom = min(ceil((view.top + view.height) * full.height), full.height)
    return Part(left, top, max(right - left, 1), max(bottom - top, 1))


def _less_of(part: Part, box: Pixels | None) -> int:
    return 1 if box is None else round(part.width / box.width)


def _lasts(part: Part, need: Part, full: Pixels) -> bool:
    """Whether what is needed lies within a part and not close to an edge behind which the photo goes on."""
    return _side_lasts(part.left, part.width, need.left, need.width, full.width) and _side_lasts(
        part.top, part.height, need.top, need.height, full.height
    )


def _side_lasts(begin: int, length: int, need: int, need_length: int, whole: int) -> bool:
    reserve = max(length - need_length, 0) // _RESERVE
    first = begin == 0 or need >= begin + reserve
    return first and (begin + length >= whole or need + need_length <= begin + length - reserve)


def _around(begin: int, length: int, grown: float, whole: int, step: int) -> tuple[int, int]:
    """A longer side around this one, in whole steps, within the photo."""
    longer = min(ceil(length * grown / step) * step, whole)
    start = min(max(begin - (longer - length) // 2, 0), whole - longer) // step * step
    end = start + longer
    # What is needed is in it, whatever rounding did.
    return start, min(max(end, begin + length), whole) - start
