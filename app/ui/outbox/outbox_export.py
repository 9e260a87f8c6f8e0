"""Writes the rows that the outbox shows into a table. Imported once somebody exports."""

from datetime import datetime

from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.export.spreadsheet_cells import Value
from app.desk.export.table_file import TableFile, write_table
from app.desk.files.save_files import safe_stem
from app.desk.files.stoppable_work import Progress, in_thread
from app.store.journal.records import WriteRow
from app.store.sqlite.text_values import local
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_model import OutboxModel
from app.ui.widgets import widget_words
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult
from app.ui.widgets.text.labels import visible

_WHEN = 3  # the column of moments, which a spreadsheet sorts as such
_WIDTHS = (16, 22, 16, 20, 60, 24)  # characters; the last of a team only


def export_job(model: OutboxModel, now: datetime, person: str = "") -> FileJob:
    """The job that writes the rows as they are shown at this moment. `person` works at this desk, in a team: then each
    row names who sent it."""
    rows = [[*_row(model, at), *([_who(model, at, person)] if person else [])] for at in range(model.rowCount())]
    titles = (*words.COLUMN_TITLES, words.SENT_BY) if person else words.COLUMN_TITLES

    async def write(chosen: Chosen, progress: Progress) -> FileResult:
        wanted = TableFile(chosen.target, table_kind(chosen), words.EXPORT_SHEET, chosen.replace)

        progress.total = len(rows)
        made = await in_thread(lambda: write_table(wanted, titles, rows, _WIDTHS[: len(titles)]), progress)
        said = widget_words.records_written(len(rows), visible(chosen.target.name), made.cut)
        return FileResult(said, "warn" if made.cut else "good")

    name = safe_stem(words.EXPORT_NAME, f"{now:%Y-%m-%d}")
    return FileJob(words.EXPORT_TITLE, name, (XLSX, *CSVS), write, _progress_words)


def _row(model: OutboxModel, at: int) -> list[Value]:
    cells: list[Value] = [model.cell(at, place) for place in range(model.columnCount())]
    cells[_WHEN] = local(model.rows[at].changed_at).replace(microsecond=0)
    return cells


def _who(model: OutboxModel, at: int, person: str) -> str:
    line = model.rows[at]
    return person if isinstance(line, WriteRow | BatchSummary) else line.person


def _progress_words(progress: Progress) -> str:
    return widget_words.writing_records(progress.done, progress.total)
