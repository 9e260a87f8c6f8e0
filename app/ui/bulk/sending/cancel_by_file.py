"""Cancelling by the open file: which of its references are open orders, one question, and the outbox as always.

Invariant: what is cancelled are the rows that the question was about.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.desk.bulk.files.file_tables import Table
from app.desk.bulk.outcome import cancel_list
from app.desk.bulk.outcome.cancel_list import CancelLine
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.sending.cancel_face import CancelFace
from app.ui.widgets.confirm import confirmed

_TOPIC = "cancel by file"


class CancelByFile(QObject):
    """Fills `face`, which the page shows. `queued` carries the references of the cancellations by their writes."""

    queued = Signal(object)

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self._table: Table | None = None
        self._lines: Sequence[CancelLine] = ()
        self.face = CancelFace(page.services.theme)
        self.face.column_asked.connect(self._look_up)
        self.face.cancel_pressed.connect(self._on_pressed)

    def begin(self, table: Table) -> None:
        """Show the references of this file, or ask for their column, with the keyboard at it."""
        self._table, self._lines = table, ()
        place = cancel_list.reference_column(table)
        self.face.show_file(table.name, table.titles, place)
        self.face.column.setFocus()
        if place is not None:
            self._look_up(place)

    def _look_up(self, place: int) -> None:
        if self._table is not None:
            self._lines = ()
            self.face.show_file(self._table.name, self._table.titles, place)
            self._page.tasks.read("cancellations", self._load(self._table, place))

    async def _load(self, table: Table, place: int) -> None:
        self._lines = await cancel_list.look_up(self._page.desk, table, place)
        self.face.show_lines(self._lines, table.numbers)

    def _on_pressed(self) -> None:
        if self._table is not None:
            self._page.tasks.write("cancel by file", self._ask(self._table, self._lines))

    async def _ask(self, table: Table, lines: Sequence[CancelLine]) -> None:
        chosen = [each for each in lines if each.cancels]
        if not chosen:
            return
        question, consequence = (
            words.cancel_question(len(chosen)),
            words.cancel_consequence([each.reference for each in chosen]),
        )
        yes = words.cancel_orders(len(chosen))
        if not await confirmed(self._page.window(), question, consequence, yes, words.KEEP_THEM):
            return
        rows = [each.row for each in chosen]
        try:
            _, references = await cancel_list.cancel(self._page.desk, table, lines, rows)
        except StoreError as error:
            self._page.bar.say("bad", words.not_stored(error.sentence), topic=_TOPIC)
            return
        self._page.bar.withdraw(_TOPIC)
        self.queued.emit(references)
