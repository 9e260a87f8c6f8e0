"""What came of something that was done to many orders: a row for each, as soon as it is known. It blocks nothing."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from app.ui.outbox.words import ink_of
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import RESULTS_SIZE, SPACE_2, SPACE_4
from app.ui.widgets.bars import GLYPHS, progress_bar
from app.ui.widgets.buttons import button
from app.ui.widgets.even_rows import set_even_rows
from app.ui.widgets.labels import Tone, plain_tooltip, text_label, visible
from app.ui.widgets.layout import column, row

_ORDER_WIDTH = 160
_TONE = Qt.ItemDataRole.UserRole


class ResultsDialog(QDialog):
    """`total` are expected; `stop` is called when a person wants no more, closing the list included.

    Once it has `ended` nothing may be told here any more: it may be closed, and gone.
    """

    def __init__(self, parent: QWidget, theme: Theme, title: str, total: int, stop: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.resize(*RESULTS_SIZE)
        self._theme, self._title, self._total, self._stop = theme, title, total, stop
        self.done_count = self.trouble_count = 0
        self.ended = False
        self.heading = text_label(title, "title")
        self.standing = text_label("", "soft")
        self.progress = progress_bar(title)
        self.progress.setRange(0, total)
        self.list = QTreeWidget()
        self.list.setAccessibleName("What came of each order")
        self.list.setHeaderLabels(["Order", "What came of it"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        set_even_rows(self.list)
        self.list.setColumnWidth(0, _ORDER_WIDTH)
        self.stop_button = button("Stop", self._on_stop)
        self.setLayout(
            column(
                self.heading,
                self.standing,
                self.progress,
                self.list,
                row(button("Copy", self._copy), None, self.stop_button, button("Close", self.accept), gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_2,
            )
        )
        theme.changed.connect(self._colour_all)
        self._say()

    def add(self, order: str, tone: Tone, sentence: str) -> None:
        """What came of one of them."""
        self.done_count += 1
        self.trouble_count += tone != "good"
        item = QTreeWidgetItem([visible(order), visible(f"{GLYPHS[tone]} {sentence}")])
        item.setData(0, _TONE, tone)
        self._colour(item)
        item.setToolTip(1, plain_tooltip(sentence))
        self.list.addTopLevelItem(item)
        self.progress.setValue(self.done_count)
        self._say()

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
        self._say(words)

    def _say(self, words: str = "") -> None:
        said = f"{self.done_count:,} of {self._total:,}"
        if self.ended and self.done_count < self._total:
            said = f"Stopped after {said}"
        if self.trouble_count:
            said += f", {self.trouble_count:,} to look at"
        self.standing.setText(visible(f"{said}. {words}".strip() if self.ended else f"{said}…"))

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
