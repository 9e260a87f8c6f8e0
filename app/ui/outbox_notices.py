"""What the window says of the outbox wherever one is: counts below and in the rail, what ended badly, a rest.

One message at a time. What is said of trouble goes once the trouble is gone; a person's other messages stay.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.errors import StoreError
from app.store.profiles import Waiting
from app.ui.main_window import MainWindow
from app.ui.outbox.elsewhere import wait_words
from app.ui.sender import Ending, Rest, Sender
from app.ui.widgets.labels import Tone, visible
from app.ui.widgets.times import clock

# How a write ended badly: the tone of it, and the word before its sentence.
_TROUBLE: dict[str, tuple[Tone, str]] = {
    "rejected": ("bad", "Rejected: "),
    "not kept": ("bad", ""),
    "in_doubt": ("warn", "In doubt: "),
    "held": ("warn", "Held: "),
}


_LONGEST_NAME = 30  # of a connection, in the status bar


class OutboxNotices(QObject):
    """`look_asked`: a person wants to see the outbox."""

    look_asked = Signal()

    def __init__(self, window: MainWindow, sender: Sender, tasks: Tasks) -> None:
        super().__init__()
        self._window, self._sender, self._tasks = window, sender, tasks
        self._desk: Desk | None = None
        self._needs_you = ""  # what the bar said of a write that needs a person
        self._rest: Rest | None = None
        self._said_of_rest = ""
        sender.ended.connect(self._on_ended)
        sender.rests.connect(self._on_rests)

    def take_desk(self, desk: Desk) -> None:
        """Speak of this desk's outbox from now on."""
        self._desk = desk
        self.count()

    def count(self) -> None:
        """Count what waits, for the rail and the status bar."""
        if self._desk is not None:
            self._tasks.read("count", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        from app.store import journal, journal_held, profiles

        try:
            counted = await desk.journal.read(journal.counts, desk.profile.id)
            held = await desk.journal.read(journal_held.count_held, desk.profile.id)
            elsewhere = await desk.journal.read(profiles.unfinished_elsewhere, desk.profile.id)
        except StoreError:
            return  # whoever writes or reads for a person says so; the last counts stay
        held = counted["queued"] if desk.barred else held
        way = counted["queued"] + counted["sending"] - held
        you = counted["in_doubt"] + counted["rejected"] + held
        self._window.rail.set_count("outbox", way + you)
        parts = [f"{way:,} on {'its' if way == 1 else 'their'} way"] if way else []
        parts += [f"{you:,} need{'s' if you == 1 else ''} you"] if you else []
        parts += [f"next try at {clock(self._rest.until)}"] if self._rest is not None and counted["queued"] else []
        said = [f"Outbox: {', '.join(parts)}"] if parts else []
        said += [_waiting_words(elsewhere)] if elsewhere else []
        self._window.right_label.setText(visible(" · ".join(said)))
        if not you and self._needs_you and self._window.bar.text == self._needs_you:
            self._window.bar.clear()  # it has been settled since

    def _on_ended(self, endings: Sequence[Ending]) -> None:
        trouble = [each for each in endings if each.state in _TROUBLE]
        if not trouble:
            return
        last = trouble[-1]
        words = (
            f"{len(trouble):,} in the outbox need you." if len(trouble) > 1 else _TROUBLE[last.state][1] + last.sentence
        )
        tones = {_TROUBLE[each.state][0] for each in trouble}
        self._window.bar.say("bad" if "bad" in tones else "warn", words, "Show outbox", self.look_asked.emit)
        self._needs_you = "" if any(each.state == "not kept" for each in trouble) else self._window.bar.text

    def _on_rests(self, rest: Rest | None) -> None:
        before, self._rest = self._rest, rest
        bar = self._window.bar
        shown = bool(self._said_of_rest) and bar.text == self._said_of_rest
        if rest is None or not rest.why:
            if shown:
                bar.clear()
            self._said_of_rest = ""
        elif shown or before is None or before.why != rest.why:  # closed by a person it stays closed
            bar.say("warn", f"{rest.why} One is tried at {clock(rest.until)}.", "Try now", self._try_now)
            self._said_of_rest = bar.text
        if rest is not before:
            self.count()

    async def see_out(self, patience: float) -> None:
        """The program ends: the window goes at once, or stays for so many seconds while orders are being sent."""
        desk = self._sender.at_work_for
        if desk is not None:
            self._window.setEnabled(False)  # what would be typed now is kept by nobody
            with suppress(TimeoutError):  # what has no answer by then is found in doubt at the next start
                async with asyncio.timeout(patience):
                    if await self._say_sending(desk):
                        await self._sender.quiet()
        self._window.hide()

    async def _say_sending(self, desk: Desk) -> bool:
        """Say how many orders are being sent; whether there are any, and anybody knows."""
        from app.store import journal

        try:
            count = (await desk.journal.read(journal.counts, desk.profile.id))["sending"]
        except StoreError:
            return False  # they have as long all the same
        if count:
            orders = f"{count:,} order{'' if count == 1 else 's'}"
            self._window.bar.say("soft", f"Closing: waiting for {orders} to be answered, three seconds at most…")
        return count > 0

    def _try_now(self) -> None:
        self._rest = None  # what comes of it is said again
        self._sender.try_now()


def _waiting_words(elsewhere: Sequence[Waiting]) -> str:
    if len(elsewhere) == 1:
        return wait_words(elsewhere[0], _LONGEST_NAME)
    return f"{sum(each.count for each in elsewhere):,} wait in the outboxes of {len(elsewhere)} other connections"
