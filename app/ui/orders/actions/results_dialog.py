"""What came of something that was done to many orders: a row for each, as soon as it is known. It blocks nothing."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.ui.outbox.state_words import ink_of
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import RESULTS_SIZE, SPACE_2, SPACE_4
from app.ui.widgets.bars.message_bar import GLYPHS, progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, resize_within_screen, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.keys import UNDO_KEY, is_undo, shown_key
from app.ui.widgets.text.labels import Tone, plain_tooltip, text_label, visible

_ORDER_WIDTH = 160
_TONE = Qt.ItemDataRole.UserRole


class ResultsDialog(QDialog):
    """`total` are expected; `stop` is called when a person wants no more, closing the list included.

    Once it has `ended` nothing may be told here any more: it may be closed, and gone.
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
        self._words = self._note = ""
        self._rows: dict[int, QTreeWidgetItem] = {}  # those of writes, which go on
        self.heading = text_label(title, "title")
        self.standing = text_label("", "soft")
        self.progress = progress_bar(title)
        self.progress.setRange(0, total)
        self.list = QTreeWidget()
        self.list.setAccessibleName("What came of each order")
        self.list.setHeaderLabels(["Order", "What came of it"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        set_list_rows(self.list)
        self.list.setColumnWidth(0, _ORDER_WIDTH)
        self.stop_button = button("Stop", self._on_stop)
        self.undo_button = button("Undo", self.undo_asked.emit)
        self.undo_button.hide()
        self.setLayout(
            column(
                self.heading,
                self.standing,
                self.progress,
                self.list,
                row(
                    button("Copy", self._copy),
                    None,
                    self.undo_button,
                    self.stop_button,
                    button("Close", self.accept),
                    gap=SPACE_2,
                ),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        theme.changed.connect(self._colour_all)
        self._say()

    def add(self, order: str, tone: Tone, sentence: str, write_id: int | None = None) -> None:
        """What came of one of them; of a write, how it stands, which `restate` says anew."""
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

    def restate(self, said: Mapping[int, tuple[Tone, str]], seconds: int) -> None:
        """How the writes among the rows stand now; for so many seconds some of them can still be taken back."""
        for write_id, (tone, sentence) in said.items():
            self._put(self._rows[write_id], tone, sentence)
        self._note = "They can still be taken back." if seconds else ""
        self.undo_button.setText(f"Undo ({seconds})  {shown_key(UNDO_KEY)}")
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

    def end(self, words: str = "") -> None:
        """Nothing more comes; `words` say what it came to."""
        self.ended = True
        self.progress.hide()
        self.stop_button.hide()
        self._words = words
        self._say()

    @property
    def trouble_count(self) -> int:
        """How many are worth a look."""
        return sum(each.data(0, _TONE) in ("warn", "bad") for each in self._items())

    def _say(self) -> None:
        said = f"{self.done_count:,} of {self._total:,}"
        if self.ended and self.done_count < self._total:
            said = f"Stopped after {said}"
        if trouble := self.trouble_count:
            said += f", {trouble:,} to look at"
        words = " ".join(part for part in (f"{said}.", self._words, self._note) if part)
        self.standing.setText(visible(words if self.ended else f"{said}…"))

    def _copy(self) -> None:
        told = "\n".join(f"{each.text(0)}\t{each.text(1)}" for each in self._items())
        QApplication.clipboard().setText(told)

    def _on_stop(self) -> None:
        self._stop()
        self.end()

    def done(self, result: int) -> None:
        if not self.ended:
            self.ended = True
            self._stop()
        super().done(result)
