"""What is said of an export: the kinds of file, how far it is, and what came of it."""

import re
from collections.abc import Sequence

from app.desk.export.export_file import Exported
from app.desk.export.xlsx_file import ROWS_OF_A_SHEET
from app.desk.files.stoppable_work import Progress
from app.ui.widgets.files.choose_files import FileKind
from app.ui.widgets.files.table_files import CSVS

_LONGEST = 60
_NAMED = 6  # columns; more of them are counted
KINDS: tuple[FileKind, ...] = (
    FileKind("xlsx", "Excel workbook, dates and ZIPs stay what they are", "xlsx"),
    *CSVS,
    FileKind("pdf", "PDF list to print", "pdf"),
)


def progress_words(progress: Progress) -> str:
    """How far it is."""
    if not progress.total:
        return "Looking which orders to export…"
    if progress.done >= progress.total:
        return "Putting the file together…"
    what = "page" if progress.stage == "pages" else "order"
    return f"Exporting {what} {progress.done:,} of {progress.total:,}…"


def done_words(done: Exported, left_out: Sequence[str] = ()) -> str:
    """What was written, and what was not."""
    parts = [f"{_many(done.rows, 'order')} {'is' if done.rows == 1 else 'are'} in {done.target.name}."]
    if done.sheets > 1:
        parts.append(f"They fill {done.sheets} sheets, because a sheet holds {ROWS_OF_A_SHEET:,} rows.")
    if done.gone:
        parts.append(f"{_many(done.gone, 'order')} went away meanwhile and {_was(done.gone)} left out.")
    if done.cut:
        parts.append(f"{_many(done.cut, 'text')} {_was(done.cut)} longer than a cell holds and lost the end.")
    if left_out:
        parts.append(f"There was no room on the paper for {_listed(left_out)}.")
    return " ".join(parts)


def file_words(title: str) -> str:
    """`orders-open`: a title as part of a file's name, letters of any script kept."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-")[:_LONGEST] or "orders"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{', '.join(names[: _NAMED - 1])} and {len(names) - _NAMED + 1} other columns"
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
