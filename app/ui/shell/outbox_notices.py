"""Says in the window, on every page, how the outbox stands: counts, writes that need a person, a pause.

Invariants: a message about a write is made from the journal whenever that changes, and goes once no person is needed.
A message that a person has closed comes back only if something new has happened.

The counts are read before the first paint, so they come from the journal itself: `desk/sending/outbox` brings the
client and its models, which take longer to import than all else that the first paint needs.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.sender import Ending, Pause, Sender
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal import held_writes, profile_store, request_store, undo_window, write_store
from app.store.journal.profile_store import UnfinishedConnection
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError, WrongState
from app.translation import translate
from app.ui.base.main_window import MainWindow
from app.ui.outbox import outbox_words as words
from app.ui.widgets.text.labels import Tone

_TROUBLE = ("rejected", "in_doubt", "held")  # the endings that need a person
# Topics of the bar.
_NEEDS, _ASKED_AGAIN, _PAUSE, _NOT_RECORDED = "needs you", "asked again", "pause", "not recorded"
_UNDECIDED, _KEPT = "not decided", "orders kept"
_SHOW_OUTBOX = translate("Show outbox")
_FOLLOWED = 50  # writes that are followed one by one; more are counted
_LONGEST_NAME = 30  # characters of a connection's name in the status bar


class OutboxNotices(QObject):
    """`look_asked`: a person wants to see the outbox. `decided`: a person's decision was stored in the journal."""

    look_asked = Signal()
    decided = Signal()

    def __init__(self, window: MainWindow, sender: Sender, tasks: Tasks, shown_page: Callable[[], str]) -> None:
        super().__init__()
        self._window, self._sender, self._tasks, self._shown_page = window, sender, tasks, shown_page
        self._desk: Desk | None = None
        self._troubled: dict[int, None] = {}  # the writes that ended badly and are spoken of, in this order
        self._said: dict[str, frozenset[int]] = {}  # of which writes the bar has spoken, by the topic
        self._tones: dict[str, Tone] = {}  # of the last message of each topic
        self._pause: Pause | None = None
        sender.ended.connect(self._on_ended)
        sender.paused.connect(self._on_paused)
        sender.recovered.connect(self._on_recovered)
        window.page_shown.connect(self._on_page)

    def _on_recovered(self) -> None:
        self._window.bar.withdraw(_NOT_RECORDED)

    def _on_page(self) -> None:
        """Say the messages again: they offer the outbox on every page but the outbox itself."""
        for topic in (_NEEDS, _NOT_RECORDED):
            if topic in self._tones and self._window.bar.text_of(topic):
                self._say(topic, self._tones[topic], self._window.bar.text_of(topic))

    def _say(self, topic: str, tone: Tone, sentence: str) -> None:
        self._tones[topic] = tone
        if self._shown_page() == "outbox":
            self._window.bar.say(tone, sentence, topic=topic)
        else:
            self._window.bar.say(tone, sentence, _SHOW_OUTBOX, self.look_asked.emit, topic=topic)

    def take_desk(self, desk: Desk) -> None:
        """Show notices of this desk's outbox from now on."""
        self._desk = desk
        self._troubled, self._said = {}, {}
        for topic in (_NEEDS, _ASKED_AGAIN, _NOT_RECORDED, _UNDECIDED, _KEPT):
            self._window.bar.withdraw(topic)  # it was about the connection before
        self.count()

    def count(self) -> None:
        """Count what waits, for the rail and the status bar."""
        if self._desk is not None:
            self._tasks.read("count", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        try:
            counted = await desk.journal.read(write_store.counts, desk.profile.id)
            held = await desk.journal.read(held_writes.count_held, desk.profile.id)
            doubts = await desk.journal.read(request_store.count_in_doubt, desk.profile.id)
            elsewhere = await desk.journal.read(profile_store.unfinished_connections, desk.profile.id)
        except StoreError:
            return  # the outbox page reports trouble with the journal; the last counts stay
        held = counted["queued"] if desk.blocked else held
        way = counted["queued"] + counted["sending"] - held
        you = counted["in_doubt"] + counted["rejected"] + held
        self._window.rail.set_count("outbox", way + you + doubts)
        next_try_at = self._pause.until if self._pause is not None and counted["queued"] else None
        said = (words.outbox_status(way, you + doubts, next_try_at), _other_outboxes(elsewhere))
        self._window.right_label.say(" · ".join(part for part in said if part))
        self._window.right_mark.show_colour(elsewhere[0].colour if len(elsewhere) == 1 else "")
        try:
            await self._speak(desk, you)
        except StoreError:
            return  # as above

    # What needs a person

    async def _speak(self, desk: Desk, needed: int) -> None:
        """Say how the writes that ended badly stand now; `needed` is how many writes need a person."""
        if len(self._troubled) > _FOLLOWED:
            if needed:
                self._say_needed(frozenset(self._troubled), "warn", words.count_needing(needed))
            else:
                self._troubled = {}
                self._window.bar.withdraw(_NEEDS)
        else:
            found = {each.id: each for each in await desk.journal.read(write_store.writes_by_id, list(self._troubled))}
            rows = [found[key] for key in self._troubled if key in found and _needs_a_person(found[key])]
            self._troubled = {each.id: None for each in rows}
            self._say_rows(rows, desk)
        self._ask_again(desk, await desk.journal.read(undo_window.held_undoable, desk.profile.id))

    def _say_rows(self, rows: Sequence[WriteRow], desk: Desk) -> None:
        said = [words.sentence_about(each, desk.now()) for each in rows]
        if not said:
            self._said.pop(_NEEDS, None)
            self._window.bar.withdraw(_NEEDS)
            return
        tone: Tone = "bad" if any(each.tone == "bad" for each in said) else "warn"
        sentence = said[-1].sentence if len(said) == 1 else words.named_needing([each.reference for each in rows])
        self._say_needed(frozenset(each.id for each in rows), tone, sentence)

    def _say_needed(self, about: frozenset[int], tone: Tone, sentence: str) -> None:
        if self._is_news(_NEEDS, about):
            self._say(_NEEDS, tone, sentence)

    def _is_news(self, topic: str, about: frozenset[int]) -> bool:
        """Whether to speak of these writes: not if a person has closed a message that was about all of them."""
        before = self._said.get(topic)
        if before is not None and not self._window.bar.text_of(topic) and about <= before:
            return False
        self._said[topic] = about
        return True

    def _ask_again(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        """Offer to decide about cancellations that could still be undone when the program ended."""
        if not rows:
            self._said.pop(_ASKED_AGAIN, None)
            self._window.bar.withdraw(_ASKED_AGAIN)
            self._window.bar.withdraw(_UNDECIDED)  # a person decided on the page of the outbox
        elif self._is_news(_ASKED_AGAIN, frozenset(each.id for each in rows)):
            one = len(rows) == 1
            sentence = words.sentence_about(rows[0], desk.now()).sentence if one else words.cancellations_held(rows)
            decide = partial(self._begin_deciding, desk, rows)
            self._window.bar.say("warn", sentence, translate("Decide…"), decide, topic=_ASKED_AGAIN)

    def _begin_deciding(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        self._said.pop(_ASKED_AGAIN, None)  # it is said again if nothing is decided
        self._tasks.write("decide", self._decide(desk, rows))

    async def _decide(self, desk: Desk, rows: Sequence[WriteRow]) -> None:
        from app.desk.sending import outbox
        from app.ui.widgets.confirm import chosen  # the first paint does without it

        references = [each.reference for each in rows]
        yes, no = words.cancel_answers(len(rows))
        why = words.why_held(rows)
        text = why if len(rows) == 1 else "\n".join([*words.orders_listed(references), "", why])
        answer = await chosen(self._window, words.ask_cancel(references), text, (yes, no), translate("Decide later"))
        self._window.bar.withdraw(_UNDECIDED)
        kept: list[str] = []
        for each in rows if answer is not None else ():
            try:
                if answer == yes:
                    await outbox.release(desk, each.id, each)
                else:
                    await outbox.settle(desk, each.id, "withdrawn", words.UNDONE_NOTE, seen="queued")
                    kept.append(each.reference)
            except WrongState:
                continue  # a person decided on the page of the outbox meanwhile
            except StoreError as error:
                self._window.bar.say("bad", words.decision_not_kept(each.reference, error.sentence), topic=_UNDECIDED)
                break
        if kept:
            self._window.bar.say("good", words.not_cancelled(kept), topic=_KEPT)
        self.decided.emit()

    def _on_ended(self, endings: Sequence[Ending]) -> None:
        unkept = [each for each in endings if each.state == "not recorded"]
        if unkept:
            self._say(_NOT_RECORDED, "bad", unkept[-1].sentence)
        troubled = [each.write_id for each in endings if each.state in _TROUBLE and each.write_id is not None]
        if troubled:
            self._troubled |= dict.fromkeys(troubled)
            self._said.pop(_NEEDS, None)  # something new has happened
            self.count()

    def _on_paused(self, pause: Pause | None) -> None:
        before, self._pause = self._pause, pause
        bar = self._window.bar
        if pause is None or not pause.reason:
            bar.withdraw(_PAUSE)
        elif (
            bar.text_of(_PAUSE) or before is None or before.reason != pause.reason
        ):  # closed by a person it stays closed
            bar.say(
                "warn",
                words.next_try(pause.reason, pause.until),
                translate("Try now"),
                self._try_now,
                topic=_PAUSE,
                priority=1,
            )
        if pause is not before:
            self.count()

    async def see_out(self, patience: float) -> None:
        """The program ends: hide the window, after at most `patience` seconds while orders are being sent."""
        desk = self._sender.sending_for
        if desk is not None:
            self._window.setEnabled(False)  # what would be typed now is not saved
            with suppress(TimeoutError):  # a write without an answer by then is in doubt at the next start
                async with asyncio.timeout(patience):
                    if await self._say_sending(desk, patience):
                        await self._sender.until_idle()
        self._window.hide()

    async def _say_sending(self, desk: Desk, patience: float) -> bool:
        """Say how many orders are being sent; False if there are none, or the journal cannot be read."""
        try:
            count = (await desk.journal.read(write_store.counts, desk.profile.id))["sending"]
        except StoreError:
            return False
        if count:
            self._window.bar.say("soft", words.closing(count, patience))
        return count > 0

    def _try_now(self) -> None:
        self._pause = None  # the same reason is then shown anew
        self._sender.try_now()


def _needs_a_person(row: WriteRow) -> bool:
    return row.state in ("rejected", "in_doubt") or (row.state == "queued" and row.held is not None)


def _other_outboxes(connections: Sequence[UnfinishedConnection]) -> str:
    if not connections:
        return ""
    if len(connections) == 1:
        return words.other_outbox(connections[0].name, connections[0].count, _LONGEST_NAME)
    return words.other_outboxes(len(connections), sum(each.count for each in connections))
