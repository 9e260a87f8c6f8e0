"""Which view is shown and what of it is changed: the filter in the line, the sorting, the columns.

A view is a list (open, completed, or all), the filter in the line, a sorting and columns. Choosing a view puts its
filter into the line, where it can be changed like any other; it is kept when a person saves it.
"""

from dataclasses import replace
from datetime import date
from functools import lru_cache

from app.desk.filter.filter_language import Filter, parse
from app.desk.filter.filter_pieces import split_list
from app.desk.filter.order_views import ORDERS, View
from app.store.cache.order_rows import ListName
from app.store.cache.schema.conditions import Clause
from app.ui.orders.table.column_list import COMPLETED_COLUMNS, OPEN_COLUMNS
from app.ui.views.views_state import ViewsState

_MOST_FIRST = ("late",)  # sorted from the end at first: what is most urgent is wanted


class Viewing(ViewsState[View]):
    """Plain state: no widget, no store."""

    def __init__(self) -> None:
        super().__init__(ORDERS)
        self._sorts: dict[str, tuple[str, bool]] = {}
        self.held: Clause | None = None  # a set of orders that is too long for the line

    def choose(self, view: View) -> None:
        super().choose(view)
        self.held = None

    def kept_line(self, today: date) -> str:
        """What belongs into the line as long as the view is as it is kept."""
        return split_list(self.current.filter, today)[1]

    # What is shown

    @property
    def sort(self) -> tuple[str, bool]:
        """The column that is sorted by, and whether from the end."""
        return self._sorts.get(self.current.name, (self.current.sort, self.current.descending))

    def sort_by(self, name: str) -> None:
        """Sort by a column, or the other way round if it is the one already."""
        before, descending = self.sort
        self._sorts[self.current.name] = (name, not descending if before == name else name in _MOST_FIRST)

    def sort_as(self, name: str, descending: bool) -> None:
        """Sort by a column, in this direction."""
        self._sorts[self.current.name] = (name, descending)

    def asked(self, typed: Filter, today: date) -> Filter:
        """What is asked for: the view's list and what stands in the line, which may name another list."""
        if self.held is not None:
            return replace(typed, clauses=(*typed.clauses, self.held))
        if any(each.field == "list" for each in typed.clauses):
            return typed
        return replace(typed, clauses=(*_about(self.current.filter, today), *typed.clauses))

    def list_name(self, today: date) -> ListName | None:
        """The one list that the view is about; None when it is about several."""
        return one_list(parse(self.current.filter, today).clauses)

    def usual_columns(self, today: date) -> tuple[str, ...]:
        """The columns that this view has as long as nobody has arranged them."""
        if self.current.columns:
            return self.current.columns
        about = self.list_name(today)
        if about is None:
            return (OPEN_COLUMNS[0], "list", *OPEN_COLUMNS[1:])
        return COMPLETED_COLUMNS if about == "completed" else OPEN_COLUMNS

    # What is changed

    def changed(self, line: str, today: date) -> bool:
        """Whether what is shown differs from the view as it is kept."""
        return line.split() != self.kept_line(today).split() or self.sort != (
            self.current.sort,
            self.current.descending,
        )

    def as_shown(self, name: str, line: str, columns: tuple[str, ...], today: date) -> View:
        """A view of this name that shows what is shown now."""
        about, rest = split_list(line, today)
        about = about or split_list(self.current.filter, today)[0]
        sort, descending = self.sort
        return View(name, " ".join(part for part in (about, rest) if part), sort, descending, columns)

    def forget_sorting(self) -> None:
        """The view is sorted as it is kept."""
        self._sorts.pop(self.current.name, None)


@lru_cache(maxsize=8)  # the status bar asks every second which list is shown
def _about(view_filter: str, today: date) -> tuple[Clause, ...]:
    """The list that a view's filter names."""
    return parse(split_list(view_filter, today)[0], today).clauses


def one_list(clauses: tuple[Clause, ...]) -> ListName | None:
    """The one list that these clauses are about; None when they are about several."""
    names: tuple[ListName, ...] = ("open", "completed", "other")
    for each in clauses:
        if each.field == "list" and len(each.values) == 1 and not each.negated:
            return next((name for name in names if name == each.values[0]), None)
    return None
