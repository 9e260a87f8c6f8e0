"""What the orders page asks the store for: a view, and what a person has changed of that view since.

    views bar ───── view ────┐
    filter line ─── text ────┤                                 resolve()
    pasted orders ─ clause ──┼──▶ QueryState ──▶ Filter ──▶ OrderQuery in a RowRequest
    headings ────── sorting ─┤
    columns menu ── columns ─┘

Invariant: a query is made from this state alone, so an equal state finds the same orders.
"""

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from app.desk.desk import Desk
from app.desk.filter.filter_language import Filter, parse
from app.desk.filter.filter_pieces import split_list
from app.desk.filter.order_views import ORDERS, View
from app.store.cache.order_rows import ListName, OrderQuery
from app.store.cache.schema.conditions import Clause
from app.ui.orders.table.arrangement import Arrangement, names_of
from app.ui.orders.table.column_list import COMPLETED_COLUMNS, OPEN_COLUMNS
from app.ui.orders.table.raw_columns import raw_fields_among
from app.ui.views.views_state import ViewsState

_DESCENDING_AT_FIRST = ("late",)  # the most urgent orders are at the end of these columns

# The line, the chips and the state read the same text at every key, and the status bar reads it every second.
parsed = lru_cache(maxsize=16)(parse)
_split = lru_cache(maxsize=16)(split_list)


class QueryState(ViewsState[View]):
    """Plain state: no widget, no store. `text` is the filter line as typed, `columns` are those in force.

    `pasted` is a set of pasted orders that is too long for the filter line.
    """

    def __init__(self) -> None:
        super().__init__(ORDERS)
        self.text = ""
        self.pasted: Clause | None = None
        self.columns: Arrangement = ()
        self._sorts: dict[str, tuple[str, bool]] = {}  # of views that are sorted otherwise than saved, by their names

    def choose(self, view: View) -> None:
        """Show a view; a set of pasted orders goes with the view before."""
        super().choose(view)
        self.pasted = None

    # What is asked for

    def filter(self, today: date) -> Filter:
        """The whole filter: the view's list, the text in the line, and the pasted orders. The text may name a list."""
        typed = parsed(self.text, today)
        if self.pasted is not None:
            return replace(typed, clauses=(*typed.clauses, self.pasted))
        if any(each.field == "list" for each in typed.clauses):
            return typed
        return replace(typed, clauses=(*_list_clauses(self.current.filter, today), *typed.clauses))

    def list_name(self, today: date) -> ListName:
        """The list that is shown; the open one where the filter is about several."""
        return one_list(self.filter(today).clauses) or "open"

    @property
    def sort(self) -> tuple[str, bool]:
        """The column that is sorted by, and whether descending."""
        return self._sorts.get(self.current.name, (self.current.sort, self.current.descending))

    def sort_by(self, name: str) -> None:
        """Sort by a column; reverse the order if that column is sorted by already."""
        before, descending = self.sort
        self.sort_as(name, not descending if before == name else name in _DESCENDING_AT_FIRST)

    def sort_as(self, name: str, descending: bool) -> None:
        """Sort by a column in this direction."""
        self._sorts[self.current.name] = (name, descending)

    # The view

    def view_text(self, today: date) -> str:
        """The text that the saved view puts into the filter line; its list is shown by the view itself."""
        return _split(self.current.filter, today)[1]

    def default_columns(self, today: date) -> tuple[str, ...]:
        """The columns of this view as long as nobody has arranged others."""
        if self.current.columns:
            return self.current.columns
        about = one_list(parsed(self.current.filter, today).clauses)
        if about is None:
            return (*OPEN_COLUMNS[:2], "list", *OPEN_COLUMNS[2:])
        return COMPLETED_COLUMNS if about == "completed" else OPEN_COLUMNS

    def is_changed(self, today: date) -> bool:
        """Whether text, sorting or columns differ from the saved view."""
        view = self.current
        return (
            self.text.split() != self.view_text(today).split()
            or self.sort != (view.sort, view.descending)
            or (bool(view.columns) and names_of(self.columns) != view.columns)
        )

    def as_view(self, name: str, today: date) -> View:
        """A view of this name that finds and shows the same rows."""
        about, rest = _split(self.text, today)
        about = about or _split(self.current.filter, today)[0]
        sort, descending = self.sort
        return View(name, f"{about} {rest}".strip(), sort, descending, names_of(self.columns))

    def reset_sorting(self) -> None:
        """Sort as the saved view does."""
        self._sorts.pop(self.current.name, None)


def _list_clauses(view_filter: str, today: date) -> tuple[Clause, ...]:
    """The list that a view's filter names."""
    return parsed(_split(view_filter, today)[0], today).clauses


def one_list(clauses: tuple[Clause, ...]) -> ListName | None:
    """The one list that these clauses are about; None where they are about several."""
    names: tuple[ListName, ...] = ("open", "completed", "other")
    for each in clauses:
        if each.field == "list" and len(each.values) == 1 and not each.negated:
            return next((name for name in names if name == each.values[0]), None)
    return None


@dataclass(frozen=True, slots=True)
class RowRequest:
    """The orders of `query` in these columns. `with_outbox`: orders that are not listed yet come first."""

    query: OrderQuery
    columns: Arrangement
    with_outbox: bool
    filter: Filter


async def resolve(state: QueryState, desk: Desk, today: date) -> RowRequest:
    """The state as a question for the store; the desk looks up what only it knows. Raises `StoreError`."""
    from app.desk.filter.resolve_filter import resolve  # the first paint does without it

    wanted = state.filter(today)
    sort, descending = state.sort
    query = await resolve(desk, wanted, sort, descending=descending)
    columns = state.columns  # they may have been changed meanwhile
    query = query._replace(raw_fields=raw_fields_among(names_of(columns)))
    return RowRequest(query, columns, _with_outbox(wanted.clauses), wanted)


def _with_outbox(clauses: tuple[Clause, ...]) -> bool:
    """Whether rows of the outbox belong here: among open orders, as long as only words narrow them."""
    narrowing = [each for each in clauses if each.field not in ("list", "outbox")]
    return one_list(clauses) == "open" and not narrowing
