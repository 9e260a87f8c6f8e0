"""The case file made from the orders page: documents of every kind, a load's overage, documents that cannot be had."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.files.choose_files import Chosen, FileKind
from tests.support.desks import order_draft
from tests.support.fault_server import INFORMATION, Answer, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, pdf, saved
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import choose, idle
from tests.ui.orders.papers_help import open_page, paper, tell_of_papers

PHOTO = saved(chart(size=(800, 600)), "JPEG")
PAPERS = {
    "/papers/pod.pdf": Answer(200, pdf(3), "application/pdf"),
    "/papers/photo.jpg": Answer(200, PHOTO, "image/jpeg"),
    "/papers/odd name.png": Answer(200, saved(chart(), "PNG"), "image/png"),
    "/papers/html.jpg": Answer(200, b"<html>sign in</html>", "image/jpeg"),
}


class Choosing:
    """A person who takes the name that is offered."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kind = folder, 0

    async def file(
        self, _parent: QWidget, _title: str, name: str, kinds: Sequence[FileKind], _folder: Path | None
    ) -> Chosen | None:
        kind = kinds[self.kind]
        return Chosen(self.folder / f"{name}.{kind.ending}", kind, False)


@pytest.fixture
def page(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    window_desk: Desk,
    fault_server: FaultServer,
    gallery: Gallery,
) -> OrdersPage:
    for address, answer in PAPERS.items():
        fault_server.serve(address, answer)
    folders = ("POD", "DAM", "BOL", "AT", "ZZZ")
    papers = [paper(*each) for each in zip([*PAPERS, "/papers/gone.jpg"], folders, strict=True)]
    told = {"DateImported": "2026-11-01T09:00:00", "Notes": [{"Text": "Dog at the gate محمد"}], "PO": ["PO-9"]}
    tell_of_papers(loop, window_desk, fault_server, papers, **told)
    return open_page(loop, services, show, window_desk, gallery)


def make(page: OrdersPage, loop: RunningLoop, choosing: Choosing) -> str:
    """Make the case file of order 7 by its key in the table, and give what is said of it."""
    choose(loop, page, 7)
    page.side.show_order(7)
    pane = page.side.order
    assert pane is not None
    pane.files._choose = choosing.file
    loop.until(lambda: idle(page))
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    loop.until(lambda: bool(pane.files.bar.text), pane.files.label.text, 60)
    return pane.files.bar.text


def test_one_pdf_holds_every_page_of_the_documents_and_names_missing_ones(
    page: OrdersPage, loop: RunningLoop, tmp_path: Path, window_desk: Desk, fault_server: FaultServer
) -> None:
    draft = order_draft("R-00007")
    draft.barcoding.receivingLoadNumber = "LOAD 1/2"
    draft.barcoding.barcodeItemDetails = [
        BarcodeDraft("CHAIR", "0123456789", "1"),
        BarcodeDraft("CHAIR", "0123456780", "1"),
    ]
    checked = check_draft(draft)
    assert isinstance(checked, OrderSubmission), checked
    loop.run(outbox.queue_submission(window_desk, checked, None))
    fault_server.serve(f"{INFORMATION}/overage", json_answer([{"commodity": "SOFA", "count": 3}]))
    words = make(page, loop, Choosing(tmp_path))
    assert words.startswith("The case file is in case-7.pdf.")
    with pypdfium2.PdfDocument(tmp_path / "case-7.pdf") as document:
        texts = [" ".join(each.get_textpage().get_text_range().split()) for each in document]
        pictures = [sum(isinstance(each, pypdfium2.PdfImage) for each in one.get_objects()) for one in document]
    whole = " ".join(texts)
    for wanted in (
        "Case file of order R-00007 (7)", "Dog at the gate", "PO-9", "Order: Queued", "pod.pdf, page 3 of 3",
        "not shown here: This is neither a JPEG, PNG or WebP picture nor a PDF.",
        "gone.jpg · not shown here: The provider does not have this picture any more, or never had it.",
        "Overage of load LOAD 1/2", "SOFA", "Audits that name this order None is known.",
    ):  # fmt: skip
        assert wanted in whole, wanted
    assert sum(pictures) == 5
    assert f"Page {len(texts)} of {len(texts)}" in texts[-1]


def test_a_zip_holds_the_files_as_they_came_under_safe_names(
    page: OrdersPage, loop: RunningLoop, tmp_path: Path
) -> None:
    choosing = Choosing(tmp_path)
    choosing.kind = 1
    words = make(page, loop, choosing)
    assert "gone.jpg is not in it: The provider does not have this picture any more" in words
    with zipfile.ZipFile(tmp_path / "case-7.zip") as packed:
        assert packed.testzip() is None
        assert set(packed.namelist()) == {
            "case order R-00007 (7).pdf", "POD pod.pdf", "DAM photo.jpg", "BOL odd name.png", "AT html.bin",
        }  # fmt: skip
        assert packed.read("DAM photo.jpg") == PHOTO
        assert packed.read("POD pod.pdf") == PAPERS["/papers/pod.pdf"].body
        assert packed.read("case order R-00007 (7).pdf").startswith(b"%PDF-")
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".pdf"] == []


def test_the_order_beside_the_table_offers_it_and_an_unknown_one_does_not(
    page: OrdersPage, loop: RunningLoop, tmp_path: Path, fault_server: FaultServer
) -> None:
    page.side.show_order(7)
    pane = page.side.order
    assert pane is not None
    pane.files._choose = Choosing(tmp_path).file
    loop.until(lambda: idle(page))
    pane.head.case_button.click()
    loop.until(lambda: bool(pane.files.bar.text), pane.files.label.text, 60)
    assert pane.files.bar.text.startswith("The case file is in case-7.pdf.")
    fault_server.serve(f"{INFORMATION}/orders/99", Answer(404))
    page.side.show_order(99)
    loop.until(lambda: idle(page))
    assert not pane.head.case_button.isEnabled()
