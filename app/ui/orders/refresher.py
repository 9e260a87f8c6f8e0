"""Keeps the orders page fresh: asks the provider on a timer and on demand, and says how old what one sees is."""

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.desk import orders
from app.ui.widgets.times import clock, since

if TYPE_CHECKING:
    from app.desk.sync import Progress, Refreshed
    from app.ui.orders.page import OrdersPage

REFRESH_EVERY_S = 60
# Rows show while a long refresh still runs, at most this often.
_REDRAW_EVERY_S = 1.0


class Refresher(QObject):
    """Refreshes both lists of the page's desk; the page's one line of age and its states follow from what happened."""

    told = Signal(str)  # the line for the status bar
    heard = Signal(str)  # a list was asked for: the sentence for trouble, empty when the provider answered

    def __init__(self, page: "OrdersPage") -> None:
        super().__init__(page)
        self._page = page
        self._busy = self._said = False
        self._last_redraw: datetime | None = None
        self._ended: dict[str, Refreshed] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_EVERY_S * 1000)
        self._timer.timeout.connect(self.start)

    def forget(self) -> None:
        """Another desk: nothing is known about its freshness yet."""
        self._page.tasks.cancel("refresh")
        self._timer.stop()
        self._ended, self._busy = {}, False
        self._page.progress.hide()

    def begin(self) -> None:
        """The desk is connected: refresh now, and from now on by the clock."""
        self._timer.start()
        self.start()

    def soon(self, seconds: float) -> None:
        """Refresh in a moment: something was just sent that should show."""
        QTimer.singleShot(int(seconds * 1000), self, self.start)

    def start(self) -> None:
        """Refresh both lists now."""
        if self._page._desk is not None and self._page.desk.provider is not None:
            self._timer.start()
            self._page.tasks.read("refresh", self._refresh())

    async def _refresh(self) -> None:
        from app.desk import sync  # brings the client's models, which the first paint does without

        page = self._page
        self._busy = True
        page.progress.setRange(0, 0)
        page.progress.show()
        try:
            for name in (page.list_name, *(each for each in page.tabs if each != page.list_name)):
                assert name in ("open", "completed")
                result = await sync.refresh(page.desk, name, page.days, self._on_progress)
                self._ended[name] = result
                self.heard.emit(result.trouble)
                page.room.news.stored.emit()
        finally:
            self._busy = False
            page.progress.hide()
        self.say_age()
        self._say_trouble()

    def _on_progress(self, progress: "Progress") -> None:
        bar = self._page.progress
        if progress.windows > 1:
            bar.setRange(0, progress.windows)
            bar.setValue(progress.windows_done)
        now = self._page.room.now()
        due = self._last_redraw is None or (now - self._last_redraw).total_seconds() > _REDRAW_EVERY_S
        if progress.orders and due:
            self._last_redraw = now
            self._page.reload()
        self.told.emit(f"Refreshing, {progress.orders:,} orders received…" if progress.orders else "Refreshing…")

    def _say_trouble(self) -> None:
        result = self._ended.get(self._page.list_name)
        if result is None:
            return
        self._said, said_before = bool(result.missing or result.unreadable), self._said
        if result.missing:
            first = min(start for start, _ in result.missing)
            last = max(end for _, end in result.missing)
            days = f"{first:%d %b} to {last:%d %b}"
            self._page.bar.say(
                "warn",
                f"{result.trouble} Orders of {days} were not refreshed; what was seen before is still shown.",
                "Try again",
                self.start,
            )
        elif result.unreadable:
            self._page.bar.say("warn", f"{result.unreadable} records in the provider's list could not be read.")
        elif said_before:
            self._page.bar.clear()

    def say_age(self) -> None:
        """Say how old what is shown is, and which dates it covers."""
        if self._page._desk is not None and not self._busy:
            self._page.tasks.read("age", self._say_age())

    async def _say_age(self) -> None:
        page = self._page
        fetched = [each for each in await orders.coverage(page.desk, page.list_name) if each.fetched_at is not None]
        if not fetched:
            self.told.emit("Never refreshed")
            return
        oldest_day = min(each.start for each in fetched)
        at = max(each.fetched_at for each in fetched if each.fetched_at is not None)
        age = clock(at) if at.date() == page.room.now().date() else since(at, page.room.now())
        dates = "imported" if page.list_name == "open" else "delivered"
        self.told.emit(f"As of {age} · {dates} since {oldest_day:%d %b}")

    def show_state(self, count: int) -> None:
        """The table, or in its place why it is empty."""
        page, states = self._page, self._page.states
        result = self._ended.get(page.list_name)
        if count:
            states.show_content()
        elif page.filter.text().strip():
            states.show_state("search", "No order matches this filter", "", "Clear the filter", page.filter.clear)
        elif page.desk.provider is None:
            states.show_state("cloud-off", "No orders seen yet", page.desk.trouble)
        elif self._busy or result is None:
            states.show_state("clock", "Asking the provider…")
        elif result.missing:
            states.show_state("cloud-off", "No orders could be fetched", result.trouble, "Try again", self.start)
        else:
            what = "open" if page.list_name == "open" else "completed"
            states.show_state("inbox", f"No {what} orders", f"The provider has none for the last {page.days} days.")
