"""The folders that were chosen last: dialogs for files begin in the one of their sort, also after a start."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.desk.desk import Desk
from app.store.journal import setting_store
from app.ui.base.page import Page, PageServices
from app.ui.shell.last_folder import LastFolderKeeper
from app.ui.widgets.files.choose_files import (
    CSVS,
    LAST_FOLDERS,
    XLSX,
    FileKind,
    chosen_file,
    chosen_folder,
    documents_folder,
    file_to_read,
)
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

PDF = FileKind("pdf", "PDF", "pdf")
PNG = FileKind("png", "PNG", "png")


@pytest.fixture
def page(services: PageServices) -> Page:
    return Page(services, "page")


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    found = {name: tmp_path / name for name in ("tables", "papers", "pictures")}
    for each in found.values():
        each.mkdir()
    return found


def take_all(folders: dict[str, Path]) -> None:
    LAST_FOLDERS.take("tables", folders["tables"])
    LAST_FOLDERS.take("pictures", folders["pictures"])
    LAST_FOLDERS.take("papers", folders["papers"])


def test_each_sort_of_file_has_its_folder_at_the_next_start(
    loop: RunningLoop, page: Page, offline_desk: Desk, folders: dict[str, Path]
) -> None:
    first = LastFolderKeeper(page, offline_desk.journal, page.tasks)
    take_all(folders)
    loop.until(lambda: not page.tasks.busy)
    first.deleteLater()
    LAST_FOLDERS.forget()
    LastFolderKeeper(page, offline_desk.journal, page.tasks)
    loop.until(lambda: bool(LAST_FOLDERS.folders))
    assert LAST_FOLDERS.folders == folders
    assert LAST_FOLDERS.latest == folders["papers"]


def test_a_folder_that_is_gone_is_not_offered(
    loop: RunningLoop, page: Page, offline_desk: Desk, folders: dict[str, Path], tmp_path: Path
) -> None:
    kept = {"": str(tmp_path / "gone"), "papers": str(tmp_path / "gone"), "tables": str(folders["tables"]), "odd": 7}
    loop.run(offline_desk.journal.write(setting_store.write_setting, "last folders", kept))
    LastFolderKeeper(page, offline_desk.journal, page.tasks)
    loop.until(lambda: bool(LAST_FOLDERS.folders))
    assert LAST_FOLDERS.folders == {"tables": folders["tables"]}
    assert LAST_FOLDERS.latest is None


def test_what_was_chosen_since_the_start_counts(
    loop: RunningLoop, page: Page, offline_desk: Desk, folders: dict[str, Path], tmp_path: Path
) -> None:
    kept = {"": str(tmp_path), "tables": str(tmp_path), "papers": str(tmp_path)}
    loop.run(offline_desk.journal.write(setting_store.write_setting, "last folders", kept))
    LAST_FOLDERS.take("tables", folders["tables"])
    LastFolderKeeper(QObject(), offline_desk.journal, page.tasks)
    loop.until(lambda: not page.tasks.busy)
    assert LAST_FOLDERS.folders == {"tables": folders["tables"], "papers": tmp_path}
    assert LAST_FOLDERS.latest == folders["tables"]


class Asking:
    """Dialogs for files, answered by a test."""

    def __init__(self, loop: RunningLoop, page: Page) -> None:
        self.loop, self.page = loop, page

    def begins_in(self, what: str, answer: Path | None = None) -> Path:
        """Ask for a file or a folder; where the dialog begins. It is cancelled, or answered by a path."""
        ask: dict[str, Callable[[], Awaitable[object]]] = {
            "table": lambda: chosen_file(self.page, "Export", "orders", (XLSX, *CSVS)),
            "paper": lambda: chosen_file(self.page, "Print", "labels", (PDF,)),
            "picture": lambda: chosen_file(self.page, "Picture", "plot", (PNG, CSVS[0])),
            "pictures": lambda: chosen_folder(self.page, "Photos"),
            "read": lambda: file_to_read(self.page, "Open", (CSVS[0],)),
        }

        async def begin() -> None:
            await ask[what]()

        self.page.tasks.read("ask", begin())
        self.loop.until(lambda: bool(self.page.findChildren(QFileDialog)))
        (dialog,) = self.page.findChildren(QFileDialog)
        found = Path(dialog.directory().absolutePath())
        if answer is not None:
            dialog.setDirectory(str(answer.parent))
            dialog.selectFile(str(answer))
            dialog.accept()
        else:
            dialog.reject()
        self.loop.until(lambda: not self.page.tasks.busy and not self.page.findChildren(QFileDialog))
        return found


@pytest.fixture
def asking(loop: RunningLoop, page: Page, show: Show) -> Asking:
    show(page)
    return Asking(loop, page)


def test_a_dialog_begins_in_the_last_folder_of_its_sort(asking: Asking, folders: dict[str, Path]) -> None:
    take_all(folders)
    assert asking.begins_in("table") == folders["tables"]
    assert asking.begins_in("paper") == folders["papers"]
    assert asking.begins_in("picture") == folders["pictures"]
    assert asking.begins_in("pictures") == folders["pictures"]
    assert asking.begins_in("read") == folders["papers"], "a sort without a folder begins where anything was chosen"


def test_a_dialog_begins_elsewhere_where_its_folder_is_gone(asking: Asking, folders: dict[str, Path]) -> None:
    assert asking.begins_in("table") == documents_folder()
    take_all(folders)
    shutil.rmtree(folders["tables"])
    assert asking.begins_in("table") == folders["papers"]
    shutil.rmtree(folders["papers"])
    assert asking.begins_in("table") == documents_folder()


def test_what_is_chosen_is_remembered_for_its_sort(asking: Asking, folders: dict[str, Path]) -> None:
    asking.begins_in("table", folders["tables"] / "orders.xlsx")
    asking.begins_in("paper", folders["papers"] / "labels.pdf")
    assert LAST_FOLDERS.folders == {"tables": folders["tables"], "papers": folders["papers"]}
    assert asking.begins_in("table") == folders["tables"]
