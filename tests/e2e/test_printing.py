"""Printing from a real window: an order in the form becomes a PDF whose barcodes read back."""

import asyncio
import json
from datetime import datetime
from pathlib import Path

import pypdfium2
import zxingcpp

from app.contract.draft import BarcodeDraft
from app.store.journal import draft_store
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from tests.e2e.test_names import nameless
from tests.support.desks import order_draft
from tests.support.window import WindowFactory

BARCODES = {"WB0001", "9912345678"}


async def keep_draft(data: Path) -> None:
    """An order that was typed the day before: the form opens with it."""
    folder = DataDir(data)
    folder.create()
    draft = order_draft("E2E-PRINT-1")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", each, "1") for each in sorted(BARCODES)]
    books = Journal(folder.journal)
    await books.write(draft_store.save_draft, "practice", "d-1", json.dumps(draft.to_dict()), datetime.now())
    await books.close()


def test_the_labels_of_the_order_in_the_form_read_back_from_the_pdf(open_window: WindowFactory, tmp_path: Path) -> None:
    asyncio.run(keep_draft(tmp_path / "desk"))
    window = open_window(tmp_path / "desk")
    window.go("New order")
    window.wait_for(lambda: window.find("Order reference", "text").text == "E2E-PRINT-1", "the draft")
    window.find("Print…", "push button").press()
    window.wait_for_words(r"^2 labels\.$")
    assert nameless(window) == []
    window.find("Save PDF…", "push button").press()
    target = tmp_path / "labels.pdf"
    window.find("File name:", "text").type(str(target))
    window.find("Save", "push button").press()
    window.wait_for_words("2 labels saved to")
    read = {
        each.text
        for page in pypdfium2.PdfDocument(target)
        for each in zxingcpp.read_barcodes(page.render(scale=203 / 72, grayscale=True).to_pil())
    }
    assert read == BARCODES
    window.find("Close", "push button").press()
    window.wait_for(lambda: not window.seek("Save PDF…"), "the panel gone")
    window.close()
