"""The order, or in its place one of its documents; and the saving of these, which tells of itself where one looks."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desk.orders.order_documents import to_save
from app.runtime.tasks import Tasks
from app.ui.base.page import Room
from app.ui.orders import orders_words as words
from app.ui.orders.documents.document_tiles import DocumentsSection
from app.ui.orders.documents.document_viewer import DocumentViewer
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.files.saving import Saver

SAVING = "documents"  # the name of the task


class DetailStack(QStackedWidget):
    """Holds `order`, which is shown at first. `reference` names the order in the files that are saved; while it is
    empty there is nothing to save. `bar` is the message bar of the order.
    """

    wider = Signal(bool)

    def __init__(self, room: Room, tasks: Tasks, order: QWidget, documents: DocumentsSection, bar: MessageBar) -> None:
        super().__init__()
        self._room, self._tasks, self._order, self._documents, self._bar = room, tasks, order, documents, bar
        self._saver = Saver(tasks, bar, "document")
        self.reference = ""
        self.viewer: DocumentViewer | None = None
        self.addWidget(order)
        documents.opened.connect(self.show_document)
        documents.save_all.connect(self._save_all)

    @property
    def shows_order(self) -> bool:
        """Whether the order itself is shown."""
        return self.currentWidget() is self._order

    def show_order(self) -> None:
        """Show the order rather than one of its documents."""
        if self.viewer is not None and not self.shows_order:
            self.viewer.put_away()
            self.setCurrentWidget(self._order)

    def show_document(self, at: int) -> None:
        """Show this document in place of the order."""
        if self.viewer is None:
            self.viewer = DocumentViewer(self._room.theme, self._room.pictures)
            self.viewer.closed.connect(self._back)
            self.viewer.save_asked.connect(self._save_one)
            self.viewer.wider.connect(self.wider)
            self.addWidget(self.viewer)
        self.setCurrentWidget(self.viewer)
        self.viewer.show_document(self._documents.documents, at)

    def _back(self) -> None:
        at = self.viewer.at if self.viewer is not None else 0
        self.show_order()
        self._documents.focus_tile(at)

    def _save_one(self, at: int) -> None:
        self._save(slice(at, at + 1))

    def _save_all(self) -> None:
        self._save(slice(None))

    def _save(self, which: slice) -> None:
        if self._room.pictures is None or not self.reference:
            return
        bar = self._bar if self.viewer is None or self.shows_order else self.viewer.bar
        if self._tasks.running(SAVING):
            bar.say("", words.STILL_SAVING)
            return
        wanted = to_save(self._documents.documents[which], self.reference)
        self._tasks.read(
            SAVING, self._saver.reporting_in(bar).save(self.window(), wanted, self._room.pictures().contents)
        )
