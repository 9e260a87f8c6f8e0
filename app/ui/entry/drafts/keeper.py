"""Keeps the draft on screen: within a second of the last key, and whole before anything else takes its place.

Invariant: `owing` is true from a key on until the journal has taken a text that holds it. Only a draft that owes
nothing is let go of; one that cannot be kept stays in the form.
"""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

_AFTER_MS = 400


class Keeper(QObject):
    """`kept` and `failed` (with the sentence) tell how keeping the draft on screen went."""

    kept = Signal()
    failed = Signal(str)

    def __init__(self, tasks: Tasks, read: Callable[[], OrderDraft], parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._read = tasks, read
        self._desk: Desk | None = None
        self.draft_id = saved_drafts.new_draft_id()
        self.owing = self.typed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self.keep)

    def take_desk(self, desk: Desk) -> None:
        """Another desk: what the draft still owes is kept for the old one."""
        if self._desk is not None and self.owing:
            name = f"keep {self.draft_id} for {self._desk.profile.id}"
            self._tasks.write(name, self._save(self._desk, self.draft_id, self._read()))
        self._desk = desk
        self.follow(saved_drafts.new_draft_id())

    def follow(self, draft_id: str) -> None:
        """Another draft is on screen now, exactly as it is kept."""
        self._timer.stop()
        self.draft_id = draft_id
        self.owing = self.typed = False

    def on_typed(self) -> None:
        """Something was typed."""
        self.owing = self.typed = True
        # Not restarted by every key: someone who types without a pause must not lose more than a second.
        if not self._timer.isActive():
            self._timer.start()

    def pause(self) -> None:
        """The draft is about to be sent or put away, which keeps it too; what is typed from now on counts again."""
        self._timer.stop()

    def keep(self) -> None:
        """Keep the draft now, or as soon as the writing under way has ended."""
        self._timer.stop()
        if self._desk is None or not self.owing:
            return
        if self._tasks.running(self._name):
            self._timer.start()
            return
        self.owing = False
        self._tasks.write(self._name, self._save(self._desk, self.draft_id, self._read()))

    async def settle(self) -> bool:
        """Keep all that was typed; False when it cannot be kept. With True the draft owes nothing at this moment."""
        while self._desk is not None:
            await self._tasks.ended(self._name)  # the writing under way may still fail
            if not self.owing:
                break
            self._timer.stop()
            self.owing = False
            try:
                if not await self._save(self._desk, self.draft_id, self._read()):
                    return False
            except asyncio.CancelledError:  # nobody waits for it any longer, so nobody knows whether it is kept
                self.owing = True
                raise
        return True

    @property
    def _name(self) -> str:
        return f"keep {self.draft_id}"

    async def _save(self, desk: Desk, draft_id: str, draft: OrderDraft) -> bool:
        try:
            await saved_drafts.save(desk, draft_id, draft)
        except StoreError as error:
            if draft_id == self.draft_id:
                self.owing = True
            self.failed.emit(error.sentence)
            return False
        if draft_id == self.draft_id:
            self.kept.emit()
        return True
