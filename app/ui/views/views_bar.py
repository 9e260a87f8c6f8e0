"""The views beside each other, each with how many rows it finds; those that do not fit are in a menu.

Invariant: the view that is shown always has its tab.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1
from app.ui.views import views_words as words
from app.ui.widgets.buttons import button, icon_button, tab
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import ampersands, set_tip, visible

_WIDEST = 99  # views in the menu, for which the button has room


class ViewsBar(QWidget):
    """`tabs` are known by the casefolded name of their view; `spoken` says a view's name and count to a screen reader.

    `chosen` names the view that a person chose, `menu_asked` asks for the menu of the views at this place.
    """

    chosen = Signal(str)
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, spoken: Callable[[str, int], str]) -> None:
        super().__init__()
        self._spoken = spoken
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(words.VIEWS)
        self.tabs: dict[str, QPushButton] = {}
        self._names: tuple[str, ...] = ()
        self._counts: dict[str, int] = {}
        self._current = ""
        self._mark = ""
        self.more = button("", self._open_more, kind="quiet")
        self.edit = icon_button(theme, "plus", words.EDIT_VIEWS, self._open_menu, key="Alt+V")
        self._row = row(self.more, self.edit, None, gap=SPACE_1)
        self.setLayout(self._row)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.fit)

    def show_views(self, names: Sequence[str], current: str, *, changed: bool) -> None:
        """Show these views, with this one as the current one; `changed`: it has unsaved changes."""
        before = self._names, self._current, self._mark
        if tuple(names) != self._names:
            self._make(tuple(names))
        self._current, self._mark = current, "*" if changed else ""
        for name in names:
            each = self.tabs[name.casefold()]
            # The tab would tell that a person has chosen it.
            each.blockSignals(True)
            each.setChecked(name == current)
            each.blockSignals(False)
        if before != (self._names, current, self._mark):  # called at every key in the filter, and rarely different
            self._write_tabs()

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many rows these views find."""
        self._counts.update(counts)
        self._write_tabs()

    def _make(self, names: tuple[str, ...]) -> None:
        for each in self.tabs.values():
            self._row.removeWidget(each)
            # At once: it would be painted until it is deleted.
            each.hide()
            each.deleteLater()
        self._names = names
        self._counts = {name: count for name, count in self._counts.items() if name in names}
        self.tabs = {name.casefold(): self._tab(name) for name in names}
        for at, each in enumerate(self.tabs.values()):
            self._row.insertWidget(at, each)

    def _tab(self, name: str) -> QPushButton:
        made = tab(name, name)
        made.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        made.customContextMenuRequested.connect(partial(self._on_context, made))
        made.toggled.connect(partial(self._on_toggled, name))
        return made

    def _write_tabs(self) -> None:
        for name in self._names:
            each, count = self.tabs[name.casefold()], self._counts.get(name)
            mark = self._mark if name == self._current else ""
            shown = f"{name}{mark} {count:,}" if count else f"{name}{mark}"
            if each.text() != ampersands(shown):
                each.setText(ampersands(shown))
            each.setAccessibleName(visible(name if count is None else self._spoken(name, count)))
            set_tip(each, words.UNSAVED_CHANGES if mark else "")
        self._later.start()

    def sizeHint(self) -> QSize:
        tallest = max((each.sizeHint().height() for each in self.tabs.values()), default=0)
        return QSize(0, max(self.edit.sizeHint().height(), tallest))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show as many tabs as there is room for, that of the current view always among them."""
        room = self.width() - self.edit.sizeHint().width() - SPACE_1
        sizes = {name: self.tabs[name.casefold()].sizeHint().width() + SPACE_1 for name in self._names}
        over = sum(sizes.values()) > room
        if over:
            room -= self._more_width()
        room -= sizes.get(self._current, 0)
        hidden = []
        for name in self._names:
            fits = name == self._current or sizes[name] <= room
            if fits and name != self._current:
                room -= sizes[name]
            elif not fits:
                hidden.append(name)
                room = 0  # those after it go into the menu too: tabs with gaps between them would hide their order
            self.tabs[name.casefold()].setVisible(fits)
        self.more.setText(words.more_views(len(hidden)) if hidden else "")
        self.more.setAccessibleName(words.more_views_spoken(len(hidden)))
        self.more.setVisible(bool(hidden))

    def _more_width(self) -> int:
        return self.more.fontMetrics().horizontalAdvance(words.more_views(_WIDEST)) + 6 * SPACE_1

    def _on_toggled(self, name: str, on: bool) -> None:
        if on:
            self.chosen.emit(name)

    def _on_context(self, made: QPushButton, at: QPoint) -> None:
        made.setChecked(True)
        self.menu_asked.emit(made.mapToGlobal(at))

    def _open_menu(self) -> None:
        self.menu_asked.emit(self.edit.mapToGlobal(QPoint(0, self.edit.height())))

    def _open_more(self) -> None:
        self.fit()  # the tabs may be others, or wider or narrower, than when the button was last drawn
        hidden = [each for name in self._names if (each := self.tabs[name.casefold()]).isHidden()]
        if not hidden:
            return
        menu = QMenu(self)
        for each in hidden:
            menu.addAction(each.text(), partial(self._choose, each))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        menu.setActiveAction(menu.actions()[0])

    def _choose(self, each: QPushButton) -> None:
        """Choose a view from the menu; its tab is among the others from now on, and takes the keyboard."""
        each.setChecked(True)
        each.show()
        each.setFocus(Qt.FocusReason.OtherFocusReason)
