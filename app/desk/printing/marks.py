"""What stands on a page: words, bars, lines and boxes, each with its place in millimetres from the top left corner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Ink = Literal["ink", "soft", "practice"]


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
        """The same at another size."""
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
class Box:
    """The amber ground of the practice mark."""

    x: float
    y: float
    width: float
    height: float


Mark = Words | Bars | Line | Box


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
