"""The strip that makes files, as it looks while one is being made."""

from collections.abc import Callable

from app.desk.files.stoppable_work import Progress
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip


def under_way(strip: FileStrip, words: Callable[[Progress], str], done: int, total: int) -> None:
    """Let it tell that so much is done."""
    progress = strip._begin(FileJob("", "", (), _never, words))
    progress.done, progress.total = done, total
    strip._show_progress()


async def _never(_chosen: object, _progress: Progress) -> FileResult:
    raise AssertionError("nothing is written in a picture")
