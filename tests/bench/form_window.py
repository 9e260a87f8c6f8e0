"""A real window with an order of 500 freight lines and 5,000 barcodes in its form; types into it and watches the pulse.

Started by `s13_form` as a process of its own, with a folder and the facts of a practice service. Between words it
pauses, so that the draft is kept and the provider asked meanwhile. At the end the order is submitted. Prints one JSON
line and ends.
"""

import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from app.contract.draft import BarcodeDraft, BarcodingDraft, FreightDraft, OrderDraft
from app.desk.sending import outbox
from app.ui.entry.entry_page import EntryPage
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse
from tests.support.desks import order_draft

FREIGHT, BARCODES = 500, 5_000
_BETWEEN_KEYS = 0.05
_PAUSE = 0.9
_ENTER = "\r"
# Where one types, and what: fields of every kind, cells in the middle of the grids, the scan field.
WORDS = (
    ("poNumber", "PO 7719 A"),
    ("consignee.city", "Memphis"),
    ("freightDetails[250].count", "12"),
    ("freightDetails[251].commodity", "SKU251"),
    ("barcoding.barcodeItemDetails[2500].description", "Dining chair"),
    ("barcoding.barcodeItemDetails[4998].barcode", "WB-ANOTHER-1"),
    ("deliveryInstructions", "Call the gate first."),
    ("scan", f"WBX0001{_ENTER}WBX0002{_ENTER}WBX0003{_ENTER}"),
)


def large_order() -> OrderDraft:
    """A whole order, as large as a form has to bear."""
    lines = [FreightDraft(f"SKU{number}", "11", "12.5", "80") for number in range(FREIGHT)]
    items = [
        BarcodeDraft(f"SKU{number % FREIGHT}", f"WB{number:010}", "1", "Three-seat sofa", f"GRP-{number % 50}")
        for number in range(BARCODES)
    ]
    return replace(order_draft("LARGE-1"), freightDetails=lines, barcoding=BarcodingDraft("TRL-4471", items))


def press(letter: str) -> None:
    """One key, to whatever has the keyboard."""
    key, text = (Qt.Key.Key_Return, "\r") if letter == _ENTER else (Qt.Key(ord(letter.upper())), letter)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        widget = QApplication.focusWidget()
        assert widget is not None
        QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))


def agree() -> None:
    """Say yes to the question on screen, if there is one: scans that match no line take a yes before they are sent."""
    for box in QApplication.topLevelWidgets():
        if isinstance(box, QMessageBox) and box.isVisible():
            next(each for each in box.buttons() if box.buttonRole(each) == QMessageBox.ButtonRole.AcceptRole).click()


async def work(opened: Opened) -> None:
    opened.shell.go("entry")
    page = opened.shell.page("entry")
    assert isinstance(page, EntryPage)
    opened.shell.window.activateWindow()
    await asyncio.sleep(_PAUSE)
    assert opened.shell.window.isActiveWindow(), "keys would go nowhere"
    page.show_draft("large", large_order())
    await asyncio.sleep(1)
    pulse, worst, busy = Pulse(), [], []
    for path, word in WORDS:
        page.form.go_to(path)
        await asyncio.sleep(_PAUSE)
        for letter in word:
            before, worked = len(pulse.gaps), time.thread_time()
            press(letter)
            await asyncio.sleep(_BETWEEN_KEYS)
            busy.append((time.thread_time() - worked) * 1000)
            worst.append(max(pulse.gaps[before:]))
        page.form.go_to("orderReferenceNumber")
    await asyncio.sleep(_PAUSE)
    stalls = pulse.stop()
    worst.sort()
    busy.sort()
    began = time.perf_counter()
    page.submit()
    while page.tasks.running("submit"):
        agree()
        await asyncio.sleep(_BETWEEN_KEYS)
    took = time.perf_counter() - began
    counted = sum((await outbox.counts(opened.desk)).values())
    found = {
        "key_p95_ms": round(worst[int(len(worst) * 0.95)], 1),
        "key_median_ms": round(worst[len(worst) // 2], 1),
        "key_max_ms": round(worst[-1], 1),
        "busy_p95_ms": round(busy[int(len(busy) * 0.95)], 1),
        "keys": len(worst),
        "submitted": counted,
        "submit_s": round(took, 2),
        **stalls,
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    sys.exit(in_a_window(Path(sys.argv[1]), json.loads(sys.argv[2]), work))
