"""The rail: a button for each page, from top to bottom, with its key and a count of what waits there."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from app.translation import translate
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import ICON_PX, RAIL_WIDTH, SPACE_2
from app.ui.widgets.buttons import with_icon
from app.ui.widgets.layout import column, holding, scrolling
from app.ui.widgets.text.keys import shown_key
from app.ui.widgets.text.labels import set_tip


@dataclass(frozen=True, slots=True)
class RailEntry:
    """A page on the rail: its name in code, its title, and its icon."""

    name: str
    title: str
    icon: str
    key: str = ""  # a key of its own; the others have the digit of their place among those without


# Today has a key of its own, so that the digits stay with the pages that they have always had.
ENTRIES = (
    RailEntry("today", translate("Today"), "sun", "Ctrl+T"),
    RailEntry("orders", translate("Orders"), "package"),
    RailEntry("entry", translate("New order"), "square-pen"),
    RailEntry("outbox", translate("Outbox"), "send"),
    RailEntry("bulk", translate("Import"), "file-spreadsheet"),
    RailEntry("audits", translate("Audits"), "images"),
    RailEntry("loads", translate("Loads"), "list-checks"),
    RailEntry("facilities", translate("Facilities"), "warehouse"),
    RailEntry("quotes", translate("Quotes"), "file-text"),
    RailEntry("trucks", translate("Trucks"), "truck"),
    RailEntry("console", translate("Console"), "square-terminal"),
    RailEntry("insights", translate("Insights"), "chart-column", "Ctrl+Shift+I"),
    RailEntry("settings", translate("Settings"), "settings", "Ctrl+,"),
)
_DIGITS = 10


def rail_key(entry: RailEntry) -> str:
    """The key of a page; empty where there are more pages than digits."""
    if entry.key:
        return entry.key
    place = [each.name for each in ENTRIES if not each.key].index(entry.name) + 1
    return f"Ctrl+{place % 10}" if place <= _DIGITS else ""


class Rail(QWidget):
    """A button for each page, from top to bottom, with a count of waiting things.

    Ctrl+1 to Ctrl+9 press the first nine that have no key of their own, Ctrl+0 the tenth. In a low window the buttons
    scroll.
    """

    def __init__(self, theme: Theme, entries: tuple[RailEntry, ...], go: Callable[[str], None]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        SIZES.changed.connect(self._fit)
        self._fit()
        self.setAccessibleName(translate("Pages"))
        self._go = go
        self._titles = {each.name: each.title for each in entries}
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for each in entries:
            self._buttons[each.name] = self._make(theme, each)
        # Not `clicked`: a screen reader checks a button without a click.
        self._group.buttonToggled.connect(self._on_toggled)
        buttons = holding(column(*self._buttons.values(), None, margin=(0, SPACE_2, 0, SPACE_2)), "railInner")
        self._scroll = scrolling(buttons, "rail")
        self.setLayout(column(self._scroll))

    def _make(self, theme: Theme, entry: RailEntry) -> QPushButton:
        made = QPushButton(entry.title)
        made.setObjectName(entry.name)
        made.setProperty("kind", "rail")
        made.setCheckable(True)
        made.setAutoExclusive(True)  # so that a screen reader reports a radio button, not a check box
        made.setAutoDefault(False)
        made.setIconSize(QSize(ICON_PX, ICON_PX))
        made.setAccessibleName(entry.title)
        key = rail_key(entry)
        set_tip(made, f"{entry.title} ({shown_key(key)})" if key else entry.title)
        if key:
            QShortcut(QKeySequence(key), self, partial(self._on_key, made))
        self._group.addButton(made)
        return with_icon(made, theme, entry.icon)

    def _on_key(self, pressed: QPushButton) -> None:
        """Press a button; of a page that is left out only ask for the page, as that says why there is none."""
        if pressed.isEnabled():
            pressed.click()
        else:
            self._go(pressed.objectName())

    def _fit(self) -> None:
        self.setFixedWidth(max(SIZES.scaled(RAIL_WIDTH), RAIL_WIDTH))

    def _on_toggled(self, chosen: QPushButton, on: bool) -> None:
        if on:
            self._go(chosen.objectName())

    def select(self, name: str) -> None:
        """Check the button of the page that is shown."""
        with QSignalBlocker(self._group):
            self._buttons[name].setChecked(True)
        self._scroll.ensureWidgetVisible(self._buttons[name], 0, 0)

    def leave_out(self, names: Collection[str]) -> None:
        """Show no button for these pages. Their keys still ask for them."""
        for name in names:
            if name in self._buttons:
                self._buttons[name].hide()
                self._buttons[name].setEnabled(False)

    def set_count(self, name: str, count: int) -> None:
        """Show how many things wait on a page; 0 hides the count."""
        title = self._titles[name]
        self._buttons[name].setText(f" {title}  {count:,}" if count else f" {title}")
        self._buttons[name].setAccessibleName(f"{title}, {count}" if count else title)
