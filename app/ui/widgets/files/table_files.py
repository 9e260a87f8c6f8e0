"""The kinds of file that hold a table, as the dialog lists them."""

from typing import TYPE_CHECKING

from app.ui.widgets.files.choose_files import Chosen, FileKind

if TYPE_CHECKING:
    from app.desk.export.export_file import Kind

XLSX = FileKind("xlsx", "Excel workbook", "xlsx")
CSVS = (
    FileKind("csv", "CSV, safe to open in a spreadsheet", "csv"),
    FileKind("csv exact", "CSV, every text exactly as it is", "csv"),
)


def table_kind(chosen: Chosen) -> "Kind":
    """As what a table is written."""
    return "xlsx" if chosen.kind.key == "xlsx" else "csv" if chosen.kind.key == "csv" else "csv exact"
