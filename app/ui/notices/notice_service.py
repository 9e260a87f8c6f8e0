"""Joins the noticer with the desktop and the pages: shows its notices, and opens what a click is about.

Invariant: a notice opens only what belongs to the connection in use; one of another connection is taken away when the
connection changes.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.background.news import News
from app.background.noticer import Noticer
from app.desk.desk import Desk
from app.desk.noticing.notice_choices import Kind
from app.desk.noticing.notice_text import Notice
from app.runtime.door import bring_forward
from app.runtime.sink import Sink
from app.ui.notices import notices_words as words
from app.ui.notices.desktop_notices import DesktopNotices
from app.ui.theme.theme import Theme

# What a page shows, with its bar. The window's own bar names what was refused and what is in doubt on every page.
_EVERYWHERE: frozenset[Kind] = frozenset({"refused", "in-doubt"})
_SHOWN_ON: dict[str, frozenset[Kind]] = {
    "today": frozenset({"watched", "soon", "low-audit"}),
    "orders": frozenset({"watched"}),
    "audits": frozenset({"low-audit"}),
}
_SETTINGS = "settings"


class NoticeService(QObject):
    """`place_asked` carries the `Place` that a person wants to see, `settings_asked` the wish to change notices.

    `shown_page` names the page that is shown. `changed`: who shows notices is another, or the choices are.
    """

    place_asked = Signal(object)
    settings_asked = Signal()
    changed = Signal()

    def __init__(
        self,
        sink: Sink,
        news: News,
        theme: Theme,
        window: QWidget,
        shown_page: Callable[[], str],
        fetching: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._window, self._shown_page = window, shown_page
        self._desk: Desk | None = None
        self._notice: Notice | str = ""  # what a click is about
        self.desktop = desktop = DesktopNotices(theme)
        self.noticer = noticer = Noticer(sink, news, self._looked_at, self._can_show, fetching)
        noticer.noticed.connect(self._show)
        noticer.over.connect(desktop.withdraw)
        noticer.chosen.connect(self._on_chosen)
        desktop.known.connect(self._on_known)
        desktop.closed.connect(noticer.closed)
        desktop.clicked.connect(self._on_clicked)
        desktop.window_asked.connect(self._on_window)
        desktop.settings_asked.connect(self._on_settings)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusWindowChanged.connect(self._on_focus)

    def begin(self) -> None:
        """Notice from now on: the window has been painted."""
        self.desktop.begin()

    def take_desk(self, desk: Desk) -> None:
        """Notice what happens at this desk."""
        self._desk = desk
        self.noticer.take_desk(desk)

    def show_trial(self) -> None:
        """Show a notice for a person who wants to see what they look like."""
        self._notice = _SETTINGS
        self.desktop.show_notice(words.TRIAL_HEADING, words.TRIAL_BODY)

    async def aclose(self, patience: float) -> None:
        """Stop, and take the notice away: nobody would be there to open what it is about."""
        await self.noticer.aclose(patience)
        self.desktop.end()

    def look_around(self) -> None:
        """Another page is shown."""
        self.noticer.look_around()

    def _can_show(self) -> bool:
        return self.desktop.can_show

    def _looked_at(self) -> frozenset[Kind]:
        """The kinds of notices whose facts the person sees anyway; none while another program has the keyboard."""
        if not self._window.isActiveWindow() or self._window.isMinimized():
            return frozenset()
        return _EVERYWHERE | _SHOWN_ON.get(self._shown_page(), frozenset())

    def _on_focus(self) -> None:
        self.noticer.look_around()

    def _on_known(self) -> None:
        self.noticer.begin()
        self.changed.emit()

    def _on_chosen(self) -> None:
        choices = self.noticer.choices
        self.desktop.set_wanted(bool(choices.kinds) and not choices.off)
        self.changed.emit()

    def _show(self, notice: Notice, _new: bool) -> None:
        self._notice = notice
        self.desktop.show_notice(notice.heading, notice.body)

    def _on_clicked(self) -> None:
        notice = self._notice
        self.noticer.closed()
        if notice == _SETTINGS:
            self._on_settings()
        elif isinstance(notice, Notice) and self._desk is not None and notice.profile == self._desk.profile.id:
            bring_forward(self._window)
            self.place_asked.emit(notice.place)

    def _on_window(self) -> None:
        bring_forward(self._window)

    def _on_settings(self) -> None:
        bring_forward(self._window)
        self.settings_asked.emit()
