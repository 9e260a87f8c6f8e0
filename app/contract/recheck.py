"""The same check, again at every key: rows that did not change since the last time are not read again.

Invariant: `DraftCheck.check(draft).issues()` are the issues of `check_draft(draft)`, in the same order within a field
or row. It knows an unchanged row by being the same object, so whoever uses it replaces rows and never writes into one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import is_
from typing import Any

from app.contract.check import field_issues
from app.contract.draft import BarcodeDraft, OrderDraft
from app.contract.rows import BARCODES, READERS, RowIssues, across_barcodes, commodities_of, issue_at, rows_of
from app.contract.shape import Issue


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a draft: with its fields (and lists as a whole), and with each row of each list."""

    fields: Sequence[Issue]
    rows: dict[str, Sequence[RowIssues]]
    count: int

    def issues(self, most: int | None = None) -> list[Issue]:
        """The first `most` of all issues, or all: fields first, then list by list."""
        return list(islice(self._walk(), most))

    def _walk(self) -> Iterator[Issue]:
        yield from self.fields
        for path, rows in self.rows.items():
            for index, issues in enumerate(rows):
                for each in issues:
                    yield issue_at(path, index, each)


class DraftCheck:
    """Checks one draft after another and remembers the rows of the last."""

    def __init__(self) -> None:
        self._lists = {path: _List(path) for path in READERS}
        self._across: tuple[Sequence[Any], frozenset[str], Sequence[RowIssues]] = ([], frozenset(), [])

    def check(self, draft: OrderDraft) -> Findings:
        """All that is wrong with the draft as it is now."""
        fields = field_issues(draft)
        own = {path: each.read(rows_of(draft, path)) for path, each in self._lists.items()}
        commodities = commodities_of(draft.freightDetails)
        rows = own | {BARCODES: self._barcodes(draft.barcoding.barcodeItemDetails, own[BARCODES], commodities)}
        return Findings(fields, rows, len(fields) + sum(sum(map(len, each)) for each in rows.values()))

    def _barcodes(
        self, items: Sequence[BarcodeDraft], own: Sequence[RowIssues], commodities: frozenset[str]
    ) -> Sequence[RowIssues]:
        """The barcodes' own issues with those they have beside the freight and one another."""
        before, known, joined = self._across
        if own is before and commodities == known:
            return joined
        found = list(own)
        for index, issues in across_barcodes(items, commodities).items():
            found[index] = (*found[index], *issues)
        self._across = (own, commodities, found)
        return found


class _List:
    """The rows of one list as they were read last."""

    def __init__(self, path: str) -> None:
        self._reader = READERS[path]
        self._rows: Sequence[Any] = []
        self._issues: list[RowIssues] = []

    def read(self, rows: Sequence[Any]) -> list[RowIssues]:
        """The issues of each row; the very same list as before if nothing changed."""
        head = _alike(self._rows, rows)
        if head == len(rows) == len(self._rows):
            return self._issues
        longest = min(len(rows), len(self._rows)) - head
        tail = min(longest, _alike(reversed(self._rows), reversed(rows)))
        changed = [self._reader(row).issues for row in rows[head : len(rows) - tail]]
        after = self._issues[len(self._issues) - tail :]
        self._issues = [*self._issues[:head], *changed, *after]
        self._rows = list(rows)
        return self._issues


def _alike(before: Any, now: Any) -> int:
    """How many rows from the beginning on are the same objects."""
    count = 0
    for same in map(is_, before, now):
        if not same:
            break
        count += 1
    return count
