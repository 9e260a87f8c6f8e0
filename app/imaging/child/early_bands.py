"""Scales a JPEG while it is being decoded: one processor decodes, another scales the rows that are there already.

Invariants: the bands are what scaling the whole decoded picture gives. A band is begun only once the decoder, which
writes rows from the top down, has written beyond all rows that the band reads. None is being scaled or taken any more
when `scale_while_loading` returns or raises.
"""

import io
from collections.abc import Callable
from concurrent.futures import Future, wait
from math import ceil

from PIL import Image

from app.imaging.child.crop import HELPER, are_halves_alike

_BANDS = 24  # the last one is scaled when the decoder is done, so it is small
_LOOKS = 16  # pixels of a row that are looked at

Box = tuple[float, float, float, float]
Taker = Callable[[Image.Image, int], None]  # gets a band and its first row in the result


class Pieces(io.BytesIO):
    """The bytes of a file. Pillow decodes each piece before it reads the next, and `between` is called there."""

    between: Callable[[], None] | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        if self.between is not None:
            self.between()
        return super().read(size)


def can_begin_early(image: Image.Image, box: Box, target: tuple[int, int]) -> bool:
    """Whether `box` of the picture, which is not loaded yet, is scaled to `target` from the decoder's own pixels."""
    shrinks = target != image.size and target != (box[2] - box[0], box[3] - box[1])
    return image.format == "JPEG" and image.mode in ("RGB", "L") and shrinks and are_halves_alike(box, target)


def scale_while_loading(image: Image.Image, file: Pieces, box: Box, target: tuple[int, int], take: Taker) -> None:
    """Load the picture in `file`, and hand `box` of it, scaled to `target`, to `take` a band at a time.

    `take` is called on this thread and on another, at once with different bands. Raises what the decoder raises.
    """
    bands = _Bands(image, box, target, take)
    file.between = bands.look
    try:
        image.load()
        bands.finish()
    finally:
        # A broken file ends the decoder in the middle. What a band is written into is used anew after that.
        bands.wait()


class _Bands:
    """`box` of a picture that is being loaded, scaled to `target` a band at a time, from the top down."""

    def __init__(self, image: Image.Image, box: Box, target: tuple[int, int], take: Taker) -> None:
        self._image, self._box, self._target, self._take = image, box, target, take
        self._step = (box[3] - box[1]) / target[1]  # rows of the picture for a row of the result
        bands = min(_BANDS, target[1])
        self._edges = [target[1] * number // bands for number in range(bands + 1)]
        self._begun: list[Future[None]] = []

    @property
    def _left(self) -> int:
        return len(self._edges) - 1 - len(self._begun)

    def look(self) -> None:
        """Begin the bands whose rows have been decoded."""
        while self._left and self._is_decoded(self._edges[len(self._begun) + 1]):
            self._begin()

    def finish(self) -> None:
        """Scale the bands that are left, once the picture has been loaded. This thread helps with them."""
        for _ in range(self._left // 2):
            self._begin()
        for band in range(len(self._begun), len(self._edges) - 1):
            self._scale(band)
        for future in self._begun:
            future.result()

    def wait(self) -> None:
        """Wait until the other thread has ended with the bands that were begun."""
        wait(self._begun)

    def _is_decoded(self, edge: int) -> bool:
        """Whether the decoder is beyond all that is read for the rows above `edge`.

        Pillow does not say how far it is. New memory is black, so a row with any colour proves the rows above it. A
        photo that is black there is scaled later.
        """
        beyond = ceil(self._box[1] + (edge + 1) * max(self._step, 1.0)) + 1
        width, height = self._image.size
        if beyond >= height:
            return False
        black = 0 if self._image.mode == "L" else (0, 0, 0)
        places = range(0, width, max(1, width // _LOOKS))
        return any(self._image.im.getpixel((place, beyond)) != black for place in places)

    def _begin(self) -> None:
        self._begun.append(HELPER.submit(self._scale, len(self._begun)))

    def _scale(self, band: int) -> None:
        top, bottom = self._edges[band : band + 2]
        left, upper, right, lower = self._box
        rows = upper + top * self._step, min(upper + bottom * self._step, lower)
        # The decoder's memory itself: `Image.resize` would load the picture first.
        scaled = self._image.im.resize(
            (self._target[0], bottom - top), Image.Resampling.HAMMING, (left, rows[0], right, rows[1])
        )
        self._take(self._image._new(scaled), top)
