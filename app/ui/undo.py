"""Ten seconds in which cancellations can be taken back, offered in the window's bar wherever one happens to be."""

from collections.abc import Collection, Mapping

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
        self._offered: frozenset[int] = frozenset()  # the cancellations that the bar speaks of
        self._words = ""

    def offer(self, desk: Desk, write_id: int, reference: str) -> None:
        """Say that a cancellation is about to leave."""

        def take_back() -> None:
            self._tasks.write(f"take back {write_id}", self._take_back(desk, write_id, reference))

        self._bar.say("warn", f"Cancelling {reference} in ten seconds.", "Take it back", take_back)
        self._offered, self._words = frozenset((write_id,)), self._bar.text

    def offer_all(self, desk: Desk, references: Mapping[int, str]) -> None:
        """Say that several are about to leave; `references` by their writes."""
        if len(references) == 1:
            ((write_id, reference),) = references.items()
            self.offer(desk, write_id, reference)
            return
        held = dict(references)

        def take_back() -> None:
            self._tasks.write("take all back", self._take_all_back(desk, held))

        self._bar.say("warn", f"Cancelling {len(held):,} orders in ten seconds.", "Take them back", take_back)
        self._offered, self._words = frozenset(held), self._bar.text

    def withdraw_offer(self, ended: Collection[int | None]) -> None:
        """These have ended: where all that are offered have, nothing is left to take back."""
        if self._offered:
            self._offered -= frozenset(ended)
            if not self._offered and self._bar.text == self._words:
                self._bar.clear()

    async def _take_back(self, desk: Desk, write_id: int, reference: str) -> None:
        from app.desk import outbox  # brings the client's models, which the first paint does without

        self._offered = frozenset()
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

    async def _take_all_back(self, desk: Desk, references: Mapping[int, str]) -> None:
        from app.desk import outbox  # as above

        self._offered = frozenset()
        taken, trouble = 0, ""
        for write_id in references:
            try:
                await outbox.settle(desk, write_id, "withdrawn", "Taken back before it was sent.", seen="queued")
            except WrongState:
                continue  # it has left, or was taken back already
            except StoreError as error:
                trouble = error.sentence
                break
            taken += 1
        if taken:
            self.taken_back.emit()
        said = f"{taken:,} of {len(references):,} cancellations were taken back."
        if trouble:
            self._bar.say("bad", f"{said} {trouble}")
        elif taken < len(references):
            self._bar.say("warn", f"{said} The outbox says what became of the others.")
        else:
            self._bar.say("good", f"None of the {taken:,} orders was cancelled.")

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
