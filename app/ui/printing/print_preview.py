"""The preview before printing: the number of labels or pages, the barcodes that cannot be printed, the first page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from app.desk.files.stoppable_work import Progress
from app.desk.printing import barcode_labels, order_sheet
from app.desk.printing.barcode_labels import Labels, Refusal, Which
from app.desk.printing.page_marks import Page
from app.desk.printing.paper_words import order_title
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject, pdf_name
from app.desk.printing.stock import FINENESSES, PAPERS, STOCKS
from app.ui.printing import printing_words as words
from app.ui.printing.painting.page_output import picture
from app.ui.printing.painting.page_painter import TypeRuler

What = Literal["each", "group", "sheet"]

_DRAWN_AT = 8.0  # dots a mm; scaled down afterwards, so that bars keep even widths
_LISTED = 200
_SHOWN = 24  # characters of a barcode in a list


@dataclass(frozen=True, slots=True)
class Prepared:
    """An order that is ready to print; `pages` lays out the pages that are not laid out yet."""

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
    subjects: Sequence[Subject],
    what: What,
    chosen: Choices,
    begin: int,
    printed: datetime,
    room: QSize,
    progress: Progress,
) -> Prepared:
    """Plan the labels or the sheet and draw the first page into `room` pixels. Raises `Stopped`.

    `begin` labels of the first sheet are gone already. Of several orders there are sheets only.
    """
    if what == "sheet" or len(subjects) > 1:
        return _sheets(subjects, chosen, printed, room, progress)
    return _labels(subjects[0], what, chosen, begin, room, progress)


def _labels(subject: Subject, what: Which, chosen: Choices, begin: int, room: QSize, progress: Progress) -> Prepared:
    stock = next((each for each in STOCKS if each.key == chosen.stock), STOCKS[0])
    fineness = next((each for each in FINENESSES if each.key == chosen.fineness), FINENESSES[0])
    found = barcode_labels.plan(subject, what, stock, fineness, begin=begin, step=progress.checkpoint)
    ruler = TypeRuler()
    first = next(iter(found.pages(ruler)), None)
    return Prepared(
        pages=lambda: found.pages(ruler),
        page_count=found.page_count,
        counted=words.labels_words(found.count),
        summary=_summary(found, what),
        refusals=tuple(found.refusals),
        preview=None if first is None else _drawn(first, room),
        caption="" if first is None else words.first_label_page(found.page_count, stock.name),
        title=words.labels_title(subject.reference),
        file_name=pdf_name(subject.reference, "labels" if what == "each" else "group-labels"),
    )


def _summary(found: Labels, what: What) -> str:
    if not found.total:
        return words.NO_LABELS[what]
    pages = words.pages_words(found.page_count) if found.stock.per_page > 1 else ""
    if not found.refusals:
        return words.all_labels(found.count, pages)
    return words.some_labels(found.count, found.total, pages)


def refusal_words(refusals: Sequence[Refusal]) -> list[str]:
    """The barcodes that are not printed, and why; only the first ones of very many."""
    lines = [words.refused_label(each.place, _short(each.barcode), each.sentence) for each in refusals[:_LISTED]]
    more = len(refusals) - _LISTED
    return lines + ([words.more_refused(more)] if more > 0 else [])


def _short(barcode: str) -> str:
    return barcode if len(barcode) <= _SHOWN else f"{barcode[: _SHOWN // 2]}…{barcode[-_SHOWN // 2 :]}"


def _sheets(
    subjects: Sequence[Subject], chosen: Choices, printed: datetime, room: QSize, progress: Progress
) -> Prepared:
    name, paper = PAPERS.get(chosen.paper, PAPERS["letter"])
    ruler, pages = TypeRuler(), []
    for subject in subjects:
        pages += order_sheet.lay_out(subject, paper, printed, ruler, progress.checkpoint)
    several, reference = len(subjects) > 1, subjects[0].reference
    return Prepared(
        pages=lambda: pages,
        page_count=len(pages),
        counted=words.pages_words(len(pages)),
        summary=words.sheets_of(len(subjects), len(pages), name) if several else words.sheet_pages(len(pages), name),
        refusals=(),
        preview=_drawn(pages[0], room),
        caption=words.first_page(len(pages)),
        title=words.orders_title(len(subjects)) if several else order_title(reference),
        file_name=pdf_name(reference, "and-others" if several else ""),
    )


def _drawn(page: Page, room: QSize) -> QImage:
    return picture(page, _DRAWN_AT).scaled(
        room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
