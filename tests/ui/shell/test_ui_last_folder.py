"""The folder that was chosen last: dialogs for files begin there, also after a start."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.store.journal import setting_store
from app.ui.base.page import Page, PageServices
from app.ui.shell.last_folder import LastFolderKeeper
from app.ui.widgets.files.choose_files import LAST_FOLDER
from tests.support.loop import RunningLoop


@pytest.fixture
def page(services: PageServices) -> Page:
    return Page(services, "page")


def test_a_chosen_folder_is_offered_at_the_next_start(
    loop: RunningLoop, page: Page, offline_desk: Desk, tmp_path: Path
) -> None:
    first = LastFolderKeeper(page, offline_desk.journal, page.tasks)
    LAST_FOLDER.take(tmp_path)
    loop.until(lambda: not page.tasks.busy)
    assert loop.run(offline_desk.journal.read(setting_store.read_setting, "last folder", "")) == str(tmp_path)
    first.deleteLater()
    LAST_FOLDER.folder = None
    LastFolderKeeper(page, offline_desk.journal, page.tasks)
    loop.until(lambda: LAST_FOLDER.folder == tmp_path)


def test_a_folder_that_is_gone_is_not_offered(
    loop: RunningLoop, page: Page, offline_desk: Desk, tmp_path: Path
) -> None:
    loop.run(offline_desk.journal.write(setting_store.write_setting, "last folder", str(tmp_path / "gone")))
    LastFolderKeeper(page, offline_desk.journal, page.tasks)
    loop.until(lambda: not page.tasks.busy)
    assert LAST_FOLDER.folder is None


def test_what_was_chosen_since_the_start_counts(
    loop: RunningLoop, page: Page, offline_desk: Desk, tmp_path: Path
) -> None:
    loop.run(offline_desk.journal.write(setting_store.write_setting, "last folder", str(tmp_path.parent)))
    LAST_FOLDER.take(tmp_path)
    LastFolderKeeper(QObject(), offline_desk.journal, page.tasks)
    loop.until(lambda: not page.tasks.busy)
    assert LAST_FOLDER.folder == tmp_path
