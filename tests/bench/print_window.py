"""A real window that writes the labels of one order into a PDF, and watches its own pulse.

Started by `print_labels` as a process of its own, with a folder and how many. Prints one JSON line and ends.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.contract.draft import BarcodeDraft
from app.desk.printing.print_subject import Subject
from app.ui.printing.print_panel import PrintPanel
from app.ui.printing.printers.devices import Devices
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse, peak_mib
from tests.support.desks import order_draft

_NOWHERE = "http://127.0.0.1:9"  # nothing is asked of a provider


async def print_labels(opened: Opened, target: Path, count: int) -> None:
    draft = order_draft("CRN-20481")
    draft.barcoding.barcodeItemDetails = [
        BarcodeDraft("CHAIR", f"00312345678901{at:04}", "1", "Carton") for at in range(count)
    ]

    async def choose(_parent: QWidget, _name: str) -> Path:
        return target

    page = opened.shell.orders
    panel = PrintPanel(page, page.services, page.tasks, Devices(names=lambda _progress: [], choose=choose))
    panel.offer(opened.desk, lambda: Subject(draft, "Draft, not sent", practice=True))
    await until(lambda: panel.save_button.isEnabled() and not page.tasks.busy)
    before, pulse, began = peak_mib(), Pulse(), time.perf_counter()
    panel.save()
    await until(lambda: not page.tasks.busy)
    seconds = time.perf_counter() - began
    found = {
        "said": panel.bar.text.partition(" to ")[0],
        "seconds": round(seconds, 2),
        "bytes": target.stat().st_size,  # noqa: ASYNC240 - the work is over
        **pulse.stop(),
        "peak_before_mib": round(before, 1),
        "peak_mib": round(peak_mib(), 1),
    }
    panel.close()
    print(json.dumps(found), flush=True)


async def until(met: Callable[[], bool]) -> None:
    """Wait for a condition, while the window lives."""
    while not met():  # noqa: ASYNC110 - what is waited for is a look at widgets
        await asyncio.sleep(0.01)


if __name__ == "__main__":
    folder, how_many = Path(sys.argv[1]), int(sys.argv[2])
    facts = dict.fromkeys(("base_url", "info_base_url", "auth_url"), _NOWHERE) | {
        "client_id": "x",
        "client_secret": "x",
    }
    sys.exit(in_a_window(folder, facts, lambda opened: print_labels(opened, folder / "labels.pdf", how_many)))
