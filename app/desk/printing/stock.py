"""Label stocks, papers and printer resolutions as data, all in millimetres."""

from dataclasses import dataclass

from app.translation import translate

_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Stock:
    """Labels as they lie on the paper: `columns` × `rows` of them, or one label that is the whole paper."""

    key: str
    name: str
    width: float
    height: float
    paper_width: float = 0.0
    paper_height: float = 0.0
    columns: int = 1
    rows: int = 1
    left: float = 0.0
    top: float = 0.0
    gap: float = 0.0  # between columns

    @property
    def paper(self) -> tuple[float, float]:
        """Width and height of the paper."""
        return (self.paper_width or self.width, self.paper_height or self.height)

    @property
    def per_page(self) -> int:
        """How many labels a page holds."""
        return self.columns * self.rows

    def place(self, at: int) -> tuple[float, float]:
        """Left and top of the label in place `at` of a page, row by row."""
        row, column = divmod(at, self.columns)
        return (self.left + column * (self.width + self.gap), self.top + row * self.height)


LETTER = (215.9, 279.4)
A4 = (210.0, 297.0)

STOCKS: tuple[Stock, ...] = (
    Stock("4x6in", "4 × 6 in", 4 * _INCH, 6 * _INCH),
    Stock("4x3in", "4 × 3 in", 4 * _INCH, 3 * _INCH),
    Stock("4x2in", "4 × 2 in", 4 * _INCH, 2 * _INCH),
    Stock("100x150mm", "100 × 150 mm", 100, 150),
    Stock("100x50mm", "100 × 50 mm", 100, 50),
    Stock(
        "letter10",
        translate("Letter sheet, 10 labels of 4 × 2 in"),
        4 * _INCH,
        2 * _INCH,
        *LETTER,
        2,
        5,
        3.97,
        12.7,
        4.76,
    ),
    Stock(
        "letter30", translate("Letter sheet, 30 labels of 2⅝ × 1 in"), 66.675, _INCH, *LETTER, 3, 10, 4.76, 12.7, 3.175
    ),
    Stock("a4x8", translate("A4 sheet, 8 labels of 99 × 68 mm"), 99.1, 67.7, *A4, 2, 4, 4.65, 13.1, 2.5),
    Stock("a4x14", translate("A4 sheet, 14 labels of 99 × 38 mm"), 99.1, 38.1, *A4, 2, 7, 4.65, 15.15, 2.5),
)

PAPERS: dict[str, tuple[str, tuple[float, float]]] = {
    "letter": (translate("Letter"), LETTER),
    "a4": (translate("A4"), A4),
}


@dataclass(frozen=True, slots=True)
class Fineness:
    """The resolution of a printer. Bars are whole dots wide, or they would be uneven."""

    key: str
    name: str
    dots_per_mm: float


FINENESSES: tuple[Fineness, ...] = (
    Fineness("203", translate("Label printer, 203 dpi"), 8.0),  # 203.2, as they are built
    Fineness("300", translate("Label printer, 300 dpi"), 300 / _INCH),
    Fineness("600", translate("Office printer, 600 dpi"), 600 / _INCH),
)
