"""Files to import, written by hand: the titles and rows of a small order list, and a table from a text."""

from pathlib import Path

from app.desk.bulk.files.file_tables import ReadOptions, Table
from app.desk.bulk.files.read_file import read_file_now
from app.desk.bulk.mapping.match_columns import Matched, match_columns
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.files.stoppable_work import Progress

TITLES = "Reference,Consignee,Street,City,State,ZIP,Phone,Commodity,Count,Volume"
FIRST = "R-1,J. Rivera,12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,84.5"
SECOND = "R-2,Dana Whitfield,4 Elm Court,Boston,MA,02144,617-555-0199,CHAIR,6,36"


def table_of(folder: Path, text: str | bytes, name: str = "orders.csv", options: ReadOptions | None = None) -> Table:
    """The table in a text file of these contents."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_file_now(path, options or ReadOptions(), Progress())


def sheet_of(folder: Path, text: str | bytes, name: str = "orders.csv") -> ImportSheet:
    """The same, mapped by itself and checked."""
    return mapped(table_of(folder, text, name))[0]


def mapped(table: Table) -> tuple[ImportSheet, Matched]:
    """The checked sheet of a table, and the mapping that the table suggests."""
    matched = match_columns(table)
    sheet = ImportSheet(table, matched.mapping)
    sheet.check_all(Progress())
    return sheet, matched


def lines(*rows: str) -> str:
    """Rows below the usual titles."""
    return "\n".join((TITLES, *rows)) + "\n"


def said(sheet: ImportSheet, row: int) -> dict[str, list[str]]:
    """The sentences of a row by the title of their column; an empty title for those without one."""
    return {
        sheet.titles[column] if column >= 0 else "": [each.sentence for each in issues]
        for column, issues in sheet.issues_at(row).items()
    }
