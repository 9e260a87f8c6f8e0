"""The tour: which task is under way, and when it is done.

Invariants: it is offered once, to somebody who has done nothing yet, and shows itself again only if it was under way
when the program ended; it takes the keyboard from nobody; it runs in practice alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.news import News
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.journal import profile_store, setting_store
from app.store.store_errors import StoreError
from app.ui.base.main_window import MainWindow
from app.ui.base.page import Page
from app.ui.orders.orders_page import OrdersPage
from app.ui.tour import tour_words as words
from app.ui.tour.tour_panel import TourPanel
from app.ui.tour.tour_tasks import TASKS, Task, is_entered, is_taken_back, latest_writes

_KEY = "tour"
_TOPIC = "tour"
_LOOK_MS = 400  # at what the orders page shows, while an order is to be found


@dataclass(frozen=True, slots=True)
class TourState:
    """How far it is: the tasks that are done or skipped, by name; whether it is under way; whether it was offered."""

    done: frozenset[str] = frozenset()
    running: bool = False
    offered: bool = False


class Tour(QObject):
    """`go` shows a page, `is_off` says that there is none; `connect_asked`: a person wants to connect to a provider."""

    connect_asked = Signal()
    practice_asked = Signal()

    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        news: News,
        orders: OrdersPage,
        go: Callable[[str], object],
        is_off: Callable[[str], bool],
    ) -> None:
        super().__init__()
        self._window, self._tasks, self._orders, self._go, self._is_off = window, tasks, orders, go, is_off
        self.panel = TourPanel()
        self.state = TourState()
        self._desk: Desk | None = None
        self._last_write: int | None = None  # when the task began; None until it was read
        self._found = ("", 0)  # what was looked for and open when the task began
        self._offering = self._full = False
        window.add_strip(self.panel)
        panel = self.panel
        panel.begin_pressed.connect(self.start)
        panel.later_pressed.connect(self.leave)
        panel.leave_pressed.connect(self.leave)
        panel.skip_pressed.connect(self._skip)
        panel.show_pressed.connect(self._show_page)
        panel.connect_pressed.connect(self._on_connect)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._look_at_orders)
        news.wrote.connect(self._on_wrote)
        news.scanned.connect(self._on_scanned)
        news.reviewed.connect(self._on_reviewed)
        news.full_screen.connect(self._on_full_screen)

    # Beginning and leaving

    def take_desk(self, desk: Desk) -> None:
        """Another connection is in use: the tour shows itself in practice alone."""
        self._desk, self._last_write = desk, None
        self._show()

    def begin(self) -> None:
        """After the first paint: go on with a tour that was under way, or offer it to somebody who is new."""
        self._tasks.read("tour", self._begin())

    async def _begin(self) -> None:
        desk = self._desk
        if desk is None:
            return
        try:
            self.state = _read(await desk.journal.read(setting_store.read_setting, _KEY))
            if not self.state.running and not self.state.offered:
                rows = await latest_writes(desk)
                known = await desk.journal.read(profile_store.all_profiles)
                self._offering = not rows and not known and self._in_practice
        except StoreError:
            return  # the pages say what is wrong with the journal; the next start offers it
        if self._offering:
            self._keep(TourState(offered=True))
        self._show()

    def start(self) -> None:
        """Begin the tour, or go on where it was left; from the start if it was done."""
        if not self._in_practice:
            self._window.bar.say("", words.ONLY_IN_PRACTICE, words.USE_PRACTICE, self.practice_asked.emit, topic=_TOPIC)
            return
        done = self.state.done if self._next(self.state.done) is not None else frozenset()
        self._offering = False
        self._keep(TourState(done, running=True, offered=True))
        self._begin_task("")
        self.panel.focus()  # a person asked for it

    def leave(self) -> None:
        """Leave the tour; it goes on where it was left."""
        over, offered = self.state.running and self._next(self.state.done) is None, self._offering
        self._offering = False
        self._look.stop()
        self._keep(TourState(self.state.done, running=False, offered=True))
        self._give_keyboard_back()
        self.panel.hide()
        if not over and not offered:
            self._window.bar.say("", words.LEFT, topic=_TOPIC)

    def _give_keyboard_back(self) -> None:
        """Let the keyboard go to the page, if it is in the panel: a hidden button would give it to anything."""
        focused = self._window.focusWidget()
        page = self._window.pages.currentWidget()
        if focused is not None and self.panel.isAncestorOf(focused) and page is not None:
            page.setFocus()
            if isinstance(page, Page):
                page.enter()  # a page knows where in it one works

    def _on_connect(self) -> None:
        self.leave()
        self.connect_asked.emit()

    def _on_full_screen(self, on: bool) -> None:
        self._full = on
        self._show()

    def end(self) -> None:
        """The window closes: look at no page any more."""
        self._look.stop()

    # Tasks

    @property
    def _in_practice(self) -> bool:
        return self._desk is not None and self._desk.profile.id == profiles.PRACTICE_ID

    @property
    def _all(self) -> list[Task]:
        """The tasks whose pages there are."""
        return [each for each in TASKS if not self._is_off(each.page)]

    def _next(self, done: frozenset[str]) -> Task | None:
        return next((each for each in self._all if each.name not in done), None)

    @property
    def current(self) -> str:
        """The name of the task under way; empty for none."""
        task = self._next(self.state.done) if self.state.running and self._in_practice else None
        return "" if task is None else task.name

    def _begin_task(self, before: str) -> None:
        self._last_write = None
        self._found = self._shown_order()
        self._tasks.read("tour task", self._note_last_write())
        self._show(before)

    async def _note_last_write(self) -> None:
        desk = self._desk
        if desk is None:
            return
        try:
            rows = await latest_writes(desk)
        except StoreError:
            return  # as above
        if desk is self._desk:
            self._last_write = rows[0].id if rows else 0

    def _show(self, before: str = "") -> None:
        (self._look.start if self.current == "find" else self._look.stop)()
        if not self._in_practice or self._full or not (self._offering or self.state.running):
            self.panel.hide()
        elif self._offering:
            self.panel.show_offer()
        elif (task := self._next(self.state.done)) is None:
            self.panel.show_end(before)
        else:
            if self._last_write is None:
                self._tasks.read("tour task", self._note_last_write())
            self.panel.show_task(self._all.index(task) + 1, len(self._all), task.name, before)

    def _show_page(self) -> None:
        task = self._next(self.state.done)
        if task is not None:
            self._go(task.page)

    def _skip(self) -> None:
        task = self._next(self.state.done)
        if task is not None:
            self._end_task(task.name, before="")

    def _on_scanned(self) -> None:
        self._on_done("scan")

    def _on_reviewed(self) -> None:
        self._on_done("review")

    def _on_done(self, name: str) -> None:
        if self.current == name:
            self._end_task(name, before=name)

    def _end_task(self, name: str, before: str) -> None:
        self._keep(TourState(self.state.done | {name}, running=True, offered=True))
        self._begin_task(before)

    # What really happens

    def _shown_order(self) -> tuple[str, int]:
        return self._orders.line.editor.text().strip(), self._orders.side.key or 0

    def _look_at_orders(self) -> None:
        typed, number = found = self._shown_order()
        if typed and number and found != self._found and self._orders.isVisible():
            self._on_done("find")

    def _on_wrote(self) -> None:
        if self.current in ("enter", "cancel") and self._last_write is not None:
            self._tasks.read("tour writes", self._look_at_writes())

    async def _look_at_writes(self) -> None:
        desk, name, after = self._desk, self.current, self._last_write
        if desk is None or after is None:
            return
        try:
            rows = await latest_writes(desk)
        except StoreError:
            return  # as above
        happened = {"enter": is_entered, "cancel": is_taken_back}.get(name)
        if happened is not None and desk is self._desk and self.current == name and happened(rows, after):
            self._on_done(name)

    # What is kept

    def _keep(self, state: TourState) -> None:
        self.state = state
        self._tasks.write("keep tour", self._store())

    async def _store(self) -> None:
        desk, kept = self._desk, None
        if desk is None:
            return
        try:
            while kept != self.state:  # a task may have ended while the one before was kept
                kept = self.state
                record = {"done": sorted(kept.done), "running": kept.running, "offered": kept.offered}
                await desk.journal.write(setting_store.write_setting, _KEY, record)
        except StoreError as error:
            self._window.bar.say("warn", words.not_kept(error.sentence), topic=_TOPIC)


def _read(saved: object) -> TourState:
    found = saved if isinstance(saved, dict) else {}
    done = found.get("done")
    names = {each.name for each in TASKS}
    known = frozenset(each for each in done if each in names) if isinstance(done, list) else frozenset()
    return TourState(known, found.get("running") is True, found.get("offered") is True)
