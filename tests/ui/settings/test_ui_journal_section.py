"""The journal in Settings: a backup is a file, a restore waits for the next start, deleting asks first."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.journal import write_store as journal_store
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport
from app.ui.base.page import Page, PageServices
from app.ui.settings.journal_section import JournalSection, chosen_file
from app.ui.settings.settings_words import restored
from tests.support.desks import submission
from tests.support.held_files import DESCRIPTORS_TOLD, nothing_open_is_moved
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


class Choice:
    """Stands in for a person at the file dialog, which shows another one on every system."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.offered: list[str] = []

    async def __call__(self, parent: QWidget, title: str, save_as: str) -> Path | None:
        self.offered.append(save_as)
        return self.path


@pytest.fixture
def choice() -> Choice:
    return Choice()


@pytest.fixture
def card(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, choice: Choice) -> JournalSection:
    assert isinstance(offline_desk.journal, Journal)
    page = Page(services, "settings")
    made = JournalSection(page, offline_desk.journal, choice)
    made.setParent(page)
    show(page)
    loop.run(outbox.queue_submission(offline_desk, submission("R-1"), None))
    return made


def press(loop: RunningLoop, card: JournalSection, words: str) -> str:
    """Press a button of the question; what it said."""
    loop.until(lambda: card.findChildren(QMessageBox))
    (box,) = card.findChildren(QMessageBox)
    assert isinstance(box, QMessageBox)
    said = f"{box.text()} {box.informativeText()}"
    (found,) = [each for each in box.findChildren(QPushButton) if each.text() == words]
    found.click()
    return said


def said(card: JournalSection) -> str:
    return card._page.bar.text


def test_a_backup_is_a_file_that_can_be_restored_at_the_next_start(
    loop: RunningLoop, card: JournalSection, choice: Choice, tmp_path: Path, offline_desk: Desk
) -> None:
    target = choice.path = tmp_path / "kept.waybill"
    card.back_up_button.click()
    loop.until(lambda: "was backed up to" in said(card))
    assert target.stat().st_size > 0
    assert choice.offered[0].endswith(".waybill")
    loop.run(outbox.queue_submission(offline_desk, submission("R-2"), None))
    card.restore_button.click()
    question = press(loop, card, "Restore at the next start")
    assert "It holds 1 write," in question
    loop.until(lambda: "Close Waybill and start it again" in said(card))
    assert "R-2" in said(card)  # what the backup does not know is named
    assert len(loop.run(outbox.writes(offline_desk, (), 9))) == 2  # until then nothing has changed
    path = offline_desk.journal.path
    offline_desk.journal.close_now()
    again = Journal(path)
    found = again.read_now(journal_store.writes_page, offline_desk.profile.id, (), 9)
    assert [(each.reference, each.state) for each in found] == [("R-1", "in_doubt")]
    again.close_now()


def test_nothing_chosen_changes_nothing_and_a_wrong_file_is_said(
    loop: RunningLoop, card: JournalSection, choice: Choice, tmp_path: Path
) -> None:
    card.back_up_button.click()
    loop.until(lambda: not card._page.tasks.busy)
    assert said(card) == ""
    choice.path = tmp_path / "photo.waybill"
    choice.path.write_bytes(b"not a journal at all" * 400)
    card.restore_button.click()
    loop.until(lambda: said(card) != "")
    assert not card.findChildren(QMessageBox)


def test_the_file_dialog_waits_without_blocking_and_takes_no_for_an_answer(
    loop: RunningLoop, card: JournalSection
) -> None:
    card._choose = chosen_file
    card.back_up_button.click()
    loop.until(lambda: card.findChildren(QFileDialog))
    (dialog,) = card.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    dialog.reject()
    loop.until(lambda: not card._page.tasks.busy)
    assert said(card) == ""


def file_dialog(loop: RunningLoop, card: JournalSection) -> QFileDialog:
    loop.until(lambda: card.findChildren(QFileDialog))
    (dialog,) = card.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    return dialog


def test_a_backup_that_is_there_is_replaced_only_on_a_yes(
    loop: RunningLoop, card: JournalSection, tmp_path: Path
) -> None:
    card._choose = chosen_file
    target = tmp_path / "kept.waybill"
    target.write_bytes(b"of yesterday")
    for answer, kept in (("Go back", True), ("Replace", False)):
        card.back_up_button.click()
        dialog = file_dialog(loop, card)
        line = dialog.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.setText(str(target))
        dialog.accept()
        assert "Replace kept.waybill?" in press(loop, card, answer)
        loop.until(lambda: not card._page.tasks.busy)
        assert (target.read_bytes() == b"of yesterday") == kept
        loop.until(lambda: not card.findChildren(QFileDialog) and not card.findChildren(QMessageBox))
    assert "was backed up to" in said(card)


def test_a_backup_to_restore_is_one_that_is_there(loop: RunningLoop, card: JournalSection) -> None:
    card._choose = chosen_file
    card.restore_button.click()
    dialog = file_dialog(loop, card)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptOpen
    assert dialog.fileMode() == QFileDialog.FileMode.ExistingFile
    assert dialog.nameFilters() == ["Waybill journals (*.waybill)", "All files (*)"]
    dialog.reject()
    loop.until(lambda: not card._page.tasks.busy)


def test_forgetting_asks_and_spares_what_is_unsettled(
    loop: RunningLoop, card: JournalSection, offline_desk: Desk
) -> None:
    long_ago = offline_desk.now() - timedelta(days=500)
    old = loop.run(
        offline_desk.journal.write(
            journal_store.queue_write, offline_desk.profile.id, "submit", "R-OLD", b"{}", long_ago
        )
    )
    loop.run(offline_desk.journal.write(journal_store.settle, old, "withdrawn", "why", long_ago))
    told: list[datetime] = []
    card.deleted_before.connect(told.append)
    card.delete_button.click()
    question = press(loop, card, "Delete")
    assert "Delete 1 write for good?" in question
    assert "It ended more than 1 year ago." in question
    loop.until(lambda: "Deleted: 1 write." in said(card))
    assert [each.reference for each in loop.run(outbox.writes(offline_desk, (), 9))] == ["R-1"]
    [moment] = told
    assert timedelta(days=300) < offline_desk.now() - moment < timedelta(days=500)
    card.delete_button.click()
    loop.until(lambda: "Nothing that old" in said(card))


@pytest.mark.skipif(not DESCRIPTORS_TOLD, reason="looks at the descriptors of this process")
def test_what_could_not_be_wiped_can_be_tried_again(
    loop: RunningLoop, card: JournalSection, offline_desk: Desk
) -> None:
    long_ago, books = offline_desk.now() - timedelta(days=500), offline_desk.journal
    old = loop.run(books.write(journal_store.queue_write, offline_desk.profile.id, "submit", "R-OLD", b"{}", long_ago))
    loop.run(books.write(journal_store.settle, old, "withdrawn", "why", long_ago))
    assert isinstance(books, Journal)
    books.copy.settle()
    told: list[str] = []
    card.deleted.connect(lambda: told.append("forgot"))
    with nothing_open_is_moved():
        with books.copy.path.open("rb"):
            for _ in range(2):  # the second finds nothing old in the journal any more
                card.delete_button.click()
                if not told:
                    press(loop, card, "Delete")
                loop.until(lambda: "traces of it are still on the disk" in said(card))
                loop.until(lambda: not card._page.tasks.busy)
        assert told == ["forgot"]  # the journal holds less
        assert b"R-OLD" in books.copy.path.read_bytes()
        card.delete_button.click()
        loop.until(lambda: "What was deleted before is wiped from the disk now." in said(card))
    assert b"R-OLD" not in books.copy.path.read_bytes()
    card.delete_button.click()
    loop.until(lambda: "Nothing that old" in said(card))


def test_what_was_brought_back_is_told_plainly() -> None:
    words = restored(
        RestoreReport(
            "2026-11-24T14:02:10",
            "it was damaged",
            "aside.sqlite3",
            7,
            1,
            ("R-1",),
            ("R-2",),
            ("R-3",),
            2,
            ("Q-1",),
            ("Q-2",),
        )
    )
    assert "brought back on Tue 24 Nov 2026 14:02" in words
    for each in (
        "R-1",
        "R-2",
        "R-3",
        "slots in doubt: Q-1",
        "ask about them: Q-2",
        "aside.sqlite3",
        "Nothing was sent by itself",
    ):
        assert each in words


def test_a_second_press_while_the_first_asks_is_dropped_without_a_word(
    loop: RunningLoop, card: JournalSection, choice: Choice
) -> None:
    """The work of the dropped press is never begun: a coroutine made for it would be reported as not awaited."""
    card.back_up_button.click()
    card.back_up_button.click()
    loop.until(lambda: not card._page.tasks.busy)
    assert len(choice.offered) == 1


def test_what_to_forget_reads_in_one_line(card: JournalSection) -> None:
    """The label broke after a few words beside an empty half of the window, and the button stood out of line."""
    age, forget = card.age, card.delete_button
    assert age.label.height() < 2 * age.label.fontMetrics().lineSpacing()
    middles = [each.mapTo(card, each.rect().center()).y() for each in (age.editor, forget)]
    assert abs(middles[0] - middles[1]) <= 1
    assert age.editor.currentText() == "1 year"
