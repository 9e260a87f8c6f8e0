"""Qt's own file dialog names the types of files without opening any, so no file can hold the window."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QFileSystemModel

from app.ui.base.page import Page, PageServices
from app.ui.widgets.files.choose_files import CSVS, file_to_read
from app.ui.widgets.files.file_icons import FileIcons
from tests.support.loop import RunningLoop
from tests.support.opened_files import opened_below
from tests.ui.conftest import Show


@pytest.mark.skipif(sys.platform != "linux", reason="Qt's own dialog is shown on Linux alone, and inotify is Linux's")
def test_a_dialog_opens_no_file_and_asks_on_the_window_s_thread_alone(
    loop: RunningLoop, services: PageServices, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("noending", "unknown.zzz", "table.csv"):
        (tmp_path / name).touch()
    asked, threads = set(), set()
    icon = FileIcons.icon

    def noted(self: FileIcons, about: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        threads.add(threading.current_thread())
        if isinstance(about, QFileInfo):
            asked.add(about.fileName())
        return icon(self, about)

    monkeypatch.setattr(FileIcons, "icon", noted)
    page = Page(services, "page")
    show(page)
    with opened_below(tmp_path) as opened:
        page.tasks.read("ask", file_to_read(page, "Open", (CSVS[0],), tmp_path))
        loop.until(lambda: bool(page.findChildren(QFileDialog)))
        (dialog,) = page.findChildren(QFileDialog)
        (model,) = dialog.findChildren(QFileSystemModel)
        loop.until(lambda: asked >= {"table.csv", "noending", "unknown.zzz"}, lambda: asked)
        loop.until(lambda: "CSV" in model.type(model.index(str(tmp_path / "table.csv"))))
        dialog.reject()
        loop.until(lambda: not page.tasks.busy)
        assert [name for name in opened() if name] == []
    assert threads == {threading.main_thread()}


def test_a_folder_and_a_file_without_a_known_ending_have_words_and_an_icon(tmp_path: Path) -> None:
    (tmp_path / "noending").write_text("%PDF-1.7")
    icons = FileIcons()
    folder, file = QFileInfo(str(tmp_path)), QFileInfo(str(tmp_path / "noending"))
    assert icons.type(folder)
    assert icons.type(file)
    assert "PDF" not in icons.type(file)
