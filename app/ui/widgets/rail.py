"""The rail of pages: one button a page, with a count where something waits there."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ICON_PX, RAIL_WIDTH, SPACE_2
from app.ui.widgets.buttons import with_icon
from app.ui.widgets.layout import column
from app.ui.widgets.text.key_words import shown_key
from app.ui.widgets.text.labels import set_tip


@dataclass(frozen=True, slots=True)
class RailEntry:
    """A page as the rail shows it."""

    name: str
    title: str
    icon: str


class Rail(QWidget):
    """Pages from top to bottom; Ctrl+1, Ctrl+2 … go to them in order."""

    def __init__(self, theme: Theme, entries: tuple[RailEntry, ...], go: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(RAIL_WIDTH)
        self.setAccessibleName("Pages")
        self._go = go
        self._titles = {each.name: each.title for each in entries}
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for place, each in enumerate(entries, 1):
            self._buttons[each.name] = self._make(theme, each, place)
        # Not clicks: a screen reader chooses without one.
        self._group.buttonToggled.connect(self._on_toggled)
        self.setLayout(column(*self._buttons.values(), None, margin=(0, SPACE_2, 0, SPACE_2)))

    def _make(self, theme: Theme, entry: RailEntry, place: int) -> QPushButton:
        made = QPushButton(entry.title)
        made.setObjectName(entry.name)
        made.setProperty("kind", "rail")
        made.setCheckable(True)
        made.setAutoExclusive(True)  # a choice among pages, not a box to tick, is what a screen reader is told
        made.setAutoDefault(False)
        made.setIconSize(QSize(ICON_PX, ICON_PX))
        made.setAccessibleName(entry.title)
        key = QKeySequence(f"Ctrl+{place}")
        set_tip(made, f"{entry.title} ({shown_key(key)})")
        QShortcut(key, self, made.click)
        self._group.addButton(made)
        return with_icon(made, theme, entry.icon)

    def _on_toggled(self, chosen: QPushButton, on: bool) -> None:
        if on:
            self._go(chosen.objectName())

    def select(self, name: str) -> None:
        """Mark the page that is shown."""
        with QSignalBlocker(self._group):
            self._buttons[name].setChecked(True)

    def set_count(self, name: str, count: int) -> None:
        """Show how many things wait on a page."""
        title = self._titles[name]
        self._buttons[name].setText(f" {title}  {count}" if count else f" {title}")
        self._buttons[name].setAccessibleName(f"{title}, {count}" if count else title)
