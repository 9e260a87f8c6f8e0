"""Writes a table into one file, as XLSX or CSV: whole, or not at all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.desk.export.csv_file import write_csv
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.xlsx_file import Sheets, write_xlsx
from app.desk.files.whole_file import put_in_place

Kind = Literal["xlsx", "csv", "csv exact"]
USUAL_WIDTH = 18  # characters; for columns about which nothing else is known


@dataclass(frozen=True, slots=True)
class TableFile:
    """The file to write: its place, its kind, the name of its sheets. `replace`: a person agreed to replace a file."""

    target: Path
    kind: Kind
    sheet: str
    replace: bool = False


def kind_by_name(target: Path) -> Kind:
    """The kind of a file that a person named: XLSX by its suffix, else CSV."""
    return "xlsx" if target.suffix.lower() == ".xlsx" else "csv"


def write_table(
    wanted: TableFile, titles: Sequence[str], rows: Iterable[Sequence[Value]], widths: Sequence[int] = ()
) -> Sheets:
    """Write the rows below their titles; blocks. `widths` are in characters. Raises `ExportTrouble`."""

    def write(path: Path) -> Sheets:
        if wanted.kind == "xlsx":
            columns = widths or [USUAL_WIDTH] * len(titles)
            # Scratch beside the file: the system's own folder may be small, or on another disk.
            return write_xlsx(path, titles, columns, rows, scratch=path.parent, name=wanted.sheet)
        write_csv(path, titles, rows, exact=wanted.kind == "csv exact")
        return Sheets()

    return put_in_place(wanted.target, write, replace=wanted.replace)
