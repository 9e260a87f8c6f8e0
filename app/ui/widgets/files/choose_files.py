"""Dialogs for files and folders. Invariants: no dialog nests an event loop; no file is replaced without a yes."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desk.files.stoppable_work import Progress, in_thread
from app.translation import translate
from app.ui.widgets import widget_words as words
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.files.file_icons import FileIcons

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


# What is read or written keeps its own last folder: whoever prints into one folder exports into another.
Sort = Literal["tables", "papers", "pictures", "watched", "others", "tables read", "others read"]
_SORTS: dict[str, Sort] = {"xlsx": "tables", "csv": "tables", "pdf": "papers", "png": "pictures", "svg": "pictures"}
_SORTS_READ: dict[str, Sort] = {"xlsx": "tables read", "csv": "tables read"}


class LastFolders(QObject):
    """The folder that a person chose last for each sort of file, also at the last start.

    A sort without a choice begins where anything was chosen last.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.folders: dict[str, Path] = {}
        self.latest: Path | None = None

    def offer(self, folders: Mapping[str, Path], latest: Path | None) -> None:
        """Begin with these, as far as a person has chosen none since the start."""
        self.folders = {**folders, **self.folders}
        self.latest = self.latest or latest

    def take(self, sort: Sort, folder: Path) -> None:
        """A person chose a file in this folder, or the folder itself."""
        if folder != self.folders.get(sort) or folder != self.latest:
            self.folders[sort] = self.latest = folder
            self.chosen.emit()

    def candidates(self, sort: Sort) -> list[Path]:
        """Where a dialog may begin, the best first; any of them may be gone by now."""
        return [each for each in (self.folders.get(sort), self.latest) if each is not None]

    def forget(self) -> None:
        """Know no folder."""
        self.folders, self.latest = {}, None


LAST_FOLDERS = LastFolders()


async def chosen_file(
    parent: QWidget, title: str, file_name: str, kinds: Sequence[FileKind], folder: Path | None = None
) -> Chosen | None:
    """Ask for a file to write; None if none was chosen. `file_name` is the suggested name without ending.

    A typed ending that belongs to another kind chooses that kind.
    """
    sort = _SORTS.get(kinds[0].ending, "others")
    dialog = _dialog(parent, title, await _beginning(sort, folder))
    dialog.setNameFilters([each.filter for each in kinds])
    dialog.setDefaultSuffix(kinds[0].ending)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # Qt would ask in a nested event loop

    def follow(chosen: str) -> None:
        dialog.setDefaultSuffix(next(each.ending for each in kinds if each.filter == chosen))

    dialog.filterSelected.connect(follow)
    dialog.selectFile(f"{file_name}.{kinds[0].ending}")
    found = await _answer(dialog, sort)
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
    sort: Sort = next((_SORTS_READ[each.ending] for each in kinds if each.ending in _SORTS_READ), "others read")
    dialog = _dialog(parent, title, await _beginning(sort, folder))
    dialog.setNameFilters([*(each.filter for each in kinds), words.ALL_FILES])
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    found = await _answer(dialog, sort)
    return None if found is None else found[0]


async def chosen_folder(
    parent: QWidget, title: str, folder: Path | None = None, sort: Sort = "pictures"
) -> Path | None:
    """Ask for a folder to write into; None if none was chosen."""
    dialog = _dialog(parent, title, await _beginning(sort, folder))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    found = await _answer(dialog, sort)
    return None if found is None else found[0]


def _kind_of(path: Path, chosen_filter: str, kinds: Sequence[FileKind]) -> FileKind:
    chosen = next((each for each in kinds if each.filter == chosen_filter), kinds[0])
    ending = path.suffix.lower().removeprefix(".")
    if ending == chosen.ending:
        return chosen
    return next((each for each in kinds if each.ending == ending), chosen)


async def _beginning(sort: Sort, folder: Path | None) -> Path:
    """Where a dialog begins: in `folder`, in the last folder of its sort, or where there is one at all."""
    for each in (folder, *LAST_FOLDERS.candidates(sort)):
        # On a thread: the folder may be on a computer that is switched off, or on a stick that was pulled.
        if each is not None and await in_thread(each.is_dir, Progress()):
            return each
    return documents_folder()


def _dialog(parent: QWidget, title: str, folder: Path) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    # The binding keeps it as long as the dialog. Before the folder is set: its files are asked about from then on. The
    # system's own dialog takes none.
    dialog.setIconProvider(FileIcons())
    dialog.setDirectory(str(folder))
    return dialog


async def _answer(dialog: QFileDialog, sort: Sort) -> tuple[Path, str] | None:
    """The chosen file and the filter in force; None if the dialog was cancelled."""
    # Asked now: the dialog is deleted as it closes.
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
        LAST_FOLDERS.take(sort, found[0] if is_folder else found[0].parent)
    return found
