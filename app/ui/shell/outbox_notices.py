"""What the window says of the outbox wherever one is: counts below and in the rail, what ended badly, a rest.

What is said of a write is drawn from the journal whenever that has changed, and goes once nobody is needed any more.
What a person has closed is not said again, unless something more has happened.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.sender import Ending, Pause, Sender
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal import undo_window
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError, WrongState
from app.ui.base.main_window import MainWindow
from app.ui.outbox.other_outboxes import wait_words
from app.ui.outbox.state_words import next_try
from app.ui.outbox.write_sentences import said_of
from app.ui.widgets.text.labels import Tone, visible
from app.ui.widgets.text.times import clock

_TROUBLE = ("rejected", "in_doubt", "held")  # the endings that need a person
# Topics of the bar.
_NEEDS, _ASKED_AGAIN, _PAUSE, _NOT_RECORDED = "needs you", "asked again", "pause", "not recorded"
_UNDECIDED, _KEPT = "not decided", "orders kept"
_NAMED, _FOLLOWED = 3, 50  # writes that are named, and that are followed one by one
_LISTED = 8  # that a question names
# Why cancellations wait, said of several at once.
_OF_SEVERAL = {
    undo_window.ENDED: "Waybill ended while these cancellations could still be taken back, so none of them was sent.",
    undo_window.LEFT: "Another connection was chosen while these cancellations could still be taken back, so none of "
    "them was sent.",
}
_LONGEST_NAME = 30  # of a connection, in the status bar


class OutboxNotices(QObject):
    """`look_asked`: a person wants to see the outbox; `decided`: the journal has changed."""

    look_asked = Signal()
    decided = Signal()

    def __init__(self, window: MainWindow, sender: Sender, tasks: Tasks) -> None:
        super().__init__()
        self._window, self._sender, self._tasks = window, sender, tasks
        self._desk: Desk | None = None
        self._troubled: dict[int, None] = {}  # the writes that ended badly and are spoken of, in this order
        self._said: dict[str, frozenset[int]] = {}  # of which writes the bar has spoken, by the topic
        self._pause: Pause | None = None
        sender.ended.connect(self._on_ended)
        sender.paused.connect(self._on_paused)
        sender.recovered.connect(partial(window.bar.withdraw, _NOT_RECORDED))

    def take_desk(self, desk: Desk) -> None:
        """Speak of this desk's outbox from now on."""
        self._desk = desk
        self._troubled, self._said = {}, {}
        for topic in (_NEEDS, _ASKED_AGAIN, _NOT_RECORDED, _UNDECIDED, _KEPT):
            self._window.bar.withdraw(topic)  # it was about another connection's
        self.count()

    def count(self) -> None:
        """Count what waits, for the rail and the status bar."""
        if self._desk is not None:
            self._tasks.read("count", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        from app.store.journal import held_writes, profile_store, write_store

        try:
            counted = await desk.journal.read(write_store.counts, desk.profile.id)
            held = await desk.journal.read(held_writes.count_held, desk.profile.id)
            elsewhere = await desk.journal.read(profile_store.unfinished_connections, desk.profile.id)
        except StoreError:
            return  # whoever writes or reads for a person says so; the last counts stay
        held = counted["queued"] if desk.blocked else held
        way = counted["queued"] + counted["sending"] - held
        you = counted["in_doubt"] + counted["rejected"] + held
        self._window.rail.set_count("outbox", way + you)
        parts = [f"{way:,} on {'its' if way == 1 else 'their'} way"] if way else []
        parts += [f"{you:,} need{'s' if you == 1 else ''} you"] if you else []
        parts += [f"next try at {clock(self._pause.until)}"] if self._pause is not None and counted["queued"] else []
        said = [f"Outbox: {', '.join(parts)}"] if parts else []
        said += [_waiting_words(elsewhere)] if elsewhere else []
        self._window.right_label.setText(visible(" · ".join(said)))
        try:
            await self._speak(desk, you)
        except StoreError:
            return  # likewise

    # What needs a person

    async def _speak(self, desk: Desk, needed: int) -> None:
        """Say of what ended badly how it stands now; `needed` are all that need a person."""
        from app.desk.sending import outbox  # brings the client's models, which the first paint does without

        if len(self._troubled) > _FOLLOWED:
            if needed:
                self._say_needed(frozenset(self._troubled), "warn", f"{needed:,} in the outbox need you.")
            else:
                self._troubled = {}
                self._window.bar.withdraw(_NEEDS)
        else:
            found = await outbox.writes_by_id(desk, list(self._troubled))
            rows = [found[key] for key in self._troubled if key in found and _needs_a_person(found[key])]
            self._troubled = {each.id: None for each in rows}
            self._say_rows(rows, desk)
        self._ask_again(desk, await outbox.held_undoable(desk))

    def _say_rows(self, rows: Sequence[WriteRow], desk: Desk) -> None:
        said = [said_of(each, desk.now()) for each in rows]
        if not said:
            self._said.pop(_NEEDS, None)
            self._window.bar.withdraw(_NEEDS)
            return
        tone: Tone = "bad" if any(each.tone == "bad" for each in said) else "warn"
        words = said[-1].sentence if len(said) == 1 else f"{_named(rows)} in the outbox need you."
        self._say_needed(frozenset(each.id for each in rows), tone, words)

    def _say_needed(self, about: frozenset[int], tone: Tone, words: str) -> None:
        if self._is_news(_NEEDS, about):
            self._window.bar.say(tone, words, "Show outbox", self.look_asked.emit, topic=_NEEDS)

    def _is_news(self, topic: str, about: frozenset[int]) -> bool:
        """Whether to speak of these: not if a person has closed the message that spoke of all of them."""
        before = self._said.get(topic)
        if before is not None and not self._window.bar.text_of(topic) and about <= before:
            return False
        self._said[topic] = about
        return True

    def _ask_again(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        """Offer to decide about cancellations that could still be taken back when the program ended."""
        if not rows:
            self._said.pop(_ASKED_AGAIN, None)
            self._window.bar.withdraw(_ASKED_AGAIN)
            self._window.bar.withdraw(_UNDECIDED)  # it was decided elsewhere
        elif self._is_news(_ASKED_AGAIN, frozenset(each.id for each in rows)):
            words = (
                said_of(rows[0], desk.now()).sentence
                if len(rows) == 1
                else f"Cancellations of {_named(rows)} wait for your decision. {_why_held(rows)}"
            )
            self._window.bar.say(
                "warn", words, "Decide…", partial(self._begin_deciding, desk, rows), topic=_ASKED_AGAIN
            )

    def _begin_deciding(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        self._said.pop(_ASKED_AGAIN, None)  # it is said again if nothing is decided
        self._tasks.write("decide", self._decide(desk, rows))

    async def _decide(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        from app.desk.sending import outbox
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        one = len(rows) == 1
        yes, no = ("Cancel the order", "Keep the order") if one else ("Cancel the orders", "Keep the orders")
        heading = f"Cancel order {rows[0].reference}?" if one else f"Cancel {len(rows):,} orders?"
        words = _why_held(rows) if one else "\n".join([*_listed(rows), "", _why_held(rows)])
        answer = await chosen(self._window, heading, words, (yes, no), "Decide later")
        self._window.bar.withdraw(_UNDECIDED)
        back: list[WriteRow] = []
        for each in rows if answer is not None else ():
            try:
                if answer == yes:
                    await outbox.release(desk, each.id, each)
                else:
                    await outbox.settle(desk, each.id, "withdrawn", "Taken back before it was sent.", seen="queued")
                    back.append(each)
            except WrongState:
                continue  # decided in the outbox meanwhile
            except StoreError as error:
                words = f"What you decided about {each.reference} was not kept. {error.sentence}"
                self._window.bar.say("bad", words, topic=_UNDECIDED)
                break
        if back:
            what = f"Order {back[0].reference} was" if len(back) == 1 else f"{_named(back)} were"
            self._window.bar.say("good", f"{what} not cancelled.", topic=_KEPT)
        self.decided.emit()

    def _on_ended(self, endings: Sequence[Ending]) -> None:
        unkept = [each for each in endings if each.state == "not recorded"]
        if unkept:
            self._window.bar.say("bad", unkept[-1].sentence, "Show outbox", self.look_asked.emit, topic=_NOT_RECORDED)
        troubled = [each.write_id for each in endings if each.state in _TROUBLE and each.write_id is not None]
        if troubled:
            self._troubled |= dict.fromkeys(troubled)
            self._said.pop(_NEEDS, None)  # something more has happened
            self.count()

    def _on_paused(self, pause: Pause | None) -> None:
        before, self._pause = self._pause, pause
        bar = self._window.bar
        if pause is None or not pause.reason:
            bar.withdraw(_PAUSE)
        elif (
            bar.text_of(_PAUSE) or before is None or before.reason != pause.reason
        ):  # closed by a person it stays closed
            bar.say("warn", next_try(pause.reason, pause.until), "Try now", self._try_now, topic=_PAUSE, priority=1)
        if pause is not before:
            self.count()

    async def see_out(self, patience: float) -> None:
        """The program ends: the window goes at once, or stays for so many seconds while orders are being sent."""
        desk = self._sender.sending_for
        if desk is not None:
            self._window.setEnabled(False)  # what would be typed now is kept by nobody
            with suppress(TimeoutError):  # what has no answer by then is found in doubt at the next start
                async with asyncio.timeout(patience):
                    if await self._say_sending(desk):
                        await self._sender.until_idle()
        self._window.hide()

    async def _say_sending(self, desk: Desk) -> bool:
        """Say how many orders are being sent; whether there are any, and anybody knows."""
        from app.store.journal import write_store

        try:
            count = (await desk.journal.read(write_store.counts, desk.profile.id))["sending"]
        except StoreError:
            return False  # they have as long all the same
        if count:
            orders = f"{count:,} order{'' if count == 1 else 's'}"
            self._window.bar.say("soft", f"Closing: waiting for {orders} to be answered, three seconds at most…")
        return count > 0

    def _try_now(self) -> None:
        self._pause = None  # the same reason is then shown anew
        self._sender.try_now()


def _needs_a_person(row: WriteRow) -> bool:
    return row.state in ("rejected", "in_doubt") or (row.state == "queued" and row.held is not None)


def _named(rows: Sequence[WriteRow]) -> str:
    """`4 orders (A, B, C and 1 more)`."""
    names = ", ".join(each.reference for each in rows[:_NAMED])
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    return f"{len(rows):,} orders ({names}{more})"


def _listed(rows: Sequence[WriteRow]) -> list[str]:
    more = [f"and {len(rows) - _LISTED:,} more"] if len(rows) > _LISTED else []
    return [*(each.reference for each in rows[:_LISTED]), *more]


def _why_held(rows: Sequence[WriteRow]) -> str:
    """Why they were not sent, once each reason, in the number of the orders that have it."""
    counted = Counter(each.held or "" for each in rows)
    return " ".join(_OF_SEVERAL.get(why, why) if count > 1 else why for why, count in counted.items())


def _waiting_words(elsewhere: Sequence[UnfinishedConnection]) -> str:
    if len(elsewhere) == 1:
        return wait_words(elsewhere[0], _LONGEST_NAME)
    return f"{sum(each.count for each in elsewhere):,} wait in the outboxes of {len(elsewhere)} other connections"
