"""Draws pages of a PDF with PDFium. It uses its own fourteen fonts: the child can open no font of the system."""

import pypdfium2
import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfiumError

from app.imaging.child.crop import taken_within
from app.imaging.pixels import Facts, Region, Size, Trouble
from app.imaging.protocol import Limits, Request, Result

_FULL_SCALE = 96 / 72  # pixels of the screen for a point, at full size


def draw_page(data: memoryview, request: Request, limits: Limits, out: memoryview) -> Result | Trouble:
    """Draw the requested page into `out`, as large as it fits."""
    try:
        document = PdfDocument(bytes(data))
    except PdfiumError as error:
        return Trouble("protected" if error.err_code == pdfium.FPDF_ERR_PASSWORD else "damaged")
    try:
        pages = len(document)
        if not pages or pages > 1_000_000:
            return Trouble("damaged")
        if not 0 <= request.page < pages:
            return Trouble("no such page")
        return _drawn(document[request.page], pages, request, limits, out)
    except PdfiumError:
        return Trouble("damaged")
    finally:
        document.close()


def _drawn(
    page: "pypdfium2.PdfPage", pages: int, request: Request, limits: Limits, out: memoryview
) -> Result | Trouble:
    width, height = page.get_size()
    if not (0 < width < 1e6 and 0 < height < 1e6):
        return Trouble("damaged")
    full = Size(max(1, round(width * _FULL_SCALE)), max(1, round(height * _FULL_SCALE)))
    region = taken_within(request.region, full)
    if region != (0, 0, *full):
        return _drawn_part(page, Facts("PDF", full, pages=pages), region, request.box, limits, out)
    scale = _FULL_SCALE if request.box is None else min(request.box.width / width, request.box.height / height)
    # A little below the limit, since both sides are rounded afterwards.
    scale = min(scale, (limits.result_pixels / (width * height)) ** 0.5 * 0.999)
    size = Size(max(1, round(width * scale)), max(1, round(height * scale)))
    if size.width * size.height > limits.result_pixels:
        return Trouble("too large")
    _paint(page, size, Region(0, 0, *size), out)
    return Result(size, False, Facts("PDF", full, pages=pages))


def _drawn_part(
    page: "pypdfium2.PdfPage", facts: Facts, region: Region, box: Size | None, limits: Limits, out: memoryview
) -> Result | Trouble:
    """Draw a region as large as it fits; the rest of the page lies beyond the edges."""
    room = box or Size(region.width, region.height)
    scale = min(room.width / region.width, room.height / region.height)
    scale = min(scale, (limits.result_pixels / (region.width * region.height)) ** 0.5 * 0.999)
    size = Size(max(1, round(region.width * scale)), max(1, round(region.height * scale)))
    whole = Region(
        -round(region.left * scale), -round(region.top * scale),
        max(1, round(facts.full.width * scale)), max(1, round(facts.full.height * scale)),
    )  # fmt: skip
    # PDFium takes places as C integers.
    if size.width * size.height > limits.result_pixels or max(abs(each) for each in whole) >= 2**31:
        return Trouble("too large")
    _paint(page, size, whole, out)
    return Result(size, False, facts)


def _paint(page: "pypdfium2.PdfPage", size: Size, where: Region, out: memoryview) -> None:
    """Paint a bitmap of this size, with the whole page at `where`."""
    bitmap = pypdfium2.PdfBitmap.new_native(size.width, size.height, pdfium.FPDFBitmap_BGRx)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, size.width, size.height)  # paper
    pdfium.FPDF_RenderPageBitmap(bitmap, page, *where, 0, pdfium.FPDF_ANNOT)
    out[: size.height * bitmap.stride] = memoryview(bitmap.buffer).cast("B")
    bitmap.close()
