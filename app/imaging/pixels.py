"""The result of decoding: pixels, or the trouble with its sentence.

Invariant: `Pixels.data` holds exactly `height` rows of `width` pixels of four bytes: blue, green, red, alpha. Alpha is
255 everywhere unless `Pixels.alpha` is True; then the colours are premultiplied by it.
"""

import mmap
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

TroubleKind = Literal[
    "empty", "unknown format", "damaged", "too large", "too slow", "protected", "no such page", "crashed", "not started"
]

SENTENCES: dict[TroubleKind, str] = {
    "empty": "This file is empty: the provider has sent no picture.",
    "unknown format": "This is neither a JPEG, PNG or WebP picture nor a PDF.",
    "damaged": "This file is damaged and cannot be shown.",
    "too large": "This picture is larger than Waybill can show.",
    "too slow": "This picture takes too long to decode, and was given up.",
    "protected": "This PDF asks for a password, which Waybill does not have.",
    "no such page": "This document has no such page.",
    "crashed": "This picture made its decoder fail twice; it is probably damaged.",
    "not started": "The process that decodes pictures cannot be started on this computer.",
}


class Size(NamedTuple):
    """Width and height in pixels of the screen, not in points of the window."""

    width: int
    height: int


class Region(NamedTuple):
    """A region of a picture, in pixels of the whole upright picture at full size."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a file. `taken` and `camera` are a stranger's words, empty where the file has none.

    `full` is the upright size of the whole picture (of a PDF page: at 96 pixels an inch). `frames` counts those of an
    animation, of which the first is shown; `pages` those of a document. `cut_off` tells that the end of the file is
    missing and only the beginning is a picture.
    """

    format: str
    full: Size
    pages: int = 1
    frames: int = 1
    taken: str = ""
    camera: str = ""
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Pixels:
    """An upright picture, ready to be painted."""

    width: int
    height: int
    alpha: bool
    facts: Facts
    data: mmap.mmap | bytes = field(repr=False)

    @property
    def nbytes(self) -> int:
        """The bytes of memory it takes."""
        return self.width * self.height * 4


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there are no pixels. `lasting` is False if the same bytes may be decoded well the next time."""

    kind: TroubleKind

    @property
    def sentence(self) -> str:
        """For people."""
        return SENTENCES[self.kind]

    @property
    def lasting(self) -> bool:
        """Whether the bytes are to blame: a child that was slow or died says nothing about them."""
        return self.kind not in ("too slow", "crashed", "not started")
