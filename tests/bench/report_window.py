"""A real window that writes the report of a selection of audits into a PDF, and watches its memory.

Started by the measure as a process of its own: FOLDER FACTS AUDITS. It presses what a person presses. Prints one JSON
line and ends.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.ui.audits.audits_page import AuditsPage
from app.ui.widgets.files.choose_files import Chosen, FileKind
from tests.bench.bench_window import Opened, in_a_window
from tests.bench.pulse import Pulse, peak_mib, resident_mib

_LOOK_S = 0.05
_PATIENCE_S = 600.0


async def write(opened: Opened, folder: Path, count: int) -> None:
    """Fetch the list, and make the report of its first audits."""
    page = opened.shell.page("audits")
    assert isinstance(page, AuditsPage)
    opened.shell.go("audits")
    async with asyncio.timeout(_PATIENCE_S):
        while page.refresher.result is None or page.model.rowCount() < count:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)
        target = folder / "report.pdf"

        async def choose(
            _parent: QWidget, _title: str, _name: str, kinds: Sequence[FileKind], _folder: Path | None
        ) -> Chosen:
            return Chosen(target, kinds[0], False)

        files, strip = page.files, page.files.strip
        which, strip._choose = files._choose, choose
        files._choose = lambda: replace(which(), rows=tuple(range(count)), numbers=())
        before, pulse, held = peak_mib(), Pulse(), list[float]()
        files.report()
        while not strip.bar.text:
            await asyncio.sleep(_LOOK_S)
            progress = strip._progress
            if progress.stage == "pages" and progress.done * 20 >= progress.total * (len(held) + 1):
                held.append(resident_mib())
    found = {
        "words": strip.bar.text,
        "resident_mib": held,
        "mib": round(target.stat().st_size / 2**20, 1),
        "peak_before_mib": round(before, 1),
        "peak_mib": round(peak_mib(), 1),
        **pulse.stop(),
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    place, facts, audits = sys.argv[1:4]
    sys.exit(in_a_window(Path(place), json.loads(facts), lambda opened: write(opened, Path(place), int(audits))))
