"""The reviews of a person: each edit is saved at once, and can be undone after another audit was opened.

Invariants: an edit that could not be saved is not shown as if it were. An edit changes what was read, so nothing that
was not read yet is replaced. What is undone is said and shown.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from time import monotonic
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, PhotoReview, Reviews
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.audits import audits_words as words
from app.ui.widgets.bars.message_bar import MessageBar

_NOTHING = Reviews(AuditReview(), {})


class ReviewEdits(QObject):
    """The edits of a person and their undo.

    `changed` and `reverted` carry the address of a photo of the open audit, or an empty text for the audit itself.
    `reverted` says that a change was not saved: a note stays in its field then. `saved` follows each write to the
    journal. Of any audit, `applied` carries number, address and new review, and `refused` the number of one whose
    review was not saved. `undone` carries the number and the address of what was undone or made again.
    """

    changed = Signal(str)
    reverted = Signal(str)
    saved = Signal()
    applied = Signal(int, str, object)
    refused = Signal(int)
    undone = Signal(int, str)

    def __init__(self, parent: QObject, tasks: Tasks, bar: MessageBar) -> None:
        super().__init__(parent)
        self._tasks, self._bar = tasks, bar
        self._desk: Desk | None = None
        self._number: int | None = None
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._turns = count()
        self._under_way: set[str] = set()
        self._trouble = ""  # why the last edit was not saved
        self._read = False  # whether the reviews of the open audit are known
        self._waiting: list[Callable[[], object]] = []
        self.reviews = _NOTHING

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk
        self._done.clear()
        self._undone.clear()
        self.close_audit()

    def close_audit(self) -> None:
        """No audit is open."""
        self._number, self.reviews, self._read = None, _NOTHING, False
        self._waiting.clear()

    def begin_audit(self, number: int) -> None:
        """This audit is opened: its review is read next."""
        self._number = number

    async def open_audit(self, number: int) -> None:
        """Read the review of the audit that was opened. Raises `StoreError`."""
        assert self._desk is not None
        # An edit that is being written, such as one that is undone, may be of this audit.
        for name in list(self._under_way):
            await self._tasks.ended(name)
        self.reviews, self._read = await audit_reviews.reviews_of(self._desk, number), True
        waiting, self._waiting = self._waiting, []
        for at, act in enumerate(waiting, 1):
            act()
            if not self._read:  # it has opened the next audit, for which the keys after it were meant
                self._waiting = waiting[at:]
                break

    def once_read(self, act: Callable[[], object]) -> None:
        """Act now, or as soon as the review of the open audit is known: an edit before that would replace it unseen."""
        if self._read:
            act()
        elif self._number is not None:
            self._waiting.append(act)

    @property
    def audit(self) -> AuditReview:
        """The review of the audit itself."""
        return self.reviews.audit

    def photo(self, address: str) -> PhotoReview:
        """The review of a photo."""
        return self.reviews.photos.get(address, PhotoReview())

    def set_audit(self, review: AuditReview) -> bool:
        """Change the review of the audit; False if none is open, or its review is not known yet."""
        if self._number is None or not self._read:
            return False
        self._edit(_Change(self._number, "", self.audit, review))
        return True

    def set_photo(self, address: str, review: PhotoReview) -> None:
        """Change the review of a photo of the audit."""
        if self._number is not None and self._read:
            self._edit(_Change(self._number, address, self.photo(address), review))

    def set_photo_of(self, number: int, address: str, before: PhotoReview, review: PhotoReview) -> None:
        """Change the review of a photo of any audit."""
        self._edit(_Change(number, address, before, review))

    @property
    def last_edit_at(self) -> float:
        """When the last edit that can be undone was made, by `monotonic`; 0 where there is none."""
        return self._done[-1].at if self._done else 0.0

    def _edit(self, change: "_Change") -> None:
        self._done.append(change._replace(at=monotonic()))
        self._undone.clear()
        self._apply(change.number, change.address, change.after)

    def undo(self) -> None:
        """Undo the last edit, of whichever audit."""
        if self._done:
            change = self._done.pop()
            self._undone.append(change)
            self._apply(change.number, change.address, change.before)
            self._bar.say("", words.undone(change.number, change.before, change.after))
            self.undone.emit(change.number, change.address)

    def redo(self) -> None:
        """Make the edit again that was undone last."""
        if self._undone:
            change = self._undone.pop()
            self._done.append(change)
            self._apply(change.number, change.address, change.after)
            self._bar.say("", words.redone(change.number, change.before, change.after))
            self.undone.emit(change.number, change.address)

    def _apply(self, number: int, address: str, review: AuditReview | PhotoReview) -> None:
        desk = self._desk
        assert desk is not None
        if isinstance(review, AuditReview):
            work: Awaitable[AuditReview | PhotoReview] = audit_reviews.save_audit_review(desk, number, review)
        else:
            work = audit_reviews.save_photo_review(desk, number, address, review)
        before = self._now(address)
        if number == self._number:
            self._set(address, review)
            self.changed.emit(address)
        self.applied.emit(number, address, review)
        # A name of its own for each write: Tasks drops a second one of the same name while the first runs.
        name = f"review {next(self._turns)}"
        self._under_way.add(name)
        self._tasks.write(name, self._save(work, name, _Change(number, address, before, review)))

    def _now(self, address: str) -> AuditReview | PhotoReview:
        return self.photo(address) if address else self.audit

    def _set(self, address: str, review: AuditReview | PhotoReview) -> None:
        if isinstance(review, AuditReview):
            self.reviews = replace(self.reviews, audit=review)
        else:
            self.reviews = replace(self.reviews, photos=self.reviews.photos | {address: review})

    async def wait_until_saved(self) -> str:
        """Wait until all edits are saved. Returns the sentence for trouble, or an empty text."""
        for name in list(self._under_way):
            await self._tasks.ended(name)
        return self._trouble

    async def _save(self, work: Awaitable[AuditReview | PhotoReview], name: str, change: "_Change") -> None:
        try:
            await work
        except StoreError as error:
            self._trouble = error.sentence
            sentence = words.review_not_saved(change.number, error.sentence)
            self._bar.say("bad", sentence, topic=_topic(change.number))
            # A later edit may have replaced this one on screen: then there is nothing to undo.
            if change.number == self._number and self._now(change.address) == change.after:
                self._set(change.address, change.before)
                self.reverted.emit(change.address)
            self.refused.emit(change.number)
            return
        finally:
            self._under_way.discard(name)
        self._trouble = ""
        self._bar.withdraw(_topic(change.number))
        self.saved.emit()


def _topic(number: int) -> str:
    """The message about an audit stays until an edit of the same audit is saved."""
    return f"review {number}"


class _Change(NamedTuple):
    """One edit: its audit, its photo (empty for the audit itself), and the review before and after."""

    number: int
    address: str
    before: AuditReview | PhotoReview
    after: AuditReview | PhotoReview
    at: float = 0.0  # by the clock of `monotonic`
