"""Writes the rows that the outbox shows into a table. Imported once somebody exports."""

from datetime import datetime

from app.desk.export.spreadsheet_cells import Value
from app.desk.export.table_file import TableFile, write_table
from app.desk.files.save_files import safe_stem
from app.desk.files.stoppable_work import Progress, in_thread
from app.store.sqlite.text_values import local
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_model import OutboxModel
from app.ui.widgets import widget_words
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.text.labels import visible

_WHEN = 3  # the column of moments, which a spreadsheet sorts as such
_WIDTHS = (16, 22, 16, 20, 60)  # characters


def export_job(model: OutboxModel, now: datetime) -> FileJob:
    """The job that writes the rows as they are shown at this moment."""
    rows = [_row(model, at) for at in range(model.rowCount())]

    async def write(chosen: Chosen, progress: Progress) -> FileResult:
        wanted = TableFile(chosen.target, table_kind(chosen), words.EXPORT_SHEET, chosen.replace)

        progress.total = len(rows)
        made = await in_thread(lambda: write_table(wanted, words.COLUMN_TITLES, rows, _WIDTHS), progress)
        said = widget_words.records_written(len(rows), visible(chosen.target.name), made.cut)
        return FileResult(said, "warn" if made.cut else "good")

    name = safe_stem(words.EXPORT_NAME, f"{now:%Y-%m-%d}")
    return FileJob(words.EXPORT_TITLE, name, (XLSX, *CSVS), write, _progress_words)


def _row(model: OutboxModel, at: int) -> list[Value]:
    cells: list[Value] = [model.cell(at, place) for place in range(model.columnCount())]
    cells[_WHEN] = local(model.rows[at].changed_at).replace(microsecond=0)
    return cells


def _progress_words(progress: Progress) -> str:
    return widget_words.writing_records(progress.done, progress.total)
