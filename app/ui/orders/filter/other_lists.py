"""When a filter finds nothing in the list that is shown: how many orders it finds on other lists, and the way there.

Without it "no order matches" would be said of orders that were completed yesterday.
"""

from collections.abc import Callable
from datetime import date

from app.desk.desk import Desk
from app.desk.filter.filter_language import EVERYWHERE, Filter
from app.desk.filter.filter_pieces import with_piece
from app.ui.orders.filter.filter_line import FilterLine


class Elsewhere:
    """`words` say what was found; empty when nothing was, or the filter finds something where one is."""

    def __init__(self, line: FilterLine, today: Callable[[], date]) -> None:
        self._line, self._today = line, today
        self.words = self.action = ""
        line.changed.connect(self.clear)

    async def look(self, desk: Desk, asked: Filter) -> None:
        """Look for what is asked for on the lists that it does not name. Raises `StoreError`."""
        self.clear()
        from app.desk.filter.resolve_filter import counts_on_other_lists  # nothing is filtered before the first paint

        found = await counts_on_other_lists(desk, asked)
        if found:
            one = sum(found.values()) == 1
            named = " and ".join(_named(name, count) for name, count in found.items())
            self.words = f"{named} match{'es' if one else ''} it."
            self.action = "Show it" if one else "Show them"

    def clear(self) -> None:
        """Something is found, or something else is asked for."""
        self.words = self.action = ""

    def show(self) -> None:
        """Ask for the same on all lists, where anything was found there."""
        if self.words:
            self.clear()
            self._line.put(with_piece(self._line.editor.text(), ("list",), EVERYWHERE, self._today()))


def _named(name: str, count: int) -> str:
    orders = f"{count:,} {{}}order{'' if count == 1 else 's'}"
    return orders.format("") + " on no list" if name == "other" else orders.format(f"{name} ")
