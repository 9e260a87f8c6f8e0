"""What a person sees before printing: how many labels or pages, which barcodes cannot be printed, the first page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from app.desk.files.stoppable_work import Progress
from app.desk.printing import barcode_labels, order_sheet
from app.desk.printing.barcode_labels import Labels, Refusal
from app.desk.printing.page_marks import Page
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject, pdf_name
from app.desk.printing.stock import FINENESSES, PAPERS, STOCKS
from app.ui.printing.painting.page_output import picture
from app.ui.printing.painting.page_painter import TypeRuler

What = Literal["each", "group", "sheet"]

_DRAWN_AT = 8.0  # dots a mm; then made smaller, so that bars do not flicker
_LISTED = 200
_SHOWN = 24  # characters of a barcode in a list
_NOTHING = {
    "each": "This order has no barcodes, so there are no labels to print.",
    "group": "No barcode of this order belongs to a group, so there are no group labels to print.",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Ready to be printed; `pages` lays out whatever is not laid out yet."""

    pages: Callable[[], Iterable[Page]]
    page_count: int
    counted: str  # "12 labels", "3 pages"
    summary: str
    refusals: tuple[Refusal, ...]
    preview: QImage | None
    caption: str
    title: str
    file_name: str


def prepare(
    subject: Subject, what: What, chosen: Choices, begin: int, printed: datetime, room: QSize, progress: Progress
) -> Prepared:
    """Plan what was chosen and draw its first page into `room` pixels. Raises `Stopped`.

    `begin` labels of the first sheet are gone already.
    """
    if what == "sheet":
        return _sheet(subject, chosen, printed, room, progress)
    stock = next((each for each in STOCKS if each.key == chosen.stock), STOCKS[0])
    fineness = next((each for each in FINENESSES if each.key == chosen.fineness), FINENESSES[0])
    found = barcode_labels.plan(subject, what, stock, fineness, begin=begin, step=progress.checkpoint)
    ruler = TypeRuler()
    first = next(iter(found.pages(ruler)), None)
    return Prepared(
        pages=lambda: found.pages(ruler),
        page_count=found.page_count,
        counted=_many(found.count, "label"),
        summary=_summary(found, what),
        refusals=tuple(found.refusals),
        preview=None if first is None else _drawn(first, room),
        caption="" if first is None else f"Page 1 of {found.page_count:,} · {stock.name}",
        title=f"Labels of order {subject.reference}",
        file_name=pdf_name(subject.reference, "labels" if what == "each" else "group-labels"),
    )


def _summary(found: Labels, what: What) -> str:
    if not found.total:
        return _NOTHING[what]
    paper = f" on {_many(found.page_count, 'page')}" if found.stock.per_page > 1 else ""
    if not found.refusals:
        return f"{_many(found.count, 'label')}{paper}."
    lead = f"{found.count:,} of {_many(found.total, 'label')} can be printed{paper}."
    return f"{lead} {'This one' if len(found.refusals) == 1 else 'These'} cannot:"


def refusal_words(refusals: Sequence[Refusal]) -> list[str]:
    """Which barcodes are not printed, and why; the first of them, if there are very many."""
    lines = [f"{each.place:,} · {_short(each.barcode)}: {each.sentence}" for each in refusals[:_LISTED]]
    return lines + ([f"… and {len(refusals) - _LISTED:,} more"] if len(refusals) > _LISTED else [])


def _short(barcode: str) -> str:
    return barcode if len(barcode) <= _SHOWN else f"{barcode[: _SHOWN // 2]}…{barcode[-_SHOWN // 2 :]}"


def _sheet(subject: Subject, chosen: Choices, printed: datetime, room: QSize, progress: Progress) -> Prepared:
    name, paper = PAPERS.get(chosen.paper, PAPERS["letter"])
    pages = order_sheet.lay_out(subject, paper, printed, TypeRuler(), progress.checkpoint)
    return Prepared(
        pages=lambda: pages,
        page_count=len(pages),
        counted=_many(len(pages), "page"),
        summary=f"{_many(len(pages), 'page')} of {name}.",
        refusals=(),
        preview=_drawn(pages[0], room),
        caption=f"Page 1 of {len(pages):,}",
        title=f"Order {subject.reference}",
        file_name=pdf_name(subject.reference, ""),
    )


def _drawn(page: Page, room: QSize) -> QImage:
    return picture(page, _DRAWN_AT).scaled(
        room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
