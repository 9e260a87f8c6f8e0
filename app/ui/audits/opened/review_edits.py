"""What is said of the audit that is open: kept at once, and taken back one by one, also after going on to another.

Invariant: what could not be kept is not shown as if it were.
"""

from collections.abc import Awaitable
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
from app.ui.widgets.bars.message_bar import MessageBar

_NOTHING = Reviews(AuditReview(), {})


class ReviewEdits(QObject):
    """`changed` tells that something else is to be shown of the audit that is open: of the photo with this address, or
    of the audit where it is empty. `kept` tells that the journal has changed, of whichever audit."""

    changed = Signal(str)
    reverted = Signal(str)  # likewise, since it could not be kept: what is being typed as a note stays in its field
    saved = Signal()

    def __init__(self, parent: QObject, tasks: Tasks, bar: MessageBar) -> None:
        super().__init__(parent)
        self._tasks, self._bar = tasks, bar
        self._desk: Desk | None = None
        self._number: int | None = None
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._turns = count()
        self._under_way: set[str] = set()
        self._trouble = ""  # why the last one could not be kept
        self.reviews = _NOTHING

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk
        self._done.clear()
        self._undone.clear()
        self.close_audit()

    def close_audit(self) -> None:
        """No audit is open."""
        self._number, self.reviews = None, _NOTHING

    async def open_audit(self, number: int) -> None:
        """This audit is open: read what was said of it. Raises `StoreError`."""
        assert self._desk is not None
        self._number = number
        self.reviews = await audit_reviews.reviews_of(self._desk, number)

    @property
    def audit(self) -> AuditReview:
        """What was said of the audit as a whole."""
        return self.reviews.audit

    def photo(self, address: str) -> PhotoReview:
        """What was said of a photo."""
        return self.reviews.photos.get(address, PhotoReview())

    def set_audit(self, review: AuditReview) -> bool:
        """Keep what is said of the audit; whether one is open."""
        if self._number is None:
            return False
        self._edit(_Change(self._number, "", self.audit, review))
        return True

    def set_photo(self, address: str, review: PhotoReview) -> None:
        """Keep what is said of a photo of the audit."""
        if self._number is not None:
            self._edit(_Change(self._number, address, self.photo(address), review))

    @property
    def last_edit_at(self) -> float:
        """When what would be taken back next was said, by the clock of `monotonic`; 0 where there is nothing."""
        return self._done[-1].at if self._done else 0.0

    def _edit(self, change: "_Change") -> None:
        self._done.append(change._replace(at=monotonic()))
        self._undone.clear()
        self._apply(change.number, change.address, change.after)

    def undo(self) -> None:
        """Undo what was last said, of whichever audit."""
        if self._done:
            change = self._done.pop()
            self._undone.append(change)
            self._apply(change.number, change.address, change.before)
            if change.number != self._number:
                self._bar.say("", f"Taken back: what was last said of audit {change.number}.")

    def redo(self) -> None:
        """Say again what was last taken back."""
        if self._undone:
            change = self._undone.pop()
            self._done.append(change)
            self._apply(change.number, change.address, change.after)
            if change.number != self._number:
                self._bar.say("", f"ReviewEdits again: what was taken back of audit {change.number}.")

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
        # A name of its own for each: a second one would be dropped while the first is being kept.
        name = f"say {next(self._turns)}"
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
        """Wait until all that was said is kept; the sentence for trouble, else empty."""
        for name in list(self._under_way):
            await self._tasks.ended(name)
        return self._trouble

    async def _save(self, work: Awaitable[AuditReview | PhotoReview], name: str, change: "_Change") -> None:
        try:
            await work
        except StoreError as error:
            self._trouble = error.sentence
            words = f"What was said of audit {change.number} could not be kept. {error.sentence}"
            self._bar.say("bad", words, topic=_topic(change.number))
            if change.number == self._number and self._now(change.address) == change.after:
                self._set(change.address, change.before)
                self.reverted.emit(change.address)
            return
        finally:
            self._under_way.discard(name)
        self._trouble = ""
        self._bar.withdraw(_topic(change.number))
        self.saved.emit()


def _topic(number: int) -> str:
    """What the bar says of an audit stays until something of this audit could be kept."""
    return f"review {number}"


class _Change(NamedTuple):
    """What is being kept: of which audit, of which photo (or empty), what was said before and what now."""

    number: int
    address: str
    before: AuditReview | PhotoReview
    after: AuditReview | PhotoReview
    at: float = 0.0  # when it was said, by the clock of `monotonic`
