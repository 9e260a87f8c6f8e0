"""Ten seconds in which a cancellation can be taken back, offered in the window's bar wherever one happens to be."""

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.errors import StoreError, WrongState
from app.ui.widgets.bars import MessageBar


class CancelUndo(QObject):
    """`taken_back` tells that the journal has changed."""

    taken_back = Signal()

    def __init__(self, bar: MessageBar, tasks: Tasks) -> None:
        super().__init__()
        self._bar, self._tasks = bar, tasks
        self._offered: int | None = None  # the cancellation that the bar speaks of
        self._words = ""

    def offer(self, desk: Desk, write_id: int, reference: str) -> None:
        """Say that a cancellation is about to leave."""

        def take_back() -> None:
            self._tasks.write(f"take back {write_id}", self._take_back(desk, write_id, reference))

        self._bar.say("warn", f"Cancelling {reference} in ten seconds.", "Take it back", take_back)
        self._offered, self._words = write_id, self._bar.text

    def withdraw_offer(self, ended: Collection[int | None]) -> None:
        """These have ended: where the one that is offered is among them, nothing is left to take back."""
        if self._offered is not None and self._offered in ended:
            self._offered = None
            if self._bar.text == self._words:
                self._bar.clear()

    async def _take_back(self, desk: Desk, write_id: int, reference: str) -> None:
        from app.desk import outbox  # brings the client's models, which the first paint does without

        self._offered = None
        try:
            await outbox.settle(desk, write_id, "withdrawn", "Taken back before it was sent.", seen="queued")
        except WrongState:
            await self._say_where_it_is(desk, write_id, reference)
            return
        except StoreError as error:
            self._bar.say("bad", f"The cancellation of {reference} could not be taken back. {error.sentence}")
            return
        self.taken_back.emit()
        self._bar.say("good", f"Order {reference} was not cancelled.")

    async def _say_where_it_is(self, desk: Desk, write_id: int, reference: str) -> None:
        """It is not in the queue any more: it has left, or somebody was quicker."""
        from app.desk import outbox

        try:
            told = await outbox.story(desk, write_id)
        except StoreError as error:
            self._bar.say("bad", error.sentence)
            return
        if told.row.state == "withdrawn":
            self._bar.say("", f"The cancellation of {reference} was taken back already.")
        else:
            self._bar.say("warn", f"Too late: the cancellation of {reference} has left. The outbox says how it ended.")
