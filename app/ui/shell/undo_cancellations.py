"""Undo for cancellations: ten seconds, offered in the window's bar with a countdown, and by a key.

Invariant: an offer is made from the journal. A cancellation that has left, or was undone on another page, is offered no
more.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import Shiboken

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError, WrongState
from app.ui.base.main_window import MainWindow
from app.ui.outbox import outbox_words as words
from app.ui.outbox.outbox_words import seconds_left, sentence_about
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.text.keys import KeepsUndo, is_undo

_SECOND_MS = 1_000
_RESULT = "undo result"  # the topic of the message


@dataclass(slots=True)
class _Offer:
    """Cancellations that one act of a person has queued; `open` are those that can still be undone."""

    desk: Desk
    references: Mapping[int, str]
    topic: str
    open: dict[int, WriteRow] = field(default_factory=dict)
    known: bool = False  # `open` has been read from the journal
    said: bool = False
    closed: bool = False  # a person has closed the message; the key still works


class CancelUndo(QObject):
    """`undone`: a cancellation was undone, or its time is over, in the journal."""

    undone = Signal()

    def __init__(self, bar: MessageBar, tasks: Tasks) -> None:
        super().__init__()
        self._bar, self._tasks = bar, tasks
        self._offers: list[_Offer] = []
        self._late: dict[int, Desk] = {}  # cancellations that a person wanted to undo after they had left
        self._numbers = count()
        self.clock = QTimer(self)
        self.clock.setInterval(_SECOND_MS)
        self.clock.timeout.connect(self.tick)

    def offer(self, desk: Desk, write_id: int, reference: str) -> None:
        """Offer to undo a cancellation that is about to leave."""
        self.offer_all(desk, {write_id: reference})

    def offer_all(self, desk: Desk, references: Mapping[int, str]) -> None:
        """Offer to undo several cancellations at once; `references` by their writes."""
        self._offers.append(_Offer(desk, dict(references), f"undo {next(self._numbers)}"))
        self.clock.start()
        self.look()

    def look(self) -> None:
        """Read anew what can still be undone: the journal may have changed."""
        if self._offers or self._late:
            self._tasks.read("undo", self._look())

    async def _look(self) -> None:
        from app.desk.sending import outbox  # brings the client's models, which the first paint does without

        try:
            # A copy: a person may undo an offer while this waits for the journal.
            for each in list(self._offers):
                found = await outbox.writes_by_id(each.desk, list(each.references))
                each.open = {key: row for key, row in found.items() if seconds_left(row, each.desk.now())}
                each.known = True
            await self._follow_late()
        except StoreError as error:
            self._bar.say("bad", error.sentence, topic=_RESULT)
            return
        self._show()

    def tick(self) -> None:
        """A second is over. A cancellation without time left leaves the offer, whether or not there is a connection."""
        over: dict[int, Desk] = {}
        for each in self._offers:
            gone = [key for key, row in each.open.items() if not seconds_left(row, each.desk.now())]
            over |= dict.fromkeys(gone, each.desk)
            # By the window's own clock, not by the journal: without a connection no write leaves, and the countdown
            # must still end.
            each.open = {key: row for key, row in each.open.items() if key not in over}
        if over:
            self._tasks.write(f"end undo {min(over)}", self._end_undo(over))
        self._show()

    async def _end_undo(self, over: Mapping[int, Desk]) -> None:
        """Record that the time is over: else the next start of the program would ask about these cancellations."""
        from app.desk.sending import outbox

        try:
            left = [await outbox.end_undo(desk, (key,)) for key, desk in over.items()]
        except StoreError:
            return  # the next start asks about those that have not left by then
        if any(left):
            self.undone.emit()

    def _show(self) -> None:
        for each in [each for each in self._offers if each.known]:
            if not each.open:
                self._offers.remove(each)
                self._bar.withdraw(each.topic)
            elif not each.closed:
                self._say_offer(each)
        if not self._offers:
            self.clock.stop()

    def _say_offer(self, offer: _Offer) -> None:
        if offer.said and not self._bar.text_of(offer.topic):
            offer.closed = True
            return
        left = min(seconds_left(row, offer.desk.now()) for row in offer.open.values())
        offer.said = True
        references = [row.reference for row in offer.open.values()]
        self._bar.say(
            "warn", words.about_to_cancel(references), words.undo_button(left), partial(self._undo, offer),
            topic=offer.topic, undoes=True, priority=2,
        )  # fmt: skip

    # What can be done

    def undo_last(self) -> bool:
        """Undo the latest offer, also one whose message a person has closed; whether there was one."""
        offer = next((each for each in reversed(self._offers) if each.open), None)
        if offer is not None:
            self._undo(offer)
        return offer is not None

    def undo_writes(self, write_ids: Collection[int]) -> None:
        """Undo the offers that hold any of these writes."""
        for each in [each for each in self._offers if each.references.keys() & set(write_ids)]:
            self._undo(each)

    def _undo(self, offer: _Offer) -> None:
        if offer in self._offers:
            self._offers.remove(offer)
        self._bar.withdraw(offer.topic)
        # A name for each offer: a second write of the same name would be dropped.
        self._tasks.write(f"undo {offer.topic}", self._undo_writes(offer.desk, offer.references))

    async def _undo_writes(self, desk: Desk, references: Mapping[int, str]) -> None:
        from app.desk.sending import outbox

        taken, late, trouble = [], {}, ""
        for write_id, reference in references.items():
            try:
                await outbox.settle(desk, write_id, "withdrawn", words.UNDONE_NOTE, seen="queued")
            except WrongState:
                late[write_id] = desk  # it has left, or was undone on another page
                continue
            except StoreError as error:
                trouble = error.sentence
                break
            taken.append(reference)
        if taken:
            self.undone.emit()
        self._say_taken(list(references.values()), taken, trouble)
        if late and not trouble:
            self._late |= late
            self.look()

    def _say_taken(self, wanted: list[str], taken: list[str], trouble: str) -> None:
        if trouble and not taken:
            self._bar.say("bad", words.undo_failed(wanted, trouble), topic=_RESULT)
        elif trouble:
            self._bar.say("bad", words.undo_incomplete(len(taken), len(wanted), trouble), topic=_RESULT)
        elif taken:
            self._bar.say("good", words.not_cancelled(taken), topic=_RESULT)

    async def _follow_late(self) -> None:
        """Say how each cancellation stands that a person wanted to undo too late, until it is settled."""
        from app.desk.sending import outbox

        for write_id, desk in list(self._late.items()):
            row = (await outbox.writes_by_id(desk, (write_id,))).get(write_id)
            topic = f"too late {write_id}"
            if row is None or row.state == "queued":
                continue
            said = sentence_about(row, desk.now())
            self._bar.say(said.tone, said.sentence if said.over else words.too_late(said.sentence), topic=topic)
            if said.over or row.state in ("in_doubt", "rejected"):
                del self._late[write_id]  # from here on `OutboxNotices` shows it
                if not said.over:
                    self._bar.withdraw(topic)


class UndoKeys(QObject):
    """Alt+Z and Ctrl+Z in every window of the program: undo what a message offers, the latest first.

    Alt+Z always does so. Ctrl+Z belongs first to the widget that has the keyboard: a text field takes it while it has
    something of its own to undo, and the rows of a form and of audits take it by keys of their own.
    """

    def __init__(self, window: MainWindow, cancelled: CancelUndo) -> None:
        super().__init__(window)
        self._window, self._cancelled = window, cancelled
        self._field: QWidget | None = None
        alt = QShortcut(QKeySequence("Alt+Z"), window)
        alt.setContext(
            Qt.ShortcutContext.ApplicationShortcut
        )  # the results of several orders are a window of their own
        alt.activated.connect(self.undo)
        window.undo_asked.connect(self.undo)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def undo(self) -> bool:
        """Undo the last act; whether there was one."""
        return self.undo_since(0.0)

    def undo_since(self, moment: float) -> bool:
        """Undo the last act if it was done after this moment of `monotonic`; whether it was."""
        offered = {bar: since for bar in self._window.findChildren(MessageBar) if (since := bar.undo_since)}
        if offered:
            latest = max(offered, key=lambda bar: offered[bar])
            if offered[latest] <= moment:
                return False
            latest.undo()
            return True
        return self._cancelled.undo_last()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        # Only the widget with the keyboard is watched: a filter on the application would see every event.
        if self._field is not None and Shiboken.isValid(self._field):
            self._field.removeEventFilter(self)
        self._field = now if isinstance(now, (QLineEdit, QPlainTextEdit, QTextEdit)) else None
        if self._field is not None:
            self._field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and is_undo(event):
            # A field takes the key even if it has nothing to undo, so it is asked first.
            return not _has_own(watched) and self.undo()
        return super().eventFilter(watched, event)


def _has_own(field_: QObject) -> bool:
    """Whether a text field has something of its own to undo."""
    if isinstance(field_, KeepsUndo):
        return True
    if isinstance(field_, QLineEdit):
        return field_.isUndoAvailable() and not field_.isReadOnly()
    if isinstance(field_, (QPlainTextEdit, QTextEdit)):
        return field_.document().isUndoAvailable() and not field_.isReadOnly()
    return False
