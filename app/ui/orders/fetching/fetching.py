"""Refreshing as the orders page shows it: progress, age of the data, missing dates, and the controls to change that.

`Fetching` listens to the refresher and draws the controls above the table, the dates panel, the message bar and the
status bar. Invariant: however fast orders come, the screen changes at most five times a second.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.background.order_refresher import Refresher
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sync.window_plan import LISTED, Coverage, Gap, Job, Listed, all_jobs
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import ListName, OrderQuery, WindowRow
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.orders.fetching.dates_panel import DatesPanel
from app.ui.orders.fetching.freshness import (
    WindowState,
    age_words,
    departed_words,
    left_windows_state,
    progress_words,
    shrunk_words,
    status_words,
    stopped_words,
    trouble_words,
    window_state,
)
from app.ui.orders.table.column_list import Line, OrderColumn
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import row

if TYPE_CHECKING:
    from PySide6.QtWidgets import QProgressBar

    from app.desk.sync.order_sync import Progress

# Topics of the message bar. Each message stays until its cause is gone.
_REFRESH, _OFFER, _TROUBLE, _HELD, _SHRUNK = "refresh", "fetch more", "refresh trouble", "refresh held", "shrunk"
_PROGRESS_MS = 200
_COUNTDOWN_MS = 1_000
# Groups of columns whose data a list brings only when it is asked for, and the part that brings them.
_PARTS = {"Documents": "documents", "Notes": "notes"}


class FetchControls(QWidget):
    """How far back and how often orders are fetched, the dates button, and one button to refresh or stop."""

    def __init__(self, theme: Theme, refresh: Callable[[], object], dates: Callable[[], object]) -> None:
        super().__init__()
        self.horizon = Choice(words.HORIZON_NAME)
        for days, title in words.HORIZONS:
            self.horizon.addItem(title, days)
        self.interval = Choice(words.INTERVAL_NAME)
        for seconds, title in words.INTERVALS:
            self.interval.addItem(title, seconds)
        self.refresh_button = with_icon(button(translate("Refresh"), refresh, key="F5"), theme, "refresh-cw")
        self.stop_button = with_icon(button(translate("Stop"), refresh, key="Ctrl+F5"), theme, "x")
        self.stop_button.hide()
        self.dates_button = button(translate("Dates"), dates, key="F7", tip=words.DATES_TIP)
        self.dates_button.setCheckable(True)
        self.setLayout(
            row(self.horizon, self.interval, self.dates_button, self.refresh_button, self.stop_button, gap=SPACE_2)
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            # One of the two is shown at a time. With different widths, their neighbours would move at every refresh.
            width = max(self.refresh_button.sizeHint().width(), self.stop_button.sizeHint().width())
            for each in (self.refresh_button, self.stop_button):
                each.setMinimumWidth(width)

    def show_state(self, days: int, every: int, *, busy: bool) -> None:
        """Show the choices in force and the button that fits, without calling that a choice of a person's."""
        titles = (words.fetch_days, words.every_seconds)
        for choice, value, title in zip((self.horizon, self.interval), (days, every), titles, strict=True):
            blocked = choice.blockSignals(True)
            if choice.findData(value) < 0:
                choice.addItem(title(value), value)
            choice.setCurrentIndex(choice.findData(value))
            choice.blockSignals(blocked)
        # A hidden widget loses the keyboard, so the focus is asked for before.
        had_focus = self.refresh_button.hasFocus() or self.stop_button.hasFocus()
        self.refresh_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        if had_focus:
            (self.stop_button if busy else self.refresh_button).setFocus()


class Fetching(QObject):
    """`shown` returns the list in the table and how many orders it shows, in words."""

    status_changed = Signal(str)  # the text of the status bar
    departed_asked = Signal()  # show the orders that left the open list
    range_changed = Signal()  # other dates of the shown list are fetched than before

    lasting_topics = (_TROUBLE, _HELD)  # messages that are true of every view

    def __init__(
        self,
        theme: Theme,
        tasks: Tasks,
        bar: MessageBar,
        progress: "QProgressBar",
        shown: Callable[[], tuple[ListName, str]],
    ) -> None:
        super().__init__(progress)  # a child of the progress bar, so that the timers end with it
        self._tasks, self._bar, self._progress, self._shown = tasks, bar, progress, shown
        self._desk: Desk | None = None
        self._age, self._status = "", ""
        self._age_day: date | None = None  # the day on which `_age` was written: "today" changes at midnight
        self._known: Coverage = {}
        self._reported_departed = 0  # how many departed orders the last message about them counted
        self._unknown_documents = 0  # how many orders the last message about unknown documents counted
        self.older_before: date | None = None  # the table shows orders of earlier days, which are not fetched any more
        self._days = 0  # the horizon for which the age was read
        self._offered: frozenset[str] = frozenset()  # columns for which missing data was offered already
        self.refresher = refresher = Refresher(tasks)
        self.controls = FetchControls(theme, self._refresh_or_stop, self._toggle_dates)
        self.dates = DatesPanel(theme, self._try_again)
        refresher.progressed.connect(self._on_progress)
        refresher.changed.connect(self._on_changed)
        refresher.finished.connect(self._on_finished)
        refresher.troubled.connect(self._on_trouble)
        refresher.postponed.connect(self._on_held)
        self.controls.horizon.currentIndexChanged.connect(self._on_horizon)
        self.controls.interval.currentIndexChanged.connect(self._on_interval)
        self.dates.retry_asked.connect(self._retry_windows)
        self.dates.closed.connect(self._close_dates)
        self._progress_timer = QTimer(self)
        self._progress_timer.setSingleShot(True)
        self._progress_timer.setInterval(_PROGRESS_MS)
        self._progress_timer.timeout.connect(self._show_progress)
        self._countdown = QTimer(self)
        self._countdown.setInterval(_COUNTDOWN_MS)
        self._countdown.timeout.connect(self.show_status)
        self._countdown.start()

    def take_desk(self, desk: Desk) -> None:
        """Work for another desk from now on."""
        self._desk, self._age, self._known, self._unknown_documents = desk, "", {}, 0
        self._status = ""  # what was said is about the orders of another connection
        self.status_changed.emit("")
        self._offered, self._reported_departed = frozenset(), 0
        self.refresher.take_desk(desk)
        self._progress.hide()
        self._close_dates()
        self.update_age()

    def show_list(self) -> None:
        """The table shows another list: refresh that one first, and show its age and its trouble."""
        self.refresher.first = self._shown()[0]
        self.update_age()
        self._say_trouble()

    # The age of the data

    def update_age(self) -> None:
        """Read from the store how old the shown orders are and which dates they cover."""
        if self._desk is not None:
            self._tasks.read("age", self._read_age(self._desk))

    async def _read_age(self, desk: Desk) -> None:
        self._age_day = desk.now().date()
        try:
            self._known = {name: await stored_orders.coverage(desk, name) for name in LISTED}
        except StoreError as error:
            self._age = error.sentence
        else:
            name = self._shown()[0]
            rows = self._known["completed" if name == "completed" else "open"]
            self._age = age_words(rows, name, desk.now())
            self._update_range(rows, desk.now())
        self.show_status()
        self._show_dates()

    def _update_range(self, rows: Sequence[WindowRow], now: datetime) -> None:
        first = self._first_day(now)
        older = first.date() if any(each.fetched_at and each.start < first for each in rows) else None
        if older != self.older_before:
            self.older_before = older
            self.range_changed.emit()

    def _first_day(self, now: datetime) -> datetime:
        """The first moment of the dates that are fetched."""
        return datetime.combine(now.date() - timedelta(days=self.refresher.days), time())

    @property
    def status(self) -> str:
        """The text for the status bar; empty until the age of the orders is known."""
        return self._status

    def show_status(self) -> None:
        """Send the text of the status bar, if it has changed."""
        if self._desk is None or not self._age:
            return
        if self._age_day != self._desk.now().date():
            self.update_age()  # midnight has passed: "as of 22:00" is of yesterday now
        refresher = self.refresher
        if refresher.busy:
            text = progress_words(refresher.progress) if refresher.progress is not None else words.REFRESHING
        else:
            text = status_words(
                self._shown()[1],
                self._age,
                refresher.next_in,
                stopped=refresher.stopped,
                connected=self._desk.provider is not None,
                resting=refresher.rest_until is not None,
            )
        if text != self._status:
            self._status = text
            self.status_changed.emit(text)

    # Data that comes only when asked for

    async def offer_documents(self, query: OrderQuery) -> None:
        """If a filter asks for documents that are not known of some orders, offer to fetch them."""
        if self._desk is None or self.refresher.busy:
            return
        unknown = await stored_orders.documents_unknown(self._desk, query)
        if unknown and unknown != self._unknown_documents:
            fetch = partial(self.refresher.fetch_with, ("documents",))
            self._bar.say("warn", words.documents_unknown(unknown), words.FETCH_THEM, fetch, topic=_OFFER)
        self._unknown_documents = unknown

    def offer_columns(self, columns: Sequence[OrderColumn], lines: Iterable[Line]) -> None:
        """Fetch the parts that `columns` need from now on; offer to fetch what is missing in `lines`.

        The offer is made once, until other columns are shown.
        """
        needed = {each.name: _PARTS[each.group] for each in columns if each.group in _PARTS}
        self.refresher.include(needed.values())
        offer = frozenset(needed)
        if self._desk is None or self._desk.provider is None or self.refresher.busy or offer <= self._offered:
            return
        lines = list(lines)
        unknown = {needed[each.name] for each in columns if each.name in offer and any(map(each.missing, lines))}
        if unknown:
            self._offered = offer
            fetch = partial(self.refresher.fetch_with, tuple(sorted(unknown)))
            self._bar.say("", words.parts_unknown(unknown), words.FETCH_THEM, fetch, topic=_OFFER)

    # The controls

    def _refresh_or_stop(self) -> None:
        if self.refresher.busy:
            self.refresher.stop()
        elif self.refresher.stopped:
            self.refresher.resume()
        else:
            self.refresher.start()

    def _on_horizon(self) -> None:
        self.refresher.choose(days=int(self.controls.horizon.currentData()))

    def _on_interval(self) -> None:
        self.refresher.choose(every=int(self.controls.interval.currentData()))
        self.show_status()

    def _toggle_dates(self) -> None:
        if self.dates.isHidden():
            self.dates.show()
            self.controls.dates_button.setChecked(True)
            self._show_dates()
            self.dates.list.setFocus()
            self.update_age()
        else:
            self._close_dates()

    def _close_dates(self) -> None:
        had_focus = self.dates.isAncestorOf(focus) if (focus := self.dates.focusWidget()) is not None else False
        self.dates.hide()
        self.controls.dates_button.setChecked(False)
        if had_focus:
            self.controls.dates_button.setFocus()

    def _try_again(self) -> None:
        self.refresher.retry_gaps()

    def _retry_windows(self, jobs: list[Job]) -> None:
        first, last = jobs[0], jobs[-1]
        self.refresher.retry_gaps([Gap(each.list, first.start, last.end, "") for each in jobs])

    # The refresher's signals

    def _on_progress(self, _: "Progress") -> None:
        # A timer that runs already is not started again: the first signal is shown after 200 ms, whatever follows.
        if not self._progress_timer.isActive():
            self._progress_timer.start()

    def _show_progress(self) -> None:
        progress = self.refresher.progress
        if progress is None:
            return
        self._progress.setRange(0, progress.windows if progress.windows > 1 else 0)
        self._progress.setValue(progress.windows_done)
        self._progress.show()
        self.show_status()
        if not self.dates.isHidden() and not self._tasks.running("age"):
            self.update_age()  # windows that are complete by now are in the store

    def _on_changed(self) -> None:
        refresher = self.refresher
        if refresher.days != self._days:
            self._days = refresher.days
            self.update_age()
        self.controls.show_state(refresher.days, refresher.every, busy=refresher.busy)
        if refresher.busy:
            self._progress.setRange(0, 0)
            self._progress.show()
            self._bar.withdraw(_HELD)  # the refresh that was held back runs now
        self.show_status()

    def _on_finished(self) -> None:
        self._progress.hide()
        self.update_age()
        self._say_trouble()

    def _on_trouble(self, sentence: str) -> None:
        self._bar.say("bad", sentence, topic=_TROUBLE)  # `_say_trouble` withdraws it after the next good refresh

    def _on_held(self, sentence: str, may: bool) -> None:
        """A refresh that a person asked for waits: say why and until when, and offer to do it now if that `may` be."""
        offer = (words.REFRESH_ANYWAY, self.refresher.start_anyway) if may else ("", None)
        self._bar.say("warn", sentence, *offer, topic=_HELD)
        self.show_status()

    def _say_trouble(self) -> None:
        refresher = self.refresher
        result = refresher.results.get(self._shown()[0])
        trouble = "" if result is None else trouble_words(result)
        if refresher.stopped:
            stopped = stopped_words(refresher.gaps)
            self._bar.say("soft", stopped, words.CONTINUE_REFRESH, refresher.resume, topic=_REFRESH)
        elif trouble:
            self._bar.say("warn", trouble, words.TRY_AGAIN, self._try_again, topic=_REFRESH)
        else:
            for topic in (_REFRESH, _OFFER, _TROUBLE):
                self._bar.withdraw(topic)
        self._say_shrunk()

    def _say_shrunk(self) -> None:
        """Warn that the provider's open list may be wrong.

        A person who has closed the message sees it again only once more orders have left the list.
        """
        found = self.refresher.departed
        sentence = shrunk_words(found, self.refresher.open_before) if found is not None else ""
        if not sentence or found is None:
            self._reported_departed = 0
        if not sentence or found is None or self._shown()[0] != "open":
            self._bar.withdraw(_SHRUNK)
        elif self._bar.text_of(_SHRUNK) or found.unfound > self._reported_departed:
            self._reported_departed = found.unfound
            self._bar.say("warn", sentence, words.SHOW_THEM, self._show_departed, topic=_SHRUNK)

    def _show_departed(self) -> None:
        self._reported_departed = 0  # the message comes back when the open list is shown again
        self.departed_asked.emit()

    # The dates panel

    def _show_dates(self) -> None:
        if self._desk is None or self.dates.isHidden():
            return
        now, refresher = self._desk.now(), self.refresher
        lines: list[tuple[dict[Listed, Job], dict[Listed, WindowState]]] = []
        for job in all_jobs(("open",), now, refresher.days):
            jobs = {name: Job(name, job.start, job.end) for name in LISTED}
            states = {
                name: window_state(jobs[name], self._known.get(name, ()), refresher.progress, now) for name in LISTED
            }
            lines.append((jobs, states))
        if earlier := self._earlier_dates(now):
            lines.append(earlier)
        found = refresher.departed
        sentence = departed_words(found.unfound, found.unasked) if found is not None else ""
        self.dates.show_dates(lines, sentence, busy=refresher.busy)

    def _earlier_dates(self, now: datetime) -> tuple[dict[Listed, Job], dict[Listed, WindowState]] | None:
        """A line for all dates that are not fetched any more; None where the lists hold nothing of them."""
        first = self._first_day(now)
        rows = {name: [each for each in self._known.get(name, ()) if each.start < first] for name in LISTED}
        starts = [each.start for some in rows.values() for each in some if each.fetched_at]
        if not starts:
            return None
        jobs: dict[Listed, Job] = {name: Job(name, min(starts), first - timedelta(seconds=1)) for name in LISTED}
        return jobs, {name: left_windows_state(rows[name], first, now) for name in LISTED}
