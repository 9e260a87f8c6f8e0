"""The order sheet: one order on as many pages as it takes, each with reference, state and page number."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation

from app.contract.draft import TRUE, OrderDraft
from app.desk.printing import code128
from app.desk.printing import paper_words as words
from app.desk.printing.code128 import QUIET, CannotEncode
from app.desk.printing.page_flow import Column, Flow
from app.desk.printing.page_marks import Band, Bars, Block, Line, Mark, Page, Ruler, Style, Words
from app.desk.printing.print_subject import Subject
from app.desk.printing.text_fitting import both_ends, fitted, one_line, wrapped
from app.translation import translate

_MARGIN = 15.0
_HEAD = 25.0  # from the top margin to where the body begins
_FOOT = 9.0
_BAR_MODULE = 25.4 / 100  # whole dots at 300 and at 600 dpi
_BAR_HEIGHT = 11.0
_TITLE, _STRONG, _SMALL = Style(5.6, bold=True), Style(3.5, bold=True), Style(2.9, ink="soft")

FIELDS: dict[str, str] = {
    "poNumber": translate("PO number"),
    "deliveryType": translate("Delivery type"),
    "billToCode": translate("Bill-to code"),
    "manufacturerCode": translate("Manufacturer code"),
    "intermediateConsignee": translate("Sold by (company or store)"),
    "providerFacilityCode": translate("Facility code"),
    "shipDate": translate("Ships to the facility"),
    "estimatedReceiveDate": translate("Facility receives it"),
    "requestedDeliveryDate": translate("Requested delivery"),
}
FREIGHT = (
    Column(translate("Commodity"), 4),
    Column(translate("Count"), 1.5, right=True),
    Column(translate("Volume, cu ft"), 2, right=True),
    Column(translate("Weight, lb"), 2, right=True),
)
BARCODES = (
    Column("", 0.7, right=True),
    Column(translate("Barcode"), 4.2, mono=True),
    Column(translate("Commodity"), 1.8),
    Column(translate("Count"), 1, right=True),
    Column(translate("Description"), 3),
    Column(translate("Group barcode"), 2.6, mono=True),
)
REFERENCES = (Column(translate("Type"), 2), Column(translate("Value"), 5))

Step = Callable[[], None]


def lay_out(
    subject: Subject, paper: tuple[float, float], printed: datetime, ruler: Ruler, step: Step = lambda: None
) -> list[Page]:
    """All pages of the sheet. `step` is called once a row, and may raise to stop."""
    width, height = paper
    flow = Flow(ruler, (_MARGIN, _MARGIN + _HEAD, width - 2 * _MARGIN, height - 2 * _MARGIN - _HEAD - _FOOT), step)
    _body(flow, subject.draft)
    bodies = flow.finish()
    reference = _reference_bars(subject.reference, width / 2 - _MARGIN)
    return [
        Page(
            width, height, (Block([*_furniture(subject, paper, printed, (at, len(bodies)), reference, ruler), *body]),)
        )
        for at, body in enumerate(bodies, 1)
    ]


def _body(flow: Flow, draft: OrderDraft) -> None:
    who = draft.consignee
    place = " ".join(part for part in (who.city.strip(), who.state.strip(), who.zip.strip()) if part)
    address = [text for text in (who.consigneeName, who.streetAddress, who.streetAddress2, place) if text.strip()]
    contact = [
        (translate("Phone"), who.phone1),
        (translate("Second phone"), who.phone2),
        (translate("Email"), who.email),
    ]
    flow.side_by_side(
        (translate("Consignee"), [("", text) for text in address] + [pair for pair in contact if pair[1].strip()]),
        (translate("Order"), _order_fields(draft)),
    )
    if draft.deliveryInstructions.strip():
        flow.heading(translate("Delivery instructions"))
        flow.text(draft.deliveryInstructions.strip())
    freight = [[line.commodity, line.count, line.volume, line.weight] for line in draft.freightDetails]
    _table(flow, translate("Freight"), FREIGHT, freight, _freight_total(draft))
    _table(flow, translate("References"), REFERENCES, [[each.type, each.value] for each in draft.otherReferenceNumbers])
    load = draft.barcoding.receivingLoadNumber.strip()
    items = [
        [str(at), row.barcode, row.commodity, row.count, row.description, row.groupBarcode]
        for at, row in enumerate(draft.barcoding.barcodeItemDetails, 1)
    ]
    _table(flow, words.barcodes_title(load), BARCODES, items, always=bool(load))


def _order_fields(draft: OrderDraft) -> list[tuple[str, str]]:
    found = [(label, getattr(draft, name)) for name, label in FIELDS.items() if getattr(draft, name).strip()]
    if draft.useConsigneeAddressToDetermineFaclityCode == TRUE:
        found.append((translate("Facility"), words.FOUND_BY_ADDRESS))
    return found


def _freight_total(draft: OrderDraft) -> list[str] | None:
    lines = draft.freightDetails
    if len(lines) < 2:
        return None
    return [
        translate("Total"),
        *(total(getattr(line, name) for line in lines) for name in ("count", "volume", "weight")),
    ]


def _table(
    flow: Flow,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    last: Sequence[str] | None = None,
    *,
    always: bool = False,
) -> None:
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if rows:
        flow.table(title, columns, rows, last)
    elif always:
        flow.heading(title)


def _standing(text: str, room: float, ruler: Ruler) -> list[Words]:
    """The state of the order, on one line or two."""
    first, *rest = wrapped(text, room, _STRONG, ruler)
    made = [Words(_MARGIN, _MARGIN + 11.0, first, _STRONG)]
    if rest:
        text, style = fitted(" ".join(rest), room, _STRONG, ruler)
        made.append(Words(_MARGIN, _MARGIN + 11.0 + _STRONG.line, text, style))
    return made


def _reference_bars(reference: str, room: float) -> Bars | None:
    """The reference as bars, if there is room for them. The title beside them shows it as text."""
    try:
        widths = code128.widths(reference)
    except CannotEncode:
        return None
    wide = sum(widths) * _BAR_MODULE
    if wide + QUIET * _BAR_MODULE > room:
        return None
    return Bars(-wide, 0.0, _BAR_HEIGHT, _BAR_MODULE, widths)


def _furniture(
    subject: Subject,
    paper: tuple[float, float],
    printed: datetime,
    numbers: tuple[int, int],
    bars: Bars | None,
    ruler: Ruler,
) -> list[Mark]:
    """The frame of every page."""
    width, height = paper
    right, inner = width - _MARGIN, width - 2 * _MARGIN
    made: list[Mark] = _practice_band(width, inner, ruler) if subject.practice else []
    room = inner
    if bars is not None:
        made.append(Bars(right + bars.x, _MARGIN, bars.height, bars.module, bars.widths))
        room -= -bars.x + QUIET * bars.module
    title = words.order_title(one_line(subject.reference, ruler) if subject.reference else "")
    text, style = fitted(title, room, _TITLE, ruler, middle=True)
    made.append(Words(_MARGIN, _MARGIN + 5.2, text, style))
    made += _standing(one_line(subject.standing, ruler), room, ruler)
    made.append(Line(_MARGIN, _MARGIN + _HEAD - 7.0, inner))
    foot = height - _MARGIN
    made.append(Line(_MARGIN, foot - 5.0, inner))
    when = words.printed_words(printed)
    made += both_ends(when, words.page_words(*numbers), (_MARGIN, foot, inner), _SMALL, ruler)
    return made


def _practice_band(width: float, inner: float, ruler: Ruler) -> list[Mark]:
    """The band at the top that says that the order is of the practice world."""
    text, style = fitted(words.PRACTICE, inner, Style(3.6, bold=True, ink="practice"), ruler)
    return [Band(0.0, 0.0, width, 7.5), Words((width - ruler.width(text, style)) / 2, 5.0, text, style)]


_MOST = Decimal(10) ** 20


def total(typed: Iterable[str]) -> str:
    """The sum of the texts that are numbers, as people write it; empty when none is."""
    found = [number for number in map(_number, typed) if number is not None]
    if not found:
        return ""
    return f"{sum(found, Decimal(0)).normalize():f}"


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < _MOST and abs(number.adjusted()) < 20 else None
