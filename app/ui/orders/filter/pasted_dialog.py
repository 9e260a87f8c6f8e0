"""The dialog for pasted references and order numbers: their orders are shown, unknown texts are listed to be copied."""

from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QWidget

from app.runtime.tasks import Tasks
from app.translation import translate
from app.ui.orders import orders_words
from app.ui.orders.filter.pasted_orders import MOST_PASTED, PastedMatch, cells, words
from app.ui.theme.tokens import PASTED_SIZE, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.text.labels import text_label, visible


class PastedDialog(QDialog):
    """`match` asks the store about pasted cells; `matched` hands over a `PastedMatch` that found orders."""

    matched = Signal(object)

    def __init__(self, parent: QWidget, tasks: Tasks, match: Callable[[list[str]], Awaitable[PastedMatch]]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *PASTED_SIZE)
        self._tasks, self._match = tasks, match
        self._unknown: tuple[str, ...] = ()
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(orders_words.PASTE_FIELD)
        self.text.setPlaceholderText(orders_words.PASTE_EXAMPLE)
        self.text.setTabChangesFocus(True)
        self.summary = text_label("", "soft", wrap=True)
        self.missing = QPlainTextEdit()
        self.missing.setReadOnly(True)
        self.missing.setTabChangesFocus(True)
        self.missing.setAccessibleName(orders_words.NOT_FOUND)
        self.missing.hide()
        self.copy_button = button(orders_words.COPY_NOT_FOUND, self._copy)
        self.copy_button.hide()
        show = button(orders_words.SHOW_THESE, self._on_show, kind="primary", key="Ctrl+Return")
        self.setLayout(
            column(
                text_label(orders_words.SHOW_THESE, "title"),
                self.text,
                self.summary,
                self.missing,
                row(self.copy_button, None, button(translate("Close"), self.accept), show, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        clipboard = QApplication.clipboard().text()
        if len(words(clipboard)) > 1:  # most likely copied for this dialog
            self.text.setPlainText(clipboard)
        self.text.setFocus()

    def _on_show(self) -> None:
        wanted = cells(self.text.toPlainText())
        if not wanted:
            self.summary.setText(orders_words.NOTHING_PASTED)
        elif (count := sum(len(words(each)) for each in wanted)) > MOST_PASTED:
            self.summary.setText(orders_words.too_many_pasted(count, MOST_PASTED))
        else:
            self._tasks.read("pasted", self._show(wanted))

    async def _show(self, wanted: list[str]) -> None:
        found = await self._match(wanted)
        self._unknown = found.unknown
        known = len(found.numbers) + len(found.references)
        total = known + len(found.unknown)
        self.summary.setText(orders_words.pasted_found(known, total))
        self.missing.setPlainText(visible("\n".join(found.unknown)))
        self.missing.setVisible(bool(found.unknown))
        self.copy_button.setVisible(bool(found.unknown))
        if known:
            self.matched.emit(found)
        if not found.unknown:
            super().done(QDialog.DialogCode.Accepted)

    def _copy(self) -> None:
        QApplication.clipboard().setText("\n".join(self._unknown))

    def done(self, result: int) -> None:
        """Close, and give up the search for pasted orders."""
        self._tasks.cancel("pasted")  # its result would be shown in a widget that is deleted
        super().done(result)
