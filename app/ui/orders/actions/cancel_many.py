"""Cancelling several orders: one question that names them, then one write and one result for each.

Invariant: an order that cannot be cancelled is left out and reported; nothing is skipped silently.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.cache.order_rows import OrderLine
from app.store.journal.records import WriteRow
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.orders import orders_words as words
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.outbox.outbox_words import cancel_answers, cancel_how_many, seconds_left, sentence_about
from app.ui.widgets.confirm import confirmed

_NAMED = 8
_SECOND_MS = 1_000


def why_not(line: OrderLine) -> str:
    """Why an order cannot be cancelled, as far as this desk knows; empty if it can."""
    if not line.crn:
        return words.NO_REFERENCE_TO_CANCEL
    return words.CLOSED_ALREADY if line.is_closed else ""


async def cancel_many(page: Page, desk: Desk, lines: Sequence[OrderLine], hidden: int = 0) -> dict[int, str]:
    """Ask once, then queue a cancellation for each order that can be cancelled; returns reference by write.

    The question says how many of the rows are out of sight (`hidden`). Each write waits ten seconds in the outbox and
    can be undone. A dialog shows the state of each write, and of each order that was left out, until it is closed.
    """
    possible = [each for each in lines if not why_not(each)]
    names = _names(possible, len(lines), hidden)
    yes, no = cancel_answers(len(possible))
    sure = await confirmed(page, cancel_how_many(len(possible)), names, yes, no)
    if not sure:
        return {}
    dialog = ResultsDialog(page, page.services.theme, words.CANCELLATIONS_TITLE, len(lines), lambda: None)
    dialog.show()
    progress = _Progress(dialog, page, desk)
    queued: dict[int, str] = {}
    for each in lines:
        if dialog.ended:  # a person has stopped or closed it: no more orders are cancelled
            break
        name, trouble = each.crn or f"{each.number}", why_not(each)
        if trouble:
            dialog.add(name, "warn", words.left_out(trouble))
            continue
        try:
            write_id = await outbox.queue_cancellation(desk, each.crn or "")
        except StoreError as error:
            if not dialog.ended:
                dialog.add(name, "bad", words.not_cancelled(error.sentence))
            continue
        queued[write_id] = name
        if not dialog.ended:
            progress.add(name, write_id)
    if not dialog.ended:
        dialog.finish()
    return queued


class _Progress(QObject):
    """Updates the dialog's rows from the journal: at every change, and each second while something can be undone."""

    def __init__(self, dialog: ResultsDialog, page: Page, desk: Desk) -> None:
        super().__init__(dialog)  # ends with the dialog
        self._dialog, self._page, self._desk = dialog, page, desk
        self._ids: list[int] = []
        self._rows: dict[int, WriteRow] = {}
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND_MS)
        self._clock.timeout.connect(self._say)
        page.services.news.wrote.connect(self._look)
        dialog.undo_asked.connect(self._undo)

    def add(self, name: str, write_id: int) -> None:
        """A cancellation was queued."""
        self._ids.append(write_id)
        self._dialog.add(name, "soft", words.IN_THE_OUTBOX, write_id)

    def _look(self) -> None:
        self._page.tasks.read(f"results {id(self)}", self._read())

    async def _read(self) -> None:
        try:
            rows = await outbox.writes_by_id(self._desk, self._ids)
        except StoreError:
            return  # the outbox page reports that the journal cannot be read; the next change is read again
        if isValid(self) and self._dialog.isVisible():
            self._rows = rows
            self._say()

    def _say(self) -> None:
        now = self._desk.now()
        said = {key: sentence_about(row, now, blocked=bool(self._desk.blocked)) for key, row in self._rows.items()}
        left = min((each for row in self._rows.values() if (each := seconds_left(row, now))), default=0)
        self._dialog.update_rows({key: (each.tone, each.sentence) for key, each in said.items()}, left)
        if left:
            self._clock.start()
        else:
            self._clock.stop()

    def _undo(self) -> None:
        self._page.services.news.undo_cancellations.emit(list(self._ids))


def _names(possible: Sequence[OrderLine], chosen: int, hidden: int) -> str:
    names = [words.order_for(each.crn or "", each.consignee_name or words.THE_CONSIGNEE) for each in possible[:_NAMED]]
    if len(possible) > _NAMED:
        names.append(words.and_more(len(possible) - _NAMED))
    if left_out := chosen - len(possible):
        names.append(words.left_out_of_question(left_out))
    if hidden:
        names.append(words.rows_out_of_sight(hidden))
    return "\n".join(names)
