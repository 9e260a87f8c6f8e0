"""Dialogs for files and folders. Invariants: no dialog nests an event loop; no file is replaced without a yes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desk.files.stoppable_work import Progress, in_thread
from app.translation import translate
from app.ui.widgets import widget_words as words
from app.ui.widgets.confirm import confirmed

if TYPE_CHECKING:
    from app.desk.export.table_file import Kind


@dataclass(frozen=True, slots=True)
class FileKind:
    """A file format: its key, its title, and the ending of file names."""

    key: str
    words: str
    ending: str  # without the dot

    @property
    def filter(self) -> str:
        """The entry in the dialog."""
        return f"{self.words} (*.{self.ending})"


XLSX = FileKind("xlsx", translate("Excel workbook"), "xlsx")
CSVS = (
    FileKind("csv", translate("CSV, safe to open in a spreadsheet"), "csv"),
    FileKind("csv exact", translate("CSV, every text exactly as it is"), "csv"),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen file and format; `replace` if a person agreed to overwrite it."""

    target: Path
    kind: FileKind
    replace: bool


def table_kind(chosen: Chosen) -> "Kind":
    """The format in which a table is written."""
    return "xlsx" if chosen.kind.key == "xlsx" else "csv" if chosen.kind.key == "csv" else "csv exact"


def documents_folder() -> Path:
    """The documents folder, or the home folder if there is none."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() else Path.home()


class LastFolder(QObject):
    """The folder that a person chose last, also at the last start; None before the first choice."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.folder: Path | None = None

    def offer(self, folder: Path) -> None:
        """Begin with this folder, unless a person has chosen one since the start."""
        if self.folder is None:
            self.folder = folder

    def take(self, folder: Path) -> None:
        """A person chose a file in this folder, or the folder itself."""
        if folder != self.folder:
            self.folder = folder
            self.chosen.emit()


LAST_FOLDER = LastFolder()


async def chosen_file(
    parent: QWidget, title: str, file_name: str, kinds: Sequence[FileKind], folder: Path | None = None
) -> Chosen | None:
    """Ask for a file to write; None if none was chosen. `file_name` is the suggested name without ending.

    A typed ending that belongs to another kind chooses that kind.
    """
    dialog = _dialog(parent, title, folder)
    dialog.setNameFilters([each.filter for each in kinds])
    dialog.setDefaultSuffix(kinds[0].ending)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # Qt would ask in a nested event loop

    def follow(chosen: str) -> None:
        dialog.setDefaultSuffix(next(each.ending for each in kinds if each.filter == chosen))

    dialog.filterSelected.connect(follow)
    dialog.selectFile(f"{file_name}.{kinds[0].ending}")
    found = await _answer(dialog)
    if found is None:
        return None
    path, chosen_filter = found
    kind = _kind_of(path, chosen_filter, kinds)
    target = path if path.suffix.lower() == f".{kind.ending}" else path.with_name(f"{path.name}.{kind.ending}")
    if not await in_thread(target.exists, Progress()):
        return Chosen(target, kind, replace=False)
    question = words.replace_question(target.name)
    sure = await confirmed(parent, question, words.file_exists_in(target.parent), words.REPLACE)
    return Chosen(target, kind, replace=True) if sure else None


async def file_to_read(
    parent: QWidget, title: str, kinds: Sequence[FileKind], folder: Path | None = None
) -> Path | None:
    """Ask for an existing file, of these kinds or any other; None if none was chosen."""
    dialog = _dialog(parent, title, folder)
    dialog.setNameFilters([*(each.filter for each in kinds), words.ALL_FILES])
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    found = await _answer(dialog)
    return None if found is None else found[0]


async def chosen_folder(parent: QWidget, title: str, folder: Path | None = None) -> Path | None:
    """Ask for a folder to write into; None if none was chosen."""
    dialog = _dialog(parent, title, folder)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    found = await _answer(dialog)
    return None if found is None else found[0]


def _kind_of(path: Path, chosen_filter: str, kinds: Sequence[FileKind]) -> FileKind:
    chosen = next((each for each in kinds if each.filter == chosen_filter), kinds[0])
    ending = path.suffix.lower().removeprefix(".")
    if ending == chosen.ending:
        return chosen
    return next((each for each in kinds if each.ending == ending), chosen)


def _dialog(parent: QWidget, title: str, folder: Path | None) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setDirectory(str(folder or LAST_FOLDER.folder or documents_folder()))
    return dialog


async def _answer(dialog: QFileDialog) -> tuple[Path, str] | None:
    """The chosen file and the filter in force; None if the dialog was cancelled."""
    dialog_mode = dialog.fileMode()
    chosen: asyncio.Future[tuple[Path, str] | None] = asyncio.get_running_loop().create_future()

    def finished(result: int) -> None:
        files = dialog.selectedFiles() if result else []
        if not chosen.done():
            chosen.set_result((Path(files[0]), dialog.selectedNameFilter()) if files else None)

    dialog.finished.connect(finished)
    dialog.open()
    found = await chosen
    if found is not None:
        is_folder = dialog_mode == QFileDialog.FileMode.Directory
        LAST_FOLDER.take(found[0] if is_folder else found[0].parent)
    return found
