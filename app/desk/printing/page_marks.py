"""The marks of a page: words, bars, lines, bands and photos, in millimetres from the top left corner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from app.desk.audits.audit_reviews import Mark as Drawn
from app.imaging.pixels import Pixels

Ink = Literal["ink", "soft", "practice", "good", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Style:
    """How words are set; `size` is the height of the type in mm."""

    size: float
    bold: bool = False
    mono: bool = False
    ink: Ink = "ink"

    @property
    def line(self) -> float:
        """The height of a line, in mm."""
        return self.size * 1.3

    def sized(self, size: float) -> "Style":
        """This style at another size."""
        return Style(size, self.bold, self.mono, self.ink)


class Ruler(Protocol):
    """Knows the type: how text is shown, and how wide it then is."""

    def shown(self, text: str) -> str:
        """The text with its hidden characters made visible."""

    def width(self, text: str, style: Style) -> float:
        """How wide a line of text is, in mm."""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Bars:
    """A barcode: widths of bar, gap, bar … in modules of `module` mm, drawn from `x` to the right."""

    x: float
    y: float
    height: float
    module: float
    widths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A hairline from `x` to the right."""

    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Band:
    """The amber band of the practice mark."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photo fitted into its room, `turned` to the right by so many degrees, with its marks `drawn` on it.

    A page holds no pixels: they are fetched from `address` when the page is painted, of a document from its `page`.
    A photo that cannot be had is painted as a frame with the reason.
    """

    x: float
    y: float
    width: float
    height: float
    address: str
    page: int = 0
    turned: int = 0
    drawn: tuple[Drawn, ...] = ()


Mark = Words | Bars | Line | Band | Photograph
Photos = Mapping[Photograph, Pixels | str]  # the pixels of each, or why there are none


@dataclass(frozen=True, slots=True)
class Block:
    """Marks with their own corner at `x`, `y` of the page; `turned` runs them from top to bottom.

    A turned block's own x goes down the page from there, its own y to the left.
    """

    marks: Sequence[Mark]
    x: float = 0.0
    y: float = 0.0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page of `width` × `height` mm."""

    width: float
    height: float
    blocks: tuple[Block, ...]

    @property
    def photographs(self) -> list[Photograph]:
        """The photos that stand on it."""
        return [mark for block in self.blocks for mark in block.marks if isinstance(mark, Photograph)]
