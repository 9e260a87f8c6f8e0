"""The main window, from its first moment on: a still of the last view first, then the frame with its pages.

It stays one window of the system's throughout, so nothing flickers and the keyboard stays where it is. Little is
imported here: `furnish` brings what the frame is made of, after the still has been painted. Nor is PySide's namespace
`Qt` used before that: its first use makes all of its 93 enums, which takes a tenth of the time to the first paint.

Invariants: the window decides nothing, its signals ask the shell. Closing is a request too: the shell finishes the work
that is under way, then calls `let_go`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRect, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from app.ui.theme.tokens import WINDOW_LEAST, WINDOW_SIZE

if TYPE_CHECKING:
    from app.store.journal.profile_store import Profile
    from app.ui.base.frame import Frame
    from app.ui.theme.theme import Theme
    from app.ui.widgets.text.labels import Tone


class MainWindow(QMainWindow):
    """`page_asked` and `profile_asked` carry the name or id that a person chose.

    Made without a theme it is empty until `furnish`, and shows nothing of its frame until `unveil`.
    """

    page_asked = Signal(str)
    page_shown = Signal()
    profile_asked = Signal(str)
    close_asked = Signal()
    search_asked = Signal()
    undo_asked = Signal()  # Ctrl+Z, unless the focused widget has handled it

    _frame: "Frame"

    def __init__(self, theme: "Theme | None" = None) -> None:
        super().__init__()
        self.setWindowTitle("Waybill")
        self.setMinimumSize(*WINDOW_LEAST)
        self.resize(*WINDOW_SIZE)
        self._may_close = False
        self.close_wanted = False  # before there was anybody to ask
        if theme is not None:
            self.furnish(theme)
            self.unveil()

    def stand_at(self, place: QByteArray) -> None:
        """Stand where a window stood last, and wholly on the screen that is there now.

        Qt refuses a place of a screen of another size. The size of a first start may be larger than the screen, too.
        """
        self.restoreGeometry(place)
        self.fit_screen(self.screen().availableGeometry())

    def fit_screen(self, room: QRect) -> None:
        """Be no larger than this part of the screen, and lie within it, unless the window fills the screen anyway."""
        if self.isMaximized() or self.isFullScreen():
            return
        size = self.size().boundedTo(room.size()).expandedTo(self.minimumSize())
        if size != self.size():
            self.resize(size)
        left = max(min(self.x(), room.right() + 1 - size.width()), room.left())
        top = max(min(self.y(), room.bottom() + 1 - size.height()), room.top())
        if (left, top) != (self.x(), self.y()):
            self.move(left, top)

    def furnish(self, theme: "Theme") -> None:
        """Make the frame."""
        from app.ui.base.frame import Frame

        theme.dress(self)
        self.setWindowIcon(theme.icon("package", "accent"))
        self._frame = frame = Frame(theme)
        self.band, self.colour_line, self.header, self.bar = frame.band, frame.colour_line, frame.header, frame.bar
        self.rail, self.pages, self.status = frame.rail, frame.pages, frame.status
        self.profile_choice, self.search_button = frame.profile_choice, frame.search_button
        self.link_label, self.left_label = frame.link_label, frame.left_label
        self.right_mark, self.right_label = frame.right_mark, frame.right_label
        frame.page_asked.connect(self.page_asked)
        frame.profile_asked.connect(self.profile_asked)
        frame.search_asked.connect(self.search_asked)

    def unveil(self) -> None:
        """Show the frame, in the place of whatever stands there."""
        self.setCentralWidget(self._frame.ground)
        # Qt shows it with the next event only, and the keys that a still held come before: a shortcut out of sight has
        # no key.
        self._frame.ground.show()

    def add_strip(self, strip: QWidget) -> None:
        """Add a strip between the pages and the status bar."""
        self._frame.add_strip(strip)

    def add_page(self, page: QWidget) -> None:
        """Add a page."""
        self.pages.addWidget(page)

    def show_page(self, name: str, page: QWidget) -> None:
        """Show a page and mark it in the rail."""
        self.pages.setCurrentWidget(page)
        self.rail.select(name)
        self.page_shown.emit()

    def show_profiles(self, profiles: "Sequence[Profile]", current: "Profile") -> None:
        """List the connections, and show the practice band if the current one is practice."""
        self.setWindowTitle(self._frame.show_profiles(profiles, current))

    def colour_of(self, profile_id: str) -> str:
        """The name of a connection's colour, empty for none."""
        return self._frame.colour_of(profile_id)

    def show_full(self, on: bool) -> None:
        """Show a page in full screen. The practice band stays, so practice is never mistaken for production."""
        for each in (self.header, self.rail, self.status):
            each.setVisible(not on)
        if on != self.isFullScreen():
            from PySide6.QtCore import Qt  # not before the first paint

            # Only this flag changes, so a maximised window is maximised again afterwards.
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_link(self, tone: "Tone", sentence: str) -> None:
        """Show the state of the connection."""
        self._frame.show_link(tone, sentence)

    def let_go(self) -> None:
        """Close the window without asking."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_wanted = True
            self.close_asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        from app.ui.widgets.text.keys import is_undo  # a key that a still has taken does not come here

        if is_undo(event):
            self.undo_asked.emit()
        else:
            super().keyPressEvent(event)
