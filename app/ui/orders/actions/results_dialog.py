"""The results of an action on several orders, a row for each as soon as it is known. The dialog blocks nothing."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import RESULTS_SIZE, SPACE_2, SPACE_4
from app.ui.widgets.bars.message_bar import GLYPHS, progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.keys import UNDO_KEY, is_undo, shown_key
from app.ui.widgets.text.labels import Tone, ink_of, plain_tooltip, text_label, visible

_ORDER_WIDTH = 160
_TONE = Qt.ItemDataRole.UserRole


class ResultsDialog(QDialog):
    """Expects `total` results; calls `stop` when a person presses Stop or closes the dialog.

    Once `ended` is true, `add` must not be called: the dialog may be closed, and deleted by Qt.
    """

    undo_asked = Signal()

    def __init__(self, parent: QWidget, theme: Theme, title: str, total: int, stop: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *RESULTS_SIZE)
        self._theme, self._title, self._total, self._stop = theme, title, total, stop
        self.done_count = 0
        self.ended = False
        self._ending = self._note = ""
        self._rows: dict[int, QTreeWidgetItem] = {}  # by write: the state of a write goes on changing
        self.heading = text_label(title, "title")
        self.summary = text_label("", "soft")
        self.progress = progress_bar(title)
        self.progress.setRange(0, total)
        self.list = QTreeWidget()
        self.list.setAccessibleName(words.RESULTS_NAME)
        self.list.setHeaderLabels([translate("Order"), words.RESULT])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        set_list_rows(self.list)
        self.list.setColumnWidth(0, _ORDER_WIDTH)
        self.stop_button = button(translate("Stop"), self._on_stop)
        self.undo_button = button(translate("Undo"), self.undo_asked.emit)
        self.undo_button.hide()
        self.setLayout(
            column(
                self.heading,
                self.summary,
                self.progress,
                self.list,
                row(
                    button(translate("Copy"), self._copy),
                    None,
                    self.undo_button,
                    self.stop_button,
                    button(translate("Close"), self.accept),
                    gap=SPACE_2,
                ),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        theme.changed.connect(self._colour_all)
        self._say()

    def add(self, order: str, tone: Tone, sentence: str, write_id: int | None = None) -> None:
        """Add the result of one order. That of a write is updated by `update_rows`."""
        self.done_count += 1
        item = QTreeWidgetItem([visible(order), ""])
        if write_id is not None:
            self._rows[write_id] = item
        self._put(item, tone, sentence)
        self.list.addTopLevelItem(item)
        self.progress.setValue(self.done_count)
        self._say()

    def _put(self, item: QTreeWidgetItem, tone: Tone, sentence: str) -> None:
        item.setText(1, visible(f"{GLYPHS[tone]} {sentence}"))
        item.setData(0, _TONE, tone)
        self._colour(item)
        item.setToolTip(1, plain_tooltip(sentence))

    def update_rows(self, states: Mapping[int, tuple[Tone, str]], seconds: int) -> None:
        """Show the states of writes; for `seconds` more, some of them can be undone."""
        for write_id, (tone, sentence) in states.items():
            self._put(self._rows[write_id], tone, sentence)
        self._note = words.STILL_UNDOABLE if seconds else ""
        self.undo_button.setText(words.undo_within(seconds, shown_key(UNDO_KEY)))
        self.undo_button.setVisible(seconds > 0)
        self._say()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo(event) and self.undo_button.isVisible():
            self.undo_asked.emit()
        else:
            super().keyPressEvent(event)

    def _colour(self, item: QTreeWidgetItem) -> None:
        item.setForeground(1, self._theme.colour(ink_of(item.data(0, _TONE))))

    def _colour_all(self) -> None:
        for item in self._items():
            self._colour(item)

    def _items(self) -> list[QTreeWidgetItem]:
        found = (self.list.topLevelItem(at) for at in range(self.list.topLevelItemCount()))
        return [each for each in found if each is not None]

    def finish(self, sentence: str = "") -> None:
        """No more results come; the summary ends with `sentence`."""
        self.ended = True
        self.progress.hide()
        self.stop_button.hide()
        self._ending = sentence
        self._say()

    @property
    def trouble_count(self) -> int:
        """How many results are warnings or failures."""
        return sum(each.data(0, _TONE) in ("warn", "bad") for each in self._items())

    def _say(self) -> None:
        standing = words.done_at_last if self.ended else words.done_so_far
        parts = [standing(self.done_count, self._total, self.trouble_count)]
        if self.ended:
            parts += [part for part in (self._ending, self._note) if part]
        self.summary.setText(visible(" ".join(parts)))

    def _copy(self) -> None:
        lines = "\n".join(f"{each.text(0)}\t{each.text(1)}" for each in self._items())
        QApplication.clipboard().setText(lines)

    def _on_stop(self) -> None:
        self._stop()
        self.finish()

    def done(self, result: int) -> None:
        """Close; work that has not ended is stopped."""
        if not self.ended:
            self.ended = True
            self._stop()
        super().done(result)
