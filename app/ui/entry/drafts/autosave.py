"""Saves the draft on screen within a second of the last key, and before another draft takes its place.

Invariant: `unsaved` is true from a key on until the journal has stored a text that holds that key. A draft leaves the
screen only when nothing of it is unsaved; one that cannot be saved stays in the form.
"""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

_AFTER_MS = 400  # leaves the disk as long again, and more, within the second that may be lost


class Autosave(QObject):
    """Saves what `read` returns, as the draft `draft_id`. `edited`: a key was typed since this draft came on screen."""

    saved = Signal()
    failed = Signal(str)  # the sentence of the error

    def __init__(self, tasks: Tasks, read: Callable[[], OrderDraft], parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._read = tasks, read
        self._desk: Desk | None = None
        self.draft_id = saved_drafts.new_draft_id()
        self.unsaved = self.edited = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self.save)

    def take_desk(self, desk: Desk) -> None:
        """Save for this desk from now on; what is unsaved goes to the desk before."""
        if self._desk is not None and self.unsaved:
            # A name of its own: a save of this draft may still be running, and a second write of its name is dropped.
            name = f"save {self.draft_id} for {self._desk.profile.id}"
            self._tasks.write(name, self._save(self._desk, self.draft_id, self._read()))
        self._desk = desk
        self.switch_to(saved_drafts.new_draft_id())

    def switch_to(self, draft_id: str) -> None:
        """Another draft is on screen, exactly as the journal holds it."""
        # The caller has saved the draft before; a save now would write the new form under the old id.
        self._timer.stop()
        self.draft_id = draft_id
        self.unsaved = self.edited = False

    def on_typed(self) -> None:
        """Save soon."""
        self.unsaved = self.edited = True
        # Not restarted by every key: a person who types without a pause must not lose more than a second.
        if not self._timer.isActive():
            self._timer.start()

    def pause(self) -> None:
        """Do not save: sending or closing the draft is about to save it. The next key starts the timer again."""
        self._timer.stop()

    def save(self) -> None:
        """Save now, or shortly after the save under way."""
        self._timer.stop()
        if self._desk is None or not self.unsaved:
            return
        if self._tasks.running(self._name):
            self._timer.start()
            return
        # Cleared before the text is read, not after it is stored: a key typed meanwhile sets it again.
        self.unsaved = False
        self._tasks.write(self._name, self._save(self._desk, self.draft_id, self._read()))

    async def flush(self) -> bool:
        """Save all that was typed; False when it cannot be saved. With True nothing is unsaved at this moment."""
        while self._desk is not None:
            await self._tasks.ended(self._name)  # the save under way may still fail, and sets `unsaved` then
            if not self.unsaved:
                break
            self._timer.stop()
            self.unsaved = False
            try:
                if not await self._save(self._desk, self.draft_id, self._read()):
                    return False
            except asyncio.CancelledError:  # the journal may or may not have stored it
                self.unsaved = True
                raise
        return True

    @property
    def _name(self) -> str:
        return f"save {self.draft_id}"

    async def _save(self, desk: Desk, draft_id: str, draft: OrderDraft) -> bool:
        try:
            await saved_drafts.save(desk, draft_id, draft)
        except StoreError as error:
            if draft_id == self.draft_id:
                self.unsaved = True
            self.failed.emit(error.sentence)
            return False
        if draft_id == self.draft_id:
            self.saved.emit()
        return True
