"""What comes out of the child: pixels, or what is wrong in words.

Invariant: `Pixels.data` holds exactly `height` rows of `width` pixels of four bytes: blue, green, red, and what lies
over the ground (255 wherever `alpha` is False; otherwise the colours are multiplied by it already).
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
    """A region of a picture, in pixels of the whole upright one at full size."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What the file says of itself. `taken` and `camera` are a stranger's words, empty where it says nothing.

    `full` is the upright size of the whole picture (of a PDF page: at 96 pixels an inch). `frames` counts those of an
    animation, of which the first is shown; `pages` those of a document. `cut_off` tells that the end of the file is
    missing and only the region before it is a picture.
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
        """What it takes of the memory."""
        return self.width * self.height * 4


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there are no pixels. `lasting` is False where the same bytes may well be shown the next time."""

    kind: TroubleKind

    @property
    def sentence(self) -> str:
        """For people."""
        return SENTENCES[self.kind]

    @property
    def lasting(self) -> bool:
        return self.kind not in ("too slow", "crashed", "not started")
