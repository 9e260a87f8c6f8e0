"""The words of a label above its bars: whom the goods are for, where they go, by when, and what they are.

Invariant: text that does not fit into its room goes on in a further line, then is set smaller, and only then is cut,
with an ellipsis where it is. What an order does not have takes no room.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.contract.draft import TRUE, OrderDraft
from app.desk.printing import paper_words as words
from app.desk.printing.page_marks import Ruler, Style
from app.desk.printing.text_fitting import fitted, one_line, wrapped
from app.desk.text.typed_dates import day_and_year

_SMALLER = (0.85, 0.7, 0.55)  # of the size of the type, before anything is cut
_DOT = " · "
_LEGIBLE = 1.8  # mm: five points, below which type is not set smaller for the sake of more of it


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that begin a line of their own. `parts` stand beside each other as far as a line holds them."""

    parts: tuple[str, ...]
    bold: bool = False
    between: str = _DOT

    @property
    def text(self) -> str:
        """All of it in one line."""
        return self.between.join(self.parts)

    def style(self, body: Style) -> Style:
        """How it is set beside text of this style."""
        return Style(body.size, bold=self.bold or body.bold)


@dataclass(frozen=True, slots=True)
class Room:
    """The room between the head of a label and the text below its bars: width and height in mm.

    Bars are `bars` high where the words allow it, and never lower than `least`.
    """

    width: float
    height: float
    bars: float
    least: float


SetLine = tuple[str, Style]


def set_lines(draft: OrderDraft, freight: str, room: Room, body: Style, ruler: Ruler) -> list[SetLine]:
    """The lines above the bars, with `freight` as the last of them."""
    apart, joined = _apart(draft, freight, ruler), _joined(draft, freight, ruler)
    sizes = [size for each in _SMALLER if (size := body.size * each) >= _LEGIBLE]
    smaller = body.sized(sizes[-1] if sizes else body.size * _SMALLER[0])
    for paragraphs, style in ((apart, body), (joined, body), *((joined, body.sized(size)) for size in sizes)):
        lines = [line for each in paragraphs for line in _broken(each, room.width, style, ruler)]
        if len(lines) * style.line <= room.height - room.bars:
            return lines
    most = max(1, int((room.height - room.least) / smaller.line))
    return list(_cut(joined, room.width, most, smaller, ruler))


def _apart(draft: OrderDraft, freight: str, ruler: Ruler) -> list[Paragraph]:
    """Every part of the address on a line of its own."""
    name, *address = _consignee(draft, ruler)
    lines = [Paragraph((name,), bold=True), *(Paragraph((each,)) for each in address)]
    return _there(*lines, Paragraph(_trade(draft, ruler)), Paragraph((freight,)))


def _joined(draft: OrderDraft, freight: str, ruler: Ruler) -> list[Paragraph]:
    """The same in as few lines as can be read: name, address, and the rest."""
    name, *address = _consignee(draft, ruler)
    where = Paragraph(tuple(address), between=", ")
    return _there(Paragraph((name,), bold=True), where, Paragraph((*_trade(draft, ruler), freight)))


def _there(*paragraphs: Paragraph) -> list[Paragraph]:
    """The paragraphs without empty parts; a paragraph of which nothing is left is dropped."""
    made = (replace(each, parts=tuple(part for part in each.parts if part)) for each in paragraphs)
    return [each for each in made if each.parts]


def _consignee(draft: OrderDraft, ruler: Ruler) -> list[str]:
    """Name, street, second line of the street, and place; empty where there is none."""
    who = draft.consignee
    name, street, street2, city, state, code = (
        one_line(each, ruler)
        for each in (who.consigneeName, who.streetAddress, who.streetAddress2, who.city, who.state, who.zip)
    )
    town = ", ".join(part for part in (city, state) if part)
    return [name, street, street2, " ".join(part for part in (town, code) if part)]


def _trade(draft: OrderDraft, ruler: Ruler) -> tuple[str, str, str]:
    """Facility, PO number and date; empty where the order has none."""
    facility, po = one_line(draft.providerFacilityCode, ruler), one_line(draft.poNumber, ruler)
    by_address = draft.useConsigneeAddressToDetermineFaclityCode == TRUE
    goes_by = words.facility_words(facility) if facility else words.FACILITY_BY_ADDRESS if by_address else ""
    return goes_by, words.po_words(po) if po else "", _date(draft, ruler)


def _date(draft: OrderDraft, ruler: Ruler) -> str:
    """The date that an order is wanted on; where it has none, the next best one, each by its own name."""
    for typed, said in (
        (draft.requestedDeliveryDate, words.requested_words),
        (draft.estimatedReceiveDate, words.received_words),
        (draft.shipDate, words.ships_words),
    ):
        if typed.strip():
            return said(_day(typed, ruler))
    return ""


def _day(typed: str, ruler: Ruler) -> str:
    """A day in words; as it was typed where it is no day."""
    try:
        day = date.fromisoformat(typed.strip())
    except ValueError:
        return one_line(typed, ruler)
    return day_and_year(day)


def _broken(paragraph: Paragraph, width: float, body: Style, ruler: Ruler) -> list[SetLine]:
    style = paragraph.style(body)
    lines: list[str] = []
    for part in paragraph.parts:
        beside = f"{lines[-1]}{paragraph.between}{part}" if lines else part
        if lines and ruler.width(beside, style) <= width:
            lines[-1] = beside
        else:
            lines += wrapped(part, width, style, ruler)
    return [(line, style) for line in lines]


def _cut(paragraphs: Sequence[Paragraph], width: float, most: int, body: Style, ruler: Ruler) -> Iterator[SetLine]:
    """As much as `most` lines hold. Each paragraph has one of them, and the first ones have those that are left."""
    shown = list(paragraphs[:most])
    if len(paragraphs) > most:
        shown[-1:] = [Paragraph(tuple(part for each in paragraphs[most - 1 :] for part in each.parts))]
    broken = [_broken(each, width, body, ruler) for each in shown]
    spare = most - len(shown)
    for paragraph, lines in zip(shown, broken, strict=True):
        more = min(spare, len(lines) - 1)
        spare -= more
        yield from lines[:more]
        rest = lines[more:]
        if len(rest) == 1:
            yield rest[0]
        else:
            yield fitted(" ".join(text for text, _ in rest), width, paragraph.style(body), ruler)
