"""Asking where a PDF goes."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.ui.widgets.files.choose_files import FileKind, chosen_file

_PDF = (FileKind("pdf", "PDF files", "pdf"),)


async def chosen_pdf(parent: QWidget, file_name: str) -> Path | None:
    """The file to write, offered under `file_name`; None when nothing was chosen, or the one there is to stay."""
    chosen = await chosen_file(parent, "Save PDF", file_name.removesuffix(".pdf"), _PDF)
    return None if chosen is None else chosen.target
