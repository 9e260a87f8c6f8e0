"""Fetching as the orders page shows it: what is under way, how old things are, what is missing, and what can be done.

Stands between the refresher, the controls above the table, the list of dates, the message bar and the status bar. The
screen is told at most a few times a second, however fast orders come.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.order_refresher import Refresher
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.desk.sync.window_plan import LISTED, Job, Known, Listed, Missing, everything
from app.runtime.tasks import Tasks
from app.store.cache.order_rows import ListName, OrderQuery, WindowRow
from app.store.store_errors import StoreError
from app.ui.orders.fetching.dates_panel import DatesPanel
from app.ui.orders.fetching.freshness import (
    Dated,
    age_words,
    columns_words,
    dated,
    dated_before,
    departed_words,
    documents_words,
    progress_words,
    shrunk_words,
    status_words,
    stopped_words,
    trouble_words,
)
from app.ui.orders.table.column_list import Line, OrderColumn
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar

if TYPE_CHECKING:
    from PySide6.QtWidgets import QProgressBar

    from app.desk.sync.order_sync import Progress

from PySide6.QtWidgets import QWidget

from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import row

# What is said in the bar, each until its cause is gone.
_REFRESH, _OFFER, _TROUBLE, _HELD, _SHRUNK = "refresh", "fetch more", "refresh trouble", "refresh held", "shrunk"
_SHOWN_EVERY_MS = 200  # while orders come
# Groups of columns that lists bring only when asked: which part, and what it is called.
_PARTS = {"Documents": ("documents", "documents"), "Notes": ("notes", "notes")}
_TOLD_EVERY_MS = 1_000  # how long until the next refresh


class Fetching(QObject):
    """`status_changed` carries the text of the status bar."""

    status_changed = Signal(str)
    departed_asked = Signal()  # orders that left the open list are to be shown
    range_changed = Signal()  # other dates than before are fetched of the list that is shown

    lasting_topics = (_TROUBLE, _HELD)  # topics of the bar: what is so whichever view is shown

    def __init__(
        self,
        theme: Theme,
        tasks: Tasks,
        bar: MessageBar,
        progress: "QProgressBar",
        shown: Callable[[], tuple[ListName, str]],
    ) -> None:
        super().__init__(progress)  # whose clocks end with it
        self._tasks, self._bar, self._progress, self._shown = tasks, bar, progress, shown
        self._desk: Desk | None = None
        self._age, self._told = "", ""
        self._age_of: date | None = None  # the day on which it was put in words
        self._known: Known = {}
        self._shrunk_by = 0  # orders that were said to have left the open list
        self._unknown = 0  # orders whose documents a filter could not tell
        self.older_before: date | None = None  # the list holds what was fetched of days before this one, earlier
        self._days = 0  # that are fetched, as far as what is said goes by them
        self._offered: frozenset[str] = frozenset()  # columns of which it was said that they do not know all
        self.refresher = refresher = Refresher(tasks)
        self.controls = FetchControls(theme, self._refresh_or_stop, self._toggle_dates)
        self.dates = DatesPanel(theme, self._try_again)
        refresher.progressed.connect(self._on_progress)
        refresher.changed.connect(self._on_changed)
        refresher.finished.connect(self._on_finished)
        refresher.troubled.connect(self._on_trouble)
        refresher.held.connect(self._on_held)
        self.controls.horizon.currentIndexChanged.connect(self._on_horizon)
        self.controls.interval.currentIndexChanged.connect(self._on_interval)
        self.dates.retry_asked.connect(self._ask_again)
        self.dates.closed.connect(self._close_dates)
        self._show_clock = QTimer(self)
        self._show_clock.setSingleShot(True)
        self._show_clock.setInterval(_SHOWN_EVERY_MS)
        self._show_clock.timeout.connect(self._show_progress)
        self._second = QTimer(self)
        self._second.setInterval(_TOLD_EVERY_MS)
        self._second.timeout.connect(self.show_status)
        self._second.start()

    def take_desk(self, desk: Desk) -> None:
        """Another desk."""
        self._desk, self._age, self._known, self._unknown = desk, "", {}, 0
        self._offered, self._shrunk_by = frozenset(), 0
        self.refresher.take_desk(desk)
        self._progress.hide()
        self._close_dates()
        self.update_age()

    def show_list(self) -> None:
        """Another list is on the screen, or other rows of it."""
        self.refresher.first = self._shown()[0]
        self.update_age()
        self._say_trouble()

    def update_age(self) -> None:
        """Say how old what is shown is, and which dates it covers."""
        if self._desk is not None:
            self._tasks.read("age", self._read_age(self._desk))

    async def _read_age(self, desk: Desk) -> None:
        self._age_of = desk.now().date()
        try:
            self._known = {name: await stored_orders.coverage(desk, name) for name in LISTED}
        except StoreError as error:
            self._age = error.sentence
        else:
            name = self._shown()[0]
            rows = self._known["completed" if name == "completed" else "open"]
            self._age = age_words(rows, name, desk.now())
            self._see_range(rows, desk.now())
        self.show_status()
        self._show_dates()

    def _see_range(self, rows: Sequence[WindowRow], now: datetime) -> None:
        first = self._first_day(now)
        older = first.date() if any(each.fetched_at and each.start < first for each in rows) else None
        if older != self.older_before:
            self.older_before = older
            self.range_changed.emit()

    def _first_day(self, now: datetime) -> datetime:
        """The first moment of the dates that are fetched."""
        return datetime.combine(now.date() - timedelta(days=self.refresher.days), time())

    async def offer_documents(self, query: OrderQuery) -> None:
        """A filter asks for documents: say of how many orders they are not known, and offer to fetch them."""
        if self._desk is None or self.refresher.busy:
            return
        unknown = await stored_orders.documents_unknown(self._desk, query)
        if unknown and unknown != self._unknown:
            fetch = partial(self.refresher.fetch, ("documents",))
            self._bar.say("warn", documents_words(unknown), "Fetch them", fetch, topic=_OFFER)
        self._unknown = unknown

    def offer_columns(self, columns: Sequence[OrderColumn], lines: Iterable[Line]) -> None:
        """Columns show what is asked for apart: it comes from now on, and what is not known of these can be fetched.

        That is offered once, as long as the columns are the same.
        """
        needed = {each.name: _PARTS[each.group] for each in columns if each.group in _PARTS}
        self.refresher.want(part for part, _ in needed.values())
        offer = frozenset(needed)
        if self._desk is None or self._desk.provider is None or self.refresher.busy or offer <= self._offered:
            return
        lines = list(lines)
        unknown = {needed[each.name] for each in columns if each.name in offer and any(map(each.missing, lines))}
        if unknown:
            self._offered = offer
            parts, words = zip(*sorted(unknown), strict=True)
            fetch = partial(self.refresher.fetch, parts)
            self._bar.say("", columns_words(words), "Fetch them", fetch, topic=_OFFER)

    def show_status(self) -> None:
        """Say the words of the status bar, where they have changed."""
        if self._desk is None or not self._age:
            return
        if self._age_of != self._desk.now().date():
            self.update_age()  # what came at ten is of yesterday now
        refresher = self.refresher
        if refresher.busy:
            words = progress_words(refresher.progress) if refresher.progress is not None else "Refreshing…"
        else:
            orders = self._shown()[1]
            connected = self._desk.provider is not None
            words = status_words(
                orders, self._age, refresher.next_in,
                stopped=refresher.stopped, connected=connected, resting=refresher.rest_until is not None,
            )  # fmt: skip
        if words != self._told:
            self._told = words
            self.status_changed.emit(words)

    # What can be done

    def _refresh_or_stop(self) -> None:
        if self.refresher.busy:
            self.refresher.stop()
        elif self.refresher.stopped:
            self.refresher.go_on()
        else:
            self.refresher.start()

    def _on_horizon(self) -> None:
        self.refresher.choose(days=int(self.controls.horizon.currentData()))

    def _on_interval(self) -> None:
        self.refresher.choose(every=int(self.controls.interval.currentData()))
        self.show_status()

    def _on_trouble(self, sentence: str) -> None:
        self._bar.say("bad", sentence, topic=_TROUBLE)  # it goes with the next refresh that ends well

    def _on_held(self, sentence: str, may: bool) -> None:
        """What a person asked for is not done now: say why, and until when; it goes once orders are refreshed."""
        offer = ("Refresh all the same", self.refresher.start_all_the_same) if may else ("", None)
        self._bar.say("warn", sentence, *offer, topic=_HELD)
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
        self.refresher.try_again()

    def _ask_again(self, jobs: list[Job]) -> None:
        first, last = jobs[0], jobs[-1]
        self.refresher.try_again([Missing(each.list, first.start, last.end, "") for each in jobs])

    # What happens

    def _on_progress(self, _: "Progress") -> None:
        if not self._show_clock.isActive():
            self._show_clock.start()

    def _show_progress(self) -> None:
        progress = self.refresher.progress
        if progress is None:
            return
        self._progress.setRange(0, progress.windows if progress.windows > 1 else 0)
        self._progress.setValue(progress.windows_done)
        self._progress.show()
        self.show_status()
        if not self.dates.isHidden() and not self._tasks.running("age"):
            self.update_age()  # what has come whole meanwhile is in the store

    def _on_changed(self) -> None:
        refresher = self.refresher
        if refresher.days != self._days:
            self._days = refresher.days
            self.update_age()
        self.controls.show_state(refresher.days, refresher.every, busy=refresher.busy)
        if refresher.busy:
            self._progress.setRange(0, 0)
            self._progress.show()
            self._bar.withdraw(_HELD)  # now they are
        self.show_status()

    def _on_finished(self) -> None:
        self._progress.hide()
        self.update_age()
        self._say_trouble()

    def _say_trouble(self) -> None:
        refresher = self.refresher
        result = refresher.results.get(self._shown()[0])
        words = "" if result is None else trouble_words(result)
        if refresher.stopped:
            self._bar.say("soft", stopped_words(refresher.gaps), "Go on", refresher.go_on, topic=_REFRESH)
        elif words:
            self._bar.say("warn", words, "Try again", self._try_again, topic=_REFRESH)
        else:
            for topic in (_REFRESH, _OFFER, _TROUBLE):
                self._bar.withdraw(topic)
        self._say_shrunk()

    def _say_shrunk(self) -> None:
        """Orders that left the provider's list and are on no other: said once of so many, as long as that is so."""
        found, about = self.refresher.departed, self._shown()[0] == "open"
        words = shrunk_words(found, self.refresher.had) if found is not None else ""
        if not words or found is None:
            self._shrunk_by = 0
        if not words or found is None or not about:
            self._bar.withdraw(_SHRUNK)
        elif self._bar.text_of(_SHRUNK) or found.unfound > self._shrunk_by:  # else a person has closed it
            self._shrunk_by = found.unfound
            self._bar.say("warn", words, "Show them", self._show_departed, topic=_SHRUNK)

    def _show_departed(self) -> None:
        self._shrunk_by = 0  # it is said again where the open list is shown again
        self.departed_asked.emit()

    def _show_dates(self) -> None:
        if self._desk is None or self.dates.isHidden():
            return
        now, refresher = self._desk.now(), self.refresher
        lines = []
        for job in everything(("open",), now, refresher.days):
            jobs = {name: Job(name, job.start, job.end) for name in LISTED}
            told = {name: dated(jobs[name], self._known.get(name, ()), refresher.progress, now) for name in LISTED}
            lines.append((jobs, told))
        if earlier := self._earlier(now):
            lines.append(earlier)
        found = refresher.departed
        sentence = departed_words(found.unfound, found.unasked) if found is not None else ""
        self.dates.show_dates(lines, sentence, busy=refresher.busy)

    def _earlier(self, now: datetime) -> tuple[dict[Listed, Job], dict[Listed, Dated]] | None:
        """A line for what the lists hold of dates that are not fetched any more; None where that is nothing."""
        first = self._first_day(now)
        rows = {name: [each for each in self._known.get(name, ()) if each.start < first] for name in LISTED}
        starts = [each.start for some in rows.values() for each in some if each.fetched_at]
        if not starts:
            return None
        jobs: dict[Listed, Job] = {name: Job(name, min(starts), first - timedelta(seconds=1)) for name in LISTED}
        return jobs, {name: dated_before(rows[name], first, now) for name in LISTED}


# What is fetched, and not what is shown: what was fetched of earlier dates stays in the list.
HORIZONS = ((7, "Fetch 7 days"), (30, "Fetch 30 days"), (90, "Fetch 90 days"), (365, "Fetch a year"))
INTERVALS = ((60, "Every minute"), (120, "Every 2 min"), (300, "Every 5 min"), (900, "Every 15 min"), (0, "On demand"))


class FetchControls(QWidget):
    """Widgets alone: whoever made them listens and decides."""

    def __init__(self, theme: Theme, refresh: Callable[[], object], dates: Callable[[], object]) -> None:
        super().__init__()
        self.horizon = Choice("How far back orders are fetched")
        for days, words in HORIZONS:
            self.horizon.addItem(words, days)
        self.interval = Choice("How often orders are refreshed")
        for seconds, words in INTERVALS:
            self.interval.addItem(words, seconds)
        self.refresh_button = with_icon(button("Refresh", refresh, key="F5"), theme, "refresh-cw")
        self.stop_button = with_icon(button("Stop", refresh, key="Ctrl+F5"), theme, "x")
        self.stop_button.hide()
        # Both stand in one place; else everything beside them would move with each refresh.
        width = max(self.refresh_button.sizeHint().width(), self.stop_button.sizeHint().width())
        for each in (self.refresh_button, self.stop_button):
            each.setMinimumWidth(width)
        self.dates_button = button("Dates", dates, key="F7", tip="Which dates are known, which are missing and why")
        self.dates_button.setCheckable(True)
        self.setLayout(
            row(self.horizon, self.interval, self.dates_button, self.refresh_button, self.stop_button, gap=SPACE_2)
        )

    def show_state(self, days: int, every: int, *, busy: bool) -> None:
        """What is chosen, and whether something is under way. Nothing is taken for chosen by hand."""
        for choice, value in ((self.horizon, days), (self.interval, every)):
            blocked = choice.blockSignals(True)
            if choice.findData(value) < 0:
                choice.addItem(_words(choice is self.horizon, value), value)
            choice.setCurrentIndex(choice.findData(value))
            choice.blockSignals(blocked)
        had_focus = self.refresh_button.hasFocus() or self.stop_button.hasFocus()
        self.refresh_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        if had_focus:
            (self.stop_button if busy else self.refresh_button).setFocus()


def _words(is_days: bool, value: int) -> str:
    return f"Fetch {value:,} day{'' if value == 1 else 's'}" if is_days else f"Every {value:,} s"
