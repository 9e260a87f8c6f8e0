"""The journal in Settings: back it up into one file, restore it from one, delete entries that ended long ago."""

from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.connections import journal_care
from app.desk.connections.journal_care import NotWiped
from app.store.journal.recovery.journal_file import Journal
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.page import Page
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.files import choose_files
from app.ui.widgets.files.choose_files import FileKind
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible

Work = Callable[[], Coroutine[Any, Any, None]]
_FILES = (FileKind("journal", words.FILE_KIND, "waybill"),)


Choose = Callable[[QWidget, str, str], Awaitable[Path | None]]


async def chosen_file(parent: QWidget, title: str, save_as: str) -> Path | None:
    """Ask for a file without blocking: one to write, offered under the name `save_as`, or one that is there.

    None when nothing was chosen.
    """
    if not save_as:
        return await choose_files.file_to_read(parent, title, _FILES)
    chosen = await choose_files.chosen_file(parent, title, Path(save_as).stem, _FILES)
    return None if chosen is None else chosen.target


class JournalSection(QFrame):
    """`deleted`: finished writes were deleted from the journal; `deleted_before` carries the moment before which."""

    deleted = Signal()
    deleted_before = Signal(object)

    def __init__(self, page: Page, journal: Journal, choose: Choose = chosen_file) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page, self._journal, self._choose = page, journal, choose
        self._left_over = False  # traces of deleted writes could not be wiped from the disk
        self.restored_label = text_label("", "soft", wrap=True, selectable=True)
        self.restored_label.hide()
        self.copy_label = text_label("", "error", wrap=True)
        self.copy_label.hide()
        self.age = ChoiceField(translate("Delete finished writes older than"), words.AGES)
        self.age.show_whole()
        self.back_up_button = button(translate("Back up…"), self._starting("back up", self._back_up))
        self.restore_button = button(translate("Restore…"), self._starting("restore", self._restore))
        self.delete_button = button(translate("Delete…"), self._starting("delete", self._delete), kind="danger")
        delete = row(self.age, self.delete_button, None, gap=SPACE_2)
        delete.setAlignment(self.delete_button, Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(
            column(
                text_label(translate("Backup"), "heading"),
                text_label(words.JOURNAL_HELP, "soft", wrap=True),
                row(self.back_up_button, self.restore_button, None, gap=SPACE_2),
                delete,
                self.copy_label,
                self.restored_label,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3),
                gap=SPACE_2,
            )
        )

    def _starting(self, name: str, work: Work) -> Callable[[], None]:
        def start() -> None:
            self._page.tasks.write(name, self._reporting(work))

        return start

    async def _reporting(self, work: Work) -> None:
        # `work` is called only here: a coroutine made before a second press is dropped would never be awaited.
        try:
            await work()
        except StoreError as error:
            self._page.bar.say("bad", error.sentence)

    async def show_state(self) -> None:
        """Show what was restored, and whether the readable copy is behind."""
        found = await journal_care.last_restore(self._journal)
        self.restored_label.setVisible(found is not None)
        if found is not None:
            self.restored_label.setText(visible(words.restored(found)))
        trouble = journal_care.copy_trouble(self._journal)
        self.copy_label.setVisible(bool(trouble))
        self.copy_label.setText(visible(trouble or ""))

    def _now(self) -> datetime:
        return self._page.services.now()

    async def _back_up(self) -> None:
        target = await self._choose(self, words.BACK_UP_TITLE, f"waybill-{self._now():%Y-%m-%d}.waybill")
        if target is not None:
            await journal_care.back_up(self._journal, target)
            say_made(self._page.bar, words.backed_up(target), target)

    async def _restore(self) -> None:
        chosen = await self._choose(self, words.RESTORE_TITLE, "")
        if chosen is None:
            return
        facts = await journal_care.look_at_backup(self._journal, chosen)
        warning = words.restore_warning(facts.writes, facts.drafts, facts.profiles, facts.last_change)
        question = words.ask_restore(chosen.name)
        sure = await confirmed(self, question, warning, translate("Restore at the next start"))
        if not sure:
            return
        restored = await journal_care.restore(self._journal, chosen, self._now())
        restart = words.restart_to_restore(restored.missing)
        self._page.bar.say("warn", restart, translate("Do not restore"), self._cancel_restore)

    def _cancel_restore(self) -> None:
        self._page.tasks.write("restore", self._reporting(partial(journal_care.cancel_restore, self._journal)))

    async def _delete(self) -> None:
        days = int(self.age.text())
        count = await journal_care.count_older(self._journal, days, self._now())
        if not count:
            await self._wipe()
            return
        warning = words.delete_warning(count, self.age.editor.currentText())
        sure = await confirmed(self, words.ask_delete(count), warning, words.DELETE, words.KEEP)
        if not sure:
            return
        now = self._now()
        try:
            gone = await journal_care.forget_older(self._journal, days, now)
        except NotWiped:
            self._left_over = True
            self._tell_deleted(now, days)  # they are out of the journal, whatever traces are left on the disk
            raise
        self._left_over = False
        self._page.bar.say("good", words.deleted(gone.writes, gone.drafts))
        self._tell_deleted(now, days)

    def _tell_deleted(self, now: datetime, days: int) -> None:
        self.deleted.emit()
        self.deleted_before.emit(now - timedelta(days=days))

    async def _wipe(self) -> None:
        """No write is old enough. Traces of writes that were deleted before may be left on the disk: wipe those."""
        lines = await journal_care.wipe_forgotten(self._journal)
        if lines or self._left_over:
            self._left_over = False
            self._page.bar.say("good", words.DELETED_TRACES)
        else:
            self._page.bar.say("", words.NOTHING_OLD)
