"""The watched folder as a person sees it: chosen in Settings, its files on the Import page, several files at once."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app.desk.bulk.outcome import watched_folder
from app.desk.bulk.outcome.watched_folder import FolderChoice, FolderFile, FolderWatch
from app.desk.desk import Desk
from app.ui.base.page import Page, PageServices
from app.ui.bulk.bulk_page import BulkPage
from app.ui.settings.folder_section import FolderSection
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.bulk.import_help import line, open_file, settled, write_csv
from tests.ui.conftest import Show


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, window_practice_desk: Desk) -> BulkPage:
    made = BulkPage(services)
    show(made)
    made.take_desk(window_practice_desk)
    settled(loop, made)
    return made


# In Settings


class Chooser:
    """Gives the folder that a person would choose."""

    def __init__(self) -> None:
        self.folder: Path | None = None

    async def __call__(self, _parent: QWidget, _title: str, _now: Path | None) -> Path | None:
        return self.folder


@pytest.fixture
def chooser() -> Chooser:
    return Chooser()


@pytest.fixture
def card(
    loop: RunningLoop, services: PageServices, show: Show, window_practice_desk: Desk, chooser: Chooser
) -> FolderSection:
    page = Page(services, "settings")
    made = FolderSection(page, chooser)
    page.setLayout(column(made))
    show(page)
    page.take_desk(window_practice_desk)
    loop.run(made.load(window_practice_desk))
    return made


def kept(loop: RunningLoop, card: FolderSection) -> FolderChoice:
    """The choice in the journal, once everything is written."""
    loop.until(lambda: not card._page.tasks.busy)
    return loop.run(watched_folder.choice(card._page.desk))


def test_the_long_name_of_a_folder_is_broken_and_not_cut(
    loop: RunningLoop, card: FolderSection, chooser: Chooser, tmp_path: Path
) -> None:
    short = card.minimumSizeHint().width()
    chooser.folder = tmp_path / ("orders" * 40)
    chooser.folder.mkdir()
    card.choose_button.click()
    loop.until(card.send_box.isVisible)
    assert str(chooser.folder) in card.folder_label.accessibleName()
    assert card.folder_label.minimumSizeHint().width() <= short
    card.folder_label.setSelection(0, 20)
    assert card.folder_label.hasSelectedText(), "a path is copied from here"


def test_a_folder_is_chosen_and_let_go_in_settings(
    loop: RunningLoop, card: FolderSection, chooser: Chooser, tmp_path: Path
) -> None:
    told: list[None] = []
    card._page.services.news.folder_chosen.connect(lambda: told.append(None))
    assert card.folder_label.text() == "No folder is watched."
    assert not card.send_box.isVisible()
    card.choose_button.click()  # and cancelled
    assert kept(loop, card) == FolderChoice()
    chooser.folder = tmp_path
    card.choose_button.click()
    loop.until(card.send_box.isVisible)
    assert kept(loop, card) == FolderChoice(tmp_path)
    assert str(tmp_path) in card.folder_label.accessibleName()
    card.send_box.click()
    assert kept(loop, card) == FolderChoice(tmp_path, send=True)
    card.off_button.click()
    assert kept(loop, card) == FolderChoice()
    assert not card.send_box.isVisible()
    assert len(told) == 3


# On the page


def waiting(page: BulkPage, folder: Path, *names: str) -> list[FolderFile]:
    """Files of the watched folder that wait for a person, shown on the page."""
    found = [FolderFile(write_csv(folder, line(f"F-{name}"), name=name), "waiting", "Waits for you.") for name in names]
    page.show_folder(found, "")
    return found


def test_a_file_of_the_folder_is_put_aside(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    settled_files: list[None] = []
    page.folder_file_settled.connect(lambda: settled_files.append(None))
    loop.run(watched_folder.choose(page.desk, FolderChoice(tmp_path)))
    (file,) = waiting(page, tmp_path, "a.csv")
    (aside,) = page.start.folder.aside_buttons
    assert aside.accessibleName() == "Put a.csv aside"
    aside.click()
    loop.until(lambda: settled_files)
    watch = FolderWatch(page.desk, FolderChoice(tmp_path))
    assert [each.state for each in loop.run(watch.look()).files] == ["done"]
    assert file.path.exists()


def test_a_file_of_the_folder_is_opened_and_sent_and_has_its_receipt(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    loop.run(watched_folder.choose(page.desk, FolderChoice(tmp_path)))
    waiting(page, tmp_path, "a.csv")
    page.start.folder.open_buttons[0].click()
    loop.until(lambda: page.session.sheet is not None)
    settled(loop, page)
    page.send()
    loop.until(lambda: page.session.sheet is None)
    settled(loop, page)
    watch = FolderWatch(page.desk, FolderChoice(tmp_path))
    loop.until(lambda: [each.state for each in loop.run(watch.look()).files] == ["sent"])


def test_what_wants_a_person_comes_first_and_the_rest_is_counted(page: BulkPage, tmp_path: Path) -> None:
    done = [FolderFile(tmp_path / f"{n:02}.csv", "done", "Done.", written=n) for n in range(12)]
    page.show_folder([*done, FolderFile(tmp_path / "z.csv", "trouble", "It cannot be read.")], "")
    assert len(page.start.folder.open_buttons) == 1
    assert page.start.folder.more.text() == "4 more files are done."
    page.show_folder([], "The folder cannot be read.")
    assert page.start.folder.trouble.isVisible()
    page.show_folder([], "")
    assert page.start.folder.isHidden()


# Several files at once


def test_files_that_are_dropped_together_are_opened_one_after_the_other(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    paths = [write_csv(tmp_path, line(f"Q-{name}"), name=f"{name}.csv") for name in "abc"]
    page.open_files(paths)
    loop.until(lambda: page.session.sheet is not None)
    settled(loop, page)
    assert page.session.name == "a.csv"
    assert page.waiting.said.text() == "2 files wait. b.csv opens once this file is sent or closed."
    assert not page.waiting.next_button.isVisible()
    page.send()
    loop.until(lambda: page.session.name == "b.csv" and page.session.sheet is not None)
    settled(loop, page)
    # Another file that comes meanwhile is the next one; those that wait go on waiting.
    open_file(loop, page, write_csv(tmp_path, line("Q-d"), name="d.csv"))
    assert [each.name for each in page.waiting.paths] == ["c.csv"]
    page._ask_close()
    loop.until(lambda: page.session.name == "c.csv" and page.session.sheet is not None)
    settled(loop, page)
    assert page.waiting.paths == []
    page._ask_close()
    loop.until(lambda: page.session.sheet is None)
    assert page.stack.currentWidget() is page.start


def test_the_files_that_wait_are_left_at_a_word(loop: RunningLoop, page: BulkPage, tmp_path: Path) -> None:
    page.open_files([write_csv(tmp_path, line(f"Q-{name}"), name=f"{name}.csv") for name in "ab"])
    loop.until(lambda: page.session.sheet is not None)
    settled(loop, page)
    page.waiting.leave_button.click()
    assert page.waiting.isHidden()
    page._ask_close()
    loop.until(lambda: page.session.sheet is None)
    settled(loop, page)
    assert page.stack.currentWidget() is page.start


def test_a_file_that_cannot_be_read_keeps_the_others_waiting_for_a_word(
    loop: RunningLoop, page: BulkPage, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_bytes(b"")
    page.open_files([empty, write_csv(tmp_path, line("Q-1"), name="b.csv")])
    loop.until(lambda: "was not read" in page.start.said, lambda: page.start.said)
    assert page.waiting.said.text() == "b.csv waits."
    page.waiting.next_button.click()
    loop.until(lambda: page.session.name == "b.csv" and page.session.sheet is not None)
    settled(loop, page)
