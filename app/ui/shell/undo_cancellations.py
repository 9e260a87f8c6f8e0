"""Ten seconds in which cancellations can be taken back: offered in the window's bar, counted down, done by a key.

Each offer is drawn from the journal: what has left, or was taken back elsewhere, is offered no more.
"""

from collections.abc import Collection, Iterable, Mapping
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
from app.ui.outbox.write_sentences import said_of, seconds_left
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.text.keys import KeepsUndo, is_undo

_SECOND_MS = 1_000
_NAMED = 3
_RESULT = "undo came to"  # the topic of what came of it


@dataclass(slots=True)
class _Offer:
    """Cancellations that one act of a person has queued; `open` are those that can still be taken back."""

    desk: Desk
    references: Mapping[int, str]
    topic: str
    open: dict[int, WriteRow] = field(default_factory=dict)
    known: bool = False  # whether the journal has been asked
    said: bool = False
    closed: bool = False  # a person has closed the message; the key still works


class CancelUndo(QObject):
    """`taken_back` tells that the journal has changed."""

    taken_back = Signal()

    def __init__(self, bar: MessageBar, tasks: Tasks) -> None:
        super().__init__()
        self._bar, self._tasks = bar, tasks
        self._offers: list[_Offer] = []
        self._late: dict[int, Desk] = {}  # the cancellations that somebody wanted back too late
        self._numbers = count()
        self.clock = QTimer(self)
        self.clock.setInterval(_SECOND_MS)
        self.clock.timeout.connect(self.tick)

    def offer(self, desk: Desk, write_id: int, reference: str) -> None:
        """Offer to take back a cancellation that is about to leave."""
        self.offer_all(desk, {write_id: reference})

    def offer_all(self, desk: Desk, references: Mapping[int, str]) -> None:
        """The same of several at once; `references` by their writes."""
        self._offers.append(_Offer(desk, dict(references), f"undo {next(self._numbers)}"))
        self.clock.start()
        self.look()

    def look(self) -> None:
        """The journal has changed, or may have: see what can still be taken back."""
        if self._offers or self._late:
            self._tasks.read("undo", self._look())

    async def _look(self) -> None:
        from app.desk.sending import outbox  # brings the client's models, which the first paint does without

        try:
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
        """A second has gone by: what has no time left leaves, whether or not there is a connection."""
        over: dict[int, Desk] = {}
        for each in self._offers:
            gone = [key for key, row in each.open.items() if not seconds_left(row, each.desk.now())]
            over |= dict.fromkeys(gone, each.desk)
            each.open = {key: row for key, row in each.open.items() if key not in over}
        if over:
            self._tasks.write(f"let leave {min(over)}", self._let_leave(over))
        self._show()

    async def _let_leave(self, over: Mapping[int, Desk]) -> None:
        """Written down, so that a program that ends after this does not ask about them at its next start."""
        from app.desk.sending import outbox

        try:
            left = [await outbox.end_undo(desk, (key,)) for key, desk in over.items()]
        except StoreError:
            return  # asked about at the next start, if they have not left by then
        if any(left):
            self.taken_back.emit()

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
        self._bar.say(
            "warn", _about_to(offer.open.values()), f"Undo ({left})", partial(self._take_back, offer),
            topic=offer.topic, undoes=True, priority=2,
        )  # fmt: skip

    # What can be done

    def take_back_last(self) -> bool:
        """Take back what was offered last, also where a person has closed the message; whether there was anything."""
        offer = next((each for each in reversed(self._offers) if each.open), None)
        if offer is not None:
            self._take_back(offer)
        return offer is not None

    def take_back_writes(self, write_ids: Collection[int]) -> None:
        """Take back what was offered of these."""
        for each in [each for each in self._offers if each.references.keys() & set(write_ids)]:
            self._take_back(each)

    def _take_back(self, offer: _Offer) -> None:
        if offer in self._offers:
            self._offers.remove(offer)
        self._bar.withdraw(offer.topic)
        self._tasks.write(f"take back {offer.topic}", self._taken_back(offer.desk, offer.references))

    async def _taken_back(self, desk: Desk, references: Mapping[int, str]) -> None:
        from app.desk.sending import outbox

        taken, late, trouble = [], {}, ""
        for write_id, reference in references.items():
            try:
                await outbox.settle(desk, write_id, "withdrawn", "Taken back before it was sent.", seen="queued")
            except WrongState:
                late[write_id] = desk  # it has left, or somebody was quicker
                continue
            except StoreError as error:
                trouble = error.sentence
                break
            taken.append(reference)
        if taken:
            self.taken_back.emit()
        self._say_taken(list(references.values()), taken, trouble)
        if late and not trouble:
            self._late |= late
            self.look()

    def _say_taken(self, asked: list[str], taken: list[str], trouble: str) -> None:
        if trouble and not taken:
            what = asked[0] if len(asked) == 1 else f"{len(asked):,} orders"
            self._bar.say("bad", f"The cancellation of {what} could not be taken back. {trouble}", topic=_RESULT)
        elif trouble:
            were = "was" if len(taken) == 1 else "were"
            said = f"{len(taken):,} of {len(asked):,} cancellations {were} taken back."
            self._bar.say("bad", f"{said} {trouble}", topic=_RESULT)
        elif len(taken) == 1:
            self._bar.say("good", f"Order {taken[0]} was not cancelled.", topic=_RESULT)
        elif taken:
            self._bar.say("good", f"{_named(taken)} were not cancelled.", topic=_RESULT)

    async def _follow_late(self) -> None:
        """Say of each that was wanted back too late how it stands, until that is settled."""
        from app.desk.sending import outbox

        for write_id, desk in list(self._late.items()):
            row = (await outbox.writes_by_id(desk, (write_id,))).get(write_id)
            topic = f"too late {write_id}"
            if row is None or row.state == "queued":
                continue
            said = said_of(row, desk.now())
            self._bar.say(said.tone, said.sentence if said.over else f"Too late: {said.sentence}", topic=topic)
            if said.over or row.state in ("in_doubt", "rejected"):
                del self._late[write_id]  # the outbox's own notices go on from here
                if not said.over:
                    self._bar.withdraw(topic)


def _about_to(rows: Iterable[WriteRow]) -> str:
    names = [each.reference for each in rows]
    if len(names) == 1:
        return f"Order {names[0]} is about to be cancelled."
    return f"{_named(names)} are about to be cancelled."


def _named(names: list[str]) -> str:
    """`3 orders (A, B, C)`."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{len(names):,} orders ({', '.join(names[:_NAMED])}{more})"


class UndoKeys(QObject):
    """Alt+Z and Ctrl+Z in every window of the program: they do the undo that a message offers, the latest first.

    Alt+Z always does. Ctrl+Z belongs first to whatever has the keyboard: a text field keeps it as long as it has
    something of its own to undo, and so do rows and audits, whose own keys take it before it comes here.
    """

    def __init__(self, window: MainWindow, cancelled: CancelUndo) -> None:
        super().__init__(window)
        self._window, self._cancelled = window, cancelled
        self._field: QWidget | None = None
        alt = QShortcut(QKeySequence("Alt+Z"), window)
        alt.setContext(Qt.ShortcutContext.ApplicationShortcut)  # the list of what came of many is a window of its own
        alt.activated.connect(self.undo)
        window.undo_asked.connect(self.undo)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def undo(self) -> bool:
        """Undo what was done last; whether there was anything."""
        return self.undo_since(0.0)

    def undo_since(self, moment: float) -> bool:
        """The same, if it was done after this moment of `monotonic`."""
        offered = {bar: since for bar in self._window.findChildren(MessageBar) if (since := bar.undo_since)}
        if offered:
            latest = max(offered, key=lambda bar: offered[bar])
            if offered[latest] <= moment:
                return False
            latest.undo()
            return True
        return self._cancelled.take_back_last()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        # Only what has the keyboard is watched: a filter on the application would see every event there is.
        if self._field is not None and Shiboken.isValid(self._field):
            self._field.removeEventFilter(self)
        self._field = now if isinstance(now, (QLineEdit, QPlainTextEdit, QTextEdit)) else None
        if self._field is not None:
            self._field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and is_undo(event):
            # A field takes the key also when it has nothing to undo, so it is asked before.
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
