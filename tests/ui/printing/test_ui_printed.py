"""Printed output: barcodes are decoded again from the PDF at the real size and resolution, text letter for letter."""

import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from PIL.Image import Image
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication

from app.contract.draft import BarcodeDraft, OrderDraft
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.barcode_labels import Labels, plan
from app.desk.printing.order_sheet import BARCODES, FIELDS, FREIGHT, REFERENCES, lay_out
from app.desk.printing.page_marks import Page, Style
from app.desk.printing.paper_words import FOUND_BY_ADDRESS, PRACTICE
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import A4, FINENESSES, LETTER, STOCKS, Stock
from app.ui.entry.form.layout_data import FACILITY_CHOICES, LABELS, ROW_COLUMNS
from app.ui.printing.painting.page_output import PrintTrouble, picture, save_pdf
from app.ui.printing.painting.page_painter import TypeRuler
from app.ui.printing.printers.qt_printer import send_to_printer
from tests.support.desks import order_draft
from tests.support.paper import bars as laid_out

NOW = datetime(2026, 11, 24, 14, 2)
STOCK = {each.key: each for each in STOCKS}
FINE = {each.key: each for each in FINENESSES}
ONLY = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.Code128)
HOSTILE = (
    "0",
    "003123456789010000",
    "9912345678",
    "PKG-2026-11-24/7",
    "(00)1 2~",
    "a&b<c>%",
    "W" * 30,
    "0123456789" * 5,
    "Wm@#" * 12 + "Wm",  # the contract's longest, of the widest
)

pytestmark = pytest.mark.usefixtures("qapp")


def draft_with(*barcodes: str) -> OrderDraft:
    draft = order_draft("CRN-20481", "Renée O'Brien محمد")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", each, "1") for each in barcodes]
    return draft


def planned(draft: OrderDraft, stock: Stock, fine: str, *, practice: bool = False) -> Labels:
    return plan(Subject(draft, "Draft, not sent", practice), "each", stock, FINE[fine])


def saved(folder: Path, found: Labels) -> pypdfium2.PdfDocument:
    target = folder / "labels.pdf"
    save_pdf(found.pages(TypeRuler()), target, "Labels", Progress())
    return pypdfium2.PdfDocument(target)


def rendered(page: pypdfium2.PdfPage, dpi: float) -> Image:
    """The page as a printer of this fineness puts it onto paper: hard black and white."""
    grey: Image = page.render(scale=dpi / 72, grayscale=True, no_smoothpath=True, no_smoothtext=True).to_pil()
    return grey.point(lambda level: 255 if level > 127 else 0)


def read(picture: Image | QImage) -> set[str]:
    return {each.text for each in zxingcpp.read_barcodes(picture, ONLY)}


@pytest.mark.parametrize("stock", STOCKS, ids=lambda stock: stock.key)
@pytest.mark.parametrize(("fine", "dpi"), [("203", 203), ("203", 203.2), ("300", 300), ("203", 300), ("600", 600)])
def test_every_printed_barcode_reads_back_from_the_pdf(tmp_path: Path, stock: Stock, fine: str, dpi: float) -> None:
    found = planned(draft_with(*HOSTILE), stock, fine, practice=True)
    refused = {each.barcode for each in found.refusals}
    got: set[str] = set()
    for page in saved(tmp_path, found):
        width, height = page.get_size()
        assert width == pytest.approx(stock.paper[0] / 25.4 * 72, abs=0.6)
        assert height == pytest.approx(stock.paper[1] / 25.4 * 72, abs=0.6)
        got |= read(rendered(page, dpi))
    assert got == set(HOSTILE) - refused
    assert found.count == len(HOSTILE) - len(refused) > 0


def test_the_bars_are_as_wide_as_they_were_laid_out(tmp_path: Path) -> None:
    """Measured on the page at ten times the fineness: 79 modules of 4 dots of an eighth of a millimetre."""
    found = planned(draft_with("ABCD"), STOCK["4x2in"], "203")
    (page,) = saved(tmp_path, found)
    drawn = rendered(page, 2032)
    (bars,) = laid_out(found.pages(TypeRuler()))
    middle = round((bars.y + bars.height / 2) * 80)
    row = drawn.crop((0, middle, drawn.width, middle + 1)).tobytes()
    black = [at for at, level in enumerate(row) if level == 0]
    modules = sum(found.fits[0].widths)
    assert black[-1] - black[0] + 1 == pytest.approx(modules * 40, abs=2)
    assert modules == 35 + 4 * 11


@pytest.mark.parametrize("dots", [8.0, 203 / 25.4, 300 / 25.4])
def test_a_picture_of_a_label_reads_back_too(dots: float) -> None:
    for stock in (STOCK["4x6in"], STOCK["4x2in"], STOCK["100x50mm"]):
        found = planned(draft_with(*HOSTILE), stock, "203")
        got = {text for page in found.pages(TypeRuler()) for text in read(picture(page, dots))}
        assert got == set(HOSTILE) - {each.barcode for each in found.refusals}


def test_the_text_of_a_label_is_text(tmp_path: Path) -> None:
    draft = draft_with("A<b>&amp;")
    draft.consignee.city = "<i>Mem\u202ephis"
    (page,) = saved(tmp_path, planned(draft, STOCK["4x3in"], "203", practice=True))
    said = page.get_textpage().get_text_bounded()
    for expected in ("A<b>&amp;", "<i>Mem⟨U+202E⟩phis, TN", "CRN-20481", "1 of 1", "CHAIR · 1 piece", PRACTICE):
        assert expected in said, (expected, said)


@pytest.mark.parametrize("paper", [LETTER, A4])
def test_the_sheet_holds_every_row_and_its_reference_reads_back(tmp_path: Path, paper: tuple[float, float]) -> None:
    draft = draft_with(*(f"B{at:05}" for at in range(120)))
    draft.deliveryInstructions = "Ring <twice>.\nNorth dock."
    pages = lay_out(Subject(draft, "Draft, not sent", practice=True), paper, NOW, TypeRuler())
    target = tmp_path / "sheet.pdf"
    save_pdf(pages, target, "Order", Progress())
    document = pypdfium2.PdfDocument(target)
    assert len(document) == len(pages) > 2
    words = [page.get_textpage().get_text_bounded() for page in document]
    for at, said in enumerate(words, 1):
        assert f"Page {at} of {len(words)}" in said
        assert "Draft, not sent" in said
        assert PRACTICE in said
    assert all(f"B{at:05}" in "".join(words) for at in range(120))
    assert "Ring <twice>." in words[0]
    assert {"CRN-20481"} == read(rendered(document[0], 300))


def test_the_sheet_uses_the_words_of_the_form() -> None:
    assert all(LABELS[path] == words for path, words in FIELDS.items())
    for rows, columns in (("freightDetails", FREIGHT), ("otherReferenceNumbers", REFERENCES)):
        assert [each.title for each in columns] == [each.title for each in ROW_COLUMNS[rows]]
    assert [each.title for each in BARCODES[1:]] == [each.title for each in ROW_COLUMNS["barcoding.barcodeItemDetails"]]
    assert FOUND_BY_ADDRESS in dict(FACILITY_CHOICES).values()


def test_type_is_as_wide_as_it_was_measured(qapp: QApplication) -> None:
    assert qapp
    ruler = TypeRuler()
    small, large = ruler.width("Memphis, TN", Style(2)), ruler.width("Memphis, TN", Style(6))
    assert large == pytest.approx(3 * small)
    assert ruler.width("iiii", Style(3, mono=True)) == pytest.approx(ruler.width("WWWW", Style(3, mono=True)))


def test_labels_are_laid_out_and_written_on_a_thread_that_is_not_the_window_s(tmp_path: Path) -> None:
    ended: list[int] = []

    def work() -> None:
        progress = Progress()
        found = planned(draft_with(*(f"{at:06}" for at in range(50))), STOCK["4x2in"], "203")
        save_pdf(found.pages(TypeRuler()), tmp_path / "labels.pdf", "Labels", progress)
        ended.append(progress.done)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [50]


def test_a_pdf_that_is_stopped_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "labels.pdf"
    target.write_bytes(b"the one before")
    found, progress = planned(draft_with(*"123456"), STOCK["4x2in"], "203"), Progress()

    def until_the_third() -> Iterator[Page]:
        for page in found.pages(TypeRuler()):
            progress.stop = progress.done == 2
            yield page

    with pytest.raises(Stopped):
        save_pdf(until_the_third(), target, "Labels", progress)
    assert progress.done == 2
    assert target.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_disk_that_refuses_is_a_sentence_and_nothing_is_left_behind(tmp_path: Path) -> None:
    found = planned(draft_with("1"), STOCK["4x2in"], "203")
    for target in (tmp_path / "gone" / "labels.pdf", tmp_path):
        with pytest.raises(PrintTrouble) as refused:
            save_pdf(found.pages(TypeRuler()), target, "Labels", Progress())
        assert refused.value.sentence.startswith(f"{target} could not be written: ")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="a limit on the size of files stands in for a full disk")
    signal = pytest.importorskip("signal")
    target = tmp_path / "labels.pdf"
    target.write_bytes(b"the one before")
    found = planned(draft_with(*(f"{at:06}" for at in range(400))), STOCK["4x2in"], "203")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        with pytest.raises(PrintTrouble) as refused:
            save_pdf(found.pages(TypeRuler()), target, "Labels", Progress())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert refused.value.sentence.endswith("Nothing was saved.")
    assert target.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [target]


def paper_printer(target: Path) -> QPrinter:
    """A printer whose paper is a file."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFileName(str(target))
    return printer


def test_a_printer_gets_the_pages_at_their_real_size(tmp_path: Path) -> None:
    target = tmp_path / "paper.pdf"
    found, progress = planned(draft_with(*HOSTILE), STOCK["4x6in"], "203"), Progress()
    send_to_printer(found.pages(TypeRuler()), "Zebra", "Labels", progress, lambda _name: paper_printer(target))
    document = pypdfium2.PdfDocument(target)
    assert len(document) == progress.done == len(HOSTILE)
    assert document[0].get_size() == pytest.approx((288, 432), abs=0.6)
    assert {text for page in document for text in read(rendered(page, 203.2))} == set(HOSTILE)


@pytest.mark.parametrize(("stop_at", "printed"), [(2, 0), (6, 6)], ids=["before", "too late"])
def test_a_printer_gets_all_or_nothing(tmp_path: Path, stop_at: int, printed: int) -> None:
    """A spooler prints what it was given: what is stopped is stopped before it is given anything."""
    target = tmp_path / "paper.pdf"
    found, progress = planned(draft_with(*"123456"), STOCK["4x2in"], "203"), Progress()

    def stopped_on_the_way() -> Iterator[Page]:
        for page in found.pages(TypeRuler()):
            progress.stop = progress.done == stop_at
            yield page
        progress.stop = True

    try:
        send_to_printer(stopped_on_the_way(), "Zebra", "Labels", progress, lambda _name: paper_printer(target))
    except Stopped:
        assert not target.exists()
    assert (len(pypdfium2.PdfDocument(target)) if target.exists() else 0) == printed


@pytest.mark.qt_log_ignore("QPainter::begin")  # Qt says so, too
def test_a_printer_that_does_not_begin_is_a_sentence(tmp_path: Path) -> None:
    found, nowhere = planned(draft_with("1"), STOCK["4x6in"], "203"), tmp_path / "gone" / "paper.pdf"
    with pytest.raises(PrintTrouble) as refused:
        send_to_printer(found.pages(TypeRuler()), "Zebra", "L", Progress(), lambda _name: paper_printer(nowhere))
    assert refused.value.sentence.startswith("The first page could not be begun.")


def test_a_printer_that_went_away_is_a_sentence() -> None:
    found = planned(draft_with("1"), STOCK["4x6in"], "203")
    with pytest.raises(PrintTrouble) as refused:
        send_to_printer(found.pages(TypeRuler()), "No such", "Labels", Progress())
    assert refused.value.sentence == "The printer No such is not there any more."
