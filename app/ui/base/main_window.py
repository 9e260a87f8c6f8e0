"""The main window: practice band, header, rail of pages, status bar.

Invariants: the window decides nothing, its signals ask the shell. Closing is a request too: the shell finishes the work
that is under way, then calls `let_go`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QMainWindow, QPushButton, QStackedWidget, QWidget

from app.store.journal.profile_store import Profile
from app.translation import translate
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import (
    ICON_PX,
    PROFILE_WIDTH,
    RAIL_WIDTH,
    SPACE_1,
    SPACE_2,
    SPACE_3,
    WINDOW_LEAST,
    WINDOW_SIZE,
)
from app.ui.widgets.bars.message_bar import MessageBar, PracticeBand
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.connection_colour import ColourLine, ColourMark, name_of_colour, show_colours
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.text.keys import is_undo, shown_key
from app.ui.widgets.text.labels import SteadyLabel, Tone, plain_tooltip, set_tip, set_tone, text_label, visible


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
_KINDS = {"practice": translate("practice"), "test": translate("test system"), "production": translate("production")}


class MainWindow(QMainWindow):
    """`page_asked` and `profile_asked` carry the name or id that a person chose."""

    page_asked = Signal(str)
    profile_asked = Signal(str)
    close_asked = Signal()
    search_asked = Signal()
    undo_asked = Signal()  # Ctrl+Z, unless the focused widget has handled it

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle("Waybill")
        self.setWindowIcon(theme.icon("package", "accent"))
        self.setMinimumSize(*WINDOW_LEAST)
        self.resize(*WINDOW_SIZE)
        self._may_close = False
        self._theme = theme
        self._colours: dict[str, str] = {}  # of the connections, by id
        theme.changed.connect(self._paint_colours)
        self.band = PracticeBand()
        self.colour_line = ColourLine(theme)
        self.bar = MessageBar(theme)
        self.rail = Rail(theme, ENTRIES, self.page_asked.emit)
        self.pages = QStackedWidget()
        self.profile_choice = Choice(translate("Connection in use"))
        self.profile_choice.setFixedWidth(PROFILE_WIDTH)
        self.profile_choice.activated.connect(self._on_profile)
        self.search_button = with_icon(
            button(
                translate("Search or command"),
                self.search_asked.emit,
                tip=translate("Orders, actions, pages and views (Ctrl+K)"),
            ),
            theme,
            "search",
        )
        self.link_label = text_label("", "soft")
        self.left_label = SteadyLabel("soft")
        self.right_mark = ColourMark(theme, "")  # of the one other connection that the label names
        self.right_mark.hide()
        self.right_label = text_label("", "soft")
        self._lay_out()

    def _lay_out(self) -> None:
        self.header = holding(
            row(
                text_label("Waybill", "strong"), SPACE_3, self.profile_choice, SPACE_3, self.link_label, None,
                self.search_button,
                margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
            ),
            "header",
        )  # fmt: skip
        middle = row(self.rail, self.pages)
        self.status = holding(
            row(
                self.left_label,
                None,
                self.right_mark,
                self.right_label,
                margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
                gap=SPACE_2,
            ),
            "statusBar",
        )
        whole = column(self.band, self.colour_line, self.header, middle, self.status)
        whole.setStretch(3, 1)
        ground = holding(whole, "ground")
        self.setCentralWidget(ground)
        self.bar.float_over(ground, self.pages)

    def add_page(self, page: QWidget) -> None:
        """Add a page."""
        self.pages.addWidget(page)

    def show_page(self, name: str, page: QWidget) -> None:
        """Show a page and mark it in the rail."""
        self.pages.setCurrentWidget(page)
        self.rail.select(name)

    def show_profiles(self, profiles: Sequence[Profile], current: Profile) -> None:
        """List the connections, and show the practice band if the current one is practice."""
        self.profile_choice.blockSignals(True)
        self.profile_choice.clear()
        for each in profiles:
            self.profile_choice.addItem(visible(_called(each)), each.id)
        self.profile_choice.setCurrentIndex(self.profile_choice.findData(current.id))
        self.profile_choice.blockSignals(False)
        self._colours = {each.id: name_of_colour(each.kind, each.colour) for each in profiles}
        self._paint_colours()
        self.colour_line.show_colour(current.colour)
        self.profile_choice.setToolTip(plain_tooltip(current.base_url))
        self.band.setVisible(current.kind == "practice")
        # Qt replaces [*] in a title by its mark of unsaved changes; doubled, it stands for itself.
        self.setWindowTitle(visible(f"Waybill · {_called(current)}").replace("[*]", "[*][*]"))

    def colour_of(self, profile_id: str) -> str:
        """The name of a connection's colour, empty for none."""
        return self._colours.get(profile_id, "")

    def _paint_colours(self) -> None:
        show_colours(self.profile_choice, self._theme, self._colours)

    def show_full(self, on: bool) -> None:
        """Show a page in full screen. The practice band stays, so practice is never mistaken for production."""
        for each in (self.header, self.rail, self.status):
            each.setVisible(not on)
        if on != self.isFullScreen():
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_link(self, tone: Tone, sentence: str) -> None:
        """Show the state of the connection."""
        set_tone(self.link_label, tone)
        self.link_label.setText(visible(sentence))
        set_tip(self.link_label, sentence)

    def let_go(self) -> None:
        """Close the window without asking."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo(event):
            self.undo_asked.emit()
        else:
            super().keyPressEvent(event)

    def _on_profile(self, _index: int) -> None:
        self.profile_asked.emit(str(self.profile_choice.currentData()))


def _called(profile: Profile) -> str:
    return profile.name if profile.kind == "practice" else f"{profile.name} · {_KINDS[profile.kind]}"


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
        self.setFixedWidth(RAIL_WIDTH)
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
            QShortcut(QKeySequence(key), self, made.click)
        self._group.addButton(made)
        return with_icon(made, theme, entry.icon)

    def _on_toggled(self, chosen: QPushButton, on: bool) -> None:
        if on:
            self._go(chosen.objectName())

    def select(self, name: str) -> None:
        """Check the button of the page that is shown."""
        with QSignalBlocker(self._group):
            self._buttons[name].setChecked(True)
        self._scroll.ensureWidgetVisible(self._buttons[name], 0, 0)

    def set_count(self, name: str, count: int) -> None:
        """Show how many things wait on a page; 0 hides the count."""
        title = self._titles[name]
        self._buttons[name].setText(f" {title}  {count}" if count else f" {title}")
        self._buttons[name].setAccessibleName(f"{title}, {count}" if count else title)
