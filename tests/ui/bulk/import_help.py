"""What the tests of the Import page share: files of orders, and a page that has read one."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex

from app.ui.bulk.bulk_page import BulkPage
from tests.support.loop import RunningLoop

TITLES = (
    "Reference", "Consignee", "Street", "City", "State", "ZIP", "Phone", "Facility", "Delivery type", "Commodity",
    "Count", "Volume",
)  # fmt: skip


def line(reference: str, **changes: str) -> list[str]:
    """A row of a file that makes a whole order; `changes` by title, with `_` for a blank."""
    cells = {
        "Reference": reference, "Consignee": "J. Rivera", "Street": "12 Beale Street", "City": "Memphis", "State": "TN",
        "ZIP": "38103", "Phone": "901-555-0142", "Facility": "MEM01", "Delivery type": "HOME", "Commodity": "SOFA",
        "Count": "2", "Volume": "84.5",
    }  # fmt: skip
    cells |= {title.replace("_", " "): text for title, text in changes.items()}
    return [cells[title] for title in TITLES]


def csv_text(*rows: Sequence[str], titles: Sequence[str] = TITLES, separator: str = ",") -> str:
    """A file of these rows."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerows([titles, *rows])
    return out.getvalue()


def write_csv(
    folder: Path, *rows: Sequence[str], name: str = "orders.csv", titles: Sequence[str] = TITLES, separator: str = ","
) -> Path:
    """The same, on the disk."""
    path = folder / name
    path.write_bytes(csv_text(*rows, titles=titles, separator=separator).encode())
    return path


def open_file(loop: RunningLoop, page: BulkPage, path: Path) -> None:
    """Open a file and wait for all verdicts."""
    page.open_files([path])
    # The file before stays in sight until this one has taken its place.
    loop.until(
        lambda: not page.tasks.running("replace file") and page.stack.currentWidget() is page._grid_face,
        lambda: page.start.said,
    )
    settled(loop, page)


def settled(loop: RunningLoop, page: BulkPage) -> None:
    """Wait until nothing is read, checked, or looked up."""
    names = ("file", "check", "edit", "look", "ask", "find", "send", "imports", "remember", "mapping")
    loop.until(
        lambda: not any(page.tasks.running(each) for each in names) and not page.session._look_later.isActive(),
        lambda: [each for each in names if page.tasks.running(each)],
    )


def cell(page: BulkPage, row: int, title: str) -> QModelIndex:
    """The index of a cell by the row of the sheet and the title of the column in the file."""
    sheet = page.session.sheet
    assert sheet is not None
    return page.model.index_of(row, list(sheet.titles).index(title))


def text(page: BulkPage, row: int, title: str) -> str:
    """What a cell shows."""
    return str(cell(page, row, title).data())


def verdict(page: BulkPage, row: int) -> str:
    """What the column of the verdicts shows in a row."""
    return str(page.model.index_of(row, -1).data())
