"""Barcode labels: which labels an order has, which of them can be printed on a stock, and their layout.

Invariant: bars are whole dots of the printer wide, and never narrower than a scanner reads. A barcode that would need
narrower bars is refused. The others keep their place in the count, so that a missing label is noticed.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Literal

from app.contract.draft import BarcodeDraft, OrderDraft
from app.desk.printing import code128
from app.desk.printing import paper_words as words
from app.desk.printing.code128 import QUIET, CannotEncode
from app.desk.printing.label_text import Room, set_lines
from app.desk.printing.page_marks import Bars, Block, Mark, Page, Ruler, Style, Words
from app.desk.printing.paper_words import PRACTICE
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import Fineness, Stock
from app.desk.printing.text_fitting import both_ends, fitted, one_line, wrapped

Which = Literal["each", "group"]

LEAST_MODULE = 0.19  # mm, 7.5 mil: what hand-held scanners read
_WIDEST_MODULE = 0.51
_LEAST_HEIGHT = 6.0  # mm of bars
_GOOD_HEIGHT = 8.0
_GOOD_PART = 0.3  # of the room that words and bars share
_MOST_HEIGHT = 70.0
_EDGE = 0.5  # mm on either side that no label printer prints on; the quiet zone stands in from there
_MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class LabelFacts:
    """One label: `place` of the order's `total`; `pieces` as typed."""

    barcode: str
    commodity: str
    pieces: str
    place: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A barcode that is not printed, and why."""

    place: int
    barcode: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Fit:
    facts: LabelFacts
    widths: tuple[int, ...]
    module: float
    turned: bool


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels that can be printed on a stock, and those that cannot. `total` counts both.

    `begin` is the place of the first label on the first sheet, whose earlier labels are used up.
    """

    subject: Subject
    stock: Stock
    begin: int
    total: int
    fits: Sequence[_Fit] = field(repr=False)
    refusals: Sequence[Refusal]

    @property
    def count(self) -> int:
        """How many labels are printed."""
        return len(self.fits)

    @property
    def page_count(self) -> int:
        """How many pages they take."""
        return math.ceil((self.begin + len(self.fits)) / self.stock.per_page) if self.fits else 0

    def pages(self, ruler: Ruler) -> Iterator[Page]:
        """Lay out one page after the other."""
        per_page = self.stock.per_page
        for page in range(self.page_count):
            first = page * per_page - self.begin  # the label that would stand in the page's first place
            batch = self.fits[max(first, 0) : first + per_page]
            places = range(max(-first, 0), per_page)
            blocks = (_block(self, fit, self.stock.place(at), ruler) for at, fit in zip(places, batch, strict=False))
            yield Page(*self.stock.paper, tuple(blocks))


def plan(
    subject: Subject,
    which: Which,
    stock: Stock,
    fineness: Fineness,
    *,
    begin: int = 0,
    step: Callable[[], None] = lambda: None,
) -> Labels:
    """Find out for every barcode of the order whether it can be printed, and how wide its bars are.

    `begin` labels of the first sheet are used up. `step` is called for each barcode, and may raise to stop.
    """
    every = facts_of(subject.draft, which)
    fits: list[_Fit] = []
    refusals: list[Refusal] = []
    for facts in every:
        step()
        try:
            fits.append(_fit(facts, code128.widths(facts.barcode), stock, fineness))
        except CannotEncode as error:
            refusals.append(Refusal(facts.place, facts.barcode, error.sentence))
    return Labels(subject, stock, begin % stock.per_page, len(every), fits, refusals)


def facts_of(draft: OrderDraft, which: Which) -> list[LabelFacts]:
    """The labels that an order asks for: one for each barcode, or one for each group of barcodes."""
    rows = draft.barcoding.barcodeItemDetails
    if which == "each":
        found = [(row.barcode.strip(), row.commodity.strip(), row.count.strip()) for row in rows if row.barcode.strip()]
    else:
        groups: dict[str, list[BarcodeDraft]] = {}
        for row in rows:
            if row.groupBarcode.strip():
                groups.setdefault(row.groupBarcode.strip(), []).append(row)
        found = [(barcode, _commodities(items), _pieces(items)) for barcode, items in groups.items()]
    return [LabelFacts(*facts, place) for place, facts in enumerate(found, 1)]


def _commodities(items: Sequence[BarcodeDraft]) -> str:
    return ", ".join(dict.fromkeys(item.commodity.strip() for item in items if item.commodity.strip()))


def _pieces(items: Sequence[BarcodeDraft]) -> str:
    """The sum of the counts; empty when one of them is no number."""
    try:
        total = sum((Decimal(item.count.strip()) for item in items), Decimal(0))
    except InvalidOperation:
        return ""
    # `1e999999` is a number too, and written out it would be a million digits.
    return f"{total:f}" if total.is_finite() and abs(total) < 10**9 else ""


def _fit(facts: LabelFacts, widths: tuple[int, ...], stock: Stock, fineness: Fineness) -> _Fit:
    """Fit the bars across the label or along it, as wide as possible. Raises `CannotEncode`."""
    modules = sum(widths) + 2 * QUIET
    # Across the label first: so it is read as it leaves the printer.
    for turned in (False, True):
        length = (stock.height if turned else stock.width) - 2 * _EDGE
        module = _module(modules, length, fineness)
        if module is not None:
            return _Fit(facts, widths, module, turned)
    need = modules * _least_dots(fineness) / fineness.dots_per_mm
    have = max(stock.width, stock.height) - 2 * _EDGE
    raise CannotEncode(words.too_long(need, have, fineness.key))


def _least_dots(fineness: Fineness) -> int:
    # A hair less, or the rounding of floats would ask for a dot more.
    return math.ceil(LEAST_MODULE * fineness.dots_per_mm - 1e-9)


def _module(modules: int, length: float, fineness: Fineness) -> float | None:
    """The widest module of whole dots with which the barcode fits into `length`; None if that is too narrow to scan."""
    dots = min(
        math.floor(length * fineness.dots_per_mm / modules), math.floor(_WIDEST_MODULE * fineness.dots_per_mm + 1e-9)
    )
    return dots / fineness.dots_per_mm if dots >= _least_dots(fineness) else None


def _block(labels: Labels, fit: _Fit, corner: tuple[float, float], ruler: Ruler) -> Block:
    stock = labels.stock
    x, y = corner
    if fit.turned:
        return Block(_marks(labels, fit, stock.height, stock.width, ruler), x + stock.width, y, turned=True)
    return Block(_marks(labels, fit, stock.width, stock.height, ruler), x, y)


def _marks(labels: Labels, fit: _Fit, width: float, height: float, ruler: Ruler) -> list[Mark]:
    """The marks of one label: order and count, what it says of the order, the bars, and their text."""
    scale = min(max(min(height / 50, width / 65), 0.52), 1.5)
    margin = _MARGIN * min(scale, 1.0)
    head, body = Style(4.4 * scale, bold=True), Style(3.3 * scale)
    inner = width - 2 * margin
    subject, facts = labels.subject, fit.facts

    top = margin + head.size
    count = words.label_of(facts.place, labels.total)
    reference = one_line(subject.reference, ruler)
    made: list[Mark] = [*both_ends(reference, count, (margin, top, inner), head, ruler, middle=True)]
    foot, bottom = _foot(labels, fit, (margin, inner, height), scale, ruler)
    room = bottom - top - 0.5 * body.size
    share = Room(inner, room, max(_GOOD_HEIGHT, _GOOD_PART * room), _LEAST_HEIGHT)
    freight = " · ".join(part for part in (one_line(facts.commodity, ruler), _piece_words(facts.pieces, ruler)) if part)
    for text, style in set_lines(subject.draft, freight, share, body, ruler):
        top += style.line
        made.append(Words(margin, top, text, style))
    bars = min(max(bottom - top - 0.5 * body.size, _LEAST_HEIGHT), _MOST_HEIGHT)
    return [*made, *foot, _bars(fit, width, bottom - bars, bars)]


def _foot(
    labels: Labels, fit: _Fit, box: tuple[float, float, float], scale: float, ruler: Ruler
) -> tuple[list[Words], float]:
    """The text below the bars, and how far down they may reach; `box` is margin, width and height of the label."""
    margin, inner, height = box
    lines, mono = _text_lines(fit.facts.barcode, inner, Style(3.3 * scale, mono=True), ruler)
    made: list[Words] = []
    low = height - margin - 0.3 * mono.size
    if labels.subject.practice:
        made += _centred(PRACTICE, low, Style(2.6 * scale, bold=True), (margin, inner), ruler)
        low -= 1.3 * mono.size
    first = low - (len(lines) - 1) * mono.line
    for at, line in enumerate(lines):
        made += _centred(line, first + at * mono.line, mono, (margin, inner), ruler)
    return made, first - 1.1 * mono.size


def _text_lines(barcode: str, width: float, style: Style, ruler: Ruler) -> tuple[list[str], Style]:
    """The text of the barcode, whole, on as many lines as it takes."""
    text, smaller = fitted(barcode, width, style, ruler)
    return ([text], smaller) if text == barcode else (wrapped(barcode, width, smaller, ruler), smaller)


def _piece_words(pieces: str, ruler: Ruler) -> str:
    return words.piece_words(one_line(pieces, ruler)) if pieces else ""


def _centred(text: str, y: float, style: Style, box: tuple[float, float], ruler: Ruler) -> list[Words]:
    left, width = box
    shown, style = fitted(text, width, style, ruler)
    return [Words(left + (width - ruler.width(shown, style)) / 2, y, shown, style)]


def _bars(fit: _Fit, width: float, y: float, height: float) -> Bars:
    """Bars in the middle of the label, beginning on a whole module and so on a whole dot."""
    spare = width - sum(fit.widths) * fit.module
    return Bars(math.floor(spare / 2 / fit.module) * fit.module, y, height, fit.module, fit.widths)
