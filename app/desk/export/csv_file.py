"""CSV as spreadsheets read it: UTF-8 with its mark, and commas. Cells that could run are guarded unless `exact`."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.desk.export.spreadsheet_cells import Value, cell_text


def write_csv(target: Path, titles: Sequence[str], rows: Iterable[Sequence[Value]], *, exact: bool = False) -> None:
    """Write the rows below their titles. Raises OSError when the disk refuses."""
    with target.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        sheet = csv.writer(file)
        # Titles come from files and from providers as well.
        sheet.writerow([cell_text(title, exact=exact) for title in titles])
        for row in rows:
            sheet.writerow([cell_text(value, exact=exact) for value in row])
