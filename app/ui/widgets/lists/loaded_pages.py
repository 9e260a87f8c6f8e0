"""The pages of a query that are loaded: those near the screen. The models of long tables stand on it.

Invariants: all pages belong to one query, since a new query replaces them together; a missing page is asked for once.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Row = TypeVar("Row")
PAGE = 200  # rows
_PAGES_KEPT = 40


class LoadedPages(Generic[Row]):
    """Rows in pages of `PAGE`, by their place in the result of the query."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, Sequence[Row]] = OrderedDict()  # the one that was looked at last is the last
        self._asked: set[int] = set()

    @property
    def by_number(self) -> Mapping[int, Sequence[Row]]:
        """The loaded pages by number."""
        return self._pages

    def row(self, place: int) -> Row | None:
        """The row at this place; None while its page is loading."""
        page, at = divmod(place, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            return None
        self._pages.move_to_end(page)
        return rows[at] if at < len(rows) else None

    def ask(self, page: int) -> bool:
        """Whether this page is to be fetched now: True once, until the page is dropped."""
        if page in self._asked:
            return False
        self._asked.add(page)
        return True

    def replace(self, pages: Mapping[int, Sequence[Row]]) -> None:
        """Take the first pages of another query."""
        self._pages = OrderedDict(pages)
        self._asked = set(pages)

    def put(self, page: int, rows: Sequence[Row]) -> bool:
        """Take a page that was asked for; False if the page belongs to an earlier query."""
        if page not in self._asked:
            return False
        self._pages[page] = rows
        while len(self._pages) > _PAGES_KEPT:
            dropped, _ = self._pages.popitem(last=False)
            self._asked.discard(dropped)
        return True

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Every loaded row with its place, from top to bottom."""
        for page in sorted(self._pages):
            yield from enumerate(self._pages[page], page * PAGE)
