"""F1: the dialog that lists the keys of the program. It fits within the window and scrolls where that is small."""

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QWidget

from app.ui.shell import shell_words
from app.ui.shell.key_list import Keys, found, sides_for
from app.ui.theme.tokens import KEYS_WIDTH, SPACE_1, SPACE_3, SPACE_4, SPACE_5
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import text_label


class KeysDialog(QDialog):
    """The list of keys, those of the page `here` first, without those of pages `off`. What is typed narrows it.

    The dialog is not modal, so the window stays usable; Escape closes it, arrow keys scroll.
    """

    def __init__(
        self,
        parent: QWidget,
        here: str = "",
        begin_tour: Callable[[], object] | None = None,
        off: Collection[str] = (),
    ) -> None:
        super().__init__(parent)
        self._groups = sides_for(here, off)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(shell_words.KEYS)
        self.sought = QLineEdit()
        self.sought.setAccessibleName(shell_words.FIND_KEY)
        self.sought.setPlaceholderText(shell_words.FIND_KEY)
        self.sought.textChanged.connect(self._narrow)
        self._nothing = text_label(shell_words.NO_SUCH_KEY, "soft")
        self._nothing.hide()
        self._inner = self._sides("")
        self._keys = scrolling(self._inner)
        self._keys.setAccessibleName(shell_words.KEYS)
        self._keys.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        close = button(shell_words.CLOSE, self.accept)
        self._begin_tour = begin_tour
        self.tour_button = button(shell_words.BEGIN_TOUR, self._on_tour)
        self.tour_button.setVisible(begin_tour is not None)
        self.setLayout(
            column(
                text_label(shell_words.KEYS, "title"),
                self.sought,
                self._nothing,
                self._keys,
                row(self.tour_button, None, close),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )
        self.resize(self._fitting(parent.size()))
        self._keys.setFocus()

    def _on_tour(self) -> None:
        self.accept()
        if self._begin_tour is not None:
            self._begin_tour()

    def _sides(self, typed: str) -> QWidget:
        groups = [found(side, typed, shown_key) for side in self._groups]
        sides = row(*(_side(side) for side in groups), gap=SPACE_5)
        for at, side in enumerate(groups):
            sides.setStretch(at, int(bool(side)))
        self._nothing.setVisible(not any(groups))
        return holding(sides)

    def _narrow(self, typed: str) -> None:
        self._inner = self._sides(typed)
        self._keys.setWidget(self._inner)  # which deletes the one before

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A letter that is typed into the list narrows it; Down leads from the search back to the list.
        if event.key() == Qt.Key.Key_Down and self.sought.hasFocus():
            self._keys.setFocus()
        elif event.text().strip() and event.text().isprintable() and not self.sought.hasFocus():
            self.sought.setFocus()
            self.sought.setText(self.sought.text() + event.text())
        else:
            super().keyPressEvent(event)

    def _fitting(self, window: QSize) -> QSize:
        """The size that shows all keys, limited by the size of the window."""
        width = min(KEYS_WIDTH, window.width() - 2 * SPACE_5)
        around = self.sizeHint().height() - self._keys.sizeHint().height()
        inner = width - 2 * SPACE_4 - self._keys.verticalScrollBar().sizeHint().width()
        height = self._inner.heightForWidth(inner) + around
        return QSize(width, min(height, window.height() - 2 * SPACE_5))


def _side(groups: Sequence[tuple[str, Keys]]) -> QWidget:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(SPACE_3)
    grid.setVerticalSpacing(SPACE_1)
    grid.setColumnStretch(1, 1)
    for at, (heading, keys) in enumerate(groups):
        if at:
            grid.setRowMinimumHeight(grid.rowCount(), SPACE_3)
        grid.addWidget(text_label(heading, "heading"), grid.rowCount(), 0, 1, 2)
        for key, words in keys:
            line = grid.rowCount()
            grid.addWidget(text_label(shown_key(key), "strong"), line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text_label(words, wrap=True), line, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    return holding(grid)


def show_keys(
    window: QWidget, here: str = "", begin_tour: Callable[[], object] | None = None, off: Collection[str] = ()
) -> None:
    """Open the list of keys with those of the page `here` first and without those of pages `off`, or bring the open
    one to the front."""
    dialog = window.findChild(KeysDialog) or KeysDialog(window, here, begin_tour, off)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
