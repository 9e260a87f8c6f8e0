"""The details of an order below its head: sections of lines that can be copied, and its documents.

What has not changed is left standing, so that the place one reads at, the keyboard and the thumbnails stay.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.store.journal.records import WriteRow
from app.ui.orders.order_sections import Section
from app.ui.outbox.state_words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import LABEL_WIDTH, SPACE_1, SPACE_3
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import ampersands, text_label
from app.ui.widgets.text.times import moment

_LONG_LABEL = 24
# Also a name that is read from the right stands at the left, where its neighbours begin.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
_MENU_WORDS = 48
_MENU_LINES = 25


class SectionView(QWidget):
    """A heading with lines below; `copied` hands on a text that is to be copied, and what it is."""

    copied = Signal(str, str)

    def __init__(self, theme: Theme, part: Section) -> None:
        super().__init__()
        self.part = part
        self._copy = icon_button(theme, "copy", f"Copy from {part.heading}", self.open_menu)
        self._copy.setProperty("tight", True)
        grid = _grid(labelled=any(label for label, _ in part.lines))
        for at, (label, value) in enumerate(part.lines):
            words = text_label(value, wrap=True, selectable=True)
            words.setAlignment(_LEFT)
            if label:
                name = text_label(label, "soft", wrap=len(label) > _LONG_LABEL)
                grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(words, at, 1)
            else:
                grid.addWidget(words, at, 0, 1, 2)
        if not part.lines:
            grid.addWidget(text_label(part.nothing, "soft", wrap=True), 0, 0, 1, 2)
        self.setLayout(column(row(text_label(part.heading, "heading"), None, self._copy), grid))
        self._copy.setVisible(bool(part.lines))  # not before it stands in something: it would be a window of its own

    def open_menu(self) -> None:
        """Offer each line by itself, and all of them."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._copy.mapToGlobal(self._copy.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """What can be copied."""
        menu = QMenu(self)
        lines = self.part.lines
        whole = "\n".join(f"{label}: {value}" if label else value for label, value in lines)
        menu.addAction(f"All of {ampersands(self.part.heading)}", partial(self.copied.emit, whole, self.part.heading))
        menu.addSeparator()
        for label, value in lines[:_MENU_LINES]:
            short = value if len(value) <= _MENU_WORDS else f"{value[: _MENU_WORDS - 1]}…"
            words = f"{label}: {short}" if label else short
            menu.addAction(ampersands(words.replace("\n", " ")), partial(self.copied.emit, value, label or value))
        return menu


class HistoryView(QWidget):
    """What this desk sent about the order, and when, each with a way to it in the outbox."""

    def __init__(self, theme: Theme, history: Sequence[WriteRow], show: Callable[[int], object]) -> None:
        super().__init__()
        self.history = history
        grid = _grid(labelled=True)
        for at, each in enumerate(history):
            words = f"{STATE_LOOK[each.state][0]} {KIND_WORDS[each.kind]}: {state_word(each.state)}"
            grid.addWidget(text_label(moment(each.changed_at), "soft"), at, 0)
            grid.addWidget(text_label(words, wrap=True, selectable=True), at, 1)
            grid.addWidget(self._way(theme, each, show), at, 2)
        self.setLayout(column(text_label("Sent from this desk", "heading"), grid))

    def _way(self, theme: Theme, write: WriteRow, show: Callable[[int], object]) -> QPushButton:
        name = f"Show {KIND_WORDS[write.kind].lower()} in the outbox"
        made = icon_button(theme, "send", name, partial(show, write.id))
        made.setProperty("tight", True)
        return made


class DetailBody(QWidget):
    """Sections, documents and history from top to bottom."""

    copied = Signal(str, str)

    def __init__(self, theme: Theme, documents: QWidget, show_write: Callable[[int], object]) -> None:
        super().__init__()
        self.setObjectName("surfaceInner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._show_write = theme, show_write
        self._before, self._history, self._after = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        for each in (self._before, self._history, self._after):
            each.setSpacing(SPACE_1)
        self._above = column()
        gap, side = SPACE_1, SPACE_3 + SPACE_1
        parts = (self._before, documents, self._history, self._after, None)
        self.setLayout(column(self._above, column(*parts, margin=(side, gap, side, SPACE_3), gap=gap)))

    def take_above(self, widget: QWidget) -> None:
        """Let this stand above the details and scroll with them."""
        self._above.addWidget(widget)

    def show_parts(self, before: Sequence[Section], after: Sequence[Section]) -> None:
        """The sections above and below the documents."""
        self._put(self._before, before)
        self._put(self._after, after)

    def show_history(self, history: Sequence[WriteRow]) -> None:
        """What this desk sent."""
        item = self._history.itemAt(0)
        shown = item.widget() if item is not None else None
        if isinstance(shown, HistoryView) and list(shown.history) == list(history):
            return
        _drop(self._history, 0)
        if history:
            self._history.addWidget(HistoryView(self._theme, history, self._show_write))

    def _put(self, layout: QVBoxLayout, parts: Sequence[Section]) -> None:
        for place, part in enumerate(parts):
            item = layout.itemAt(place)
            shown = item.widget() if item is not None else None
            if isinstance(shown, SectionView) and shown.part == part:
                continue
            if isinstance(shown, SectionView) and shown.part.heading == part.heading:
                _drop_at(layout, place)
            made = SectionView(self._theme, part)
            made.copied.connect(self.copied)
            layout.insertWidget(place, made)
        _drop(layout, len(parts))


def _grid(*, labelled: bool) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, SPACE_3)
    grid.setHorizontalSpacing(SPACE_3)
    grid.setVerticalSpacing(SPACE_1 // 2)
    grid.setColumnStretch(1, 1)
    if labelled:
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    return grid


def _drop(layout: QVBoxLayout, first: int) -> None:
    """Take away all from this place on."""
    while layout.count() > first:
        _drop_at(layout, first)


def _drop_at(layout: QVBoxLayout, place: int) -> None:
    item = layout.takeAt(place)
    widget = item.widget() if item is not None else None
    if widget is not None:
        widget.hide()
        widget.deleteLater()
