"""Asking where a PDF goes, without blocking; what is there already is replaced only on a yes."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desk.aside import Progress, aside
from app.ui.widgets.confirm import confirmed


async def chosen_pdf(parent: QWidget, file_name: str) -> Path | None:
    """The file to write, offered under `file_name`; None when nothing was chosen."""
    target = await _asked(parent, file_name)
    if target is None or not await aside(target.exists, Progress()):
        return target
    sure = await confirmed(
        parent, f"Replace {target.name}?", f"There is a file of this name in {target.parent}.", "Replace"
    )
    return target if sure else None


async def _asked(parent: QWidget, file_name: str) -> Path | None:
    dialog = QFileDialog(parent, "Save PDF")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setNameFilter("PDF files (*.pdf)")
    dialog.setDefaultSuffix("pdf")
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # Qt would ask in a loop of its own
    dialog.setDirectory(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    dialog.selectFile(file_name)
    chosen: asyncio.Future[Path | None] = asyncio.get_running_loop().create_future()

    def finished(result: int) -> None:
        files = dialog.selectedFiles() if result else []
        if not chosen.done():
            chosen.set_result(Path(files[0]) if files else None)

    dialog.finished.connect(finished)
    dialog.open()
    return await chosen
