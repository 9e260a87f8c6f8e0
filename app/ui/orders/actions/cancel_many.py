"""Cancelling several orders at once: one question that names them, one write and one result for each."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.text.plurals import counted
from app.store.cache.order_rows import OrderLine
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.outbox.write_sentences import said_of, seconds_left
from app.ui.widgets.confirm import confirmed

_NAMED = 8
_SECOND_MS = 1_000


def why_not(line: OrderLine) -> str:
    """Why an order cannot be cancelled as far as is known; empty when it can."""
    if not line.crn:
        return "It has no reference, and only orders with one can be cancelled."
    return "It is closed already." if line.is_closed else ""


async def cancel_many(page: Page, desk: Desk, lines: Sequence[OrderLine], hidden: int = 0) -> dict[int, str]:
    """Ask once and queue a cancellation for each of these, of which one can be; their writes with the references.
    `hidden` is how many of their rows are out of sight, which is said in the question.

    Each waits ten seconds in the outbox and can be taken back. How each stands is said in a list, as long as that is
    open; also of those that were left out.
    """
    possible = [each for each in lines if not why_not(each)]
    question = f"Cancel {counted(len(possible), 'order')}?"
    names = _names(possible, len(lines), hidden)
    yes, no = ("Cancel it", "Keep it") if len(possible) == 1 else ("Cancel them", "Keep them")
    sure = await confirmed(page, question, names, yes, no)
    if not sure:
        return {}
    dialog = ResultsDialog(page, page.room.theme, "Cancellations", len(lines), lambda: None)
    dialog.show()
    followed = _Followed(dialog, page, desk)
    queued: dict[int, str] = {}
    for each in lines:
        if dialog.ended:  # stopped, or closed: the others stay as they are
            break
        name, trouble = each.crn or f"{each.number}", why_not(each)
        if trouble:
            dialog.add(name, "warn", f"Left out. {trouble}")
            continue
        try:
            write_id = await outbox.queue_cancellation(desk, each.crn or "")
        except StoreError as error:
            if not dialog.ended:
                dialog.add(name, "bad", f"Not cancelled. {error.sentence}")
            continue
        queued[write_id] = name
        if not dialog.ended:
            followed.add(name, write_id)
    if not dialog.ended:
        dialog.end()
    return queued


class _Followed(QObject):
    """Draws anew how the cancellations in the list stand, whenever the journal has changed and while seconds count."""

    def __init__(self, dialog: ResultsDialog, page: Page, desk: Desk) -> None:
        super().__init__(dialog)  # and ends with it
        self._dialog, self._page, self._desk = dialog, page, desk
        self._ids: list[int] = []
        self._rows: dict[int, WriteRow] = {}
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND_MS)
        self._clock.timeout.connect(self._say)
        page.room.news.wrote.connect(self._look)
        dialog.undo_asked.connect(self._undo)

    def add(self, name: str, write_id: int) -> None:
        """One more has been queued."""
        self._ids.append(write_id)
        self._dialog.add(name, "soft", "In the outbox.", write_id)

    def _look(self) -> None:
        self._page.tasks.read(f"results {id(self)}", self._read())

    async def _read(self) -> None:
        try:
            rows = await outbox.writes_by_id(self._desk, self._ids)
        except StoreError:
            return  # who reads the journal for a person says so; the next change is read again
        if isValid(self) and self._dialog.isVisible():
            self._rows = rows
            self._say()

    def _say(self) -> None:
        now = self._desk.now()
        said = {key: said_of(row, now, blocked=bool(self._desk.blocked)) for key, row in self._rows.items()}
        left = min((each for row in self._rows.values() if (each := seconds_left(row, now))), default=0)
        self._dialog.restate({key: (each.tone, each.sentence) for key, each in said.items()}, left)
        if left:
            self._clock.start()
        else:
            self._clock.stop()

    def _undo(self) -> None:
        self._page.room.news.take_back.emit(list(self._ids))


def _names(possible: Sequence[OrderLine], chosen: int, hidden: int) -> str:
    names = [f"{each.crn} for {each.consignee_name or 'the consignee'}" for each in possible[:_NAMED]]
    if len(possible) > _NAMED:
        names.append(f"and {len(possible) - _NAMED:,} more")
    left_out = chosen - len(possible)
    note = f"\n{left_out:,} of the chosen orders are closed or have no reference, and are left out." if left_out else ""
    if hidden:
        note += f"\n{hidden:,} of the chosen rows {'is' if hidden == 1 else 'are'} out of sight in the list."
    return "\n".join(names) + note
