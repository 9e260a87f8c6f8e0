"""The journal's safekeeping in Settings: back up into one file, restore from one, forget what ended long ago."""

from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desk.connections import journal_care
from app.desk.connections.journal_care import NotWiped
from app.desk.text.plurals import counted
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import RestoreReport
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.files import choose_files
from app.ui.widgets.files.choose_files import FileKind
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible
from app.ui.widgets.text.times import moment

Work = Callable[[], Coroutine[Any, Any, None]]
_AGES = [("365", "a year ago"), ("180", "half a year ago"), ("90", "90 days ago"), ("30", "30 days ago")]
_FILES = (FileKind("journal", "Waybill journals", "waybill"),)


Choose = Callable[[QWidget, str, str], Awaitable[Path | None]]


async def chosen_file(parent: QWidget, title: str, save_as: str) -> Path | None:
    """Ask for a file without blocking: one to write, offered under the name `save_as`, or one that is there.

    None when nothing was chosen.
    """
    if not save_as:
        return await choose_files.file_to_read(parent, title, _FILES)
    chosen = await choose_files.chosen_file(parent, title, Path(save_as).stem, _FILES)
    return None if chosen is None else chosen.target


def restored_words(found: RestoreReport) -> str:
    """What was brought back, and what a person has to look at."""
    writes = counted(found.writes, "write")
    parts = [f"The journal was brought back on {moment(found.at)} because {found.why}: {writes}."]
    if not found.writes and not found.drafts:
        parts = [f"The journal was begun anew on {moment(found.at)} because {found.why}: nothing of it could be read."]
    if found.in_doubt:
        parts.append(f"On their way then, in doubt now: {', '.join(found.in_doubt)}.")
    if found.uncertain:
        parts.append(f"Not all of these could be checked: {', '.join(found.uncertain)}.")
    if found.missing:
        parts.append(f"Missing, look them up: {', '.join(found.missing)}.")
    parts.append(f"The file before lies beside it as {found.aside}. Nothing was sent by itself.")
    return " ".join(parts)


class SafekeepingCard(QFrame):
    """`forgot` tells that the journal holds less now."""

    forgot = Signal()

    def __init__(self, page: Page, journal: Journal, choose: Choose = chosen_file) -> None:
        super().__init__()
        self.setObjectName("card")
        self._page, self._journal, self._choose = page, journal, choose
        self._left_over = False  # what was forgotten could not be wiped the last time
        self.restored_label = text_label("", "soft", wrap=True, selectable=True)
        self.restored_label.hide()
        self.copy_label = text_label("", "error", wrap=True)
        self.copy_label.hide()
        self.age = ChoiceField("Forget what ended more than", _AGES)
        self.age.show_whole()
        self.back_up_button = button("Back up…", self._starting("back up", self._back_up))
        self.restore_button = button("Restore…", self._starting("restore", self._restore))
        self.forget_button = button("Forget for good…", self._starting("forget", self._forget), kind="danger")
        words = (
            "The journal holds every order sent from this desk, byte for byte. Keep a backup on another disk. "
            "Restoring sends nothing: what was on its way in the backup comes back in doubt."
        )
        forget = row(self.age, self.forget_button, None, gap=SPACE_2)
        forget.setAlignment(self.forget_button, Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(
            column(
                text_label("Safekeeping", "heading"),
                text_label(words, "soft", wrap=True),
                row(self.back_up_button, self.restore_button, None, gap=SPACE_2),
                forget,
                self.copy_label,
                self.restored_label,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3),
                gap=SPACE_2,
            )
        )

    def _starting(self, name: str, work: Work) -> Callable[[], None]:
        def start() -> None:
            self._page.tasks.write(name, self._told(work))

        return start

    async def _told(self, work: Work) -> None:
        # `work` is called only here: a coroutine made before a second press is dropped would never be awaited.
        try:
            await work()
        except StoreError as error:
            self._page.bar.say("bad", error.sentence)

    async def show_state(self) -> None:
        """Say what was restored, and whether the readable copy is behind."""
        found = await journal_care.last_restore(self._journal)
        self.restored_label.setVisible(found is not None)
        if found is not None:
            self.restored_label.setText(visible(restored_words(found)))
        trouble = journal_care.copy_trouble(self._journal)
        self.copy_label.setVisible(bool(trouble))
        self.copy_label.setText(visible(trouble or ""))

    def _now(self) -> datetime:
        return self._page.room.now()

    async def _back_up(self) -> None:
        target = await self._choose(self, "Back up the journal", f"waybill-{self._now():%Y-%m-%d}.waybill")
        if target is not None:
            await journal_care.back_up(self._journal, target)
            self._page.bar.say("good", f"The journal was backed up to {target}.")

    async def _restore(self) -> None:
        chosen = await self._choose(self, "Restore the journal from", "")
        if chosen is None:
            return
        facts = await journal_care.look_at_backup(self._journal, chosen)
        newest = moment(facts.last_change) if facts.last_change else "never"
        sure = await confirmed(
            self,
            f"Restore {chosen.name}?",
            f"It holds {counted(facts.writes, 'write')}, {counted(facts.drafts, 'draft')} and "
            f"{counted(facts.profiles, 'connection')}, last changed {newest}. It is used from the next start on; the "
            "journal in use now is kept beside it. Nothing is sent.",
            "Restore at the next start",
        )
        if not sure:
            return
        restored = await journal_care.restore(self._journal, chosen, self._now())
        missing = f" Not in the backup, look them up: {', '.join(restored.missing)}." if restored.missing else ""
        self._page.bar.say(
            "warn", f"Close Waybill and start it again to use the backup.{missing}", "Do not restore", self._take_back
        )

    def _take_back(self) -> None:
        self._page.tasks.write("restore", self._told(partial(journal_care.take_back_restore, self._journal)))

    async def _forget(self) -> None:
        days = int(self.age.text())
        count = await journal_care.count_older(self._journal, days, self._now())
        if not count:
            await self._wipe()
            return
        sure = await confirmed(
            self,
            f"Forget {counted(count, 'write')} for good?",
            f"They ended more than {self.age.editor.currentText()}. What was sent in them can then not be looked "
            "at any more. What is queued, being sent or in doubt is never forgotten.",
            "Forget them",
            "Keep them",
        )
        if not sure:
            return
        try:
            gone = await journal_care.forget_older(self._journal, days, self._now())
        except NotWiped:
            self._left_over = True
            self.forgot.emit()  # the journal holds less, whatever is left of it elsewhere
            raise
        self._left_over = False
        forgotten = f"{counted(gone.writes, 'write')} and {counted(gone.drafts, 'draft')}"
        self._page.bar.say("good", f"Forgotten: {forgotten}.")
        self.forgot.emit()

    async def _wipe(self) -> None:
        """Nothing is old enough to be forgotten; what was forgotten before may not be wiped yet."""
        lines = await journal_care.wipe_forgotten(self._journal)
        if lines or self._left_over:
            self._left_over = False
            self._page.bar.say("good", "What was forgotten before is wiped from the disk now.")
        else:
            self._page.bar.say("", "Nothing that old is in the journal.")
