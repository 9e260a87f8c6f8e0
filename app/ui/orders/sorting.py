"""Sorting by a column: at once as a rule. Of a large store the first time takes a while, which is said, with a stop."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.store.cache.order_rows import SORTS
from app.ui.orders.filter.viewing import Viewing
from app.ui.orders.table.column_list import BY_NAME
from app.ui.widgets.bars.message_bar import MessageBar

_TOPIC = "sorting"
_BUSY_AFTER_MS = 200
_ALWAYS_READY = ("imported_at", True)  # a sorting that an index of the store holds from the beginning


class Sorting(QObject):
    """`show` shows the rows anew; `give_up` ends what is under way for the rows that were asked for."""

    def __init__(
        self,
        parent: QObject,
        bar: MessageBar,
        state: Viewing,
        show: Callable[[], object],
        give_up: Callable[[], object],
    ) -> None:
        super().__init__(parent)
        self._bar, self._state, self._show, self._give_up = bar, state, show, give_up
        self._before = _ALWAYS_READY
        self._done = self._total = 0
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_BUSY_AFTER_MS)
        self._wait.timeout.connect(self._say)

    def by(self, name: str) -> None:
        """Sort by a column; the other way round if it is the one already."""
        if name in SORTS:
            self._before = self._state.sort
            self._state.sort_by(name)
            self._show()

    def hear(self, done: int, total: int) -> None:
        """Of so many orders so many are ready to be sorted; none of none when that has ended."""
        self._done, self._total = done, total
        if not total:
            self._end()
        elif self._bar.text_of(_TOPIC):
            self._say()
        elif not self._wait.isActive():
            self._wait.start()

    def stop(self) -> None:
        """Sort as before."""
        self._give_up()
        self._end()
        self._state.sort_as(*(_ALWAYS_READY if self._before[0] == self._state.sort[0] else self._before))
        self._show()

    def _say(self) -> None:
        name = self._state.sort[0]
        title = BY_NAME[name].title if name in BY_NAME else name
        far = f"{self._done:,} of {self._total:,} orders" if self._done else f"{self._total:,} orders"
        self._bar.say("", f"Sorting by {title} for the first time: {far}…", "Stop", self.stop, topic=_TOPIC)

    def _end(self) -> None:
        self._wait.stop()
        self._bar.withdraw(_TOPIC)
