"""The story of one write beside a page's table, read from the journal, and what a person can do with that write."""

from collections.abc import Callable

from app.desk.sending import order_status, outbox
from app.store.journal.records import WriteRow, WriteState
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.outbox.paper_sentence import standing
from app.ui.outbox.state_words import KIND_WORDS, unasked_consequence
from app.ui.outbox.write_story import StoryPane
from app.ui.printing.open_panel import print_write
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.text.times import clock

_WITHDRAWN: dict[WriteState, str] = {
    "queued": "Taken back before it was sent.",
    "rejected": "Put away after the provider had refused it.",
}
_GIVEN_UP = "Withdrawn by a person's decision, without knowing whether it arrived."


class ShownWrite:
    """Works with the tasks, the bar and the desk of its page; `pane` is to be put beside the page's table.

    What was done is told by `News.wrote`: the sender then looks for what it may send.
    """

    def __init__(
        self, page: Page, close: Callable[[WriteRow], object], find: Callable[[WriteRow], object] = lambda _: None
    ) -> None:
        self._page = page
        self.write_id: int | None = None  # the write that is shown, or about to be
        self.pane = StoryPane(
            page.room.theme,
            look_up=self._look_up,
            send=self._send,
            correct=self._correct,
            again=self._again,
            clone=self._clone,
            withdraw=self._withdraw,
            arrived=self._arrived,
            printing=self._print,
            close=close,
            find=find,
        )

    def show_write(self, write_id: int) -> None:
        """Show this write as the journal has it."""
        if write_id != self.write_id:
            self._page.tasks.cancel("look up write")  # it is about the one before
        self.write_id = write_id
        self._page.tasks.read("story", self._load(write_id))

    def redraw(self) -> None:
        """The journal has changed: show the write as it is there."""
        if self.write_id is not None:
            self.show_write(self.write_id)

    def put_away(self) -> None:
        """Show no write, also none that is being read."""
        for name in ("story", "look up write"):
            self._page.tasks.cancel(name)
        self.write_id = None
        self.pane.put_away()

    async def _load(self, write_id: int) -> None:
        try:
            told = await outbox.story(self._page.desk, write_id)
        except StoreError as error:
            self._page.bar.say("bad", error.sentence)
            self.write_id = self.pane.shown_id
            return
        desk = self._page.desk
        self.pane.show_story(
            told,
            blocked=bool(desk.blocked),
            paused_until=desk.paused_until,
            pause_reason=desk.pause_reason,
        )

    def show_listed(self, listed: bool) -> None:
        """Whether the rows beside it hold what is shown; nothing is done with what they do not hold."""
        self.pane.show_listed(listed)

    def _look_up(self, each: WriteRow) -> None:
        self.pane.say("soft", "Asking the provider for the status…")
        self._page.tasks.read("look up write", self._ask_status(each.reference))

    async def _ask_status(self, reference: str) -> None:
        answer = await order_status.look_up(self._page.desk, reference)
        self.pane.say(
            "good" if answer.proven else "warn", f"{reference}: {answer.sentence} Asked at {clock(answer.at)}."
        )

    def _correct(self, each: WriteRow) -> None:
        self._page.room.news.correct.emit(each.id)

    def _print(self, each: WriteRow) -> None:
        print_write(self._page, each.id, standing, self.pane.say)

    def _clone(self, each: WriteRow) -> None:
        self._page.room.news.clone_write.emit(each.id)

    def _again(self, each: WriteRow) -> None:
        self._page.room.news.enter_again.emit(each.id)

    def _send(self, each: WriteRow) -> None:
        act = self._send_again(each) if each.state == "in_doubt" else self._let_go(each)
        self._page.tasks.write(f"settle {each.id}", act)

    async def _let_go(self, each: WriteRow) -> None:
        try:
            if not await self._is_sure(each):
                return
            await outbox.release(self._page.desk, each.id, each)
        except StoreError as error:
            self.pane.say("bad", error.sentence)
            return
        self._page.room.news.queue_changed.emit()

    async def _is_sure(self, each: WriteRow) -> bool:
        """Whether a person wants sent what waits for a yes or for an answer, knowing what may come of it."""
        if each.waits_unasked:
            last = await outbox.last_attempt(self._page.desk, each.reference)
            words = unasked_consequence(each, last)
            return await confirmed(self._page, f"Send {each.reference} without asking?", words, "Send without asking")
        if each.held is not None:
            question = f"Send {each.reference} all the same?"
            return await confirmed(self._page, question, each.held, "Send all the same")
        return True

    async def _send_again(self, each: WriteRow) -> None:
        sure = await confirmed(
            self._page,
            f"Send {each.reference} again?",
            "It may have arrived already. If that order has been completed or cancelled since, sending again makes a "
            "second order. Look it up first.",
            "Send again",
        )
        if sure:
            await self._settle(each, "queued", "Sent again by a person's decision.")

    def _withdraw(self, each: WriteRow) -> None:
        self._page.tasks.write(f"settle {each.id}", self._ask_withdraw(each))

    async def _ask_withdraw(self, each: WriteRow) -> None:
        what = KIND_WORDS[each.kind].lower()
        if each.state == "in_doubt" and not await confirmed(
            self._page,
            f"Withdraw the {what} {each.reference}?",
            "It may have arrived: withdrawing it here takes nothing back at the provider.",
            "Withdraw",
        ):
            return
        await self._settle(each, "withdrawn", _WITHDRAWN.get(each.state, _GIVEN_UP))

    def _arrived(self, each: WriteRow) -> None:
        self._page.tasks.write(f"settle {each.id}", self._ask_arrived(each))

    async def _ask_arrived(self, each: WriteRow) -> None:
        sure = await confirmed(
            self._page,
            f"Has {each.reference} arrived at the provider?",
            "Say so only if the provider's own answer shows it. It is then not sent again.",
            "It arrived",
        )
        if sure:
            await self._settle(each, "accepted", "A person found that it had arrived.")

    async def _settle(self, each: WriteRow, state: WriteState, sentence: str) -> None:
        try:
            await outbox.settle(self._page.desk, each.id, state, sentence, seen=each.state)
        except StoreError as error:
            self.pane.say("bad", error.sentence)
            return
        self._page.room.news.queue_changed.emit()
